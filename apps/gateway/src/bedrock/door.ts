/**
 * The door of one Bedrock server: a UDP port of its own, since nothing that RakNet's clients send before the login says
 * which server is meant. Connections that were agreed on by HTTP (`signalling.ts`) come to the same port.
 */
import type { RemoteInfo, Socket } from 'node:dgram'
import { createFarewell, type Farewell } from '@wakestone/bedrock/farewell'
import { readOpenRequest1, readPing, withDialledPort } from '@wakestone/bedrock/raknet'
import { readBindingRequest } from '@wakestone/bedrock/stun'
import type { Logger } from '@wakestone/kit/logger'
import type { Route } from '@wakestone/protocol/gateway'
import { type Guard, isGuarded } from '../antibot/guard.ts'
import type { AddressLimits } from '../address-limits.ts'
import { type Subject, subjectOf } from '../answers.ts'
import type { Situation } from '../messages.ts'
import type { Metrics } from '../metrics.ts'
import { hasBackend, isLive, type LiveRoute } from '../route-table.ts'
import { isWakeable, type Wakes } from '../waking/wakes.ts'
import { openSession, type Session } from './nat.ts'
import type { BedrockRoute } from './routes.ts'
import type { StatusBook } from './status.ts'
import { farewellText } from './texts.ts'

/** Clients ask to come in for six and a half seconds: whoever waits longer never joins. */
const HOLD_MS = 5_000
/** Connections whose both sides have fallen silent. */
const IDLE_MS = 60_000
/** Whoever is being told why and says nothing for so long is forgotten. */
const FAREWELL_MS = 10_000
const SWEEP_MS = 5_000
/** How often a frozen game that players speak to is thawed, at most. */
const THAW_AGAIN_MS = 1_000
/** Waiting or being told, per port; more are not heard. */
const MOST_WAITING = 500
/** Connections that a game agreed to since it came up, per port; the oldest are forgotten first. */
const MOST_AGREED = 1_000

export type DoorContext = {
  wakes: Wakes
  status: StatusBook
  metrics: Metrics
  logger: Logger
  /** Connections per address, as for Java. */
  limits: AddressLimits
  antibot: Guard
  /** Pongs per address: who asks can be anybody, since the addresses of datagrams are easily forged. */
  pongs: AddressLimits
}

/** Somebody who asks to come in while there is no game. */
type Waiting = {
  since: number
  /** What they last sent. */
  bytes: Buffer
  /** Until the game is up; null: nobody knows. */
  seconds: number | null
  /** Why they are not let in; undefined: they may be. */
  refusal: Situation | undefined
}

export type Door = {
  setRoute(route: BedrockRoute): void
  /**
   * Lets in whoever sends a binding request for this user fragment: the game waits for them at one of its ports.
   * @returns the port of the door
   */
  agree(userFragment: string, port: number): number
  sessions(): number
  close(): void
}

