/** Follows the control plane's routes: one request whose answer never ends, one JSON message per line. */
import type { Logger } from '@wakestone/kit/logger'
import {
  gatewayVersions,
  type Route,
  type RouteMessage,
  routeMessageSchema,
  routeSchema,
} from '@wakestone/protocol/gateway'
import { readRoute } from '@wakestone/protocol/read-route'
import { formatVersions, versionHeader } from '@wakestone/protocol/versions'
import type { RouteTable } from './route-table.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1000
/** The API says something every 10 s; after three silent turns it is taken for dead. */
const SILENCE_MS = 30_000
/** A snapshot of some hundred thousand routes. */
const MAX_LINE_CHARS = 128 * 1024 * 1024

export type RouteFeed = { isConnected(): boolean; close(): void }

export function followRoutes(options: {
  apiUrl: string
  token: string
  table: RouteTable
  logger: Logger
  silenceMs?: number
}): RouteFeed {
  const { apiUrl, token, table, logger, silenceMs = SILENCE_MS } = options
  const url = `${apiUrl.replace(/\/$/, '')}/internal/gateway/routes`
  let connected = false
  let closed = false
  let retryMs = FIRST_RETRY_MS
  let lastReason = ''
  /** Of a snapshot that is not whole yet. */
  let pieces: Route[] = []
  let retry: NodeJS.Timeout | undefined
  let request = new AbortController()

  async function follow() {
    request = new AbortController()
    pieces = []
    const silence = setTimeout(() => request.abort(new Error('the API fell silent')), silenceMs)
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}`, [versionHeader]: formatVersions(gatewayVersions) },
        redirect: 'error',
        signal: request.signal,
      })
      if (!response.ok || !response.body) {
        await response.body?.cancel()
        throw new Error(`the API answered ${response.status}`)
      }
      for await (const line of readLines(response.body)) {
        silence.refresh()
        applyLine(line)
      }
      throw new Error('the API ended the feed')
    } finally {
      clearTimeout(silence)
      connected = false
    }
  }

  function applyLine(line: string) {
    const message = readMessage(line, logger)
    if (!message) return
    if (message.type === 'snapshot') {
      pieces.push(...message.routes)
      if (message.more) return
      const whole = pieces
      pieces = []
      table.replaceAll(whole)
      if (!connected) logger.info({ routes: whole.length }, 'routes received')
      connected = true
      lastReason = ''
      retryMs = FIRST_RETRY_MS
    } else if (message.type === 'set') table.set(message.route)
    else if (message.type === 'remove') table.remove(message.host)
  }

  async function followAgain() {
    try {
      await follow()
    } catch (error) {
      if (closed) return
      // Half of the wait is random, so that many gateways do not return at the same moment.
      const waitMs = retryMs * (0.5 + Math.random() / 2)
      const { message } = ((error as Error).cause ?? error) as Error
      // Said once per reason, not once per try.
      logger[message === lastReason ? 'debug' : 'warn'](
        { reason: message },
        'no routes from the API; serving those known',
      )
      lastReason = message
      retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2)
      retry = setTimeout(() => void followAgain(), waitMs)
    }
  }
  void followAgain()

  return {
    isConnected: () => connected,
    close() {
      closed = true
      clearTimeout(retry)
      request.abort()
    },
  }
}

/** The message of a line. What a newer control plane says in ways unknown here is left out, the rest stays. */
function readMessage(line: string, logger: Logger): RouteMessage | undefined {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    logger.error('a line of the route feed is not JSON')
    return undefined
  }
  const { type, routes, more } = (json ?? {}) as { type?: unknown; routes?: unknown; more?: unknown }
  if (type === 'snapshot' && Array.isArray(routes)) {
    // One bad route must not take all the others down.
    return { type: 'snapshot', routes: routes.flatMap((route) => readOne(route, logger)), more: more === true }
  }
  const message = routeMessageSchema.safeParse(json)
  if (message.success) return message.data
  logger.error({ type, issues: message.error.issues }, 'a message of the route feed is not understood')
  return undefined
}

function readOne(json: unknown, logger: Logger): Route[] {
  const route = readRoute(json)
  if (route) return [route]
  logger.error(
    { host: (json as { host?: unknown } | null)?.host, issues: routeSchema.safeParse(json).error?.issues },
    'a route is not understood',
  )
  return []
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let begun: string[] = []
  let begunChars = 0
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    for (const piece of pieces) {
      const line = begun.join('') + piece
      begun = []
      begunChars = 0
      if (line.trim() !== '') yield line
    }
    begun.push(last)
    begunChars += last.length
    if (begunChars > MAX_LINE_CHARS) throw new Error('a line of the route feed is too long')
  }
}
