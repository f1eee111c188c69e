/**
 * Where players are led: the present routes of all servers, kept up to date.
 */
import type { EngineId } from '@wakestone/contract/servers/server'
import type { Product } from '@wakestone/contract/sales/product'
import { mostPorts } from '@wakestone/contract/servers/ports'
import type { PanelState } from '@wakestone/contract/states'
import type { Route, RouteMessage, ThawGrant } from '@wakestone/protocol/gateway'
import type { Context } from '#src/context.ts'
import {
  type ServerChanges,
  type ServerRow,
  expectedStart,
  hasOwnNetwork,
  panelStateOf,
  selectServers,
} from '#src/features/servers/servers/service.ts'
import { type Seen, selectSeen } from './repo.ts'
import { asksByHttp } from './signalling.ts'
import { createThawGrants } from './thaw-grants.ts'

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
  sleeping: 'asleep',
  stopping: 'stopping',
  stopped: 'stopped',
  crashed: 'crashed',
  expired: 'expired',
}

/** States in which the game does not speak for itself, and comes up for whoever joins. */
const wakeableStates: readonly Route['state'][] = ['light_sleep', 'asleep', 'starting']

function routeStateOf(server: ServerRow): Route['state'] {
  const state = routeStates[panelStateOf(server)]
  if (state === 'asleep' && server.phase === 'frozen' && server.game_port !== null) return 'light_sleep'
  return state === 'running' && server.game_port === null ? 'starting' : state
}

/** Engines whose players leave every game that has not their mods. */
const roomless = ['forge', 'neoforge'] satisfies EngineId[]

type Known = { seen: Seen | undefined; thaw: ThawGrant | null }

/** No more than the plan has, the oldest first. A server without a network of its own listens where the gateway does. */
function portsOf(server: ServerRow): Route['ports'] {
  const { ports = 0 } = server.limits as Product['parameters']
  if (!hasOwnNetwork(server)) return []
  return server.ports.slice(0, Math.min(ports, mostPorts)).map(({ port }) => ({ port, target: port }))
}

/** One route for each address of a server. */
function routesOf(server: ServerRow, state: Route['state'], { seen, thaw }: Known): Route[] {
  const limits = server.limits as { players: number | null }
  const canWake = wakeableStates.includes(state)
  const isThere = state === 'running' || state === 'light_sleep'
  return server.domains.map(({ fqdn }) => ({
    serverId: server.id,
    host: fqdn.toLowerCase(),
    serverName: server.name,
    state,
    backend: isThere ? { host: server.game_host ?? '127.0.0.1', port: server.game_port! } : null,
    maxPlayers: limits.players ?? server.players_max,
    language: server.language as Route['language'],
    proxyProtocol: false,
    thaw,
    canWake,
    hasRoom: !(roomless as readonly string[]).includes(server.engine),
    expectedSeconds: canWake ? expectedStart(server) : null,
    face: seen?.face ?? null,
    door: seen?.door ?? null,
    sleptAt: canWake && state !== 'starting' ? (server.level_since?.toISOString() ?? null) : null,
    bedrock: server.bedrock_port === null ? null : { port: server.bedrock_port, signalling: asksByHttp(server) },
    ports: portsOf(server),
  }))
}

/** What is large in a route is read once and mostly handed on as it is: then a look at it suffices. */
function isSame(one: Route, other: Route): boolean {
  const [{ face, door, ...rest }, { face: otherFace, door: otherDoor, ...others }] = [one, other]
  const isEqual = (left: unknown, right: unknown) => left === right || JSON.stringify(left) === JSON.stringify(right)
  return isEqual(face, otherFace) && isEqual(door, otherDoor) && isEqual(rest, others)
}

export type RouteSource = {
  /** Sends the snapshot, then each change. */
  subscribe(listener: (message: RouteMessage) => void): Promise<() => void>
  close(): void
}

export function createRouteSource(
  { db, logger, fleet }: Pick<Context, 'db' | 'logger' | 'fleet'>,
  changes: ServerChanges,
): RouteSource {
  const grants = createThawGrants({ fleet })
  /** Of those that are not up; read anew once they have changed. */
  const seen = new Map<string, Seen>()
  let stale: Set<string> | 'all' = new Set()
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
      forgetStale()
      const routes = await describe(await selectServers(db, serverIds))
      const hosts = new Set(routes.map(({ host }) => host))
      for (const [host, route] of known) {
        if (hosts.has(host) || (serverIds !== undefined && !serverIds.includes(route.serverId))) continue
        known.delete(host)
        send({ type: 'remove', host })
      }
      for (const route of routes) {
        const before = known.get(route.host)
        if (before && isSame(before, route)) continue
        known.set(route.host, route)
        send({ type: 'set', route })
      }
    })
    queue = run.catch(() => undefined)
    return run
  }

  function forgetStale() {
    if (stale === 'all') seen.clear()
    else for (const id of stale) seen.delete(id)
    stale = new Set()
  }

  async function describe(servers: ServerRow[]): Promise<Route[]> {
    const states = new Map(servers.map((server) => [server.id, routeStateOf(server)]))
    const sleepers = servers.map(({ id }) => id).filter((id) => wakeableStates.includes(states.get(id)!))
    const unread = sleepers.filter((id) => !seen.has(id))
    const rows = await selectSeen(db, unread)
    for (const id of unread) seen.set(id, rows.get(id) ?? { face: null, door: null })
    const routes: Route[] = []
    for (const server of servers) {
      const { id } = server
      const state = states.get(id)!
      const isFrozen = state === 'light_sleep'
      if (!isFrozen) grants.forget(id)
      if (!wakeableStates.includes(state)) seen.delete(id)
      routes.push(...routesOf(server, state, { seen: seen.get(id), thaw: isFrozen ? await grants.find(id) : null }))
    }
    return routes
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

  const stopListening = changes.onChange((serverId) => {
    if (serverId === undefined) stale = 'all'
    else if (stale !== 'all') stale.add(serverId)
    gather(serverId)
  })
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
