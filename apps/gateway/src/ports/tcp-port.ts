/** Leads connections that arrive at one TCP port to a server. */
import { createServer, type Socket } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { Metrics } from '../metrics.ts'
import { dialBackend, splice } from '../splice.ts'
import { createGuests, type PortLimits } from './guests.ts'

/** Connections on which nothing passes. */
const IDLE_MS = 15 * 60_000

export type Target = { host: string; port: number }
export type PortContext = {
  host: string | undefined
  port: number
  limits: PortLimits
  metrics: Metrics
  logger: Logger
  dialMs: number
  /** Where it leads now; undefined: nowhere. */
  target: () => Target | undefined
  /** It cannot listen there. */
  onFailure: (error: Error) => void
}
export type OpenPort = {
  connections(): number
  /** Leaves the port to others and goes on with the connections that it has. */
  takeNoMore?(): void
  close(): void
}

export function openTcpPort(context: PortContext): OpenPort {
  const { host, port, limits, metrics, logger, dialMs, target, onFailure } = context
  const guests = createGuests(limits)
  const sockets = new Set<Socket>()

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const address = socket.remoteAddress ?? ''
    socket.on('error', () => {}) // always followed by `close`
    const refusal = sockets.size >= limits.inAll ? 'port_full' : guests.admit(address)
    if (refusal) {
      metrics.count('refused_total', { reason: refusal })
      return void socket.resetAndDestroy()
    }
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      guests.release(address)
    })
    void lead(socket)
  })

  async function lead(socket: Socket) {
    const to = target()
    if (to === undefined) return socket.resetAndDestroy()
    try {
      const backend = await dialBackend({ ...to, timeoutMs: dialMs, player: socket })
      metrics.count('proxied_total', { intent: 'port' })
      socket.setTimeout(IDLE_MS)
      socket.once('close', () => backend.destroySoon())
      splice(socket, backend, () => {
        metrics.count('bytes_total', { direction: 'up' }, socket.bytesRead)
        metrics.count('bytes_total', { direction: 'down' }, socket.bytesWritten)
      })
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      metrics.count('backend_failures_total', { code })
      logger.debug({ port, code }, 'nothing answers at a port of a server')
      socket.resetAndDestroy()
    }
  }

  server.on('error', onFailure)
  server.listen({ port, host, backlog: 512 })
  return {
    connections: () => sockets.size,
    takeNoMore: () => void server.close(),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      guests.close()
    },
  }
}
