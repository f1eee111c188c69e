/**
 * Wakes sleeping servers for players who knock. One wake of a server is under way at a time, however many knock.
 * A frozen game is thawed by its supervisor directly; every other wake, and a thaw that fails, goes through the API.
 */
import type { Logger } from '@wakestone/kit/logger'
import { refusalAtDoor, type Visitor } from '@wakestone/protocol/door'
import type { Route } from '@wakestone/protocol/gateway'
import type { Situation } from '../messages.ts'
import type { Metrics } from '../metrics.ts'
import { hasBackend, isLive, type LiveRoute, type RouteTable } from '../route-table.ts'
import { thawGame } from './thaw.ts'
import type { WakeCall } from './wake-call.ts'
import type { WakeLimits } from './wake-limits.ts'

export type Knock =
  /** Not woken, and why. */
  | { outcome: 'refused'; situation: Situation }
  /** It runs: lead the player there. */
  | { outcome: 'up'; route: LiveRoute }
  /** It is on its way up. Null: nobody knows how long it takes. */
  | { outcome: 'waking'; seconds: number | null }

export type Wakes = {
  /** A player wants in. Only for routes that can be woken. */
  knock(route: Route, visitor: Visitor): Promise<Knock>
  /** Thaws a game again that was frozen just as somebody was let in. */
  thawAgain(route: Route, address: string): void
  /** Seconds until the game is up; null: unknown; undefined: nobody is waking it. */
  remaining(route: Route): number | null | undefined
  /** Resolves with the route once its game runs; undefined when it will not, or not in that time. */
  whenUp(host: string, options: { milliseconds: number; signal: AbortSignal }): Promise<LiveRoute | undefined>
}

const THAW_TIMEOUT_MS = 3_000
/** An order that has shown no effect for this long is given again. */
const ORDER_AGAIN_MS = 30_000
/** Joins within this time after a thaw count as part of it. */
const SAME_THAW_MS = 10_000

/** Whether a join of the route may bring the game up, or wait for it. */
export const isWakeable = (route: Route | undefined): route is Route =>
  route !== undefined && route.canWake && ['light_sleep', 'asleep', 'starting', 'stopping'].includes(route.state)

/** What the codes of the API mean to a player. */
const situationOfError: Record<string, Situation> = {
  server_is_expired: 'expired',
  server_is_disabled: 'locked',
  server_is_preparing: 'preparing',
  server_is_not_running: 'stopped',
  free_servers_not_available: 'no_place',
  free_hours_used_up: 'hours_used_up',
  access_denied: 'not_whitelisted',
  too_many_requests: 'knocked_too_often',
}

type Waking = { since: number; seconds: number | null; orderedAt: number }

