/** The bytes with which the gateway answers in place of a game. */
import type { Socket } from 'node:net'
import { cleanHost } from '@wakestone/minecraft/handshake'
import { type LegacyPing, writeLegacyResponse } from '@wakestone/minecraft/legacy-ping'
import { writeLoginDisconnect } from '@wakestone/minecraft/login'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { frameStatusResponse } from '@wakestone/minecraft/status'
import { hasExactColors, legacyTextFromSpans, plainText, textFromSpans } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import { openTunnel } from '@wakestone/protocol/tunnel'
import { messageSpans, type Situation } from './messages.ts'
import { isLive, type RouteTable } from './route-table.ts'
import type { Notice } from './waking/waiting-room.ts'
import { isWakeable, type Wakes } from './waking/wakes.ts'

/** What an answer is about: a route, or an address that has none. */
export type Subject = {
  situation: Situation
  route: Route | undefined
  /** Until its game is up; null: nobody knows. */
  seconds?: number | null
}

/** More versions of the game than a route's visitors use at a time; a hostile client could name 2^32. */
const MAX_CACHED_ANSWERS = 32
/** When all that are kept take so much, they are made anew. */
const MAX_CACHED_CHARS = 8 * 1024 * 1024
const BRAND = 'Wakestone'
/** What servers of today send to clients that did not name their version. */
const UNKNOWN_LEGACY_PROTOCOL = 127

const nobody = { language: 'en', serverName: '', maxPlayers: 0, face: null } as const
const unrouted = {}
/** Routes are replaced, never changed, so an answer lives no longer than its route. */
let cache = new WeakMap<object, Map<string, Frame>>()
let cachedChars = 0
/** An answer but for the picture in it. */
type Frame = ReturnType<typeof frameStatusResponse>

/** What there is to say about a route when its game cannot speak for itself. */
export function subjectOf(route: Route | undefined, wakes: Pick<Wakes, 'remaining'>): Subject {
  if (!route) return { situation: 'unknown', route }
  if (route.state === 'running') return { situation: 'unreachable', route }
  const seconds = isWakeable(route) ? wakes.remaining(route) : undefined
  if (seconds !== undefined) return { situation: 'waking', route, seconds }
  if (route.state === 'light_sleep' || route.state === 'asleep')
    return { situation: route.canWake ? 'asleep' : 'stopped', route }
  return { situation: route.state, route }
}

const isAsleep = ({ situation }: Subject) => situation === 'asleep' || situation === 'waking'

/**
 * Status answer that shows the message where the server's own would stand, for a client of any version.
 * @returns bytes as a text (`latin1`), which is written without a copy of it outside of the heap.
 */
export function statusAnswer(subject: Subject, protocol: number): string {
  const face = isAsleep(subject) ? (subject.route?.face ?? null) : null
  const { before, behind } = frameOf(subject, face, protocol)
  return `${before}${face?.icon ?? ''}${behind}`
}

function frameOf({ situation, route, seconds }: Subject, face: Route['face'], protocol: number): Frame {
  // Of a sleeper, which looks like itself, versions differ in nothing but how exact their colours are.
  const key = `${situation} ${seconds} ${face && !route?.anyVersion ? hasExactColors(protocol) : protocol}`
  const owner = route ?? unrouted
  const known = cache.get(owner)?.get(key)
  if (known) return known
  const { language, serverName, maxPlayers } = route ?? nobody
  const spans = messageSpans({ situation, language, serverName, between: '\n', withHint: true, seconds })
  const status = {
    // Naming the client's own protocol keeps it from calling the server outdated.
    version: face
      ? { name: face.version, protocol: route?.anyVersion ? protocol : face.versionProtocol }
      : { name: BRAND, protocol },
    players: { max: face?.max ?? maxPlayers ?? 0, online: 0 },
    description: textFromSpans(spans, protocol),
  }
  const frame = frameStatusResponse(status, face?.icon?.length ?? 0)
  keep(owner, key, frame)
  return frame
}

function keep(owner: object, key: string, frame: Frame) {
  if (cachedChars + frame.before.length > MAX_CACHED_CHARS) {
    cache = new WeakMap()
    cachedChars = 0
  }
  const frames = cache.get(owner) ?? new Map<string, Frame>()
  if (frames.size >= MAX_CACHED_ANSWERS) return
  cache.set(owner, frames.set(key, frame))
  cachedChars += frame.before.length
}

/** Ends a login with the message. */
export function kickAnswer({ situation, route, seconds }: Subject, protocol: number): Buffer {
  const { language, serverName } = route ?? nobody
  const spans = messageSpans({ situation, language, serverName, between: '\n\n', withHint: true, seconds })
  return writeLoginDisconnect(textFromSpans(spans, protocol))
}

/** What a player reads who waits for a server to come up, in two pieces. */
export function waitingNotice(
  route: Pick<Route, 'language' | 'serverName'>,
  seconds: number | null,
  situation: Situation = 'waking',
): Notice {
  const { language, serverName } = route
  const [title, ...text] = messageSpans({ situation, language, serverName, between: '', withHint: true, seconds })
  return { title: title ? [title] : [], text }
}

/**
 * Answer for clients before 1.7. A running game is asked in today's way and its answer translated,
 * because servers understand the old ping less and less.
 */
export async function legacyAnswer(
  ping: LegacyPing,
  { routes, wakes, dialMs: timeoutMs }: { routes: RouteTable; wakes: Pick<Wakes, 'remaining'>; dialMs: number },
): Promise<Buffer> {
  const route = ping.form === '1.6' ? routes.find(cleanHost(ping.host)) : undefined
  if (ping.form === '1.6' && isLive(route)) {
    const { backend, host, proxyProtocol, way, serverId } = route
    const ask = (socket?: Socket) =>
      pingServer({ ...backend, virtualHost: host, timeoutMs, proxyProtocol, ...(socket && { socket }) })
    const status = await (
      way === null ? ask() : openTunnel(way.agent, { serverId, to: 'game', ticket: way.ticket }, timeoutMs).then(ask)
    ).catch(() => undefined)
    if (status) {
      const motd = plainText(status.description).replace(/\s+/g, ' ')
      return writeLegacyResponse(ping.form, { ...status, protocol: ping.protocol, motd })
    }
  }
  const { language, serverName, maxPlayers, face } = route ?? nobody
  const subject: Subject = ping.form === '1.6' ? subjectOf(route, wakes) : { situation: 'unnamed', route }
  const { situation, seconds } = subject
  const spans = messageSpans({ situation, language, serverName, between: '', withHint: false, seconds })
  const own = isAsleep(subject) ? face : null
  return writeLegacyResponse(ping.form, {
    protocol: ping.form === '1.6' ? ping.protocol : UNKNOWN_LEGACY_PROTOCOL,
    version: own?.version ?? BRAND,
    motd: legacyTextFromSpans(spans),
    online: 0,
    max: own?.max ?? maxPlayers ?? 0,
  })
}
