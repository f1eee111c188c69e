/** A client of raw sockets that remembers what it was told. */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Asks again until it holds; the deadline is for faults only. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not so: ${what}`)
    await wait(10)
  }
}

export type Wire = {
  socket: Socket
  received(): Buffer
  /** Resolves when that many bytes have come. */
  atLeast(count: number): Promise<Buffer>
  /** Resolves with everything once the other side has closed. */
  closed(): Promise<Buffer>
}

/** @param localAddress any of 127.0.0.0/8, to be another address. */
export function openWire(
  port: number,
  { host = '127.0.0.1', localAddress }: { host?: string; localAddress?: string } = {},
): Wire {
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true, ...(localAddress ? { localAddress } : {}) })
  const chunks: Buffer[] = []
  let ended = false
  let end = () => {}
  const over = new Promise<void>((resolve) => (end = resolve))
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.on('end', () => {
    socket.end()
    end()
  })
  socket.on('close', end)
  void over.then(() => (ended = true))
  const received = () => Buffer.concat(chunks)
  return {
    socket,
    received,
    async atLeast(count) {
      await until(() => received().length >= count || ended, `${count} bytes received`)
      return received()
    },
    async closed() {
      const late = wait(60_000, 'late', { ref: false })
      if ((await Promise.race([over, late])) === 'late') throw new Error('still not closed')
      return received()
    },
  }
}
