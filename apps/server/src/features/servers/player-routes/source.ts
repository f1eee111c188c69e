/**
 * Where players are led: the present routes of all servers, kept up to date.
 */
import type { PanelState } from '@wakestone/contract/states'
import type { Route, RouteMessage } from '@wakestone/protocol/gateway'
import type { Context } from '#src/context.ts'
import {
  type ServerChanges,
  type ServerRow,
  panelStateOf,
  selectServers,
} from '#src/features/servers/servers/service.ts'

const gatherMilliseconds = 10
/** Paid time ends without anything being written. */
const refreshMilliseconds = 30_000

const routeStates: Record<PanelState, Route['state']> = {
  preparing: 'preparing',
  failed: 'preparing',
  starting: 'starting',
  waking: 'starting',
  running: 'running',
  idle: 'running',
  sleeping: 'stopped',
  stopping: 'stopping',
  stopped: 'stopped',
  crashed: 'crashed',
  expired: 'expired',
}

/** One route for each address of a server. */
export function routesOf(server: ServerRow): Route[] {
  const state = routeStates[panelStateOf(server)]
  const limits = server.limits as { players: number | null }
  const isUp = state === 'running' && server.game_port !== null
  return server.domains.map(({ fqdn }) => ({
    serverId: server.id,
    host: fqdn.toLowerCase(),
    serverName: server.name,
    state: state === 'running' && !isUp ? 'starting' : state,
    backend: isUp ? { host: server.game_host ?? '127.0.0.1', port: server.game_port! } : null,
    maxPlayers: limits.players ?? server.players_max,
    language: server.language as Route['language'],
    proxyProtocol: false,
    thaw: null,
    canWake: false,
    expectedSeconds: null,
    face: null,
    door: null,
    sleptAt: null,
    bedrock: null,
  }))
}

export type RouteSource = {
  /** Sends the snapshot, then each change. */
  subscribe(listener: (message: RouteMessage) => void): Promise<() => void>
  close(): void
}

export function createRouteSource({ db, logger }: Pick<Context, 'db' | 'logger'>, changes: ServerChanges): RouteSource {
  const listeners = new Set<(message: RouteMessage) => void>()
  /** Routes by host, as the listeners know them. */
  const known = new Map<string, Route>()
  let loaded: Promise<void> | undefined
  let waiting: Set<string> | 'all' = new Set()
  let timer: NodeJS.Timeout | undefined
  let queue: Promise<void> = Promise.resolve()

  const send = (message: RouteMessage) => {
    for (const listener of listeners) listener(message)
  }

  /** Reads servers again, all or some, and tells what differs. One reading at a time, so that an old one never wins. */
  function refresh(serverIds: string[] | undefined): Promise<void> {
    const run = queue.then(async () => {
      const routes = (await selectServers(db, serverIds)).flatMap(routesOf)
      const hosts = new Set(routes.map(({ host }) => host))
      for (const [host, route] of known) {
        if (hosts.has(host) || (serverIds !== undefined && !serverIds.includes(route.serverId))) continue
        known.delete(host)
        send({ type: 'remove', host })
      }
      for (const route of routes) {
        if (JSON.stringify(known.get(route.host)) === JSON.stringify(route)) continue
        known.set(route.host, route)
        send({ type: 'set', route })
      }
    })
    queue = run.catch(() => undefined)
    return run
  }

  function gather(serverId: string | undefined) {
    if (loaded === undefined) return
    if (serverId === undefined) waiting = 'all'
    else if (waiting !== 'all') waiting.add(serverId)
    timer ??= setTimeout(flush, gatherMilliseconds)
  }

  function flush() {
    timer = undefined
    const due = waiting
    waiting = new Set()
    refresh(due === 'all' ? undefined : [...due]).catch((error: unknown) => {
      logger.warn({ error }, 'routes cannot be read; trying again')
      waiting = 'all'
      timer ??= setTimeout(flush, 1_000)
    })
  }

  const stopListening = changes.onChange(gather)
  const refreshing = setInterval(() => gather(undefined), refreshMilliseconds)
  refreshing.unref()

  return {
    async subscribe(listener) {
      loaded ??= refresh(undefined)
      await loaded.catch((error: unknown) => {
        loaded = undefined
        throw error
      })
      listener({ type: 'snapshot', routes: [...known.values()] })
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      stopListening()
      clearInterval(refreshing)
      clearTimeout(timer)
    },
  }
}
