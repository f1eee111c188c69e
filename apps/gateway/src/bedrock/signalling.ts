/**
 * How newer Bedrock clients come in (NetherNet): by HTTP they ask who is there, and agree with the game on a connection.
 * The host name says which server is meant, so one port serves all; a server's own port serves those who type it. The
 * gateway takes no part in the connection itself, but names its own UDP port as the only way to the game.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { JOIN_PATH, type JoinStatus, MOST_SDP_BYTES, SDP_TYPE, sendOffer } from '@wakestone/bedrock/joining'
import { readSide, withOnlyCandidate } from '@wakestone/bedrock/sdp'
import type { Logger } from '@wakestone/kit/logger'
import { cleanHost } from '@wakestone/minecraft/handshake'
import { plainAddress } from '../address-limits.ts'
import type { Metrics } from '../metrics.ts'
import { isLive, type LiveRoute, type RouteTable } from '../route-table.ts'
import { isWakeable, type Wakes } from '../waking/wakes.ts'
import { type BedrockRoute, isBedrock } from './routes.ts'

/** Clients ask once and wait; those that were measured gave up after thirty seconds. */
const HOLD_MS = 20_000
const ANSWER_MS = 10_000
const HEADERS_MS = 5_000
const FIRST_BYTE_OF_TLS = 0x16
/**
 * Where games are told that players are: nowhere, since one that reached out to them would go around us. It learns the
 * way as they come in. With no place at all some give up at once.
 */
const NOBODY = { address: '127.0.0.1', port: 9 }

export type SignallingContext = {
  routes: RouteTable
  wakes: Wakes
  metrics: Metrics
  logger: Logger
  /** Where players reach this machine; undefined: at the address that they came to. */
  publicAddress: string | undefined
  /** Certificate and key in PEM; undefined: clients are left to ask without. */
  tls: { cert: Buffer; key: Buffer } | undefined
  statusOf(route: BedrockRoute): Promise<JoinStatus | undefined>
  /** Has the door of a server expect a connection. @returns its port; undefined: it is not open. */
  agree(route: BedrockRoute, userFragment: string, port: number): number | undefined
}

export type Signalling = {
  /** @param port that it came in at, by which a server is found that is not named */
  take(socket: Socket, port: number): void
  close(): void
}

