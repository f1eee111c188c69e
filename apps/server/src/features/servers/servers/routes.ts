import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createEngineCatalogue, type EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { countGuesses } from '#src/features/sales/vouchers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { createFleet } from '#src/adapters/clusters/fleet.ts'
import { registerArtifactRoutes } from './artifacts.ts'
import { requireMethod } from '#src/http/payment-method.ts'
import { createServerChanges } from './changes.ts'
import { registerConsoleSocket } from '#src/features/servers/console/console-socket.ts'
import { registerEventStream } from '#src/features/servers/console/event-stream.ts'
import { registerGatewayFeed } from '#src/features/servers/player-routes/feed.ts'
import { createLiveViews } from '#src/features/servers/console/live-view.ts'
import * as power from './power.ts'
import { purchaseServer } from '#src/features/sales/orders/purchase.ts'
import { describeServer, findServerResource } from './service.ts'
import { describeStatus } from './status.ts'

export function registerServerRoutes(api: Api): void {
  const { context } = api
  const { db, settings } = context
  const engines = openEngines(api)

  implement(api, routes.listGames, async () => [
    { id: 'minecraft-java' as const, engines: await engines().listEngines() },
  ])
  const purchase = async (order: Omit<Parameters<typeof purchaseServer>[1], 'now'>) => {
    const { user } = order
    const serverId = await purchaseServer({ ...context, engines: engines() }, { ...order, now: new Date() })
    const server = await findServerResource(db, serverId, user.userId)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    return describeServer(server, settings)
  }
  implement(api, routes.createServer, async (call) => {
    const { user, body, idempotencyKey, ip } = call
    await requireMethod(api, call, body.payment_method ?? 'wallet')
    const order = { user, body, key: idempotencyKey }
    if (body.vouchers === undefined || body.vouchers.length === 0) return purchase(order)
    return countGuesses(context, { ip, userId: user.userId }, () => purchase(order))
  })
  implement(api, routes.createServerByVoucher, ({ user, body: { voucher, ...body }, idempotencyKey, ip }) =>
    countGuesses(context, { ip, userId: user.userId }, () => purchase({ user, body, voucher, key: idempotencyKey })),
  )
  implement(api, routes.getServer, async ({ server }) => describeServer(server, settings))
  implement(api, routes.getServerStatus, async ({ server }) => describeStatus(server))
  implement(api, routes.startServer, async ({ server, user }) =>
    describeStatus(await power.startServer(context, server, user)),
  )
  implement(api, routes.stopServer, async ({ server, user, query }) =>
    describeStatus(await power.stopServer(context, server, { executor: user, timeout: query.timeout })),
  )
  implement(api, routes.restartServer, async ({ server, user, query }) =>
    describeStatus(await power.restartServer(context, server, { executor: user, timeout: query.timeout })),
  )
  implement(api, routes.killServer, async ({ server, user }) =>
    describeStatus(await power.killServer(context, server, user)),
  )
  implement(api, routes.setAutostart, async ({ server, user, query }) => {
    const options = {
      executor: user,
      value: query.value === '1',
      stop: query.stop === '1',
      hard: query.hardRestart === '1',
      timeout: query.timeout,
    }
    const changed = await power.setAutostart(context, server, options)
    return describeServer({ ...changed, capabilities: server.capabilities }, settings)
  })

  const changes = createServerChanges(context)
  api.app.addHook('onReady', () => changes.start())
  api.app.addHook('onClose', () => changes.close())
  const fleet = createFleet(context)
  const views = createLiveViews(api, { changes, fleet })
  registerConsoleSocket(api, fleet, views)
  registerEventStream(api, views)
  registerGatewayFeed(api, changes)
  registerArtifactRoutes(api, join(settings.DATA_DIR, 'artifacts'))
}

/** The catalogue hands out addresses of our own artifacts, so it needs the port that was really taken. */
function openEngines({ app, context: { settings } }: Api): () => EngineCatalogue {
  let catalogue: EngineCatalogue | undefined
  return () => {
    const port = (app.server.address() as AddressInfo | null)?.port ?? settings.HTTP_PORT
    catalogue ??= createEngineCatalogue({
      settings,
      artifactUrl: `${settings.API_URL ?? `http://127.0.0.1:${port}`}/artifacts`,
    })
    return catalogue
  }
}