export function openDoor(socket: Socket, first: BedrockRoute, context: DoorContext): Door {
  const { metrics, logger, limits, status, wakes } = context
  let route = first
  const sessions = new Map<string, Session>()
  const waiting = new Map<string, Waiting>()
  const farewells = new Map<string, { farewell: Farewell; until: number }>()
  /** Ports of the game by user fragment. */
  const agreed = new Map<string, number>()
  let thawedAt = -Infinity

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
    const isKnocking = readOpenRequest1(bytes) !== undefined
    const session = sessions.get(key)
    // Who comes anew, from the port that they had before, finds no game: it is to be woken.
    if (session && isKnocking && !isLive(route) && route.state !== 'light_sleep') session.close()
    else if (session) return follow(session, bytes, from)
    const told = farewells.get(key)
    if (told && !(isKnocking && isLive(route))) {
      told.until = performance.now() + FAREWELL_MS
      return answerFarewell(key, told.farewell, bytes, from)
    }
    if (isKnocking) return knock(key, bytes, from)
    const port = agreed.get(readBindingRequest(bytes) ?? '')
    if (port !== undefined && hasBackend(route) && isAdmitted(from)) enter(key, { route, port }, bytes, from)
  }

  /** A game may be frozen just as somebody is let in, who then speaks on to it. */
  function follow(session: Session, bytes: Buffer, from: RemoteInfo): void {
    session.forward(bytes)
    if (route.state !== 'light_sleep' || performance.now() - thawedAt < THAW_AGAIN_MS) return
    thawedAt = performance.now()
    wakes.thawAgain(route, from.address)
  }

  const reply = (bytes: Buffer, { address, port }: RemoteInfo) => socket.send(bytes, port, address, () => {})

  function answerPing(time: Buffer, from: RemoteInfo): void {
    const { pongs } = context
    if (pongs.admit(from.address) !== undefined) return metrics.count('refused_total', { reason: 'pongs' })
    pongs.release(from.address)
    metrics.count('answers_total', { kind: 'pong', situation: route.state })
    reply(status.answer(route, time), from)
  }

  /** Of a guarded server: whether so many may come from there while bots attack. */
  const isAdmitted = ({ address }: RemoteInfo) => !isGuarded(route) || context.antibot.admitNameless(route, address)

  function knock(key: string, bytes: Buffer, from: RemoteInfo): void {
    const isNew = (isLive(route) || isWakeable(route)) && !waiting.has(key)
    if (isNew && !isAdmitted(from)) return tell(key, { situation: 'flood', route }, bytes, from)
    if (isLive(route)) return enter(key, { route }, bytes, from)
    if (!isWakeable(route)) return tell(key, subjectOf(route, wakes), bytes, from)
    const known = waiting.get(key)
    if (!known) return begin(key, route, bytes, from)
    known.bytes = Buffer.from(bytes)
    if (known.refusal) return tell(key, { situation: known.refusal, route }, bytes, from)
    const isHopeful = known.seconds === null || known.seconds * 1000 <= HOLD_MS
    if (isHopeful && performance.now() - known.since < HOLD_MS) return
    tell(key, { situation: 'waking', route, seconds: wakes.remaining(route) ?? null }, bytes, from)
  }

  /** Once for each who waits, however often they ask; an answer follows when they ask again. */
  function begin(key: string, wakeable: Route, bytes: Buffer, from: RemoteInfo): void {
    if (waiting.size >= MOST_WAITING) return
    const mine: Waiting = { since: performance.now(), bytes: Buffer.from(bytes), seconds: null, refusal: undefined }
    waiting.set(key, mine)
    wakes.knock(wakeable, { name: null, address: from.address }).then(
      (outcome) => {
        if (outcome.outcome === 'refused') mine.refusal = outcome.situation
        else if (outcome.outcome === 'waking') mine.seconds = outcome.seconds
        // It was frozen: what they sent last is answered as soon as it moves.
        else if (waiting.get(key) === mine) enter(key, { route: outcome.route }, mine.bytes, from)
      },
      (error: unknown) => logger.error({ err: error, serverId: wakeable.serverId }, 'fault while waking a server'),
    )
  }

  /** Those who wait are led in as soon as there is a game, whenever they would have asked again. */
  function admitWaiting(): void {
    if (!isLive(route)) return
    for (const [key, { bytes, refusal }] of waiting) {
      const [address = '', port] = key.split(' ')
      if (!refusal) enter(key, { route }, bytes, { address, port: Number(port), family: 'IPv4', size: 0 })
    }
  }

  /** @param way where to; without a port RakNet's, which is the game's own */
  function enter(key: string, way: { route: LiveRoute; port?: number }, bytes: Buffer, from: RemoteInfo): void {
    waiting.delete(key)
    farewells.delete(key)
    if (route.state === 'light_sleep') thawedAt = performance.now() // for them
    const refusal = limits.admit(from.address)
    if (refusal) return metrics.count('refused_total', { reason: refusal })
    metrics.count('proxied_total', { intent: 'bedrock' })
    const session = openSession({
      backend: way.route.backend,
      port: way.port ?? way.route.backend.port,
      rewrite: withDialledPort,
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

  function tell(key: string, subject: Subject, bytes: Buffer, from: RemoteInfo): void {
    if (farewells.size >= MOST_WAITING) return
    waiting.delete(key)
    metrics.count('answers_total', { kind: 'kick', situation: subject.situation })
    const farewell = createFarewell({ guid: status.guidOf(route.serverId), client: from, text: farewellText(subject) })
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
      const isAnother = next.backend !== null && next.backend.port !== route.backend?.port
      route = next
      if (isAnother) agreed.clear()
      admitWaiting()
      // A game that was started anew knows nobody of before.
      for (const session of sessions.values())
        if (next.backend !== null && next.backend.port !== session.backend.port) session.close()
    },
    agree(userFragment, port) {
      agreed.delete(userFragment)
      agreed.set(userFragment, port)
      const [oldest] = agreed.keys()
      if (agreed.size > MOST_AGREED) agreed.delete(oldest!)
      return socket.address().port
    },
    close() {
      clearInterval(sweeper)
      for (const session of sessions.values()) session.close()
      socket.close()
    },
  }
}
