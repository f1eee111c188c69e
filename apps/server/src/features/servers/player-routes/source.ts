/**
 * Where players are led: the present routes of all servers, kept up to date.
 */
import { type EngineId, isProxyEngine } from '@wakestone/contract/servers/server'
import type { Product } from '@wakestone/contract/sales/product'
import { mostPorts } from '@wakestone/contract/servers/ports'
import type { PanelState } from '@wakestone/contract/states'
import type { GameWay, Route, RouteMessage, ThawGrant } from '@wakestone/protocol/gateway'
import type { Context } from '#src/context.ts'
import {
  type ServerChanges,
  type ServerRow,
  expectedWake,
  hasOwnNetwork,
  panelStateOf,
  selectServers,
} from '#src/features/servers/servers/service.ts'
import { createRegulars } from './regulars.ts'
import { type Seen, selectAgentClusters, selectExpiredBetween, selectSeen, selectServerIds } from './repo.ts'
import { asksByHttp } from './signalling.ts'
import { createThawGrants, createWays } from './thaw-grants.ts'

const gatherMilliseconds = 10
/** Paid time ends without anything being written, and so does what a gateway is given for a while. */
const refreshMilliseconds = 30_000
/** So many servers are then read anew whatever was told of them, and all of them in half an hour. */
const leastRefreshed = 500
const turnsForAll = 60
/** Of all servers, so many are read at a time. */
const readAtOnce = 1_000

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

type Known = { seen: Seen | undefined; thaw: ThawGrant | null; way: GameWay | null; players: string }

/** No more than the plan has, the oldest first. A server without a network of its own listens where the gateway does. */
function portsOf(server: ServerRow): Route['ports'] {
  const { ports = 0 } = server.limits as Product['parameters']
  if (!hasOwnNetwork(server)) return []
  return server.ports.slice(0, Math.min(ports, mostPorts)).map(({ port }) => ({ port, target: port }))
}

/** One route for each address of a server. */
function routesOf(server: ServerRow, state: Route['state'], { seen, thaw, way, players }: Known): Route[] {
  const limits = server.limits as { players: number | null }
  const canWake = wakeableStates.includes(state)
  const isThere = state === 'running' || state === 'light_sleep'
  return server.domains.map(({ fqdn }) => ({
    serverId: server.id,
    host: fqdn.toLowerCase(),
    serverName: server.name,
    state,
    backend: isThere ? { host: server.game_host ?? '127.0.0.1', port: server.game_port! } : null,
    way: isThere ? way : null,
    maxPlayers: limits.players ?? server.players_max,
    language: server.language as Route['language'],
    proxyProtocol: false,
    thaw,
    canWake,
    hasRoom: !(roomless as readonly string[]).includes(server.engine),
    anyVersion: isProxyEngine(server.engine),
    expectedSeconds: canWake ? expectedWake(server) : null,
    face: seen?.face ?? null,
    door: seen?.door ?? null,
    sleptAt: canWake && state !== 'starting' ? (server.level_since?.toISOString() ?? null) : null,
    bedrock: server.bedrock_port === null ? null : { port: server.bedrock_port, signalling: asksByHttp(server) },
    ports: way === null ? portsOf(server) : [], // agents lead to games only
    antibot: server.antibot === 'off' ? null : { mode: server.antibot as 'on' | 'automatic', known: players },
  }))
}

/** What is large in a route is read once and mostly handed on as it is: then a look at it suffices. */
function isSame(one: Route, other: Route): boolean {
  const [{ face, door, ...rest }, { face: otherFace, door: otherDoor, ...others }] = [one, other]
  const isEqual = (left: unknown, right: unknown) => left === right || JSON.stringify(left) === JSON.stringify(right)
  return isEqual(face, otherFace) && isEqual(door, otherDoor) && isEqual(rest, others)
}

