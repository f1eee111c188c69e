/**
 * `GET /internal/gateway/routes`: a gateway's view of all servers, as one answer that never ends.
 * `POST /internal/gateway/wake`: a player knocks at one that sleeps.
 */
import type { ServerResponse } from 'node:http'
import { gatewayRoutes, gatewayWake } from '@wakestone/contract/transport'
import { gatewayVersions, type RouteMessage, snapshotPieces } from '@wakestone/protocol/gateway'
import { commonVersion, readVersions, versionHeader } from '@wakestone/protocol/versions'
import type { Api } from '#src/http/implement.ts'
import { implementCall, implementTransport } from '#src/http/transports.ts'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { forVersion1 } from './old-gateways.ts'
import { createRouteSource } from './source.ts'
import { knock } from './wake.ts'

const pingMilliseconds = 10_000
/** A gateway that leaves so much unread is cut off; it comes back for a snapshot. */
const unreadBytes = 64 * 1024 * 1024

const inPieces = (message: RouteMessage): Iterable<RouteMessage> =>
  message.type === 'snapshot' ? snapshotPieces(message.routes) : [message]

export function registerGatewayFeed(api: Api, changes: ServerChanges): void {
  const { app, context } = api
  const source = createRouteSource(context, changes)
  const answers = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    source.close()
    for (const answer of answers) answer.end()
  })

  implementCall(api, gatewayWake, ({ body }) => knock(context, body))
  implementTransport(api, gatewayRoutes, async ({ request, reply }) => {
    const version = commonVersion(readVersions(request.headers[versionHeader]), gatewayVersions)
    const inItsWords = version === undefined || version < 2 ? forVersion1 : inPieces
    const waiting: RouteMessage[] = []
    let send = (message: RouteMessage) => void waiting.push(message)
    const unsubscribe = await source.subscribe((message) => send(message)) // a database that is away is still answered with an error

    reply.hijack()
    const answer = reply.raw
    answers.add(answer)
    answer.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
    send = (message) => {
      for (const piece of inItsWords(message)) answer.write(`${JSON.stringify(piece)}\n`)
      if (answer.writableLength > unreadBytes) answer.destroy()
    }
    for (const message of waiting) send(message)
    const pinging = setInterval(() => send({ type: 'ping' }), pingMilliseconds)
    answer.on('close', () => {
      clearInterval(pinging)
      unsubscribe()
      answers.delete(answer)
    })
    answer.on('error', () => answer.destroy())
  })
}
