/**
 * `GET /internal/gateway/routes`: a gateway's view of all servers, as one answer that never ends.
 */
import type { ServerResponse } from 'node:http'
import { gatewayRoutes } from '@wakestone/contract/transport'
import type { RouteMessage } from '@wakestone/protocol/gateway'
import type { Api } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { createRouteSource } from './source.ts'

const pingMilliseconds = 10_000
/** A gateway that leaves so much unread is cut off; it comes back for a snapshot. */
const unreadBytes = 8 * 1024 * 1024

export function registerGatewayFeed(api: Api, changes: ServerChanges): void {
  const { app, context } = api
  const source = createRouteSource(context, changes)
  const answers = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    source.close()
    for (const answer of answers) answer.end()
  })

  implementTransport(api, gatewayRoutes, async ({ reply }) => {
    const waiting: RouteMessage[] = []
    let send = (message: RouteMessage) => void waiting.push(message)
    const unsubscribe = await source.subscribe((message) => send(message)) // a database that is away is still answered with an error

    reply.hijack()
    const answer = reply.raw
    answers.add(answer)
    answer.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
    send = (message) => {
      answer.write(`${JSON.stringify(message)}\n`)
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
