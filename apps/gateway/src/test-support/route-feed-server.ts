/** The control plane's route feed as its protocol describes it, for tests and measurements. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Route } from '@wakestone/protocol/gateway'

export const FEED_TOKEN = 'token-of-the-gateway'

export type RouteFeedServer = Awaited<ReturnType<typeof startRouteFeed>>

export function makeRoute(route: Partial<Route> & { host: string }): Route {
  return {
    serverId: randomUUID(),
    serverName: 'Grass',
    state: 'stopped',
    backend: null,
    maxPlayers: 20,
    language: 'en',
    proxyProtocol: false,
    thaw: null,
    canWake: false,
    expectedSeconds: null,
    face: null,
    door: null,
    sleptAt: null,
    ...route,
  }
}

/** @param options.port the port of an earlier one that is to return. */
export async function startRouteFeed(initial: Route[] = [], options: { port?: number; token?: string } = {}) {
  const { port = 0, token = FEED_TOKEN } = options
  const routes = new Map(initial.map((route) => [route.host, route]))
  const streams = new Set<ServerResponse>()
  let requests = 0
  const snapshot = () => `${JSON.stringify({ type: 'snapshot', routes: [...routes.values()] })}\n`
  const server = createServer((request, response) => {
    requests += 1
    if (request.url !== '/internal/gateway/routes') return void response.writeHead(404).end()
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    streams.add(response)
    response.on('close', () => streams.delete(response))
    response.write(snapshot())
  })
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
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
