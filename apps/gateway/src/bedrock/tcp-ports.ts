/** Listens at the TCP ports that are wanted, and no longer at others. */
import { createServer, type Server, type Socket } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { AddressLimits } from '../address-limits.ts'
import type { Metrics } from '../metrics.ts'
import { createRetries } from '../ports/retries.ts'

const MOST_CONNECTIONS = 1_000

export function openTcpPorts(options: {
  host: string | undefined
  limits: AddressLimits
  metrics: Metrics
  logger: Logger
  take(socket: Socket, port: number): void
}) {
  const { host, limits, metrics, logger, take } = options
  const servers = new Map<number, Server>()
  const sockets = new Set<Socket>()
  let wanted: ReadonlySet<number> = new Set()
  const retries = createRetries(() => openMissing())
  const openMissing = () => {
    for (const port of wanted) if (!servers.has(port)) open(port)
  }

  function open(port: number): void {
    const server = createServer((socket) => {
      const address = socket.remoteAddress ?? ''
      const refusal = limits.admit(address)
      if (refusal) {
        metrics.count('refused_total', { reason: refusal })
        return void socket.destroy()
      }
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        limits.release(address)
      })
      take(socket, port)
    })
    server.maxConnections = MOST_CONNECTIONS
    server.on('error', (error) => {
      servers.delete(port)
      retries.failed(port, () =>
        logger.error({ err: error, port }, 'a port for Bedrock clients that ask by HTTP cannot be opened'),
      )
    })
    server.listen({ port, host }, () => retries.opened(port))
    servers.set(port, server)
  }

  return {
    follow(now: ReadonlySet<number>): void {
      wanted = now
      for (const [port, server] of servers) {
        if (wanted.has(port)) continue
        server.close()
        servers.delete(port)
      }
      openMissing()
    },
    close(): void {
      retries.close()
      for (const server of servers.values()) server.close()
      for (const socket of sockets) socket.destroy()
      servers.clear()
    },
  }
}
