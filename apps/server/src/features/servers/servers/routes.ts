import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { gameOfEngine, games as gameIds } from '@wakestone/contract/servers/server'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { type Api, implement, Kept } from '#src/http/implement.ts'
import { registerArtifactRoutes } from './artifacts.ts'
import { requireFewWishes } from './few-wishes.ts'
import * as power from './power.ts'
import { describeServer, findServer, listLevels } from './service.ts'
import { describeStatus } from './status.ts'
import { pingServerFor } from './wake.ts'

export function registerServerRoutes(api: Api, engines: () => EngineCatalogue): void {
  const { context } = api
  const { settings } = context

  implement(api, routes.listGames, async () => {
    const offered = await engines().listEngines()
    const games = gameIds.map((id) => ({ id, engines: offered.filter((engine) => gameOfEngine[engine.id] === id) }))
    // The catalogue of engines has a memory of its own: the answer is kept by what it says.
    return new Kept(createHash('sha256').update(JSON.stringify(games)).digest('base64url'), async () => games)
  })
  implement(api, routes.getServer, async ({ server }) => describeServer(server, settings))
  implement(api, routes.getServerStatus, async ({ server }) => describeStatus(server))
  const limitPower = (user: { userId: string }, server: { id: string }, options?: { toEnd?: boolean }) =>
    requireFewWishes(context, { userId: user.userId, serverId: server.id }, options)
  implement(api, routes.startServer, async ({ server, user }) => {
    await limitPower(user, server)
    return describeStatus(await power.startServer(context, server, user))
  })
  implement(api, routes.killServer, async ({ server, user }) => {
    await limitPower(user, server, { toEnd: true })
    return describeStatus(await power.killServer(context, server, user))
  })
  implement(api, routes.pingServer, async ({ server, user, query }) => {
    await limitPower(user, server)
    await pingServerFor(context, server.id, { seconds: query.duration, userId: user.userId })
    return describeStatus((await findServer(context.db, server.id)) ?? server)
  })
  implement(api, routes.listServerLevels, ({ server, query }) => listLevels(context.db, server.id, query.fromDate))
  implement(api, routes.setAutostart, async ({ server, user, query }) => {
    await limitPower(user, server)
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

  registerArtifactRoutes(api, join(settings.DATA_DIR, 'artifacts'))
}