export function createWakes(parts: {
  routes: RouteTable
  limits: WakeLimits
  callApi: WakeCall
  metrics: Metrics
  logger: Logger
}): Wakes {
  const { routes, limits, callApi, metrics, logger } = parts
  const waking = new Map<string, Waking>()
  const thaws = new Map<string, Promise<boolean>>()
  const orders = new Map<string, Promise<Knock>>()
  const thawedAt = new Map<string, number>()
  const waiting = new Set<() => void>()

  routes.onChange((changed) => {
    for (const route of changed) follow(route)
    for (const look of waiting) look()
  })

  /** Remembers since when a server starts, and forgets what is over. */
  function follow(route: Route) {
    const { serverId, state, canWake, expectedSeconds } = route
    if (state !== 'light_sleep') thawedAt.delete(serverId)
    if (state === 'starting' && canWake && !waking.has(serverId))
      waking.set(serverId, { since: performance.now(), seconds: expectedSeconds, orderedAt: Number.NEGATIVE_INFINITY })
    else if (!isWakeable(route)) waking.delete(serverId)
  }

  async function knock(route: Route, visitor: Visitor): Promise<Knock> {
    const answer = await admit(route, visitor)
    metrics.count('knocks_total', { outcome: answer.outcome === 'refused' ? answer.situation : answer.outcome })
    return answer
  }

  async function admit(route: Route, visitor: Visitor): Promise<Knock> {
    const refusal = refusalAtDoor(route.door, visitor)
    if (refusal) return { outcome: 'refused', situation: refusal }
    const { serverId } = route
    if (route.state === 'light_sleep') {
      if (!isThawing(serverId) && !limits.admit({ serverId, address: visitor.address })) return tooOften
      if (hasBackend(route) && (await thaw(route))) return { outcome: 'up', route }
      return order(route, visitor)
    }
    if (route.state === 'starting') return { outcome: 'waking', seconds: remaining(route) ?? null }
    if (isOrdered(serverId)) return orders.get(serverId) ?? { outcome: 'waking', seconds: remaining(route) ?? null }
    if (!limits.admit({ serverId, address: visitor.address })) return tooOften
    return order(route, visitor)
  }

  const isThawing = (serverId: string) =>
    thaws.has(serverId) || performance.now() - (thawedAt.get(serverId) ?? Number.NEGATIVE_INFINITY) < SAME_THAW_MS
  const isOrdered = (serverId: string) =>
    orders.has(serverId) ||
    performance.now() - (waking.get(serverId)?.orderedAt ?? Number.NEGATIVE_INFINITY) < ORDER_AGAIN_MS

  function thaw(route: Route): Promise<boolean> {
    const { serverId, thaw: grant, host } = route
    if (!grant) return Promise.resolve(false)
    const known = thaws.get(serverId)
    if (known) return known
    const began = performance.now()
    const run = thawGame(grant, THAW_TIMEOUT_MS)
      .then(
        () => {
          thawedAt.set(serverId, performance.now())
          metrics.count('wakes_total', { way: 'thaw', outcome: 'done' })
          logger.info({ serverId, host, milliseconds: Math.round(performance.now() - began) }, 'thawed a game')
          return true
        },
        (error: Error) => {
          metrics.count('wakes_total', { way: 'thaw', outcome: 'failed' })
          logger.warn({ serverId, host, reason: error.message }, 'a game could not be thawed; asking the API')
          return false
        },
      )
      .finally(() => thaws.delete(serverId))
    thaws.set(serverId, run)
    return run
  }

  function order(route: Route, visitor: Visitor): Promise<Knock> {
    const known = orders.get(route.serverId)
    if (known) return known
    const run = callForWake(route, visitor).finally(() => orders.delete(route.serverId))
    orders.set(route.serverId, run)
    return run
  }

  async function callForWake(route: Route, { name, address }: Visitor): Promise<Knock> {
    const { serverId, host } = route
    const answer = await callApi({ serverId, name, address }).catch((error: Error) => ({ error: error.message }))
    if ('error' in answer) {
      metrics.count('wakes_total', { way: 'api', outcome: 'failed' })
      logger.warn({ serverId, host, reason: answer.error }, 'a server is not woken')
      return { outcome: 'refused', situation: situationOfError[answer.error] ?? 'not_woken' }
    }
    metrics.count('wakes_total', { way: 'api', outcome: 'done' })
    const seconds = answer.expectedSeconds ?? route.expectedSeconds
    const now = performance.now()
    // By now it may be up already, and then there is nothing to remember.
    if (isWakeable(routes.find(host))) waking.set(serverId, { since: now, seconds, orderedAt: now })
    return { outcome: 'waking', seconds }
  }

  function remaining({ serverId }: Route): number | null | undefined {
    const known = waking.get(serverId)
    if (known?.seconds == null) return known && null
    return Math.max(1, Math.ceil(known.seconds - (performance.now() - known.since) / 1000))
  }

  function thawAgain(route: Route, address: string) {
    const { serverId, door } = route
    if (thaws.has(serverId) || refusalAtDoor(door, { name: null, address })) return
    if (isThawing(serverId) || limits.admit({ serverId, address })) void thaw(route)
  }

  function whenUp(host: string, { milliseconds, signal }: { milliseconds: number; signal: AbortSignal }) {
    return new Promise<LiveRoute | undefined>((resolve) => {
      const timer = setTimeout(settle, milliseconds)
      const giveUp = () => settle()
      const look = () => {
        const route = routes.find(host)
        if (isLive(route)) settle(route)
        else if (!isWakeable(route)) settle()
      }
      function settle(route?: LiveRoute) {
        clearTimeout(timer)
        waiting.delete(look)
        signal.removeEventListener('abort', giveUp)
        resolve(route)
      }
      signal.addEventListener('abort', giveUp)
      waiting.add(look)
      if (signal.aborted) settle()
      else look()
    })
  }

  return { knock, thawAgain, remaining, whenUp }
}

const tooOften: Knock = { outcome: 'refused', situation: 'knocked_too_often' }
