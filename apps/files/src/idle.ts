/** Ends the service when nobody has needed it for a while. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type IdleOptions = {
  ms: number
  /** Whether it works although nobody is connected. */
  isBusy: () => boolean
  /** Takes its address away; who is connected by then is still served. */
  leave: () => void
  end: () => void
}

const ACCEPT_MS = 100

export function endWhenIdle(server: Server, { ms, isBusy, leave, end }: IdleOptions): void {
  let connections = 0
  let isLeaving = false
  let timer = setTimeout(look, ms)
  server.on('connection', (socket: Socket) => {
    connections++
    clearTimeout(timer)
    socket.on('close', () => {
      connections--
      if (connections > 0) return
      clearTimeout(timer)
      timer = setTimeout(look, ms)
    })
  })
  function look() {
    if (connections > 0 || isLeaving) return
    if (isBusy()) {
      timer = setTimeout(look, ms)
      return
    }
    isLeaving = true
    leave()
    // Whoever connected a moment before is still to be accepted: closed at once, they would be cut off.
    setTimeout(() => server.close(end), ACCEPT_MS)
  }
}
