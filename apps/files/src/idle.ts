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

export function endWhenIdle(server: Server, { ms, isBusy, leave, end }: IdleOptions): void {
  let connections = 0
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
    if (connections > 0) return
    if (isBusy()) {
      timer = setTimeout(look, ms)
      return
    }
    leave()
    server.close(end)
  }
}
