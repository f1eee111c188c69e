/** Keeps the ports open that servers have beside their games': each by TCP and UDP, as long as a route says so. */
import type { Logger } from '@wakestone/kit/logger'
import type { Route } from '@wakestone/protocol/gateway'
import type { Metrics } from '../metrics.ts'
import { isLive, type RouteTable } from '../route-table.ts'
import type { PortLimits } from './guests.ts'
import { createRetries } from './retries.ts'
import { openTcpPort, type OpenPort, type Target } from './tcp-port.ts'
import { openUdpPort } from './udp-port.ts'

export type { PortLimits }
export type ExtraPorts = {
  ports(): number[]
  connections(): number
  /** Takes no more by TCP, and closes every port as soon as nothing is led through it. */
  drain(): void
  close(): void
}

const DRAIN_LOOK_MS = 500

type Wanted = { route: Route; target: number }
type Entry = { serverId: string; to: Target | undefined; parts: OpenPort[] }

export function openExtraPorts(options: {
  /** Unset: all addresses, IPv4 and IPv6. */
  host: string | undefined
  routes: RouteTable
  metrics: Metrics
  logger: Logger
  dialMs: number
  limits: PortLimits
}): ExtraPorts {
  const { routes, logger } = options
  const open = new Map<number, Entry>()
  const retries = createRetries(() => follow())
  let draining: NodeJS.Timeout | undefined

  function close(port: number) {
    const entry = open.get(port)
    open.delete(port)
    for (const part of entry?.parts ?? []) part.close()
  }

  function add(port: number, serverId: string): Entry {
    const entry: Entry = { serverId, to: undefined, parts: [] }
    open.set(port, entry)
    const context = {
      ...options,
      port,
      target: () => entry.to,
      onFailure(error: Error) {
        if (open.get(port) === entry) close(port)
        retries.failed(port, () => logger.error({ err: error, port, serverId }, 'a port of a server cannot be opened'))
      },
    }
    entry.parts.push(openTcpPort(context), openUdpPort(context))
    return entry
  }

  function follow() {
    const wanted = new Map<number, Wanted>()
    for (const route of routes.withPorts())
      for (const { port, target } of route.ports) wanted.set(port, { route, target })
    for (const [port, { serverId, parts }] of open) {
      const isDone = draining !== undefined && parts.every((part) => part.connections() === 0)
      if (isDone || wanted.get(port)?.route.serverId !== serverId) close(port)
    }
    for (const [port, { route, target }] of wanted) {
      const entry = open.get(port) ?? (draining === undefined ? add(port, route.serverId) : undefined)
      if (entry === undefined) continue
      entry.to = isLive(route) ? { host: route.backend.host, port: target } : undefined
    }
  }
  follow()
  routes.onPortsChange(follow)

  return {
    ports: () => [...open.keys()],
    connections: () =>
      [...open.values()].reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + part.connections(), 0), 0),
    drain() {
      draining = setInterval(follow, DRAIN_LOOK_MS)
      for (const { parts } of open.values()) for (const part of parts) part.takeNoMore?.()
      follow()
    },
    close() {
      clearInterval(draining)
      retries.close()
      for (const port of open.keys()) close(port)
    },
  }
}
