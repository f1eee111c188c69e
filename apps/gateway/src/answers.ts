/** The bytes with which the gateway answers in place of a game. */
import { cleanHost } from '@wakestone/minecraft/handshake'
import { type LegacyPing, writeLegacyResponse } from '@wakestone/minecraft/legacy-ping'
import { writeLoginDisconnect } from '@wakestone/minecraft/login'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { writeStatusResponse } from '@wakestone/minecraft/status'
import { legacyTextFromSpans, plainText, textFromSpans } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import { messageSpans, type Situation } from './messages.ts'
import { isLive, type RouteTable } from './route-table.ts'

/** What an answer is about: a route, or an address that has none. */
export type Subject = { situation: Situation; route: Route | undefined }

/** More versions of the game than a route's visitors use at a time; a hostile client could name 2^32. */
const MAX_CACHED_ANSWERS = 32
const BRAND = 'Wakestone'
/** What servers of today send to clients that did not name their version. */
const UNKNOWN_LEGACY_PROTOCOL = 127

const nobody = { language: 'en', serverName: '', maxPlayers: 0 } as const
const unrouted = {}
/** Routes are replaced, never changed, so an answer lives exactly as long as its route. */
const cache = new WeakMap<object, Map<string, Buffer>>()

/** What there is to say about a route when its game cannot speak for itself. */
export function subjectOf(route: Route | undefined): Subject {
  if (!route) return { situation: 'unknown', route }
  return { situation: route.state === 'running' ? 'unreachable' : route.state, route }
}

/** Status answer that shows the message where the server's own would stand, for a client of any version. */
export function statusAnswer({ situation, route }: Subject, protocol: number): Buffer {
  const owner = route ?? unrouted
  let answers = cache.get(owner)
  if (!answers) cache.set(owner, (answers = new Map()))
  const key = `${situation} ${protocol}`
  const known = answers.get(key)
  if (known) return known
  const { language, serverName, maxPlayers } = route ?? nobody
  const spans = messageSpans({ situation, language, serverName, between: '\n', withHint: true })
  const answer = writeStatusResponse({
    // Naming the client's own protocol keeps it from calling the server outdated.
    version: { name: BRAND, protocol },
    players: { max: maxPlayers ?? 0, online: 0 },
    description: textFromSpans(spans, protocol),
  })
  if (answers.size < MAX_CACHED_ANSWERS) answers.set(key, answer)
  return answer
}

/** Ends a login with the message. */
export function kickAnswer({ situation, route }: Subject, protocol: number): Buffer {
  const { language, serverName } = route ?? nobody
  const spans = messageSpans({ situation, language, serverName, between: '\n\n', withHint: true })
  return writeLoginDisconnect(textFromSpans(spans, protocol))
}

/**
 * Answer for clients before 1.7. A running game is asked in today's way and its answer translated,
 * because servers understand the old ping less and less.
 */
export async function legacyAnswer(ping: LegacyPing, routes: RouteTable, timeoutMs: number): Promise<Buffer> {
  const route = ping.form === '1.6' ? routes.find(cleanHost(ping.host)) : undefined
  if (ping.form === '1.6' && isLive(route)) {
    const { backend, host, proxyProtocol } = route
    const status = await pingServer({ ...backend, virtualHost: host, timeoutMs, proxyProtocol }).catch(() => undefined)
    if (status) {
      const motd = plainText(status.description).replace(/\s+/g, ' ')
      return writeLegacyResponse(ping.form, { ...status, protocol: ping.protocol, motd })
    }
  }
  const { language, serverName, maxPlayers } = route ?? nobody
  const situation = ping.form === '1.6' ? subjectOf(route).situation : 'unnamed'
  const spans = messageSpans({ situation, language, serverName, between: '', withHint: false })
  return writeLegacyResponse(ping.form, {
    protocol: ping.form === '1.6' ? ping.protocol : UNKNOWN_LEGACY_PROTOCOL,
    version: BRAND,
    motd: legacyTextFromSpans(spans),
    online: 0,
    max: maxPlayers ?? 0,
  })
}
