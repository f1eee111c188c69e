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
  replaceAll(routes: Route[]): void
  set(route: Route): void
  remove(host: string): void
  /** Calls back after every change, with the routes that are new. */
  onChange(listener: (changed: readonly Route[]) => void): void
}

export function createRouteTable(): RouteTable {
  let routes = new Map<string, Route>()
  const listeners: ((changed: readonly Route[]) => void)[] = []
  const changed = (list: readonly Route[]) => listeners.forEach((listener) => listener(list))

  return {
    find: (host) => routes.get(host),
    all: () => [...routes.values()],
    replaceAll(list) {
      routes = new Map(list.map((route) => [route.host, route]))
      changed(list)
    },
    set(route) {
      routes.set(route.host, route)
      changed([route])
    },
    remove(host) {
      if (routes.delete(host)) changed([])
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
