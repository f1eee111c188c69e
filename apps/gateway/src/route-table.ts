/** Which host name leads to which server. Names match exactly. */
import type { Route } from '@wakestone/protocol/gateway'

export type LiveRoute = Route & { backend: NonNullable<Route['backend']> }

/** Whether there is a game to lead to. */
export function isLive(route: Route | undefined): route is LiveRoute {
  return route?.state === 'running' && route.backend !== null
}

export type RouteTable = {
  find(host: string): Route | undefined
  all(): Route[]
  replaceAll(routes: Route[]): void
  set(route: Route): void
  remove(host: string): void
  /** Calls back after every change. */
  onChange(listener: () => void): void
}

export function createRouteTable(): RouteTable {
  let routes = new Map<string, Route>()
  const listeners: (() => void)[] = []
  const changed = () => listeners.forEach((listener) => listener())

  return {
    find: (host) => routes.get(host),
    all: () => [...routes.values()],
    replaceAll(list) {
      routes = new Map(list.map((route) => [route.host, route]))
      changed()
    },
    set(route) {
      routes.set(route.host, route)
      changed()
    },
    remove(host) {
      if (routes.delete(host)) changed()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
