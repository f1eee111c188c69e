/** Which host name leads to which server. Names match exactly. */
import type { Route } from '@wakestone/protocol/gateway'

export type LiveRoute = Route & { backend: NonNullable<Route['backend']> }

/** Whether it is known where the game listens, though it may be frozen. */
export const hasBackend = (route: Route): route is LiveRoute => route.backend !== null

/** Whether there is a game to lead to. */
export function isLive(route: Route | undefined): route is LiveRoute {
  return route?.state === 'running' && hasBackend(route)
}

export type RouteTable = {
  find(host: string): Route | undefined
  all(): Route[]
  size(): number
  /** Those that have ports of their own: few of many. */
  withPorts(): Iterable<Route>
  replaceAll(routes: Route[]): void
  set(route: Route): void
  remove(host: string): void
  /** Calls back after every change, with the routes that are new. */
  onChange(listener: (changed: readonly Route[]) => void): void
  /** Calls back after a change of what `withPorts` gives. */
  onPortsChange(listener: () => void): void
}

const hasPorts = ({ bedrock, ports }: Route) => bedrock !== null || ports.length > 0

export function createRouteTable(): RouteTable {
  let routes = new Map<string, Route>()
  /** Of these routes, by host. */
  let ported = new Map<string, Route>()
  const listeners: ((changed: readonly Route[]) => void)[] = []
  const portListeners: (() => void)[] = []
  const portsChanged = () => portListeners.forEach((listener) => listener())
  const changed = (list: readonly Route[]) => listeners.forEach((listener) => listener(list))

  return {
    find: (host) => routes.get(host),
    all: () => [...routes.values()],
    size: () => routes.size,
    withPorts: () => ported.values(),
    replaceAll(list) {
      routes = new Map(list.map((route) => [route.host, route]))
      ported = new Map(list.filter(hasPorts).map((route) => [route.host, route]))
      changed(list)
      portsChanged()
    },
    set(route) {
      routes.set(route.host, route)
      const had = ported.delete(route.host)
      const has = hasPorts(route)
      if (has) ported.set(route.host, route)
      changed([route])
      if (had || has) portsChanged()
    },
    remove(host) {
      const had = ported.delete(host)
      if (routes.delete(host)) changed([])
      if (had) portsChanged()
    },
    onChange: (listener) => void listeners.push(listener),
    onPortsChange: (listener) => void portListeners.push(listener),
  }
}