export type RouteSource = {
  /** Gives all routes as they are now, and each change from then on to the listener. */
  subscribe(listener: (message: RouteMessage) => void): Promise<{ routes: Route[]; unsubscribe: () => void }>
  close(): void
}

export function createRouteSource(
  { db, logger, fleet }: Pick<Context, 'db' | 'logger' | 'fleet'>,
  changes: ServerChanges,
): RouteSource {
  const grants = createThawGrants({ fleet })
  const ways = createWays({ fleet })
  const regulars = createRegulars(db)
  /** Of those that are not up; read anew once they have changed. */
  const seen = new Map<string, Seen>()
  let stale: Set<string> | 'all' = new Set()
  const listeners = new Set<(message: RouteMessage) => void>()
  /** Routes by host, as the listeners know them, and the hosts of each server. */
  const known = new Map<string, Route>()
  const hostsOf = new Map<string, Set<string>>()
  /** Where reading servers anew has come to. */
  let turn: string[] = []
  let refreshedAt = new Date()
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
      const ids = serverIds ?? [...new Set([...hostsOf.keys(), ...(await selectServerIds(db))])]
      for (let start = 0; start < ids.length; start += readAtOnce) await read(ids.slice(start, start + readAtOnce))
    })
    queue = run.catch(() => undefined)
    return run
  }

  async function read(serverIds: string[]): Promise<void> {
    const routes = Map.groupBy(await describe(await selectServers(db, serverIds)), ({ serverId }) => serverId)
    for (const id of serverIds) {
      const present = routes.get(id) ?? []
      const hosts = new Set(present.map(({ host }) => host))
      for (const host of hostsOf.get(id) ?? []) {
        // It may be another server's by now.
        if (hosts.has(host) || known.get(host)?.serverId !== id) continue
        known.delete(host)
        send({ type: 'remove', host })
      }
      if (hosts.size > 0) hostsOf.set(id, hosts)
      else hostsOf.delete(id)
      for (const route of present) {
        const before = known.get(route.host)
        if (before && isSame(before, route)) continue
        known.set(route.host, route)
        send({ type: 'set', route })
      }
    }
  }

  /** Servers whose time was over since this was last asked, and some of all. */
  async function refreshSome(): Promise<void> {
    const now = new Date()
    const over = await selectExpiredBetween(db, refreshedAt, now)
    refreshedAt = now
    if (turn.length === 0) turn = [...hostsOf.keys()]
    const some = turn.splice(0, Math.max(leastRefreshed, Math.ceil(hostsOf.size / turnsForAll)))
    for (const id of [...over, ...some]) gather(id)
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
    const players = await regulars.marksOf(servers.filter(({ antibot }) => antibot !== 'off').map(({ id }) => id))
    const behindAgents = await selectAgentClusters(db)
    const routes: Route[] = []
    for (const server of servers) {
      const { id } = server
      const state = states.get(id)!
      const isFrozen = state === 'light_sleep'
      if (!isFrozen) grants.forget(id)
      if (server.game_port === null) ways.forget(id)
      if (!wakeableStates.includes(state)) seen.delete(id)
      const thaw = isFrozen ? await grants.find(id) : null
      const way = server.game_port !== null && behindAgents.has(server.cluster_id) ? await ways.find(id) : null
      routes.push(...routesOf(server, state, { seen: seen.get(id), thaw, way, players: players.get(id) ?? '' }))
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
  const refreshing = setInterval(() => {
    if (loaded === undefined) return
    refreshSome().catch((error: unknown) => logger.warn({ error }, 'routes cannot be looked through now'))
  }, refreshMilliseconds)
  refreshing.unref()

  return {
    async subscribe(listener) {
      loaded ??= refresh(undefined)
      await loaded.catch((error: unknown) => {
        loaded = undefined
        throw error
      })
      listeners.add(listener)
      return { routes: [...known.values()], unsubscribe: () => void listeners.delete(listener) }
    },
    close() {
      stopListening()
      clearInterval(refreshing)
      clearTimeout(timer)
    },
  }
}