export function createSignalling(context: SignallingContext): Signalling {
  const { routes, wakes, metrics, logger, tls } = context
  /** That open connections came in at; one of TLS is another object than the socket below it. */
  const ports = new Map<string, number>()
  const handle = (asked: IncomingMessage, answer: ServerResponse) => {
    answer.setHeader('connection', 'close')
    answerTo(asked, answer).catch((error: unknown) => {
      logger.warn({ err: error }, 'a Bedrock client could not be answered')
      if (answer.headersSent) answer.destroy()
      else refuse(answer, 502)
    })
  }
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: ANSWER_MS, maxHeaderSize: 8 * 1024, keepAlive: false }
  const plain = createServer(limits, handle)
  const secure = tls && createTlsServer({ ...limits, ...tls }, handle)
  for (const server of [plain, secure] as (Server | undefined)[])
    server?.on('clientError', (_error, socket) => socket.destroy())
  secure?.on('tlsClientError', (_error, socket) => socket.destroy())

  function routeOf({ headers, socket }: IncomingMessage): BedrockRoute | undefined {
    const name = (headers.host ?? '').replace(/:\d+$/, '')
    const named = routes.find(cleanHost(name))
    if (named && isBedrock(named)) return named
    const port = ports.get(addressOf(socket))
    return [...routes.withPorts()].filter(isBedrock).find(({ bedrock }) => bedrock.port === port)
  }

  async function answerTo(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const route = routeOf(asked)
    const path = asked.url?.split('?')[0] ?? ''
    // What is no 2xx sends clients on to RakNet.
    if (!route?.bedrock.signalling) return refuse(answer, 404)
    if (asked.method === 'GET' && path === JOIN_PATH) return tellStatus(route, answer)
    const id = /^\/v1\/join\/(\d{1,20})$/.exec(path)?.[1]
    if (asked.method !== 'POST' || id === undefined) return refuse(answer, 404)
    await join(route, { id, asked, answer })
  }

  async function tellStatus(route: BedrockRoute, answer: ServerResponse): Promise<void> {
    const status = await context.statusOf(route)
    metrics.count('answers_total', { kind: 'join_status', situation: route.state })
    if (status === undefined) return refuse(answer, 503)
    const body = JSON.stringify(status)
    answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body)
  }

  async function join(route: BedrockRoute, { id, asked, answer }: Joining): Promise<void> {
    const offer = await readOffer(asked)
    if (offer === undefined) return refuse(answer, 413)
    const live = isLive(route) ? route : await wake(route, asked, answer)
    if (live === undefined) return refuse(answer, 503)
    const told = await sendOffer(live.backend, {
      id,
      offer: withOnlyCandidate(offer, NOBODY),
      timeoutMs: ANSWER_MS,
    })
    const { userFragment, ports: own } = readSide(told.text)
    if (told.status !== 200 || userFragment === undefined || own.length === 0) {
      metrics.count('answers_total', { kind: 'join', situation: 'refused' })
      // A number says why not, in words that clients know.
      return void answer.writeHead(told.status, { 'content-type': 'text/plain' }).end(told.text.slice(0, 1_000))
    }
    const port = context.agree(route, userFragment, own[0]!)
    if (port === undefined) return refuse(answer, 503)
    const address = context.publicAddress ?? plainAddress(asked.socket.localAddress ?? '')
    metrics.count('answers_total', { kind: 'join', situation: 'agreed' })
    answer.writeHead(200, { 'content-type': SDP_TYPE }).end(withOnlyCandidate(told.text, { address, port }))
  }

  /** @returns undefined when it does not come up in time, or for them. */
  async function wake(
    route: BedrockRoute,
    asked: IncomingMessage,
    answer: ServerResponse,
  ): Promise<LiveRoute | undefined> {
    if (!isWakeable(route)) return undefined
    const outcome = await wakes.knock(route, { name: null, address: plainAddress(asked.socket.remoteAddress ?? '') })
    if (outcome.outcome === 'refused') return undefined
    if (outcome.outcome === 'up') return outcome.route
    const gone = new AbortController()
    answer.once('close', () => gone.abort())
    return wakes.whenUp(route.host, { milliseconds: HOLD_MS, signal: gone.signal })
  }

  return {
    take(socket, port) {
      socket.on('error', () => socket.destroy())
      socket.setTimeout(HEADERS_MS, () => socket.destroy())
      socket.once('data', (bytes) => {
        socket.pause()
        socket.setTimeout(0)
        socket.unshift(bytes)
        const server = bytes[0] === FIRST_BYTE_OF_TLS ? secure : plain
        if (!server) return void socket.destroy()
        const key = addressOf(socket)
        ports.set(key, port)
        socket.once('close', () => ports.delete(key))
        server.emit('connection', socket)
        process.nextTick(() => socket.resume())
      })
    },
    close() {
      plain.closeAllConnections()
      secure?.closeAllConnections()
    },
  }
}

type Joining = { id: string; asked: IncomingMessage; answer: ServerResponse }

const refuse = (answer: ServerResponse, status: number) => void answer.writeHead(status).end()
const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** @returns undefined for one that is too large. */
async function readOffer(asked: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of asked as AsyncIterable<Buffer>) {
    size += part.length
    // Returning early closes the connection, and a client that is still sending would miss the answer: read a bit more.
    if (size > MOST_SDP_BYTES * 4) return undefined
    if (size <= MOST_SDP_BYTES) parts.push(part)
  }
  return size > MOST_SDP_BYTES ? undefined : Buffer.concat(parts).toString('utf8')
}
