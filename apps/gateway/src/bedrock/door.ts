/**
 * The door of one Bedrock server in the way that all its versions know: RakNet at a UDP port of its own, since nothing
 * before the login says which server is meant.
 */
import type { RemoteInfo, Socket } from 'node:dgram'
import { createFarewell, type Farewell } from '@wakestone/bedrock/farewell'
import { readOpenRequest1, readPing } from '@wakestone/bedrock/raknet'
import type { Logger } from '@wakestone/kit/logger'
import type { AddressLimits } from '../address-limits.ts'
import type { Metrics } from '../metrics.ts'
import { openSession, type Session } from './nat.ts'
import { type BedrockRoute, hasGame, isAsleep } from './route-kind.ts'
import type { StatusBook } from './status.ts'
import { farewellText, wakingText } from './texts.ts'

/** Clients ask to come in for six and a half seconds: whoever waits longer never joins. */
const HOLD_MS = 5_000
/** Connections whose both sides have fallen silent. */
const IDLE_MS = 60_000
/** Being told why, at most. */
const FAREWELL_MS = 10_000
const SWEEP_MS = 5_000
/** Waiting or being told, per port; more are not heard. */
const MOST_WAITING = 500

/** Wakes a server for a player. @returns seconds until it can be joined; null: nobody knows */
export type Wake = (route: BedrockRoute, address: string) => Promise<{ expectedSeconds: number | null }>

export type DoorContext = {
  wake: Wake
  status: StatusBook
  metrics: Metrics
  logger: Logger
  /** Connections per address, as for Java. */
  limits: AddressLimits
  /** Pongs and wakes per address: who asks can be anybody, since the addresses of datagrams are easily forged. */
  pongs: AddressLimits
  wakes: AddressLimits
}

type Waiting = { since: number; expectedSeconds: number | null; isRefused: boolean }

export type Door = { setRoute(route: BedrockRoute): void; sessions(): number; close(): void }

export function openDoor(socket: Socket, first: BedrockRoute, context: DoorContext): Door {
  const { metrics, logger, limits, status } = context
  let route = first
  const sessions = new Map<string, Session>()
  const waiting = new Map<string, Waiting>()
  const farewells = new Map<string, { farewell: Farewell; until: number }>()

  socket.on('message', (bytes, from) => {
    try {
      receive(bytes, from)
    } catch (error) {
      logger.error({ err: error }, 'fault while reading from a Bedrock client')
    }
  })
  const sweeper = setInterval(sweep, SWEEP_MS)
  sweeper.unref()

  function receive(bytes: Buffer, from: RemoteInfo): void {
    const time = readPing(bytes)
    if (time) return answerPing(time, from)
    const key = `${from.address} ${from.port}`
    const session = sessions.get(key)
    if (session) return session.forward(bytes)
    const isKnocking = readOpenRequest1(bytes) !== undefined
    const told = farewells.get(key)
    if (told && !(isKnocking && hasGame(route))) return answerFarewell(key, told.farewell, bytes, from)
    if (isKnocking) knock(key, bytes, from)
  }

  const reply = (bytes: Buffer, { address, port }: RemoteInfo) => socket.send(bytes, port, address, () => {})

  function answerPing(time: Buffer, from: RemoteInfo): void {
    if (!takeFrom(context.pongs, from.address)) return metrics.count('refused_total', { reason: 'pongs' })
    metrics.count('answers_total', { kind: 'pong', situation: route.state })
    reply(status.answer(route, time), from)
  }

  function knock(key: string, bytes: Buffer, from: RemoteInfo): void {
    if (isAsleep(route)) wake(key, from)
    if (hasGame(route)) return enter(key, bytes, from)
    const isHeld = isAsleep(route) || route.state === 'starting'
    const since = waiting.get(key)
    if (isHeld && since === undefined) {
      if (waiting.size < MOST_WAITING)
        waiting.set(key, { since: performance.now(), expectedSeconds: null, isRefused: false })
      return
    }
    const seconds = since?.expectedSeconds ?? null
    const isHopeful = seconds === null || seconds * 1000 <= HOLD_MS
    if (isHeld && since && !since.isRefused && isHopeful && performance.now() - since.since < HOLD_MS) return
    tell(key, isHeld && !since?.isRefused ? wakingText(route, seconds) : farewellText(route), bytes, from)
  }

  /** Once for a player who waits, however often that one knocks. */
  function wake(key: string, { address }: RemoteInfo): void {
    if (waiting.has(key) || waiting.size >= MOST_WAITING) return
    const mine: Waiting = { since: performance.now(), expectedSeconds: null, isRefused: false }
    waiting.set(key, mine)
    if (!takeFrom(context.wakes, address)) {
      metrics.count('refused_total', { reason: 'wakes' })
      mine.isRefused = true
      return
    }
    context.wake(route, address).then(
      ({ expectedSeconds }) => void (mine.expectedSeconds = expectedSeconds),
      (error: unknown) => {
        mine.isRefused = true
        logger.warn({ err: error, serverId: route.serverId }, 'a Bedrock server could not be woken')
      },
    )
  }

  function enter(key: string, bytes: Buffer, from: RemoteInfo): void {
    waiting.delete(key)
    farewells.delete(key)
    if (!hasGame(route)) return
    const refusal = limits.admit(from.address)
    if (refusal) return metrics.count('refused_total', { reason: refusal })
    metrics.count('proxied_total', { intent: 'bedrock' })
    const session = openSession({
      backend: route.backend,
      toPlayer: (message) => reply(message, from),
      onClose({ up, down }) {
        if (sessions.get(key) === session) sessions.delete(key)
        limits.release(from.address)
        metrics.count('bytes_total', { direction: 'up' }, up)
        metrics.count('bytes_total', { direction: 'down' }, down)
      },
    })
    sessions.set(key, session)
    session.forward(bytes)
  }

  function tell(key: string, text: string, bytes: Buffer, from: RemoteInfo): void {
    if (farewells.size >= MOST_WAITING) return
    waiting.delete(key)
    metrics.count('answers_total', { kind: 'kick', situation: route.state })
    const farewell = createFarewell({ guid: status.guidOf(route.serverId), client: from, text })
    farewells.set(key, { farewell, until: performance.now() + FAREWELL_MS })
    answerFarewell(key, farewell, bytes, from)
  }

  function answerFarewell(key: string, farewell: Farewell, bytes: Buffer, from: RemoteInfo): void {
    const { replies, isTold } = farewell.answer(bytes)
    for (const message of replies) reply(message, from)
    if (isTold) farewells.delete(key)
  }

  function sweep(): void {
    const now = performance.now()
    for (const session of sessions.values()) if (now - session.usedAt() > IDLE_MS) session.close()
    for (const [key, { since }] of waiting) if (now - since > 2 * HOLD_MS) waiting.delete(key)
    for (const [key, { until }] of farewells) if (now > until) farewells.delete(key)
  }

  return {
    sessions: () => sessions.size,
    setRoute(next) {
      route = next
      // A game that was started anew knows nobody of before.
      for (const session of sessions.values())
        if (next.backend !== null && next.backend.port !== session.backend.port) session.close()
    },
    close() {
      clearInterval(sweeper)
      for (const session of sessions.values()) session.close()
      socket.close()
    },
  }
}

/** @returns whether that address may have one more now */
function takeFrom(limits: AddressLimits, address: string): boolean {
  if (limits.admit(address) !== undefined) return false
  limits.release(address)
  return true
}
