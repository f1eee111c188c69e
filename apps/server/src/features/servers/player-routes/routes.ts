/**
 * `GET /internal/gateway/routes`: a gateway's view of all servers, as one answer that never ends.
 * `POST /internal/gateway/wake`: a player knocks at one that sleeps.
 */
import type { ServerResponse } from 'node:http'
import { gatewayRoutes, gatewayWake } from '@wakestone/contract/transport'
import { briefRoute, gatewayVersions, type RouteMessage, snapshotPieces } from '@wakestone/protocol/gateway'
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
/** Of a snapshot, so much waits as text. */
const waitingBytes = 512 * 1024

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
    const isOld = version === undefined || version < 2
    const waiting: RouteMessage[] = []
    let send = (message: RouteMessage): void => void waiting.push(message)
    const { routes, unsubscribe } = await source.subscribe((message) => send(message)) // a database that is away is still answered with an error

    reply.hijack()
    const answer = reply.raw
    answers.add(answer)
    answer.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
    const write = (message: RouteMessage) => answer.write(`${JSON.stringify(isOld ? message : brief(message))}\n`)
    const sendNow = (message: RouteMessage) => {
      for (const one of isOld ? forVersion1(message) : [message]) write(one)
      if (answer.writableLength > unreadBytes) answer.destroy()
    }
    const pinging = setInterval(() => send({ type: 'ping' }), pingMilliseconds)
    answer.on('close', () => {
      clearInterval(pinging)
      unsubscribe()
      answers.delete(answer)
    })
    answer.on('error', () => answer.destroy())
    const pieces = isOld ? forVersion1({ type: 'snapshot', routes }) : snapshotPieces(routes)
    for (const piece of pieces) {
      if (answer.destroyed || answer.writableEnded) return
      // No faster than it is read: of many routes the rest waits as they are, not as text. Others get their turn meanwhile.
      write(piece)
      if (answer.writableLength > waitingBytes) await drained(answer)
    }
    // What has changed meanwhile comes after what it was before.
    for (const message of waiting) sendNow(message)
    send = sendNow
  })
}

function brief(message: RouteMessage): object {
  if (message.type === 'snapshot') return { ...message, routes: message.routes.map(briefRoute) }
  return message.type === 'set' ? { ...message, route: briefRoute(message.route) } : message
}

/** Until all that was written was taken, or nobody takes it any more. */
function drained(answer: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      answer.off('drain', done).off('close', done)
      resolve()
    }
    if (answer.destroyed) return resolve()
    answer.once('drain', done).once('close', done)
  })
}
