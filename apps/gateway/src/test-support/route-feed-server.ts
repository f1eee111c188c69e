/** The control plane's route feed as its protocol describes it, for tests and measurements. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { antibotReportBody, type AntibotReport } from '@wakestone/contract/servers/antibot'
import { type Route, snapshotPieces } from '@wakestone/protocol/gateway'

export const FEED_TOKEN = 'token-of-the-gateway'

export type RouteFeedServer = Awaited<ReturnType<typeof startRouteFeed>>

export function makeRoute(route: Partial<Route> & { host: string }): Route {
  return {
    serverId: randomUUID(),
    serverName: 'Grass',
    state: 'stopped',
    backend: null,
    way: null,
    maxPlayers: 20,
    language: 'en',
    proxyProtocol: false,
    thaw: null,
    canWake: false,
    hasRoom: true,
    anyVersion: false,
    expectedSeconds: null,
    face: null,
    door: null,
    sleptAt: null,
    bedrock: null,
    ports: [],
    antibot: null,
    ...route,
  }
}

export type WakeOrder = { serverId: string; name: string | null; address: string }
/** What the API does with an order to wake. */
export type OnWake = (order: WakeOrder) => { expectedSeconds: number | null } | { error: string }

/** @param options.port the port of an earlier one that is to return. */
export async function startRouteFeed(
  initial: Route[] = [],
  options: { port?: number; token?: string; onWake?: OnWake } = {},
) {
  const { port = 0, token = FEED_TOKEN, onWake = () => ({ expectedSeconds: null }) } = options
  const wakes: WakeOrder[] = []
  const reports: AntibotReport[] = []
  const routes = new Map(initial.map((route) => [route.host, route]))
  const streams = new Set<ServerResponse>()
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const isWake = request.url === '/internal/gateway/wake' && request.method === 'POST'
    const isReport = request.url === '/internal/gateway/antibot' && request.method === 'POST'
    if (request.url !== '/internal/gateway/routes' && !isWake && !isReport) return void response.writeHead(404).end()
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    if (isWake) return void answerWake(request, response)
    if (isReport) return void takeReport(request, response)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    streams.add(response)
    response.on('close', () => streams.delete(response))
    for (const piece of snapshotPieces([...routes.values()])) response.write(`${JSON.stringify(piece)}\n`)
  })
  async function answerWake(request: IncomingMessage, response: ServerResponse) {
    const order = (await json(request)) as WakeOrder
    wakes.push(order)
    const answer = onWake(order)
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  async function takeReport(request: IncomingMessage, response: ServerResponse) {
    reports.push(antibotReportBody.parse(await json(request)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  const say = (text: string | Buffer) => streams.forEach((stream) => stream.write(text))
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    set(route: Route) {
      routes.set(route.host, route)
      say(`${JSON.stringify({ type: 'set', route })}\n`)
    },
    remove(host: string) {
      routes.delete(host)
      say(`${JSON.stringify({ type: 'remove', host })}\n`)
    },
    /** Raw bytes into every open feed. */
    say,
    followers: () => streams.size,
    requests: () => requests,
    /** Orders to wake, as they came. */
    wakes,
    /** What came of joins, as it was told. */
    reports,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
