import * as routes from '@wakestone/contract/servers/engine-routes'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, Answer, implement } from '#src/http/implement.ts'
import { changeEngine, describeEngine, formatServer, returnEngine } from './service.ts'

export function registerEngineRoutes(api: Api, engines: () => EngineCatalogue): void {
  const { context } = api
  const limit = (user: { userId: string }, server: { id: string }) =>
    requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })

  implement(api, routes.getEngine, ({ server }) => describeEngine(context, server))
  implement(api, routes.changeEngine, async ({ server, user, body }) => {
    await limit(user, server)
    return new Answer(
      202,
      await changeEngine({ ...context, engines: engines() }, { server, userId: user.userId }, body),
    )
  })
  implement(api, routes.returnEngine, async ({ server, user }) => {
    await limit(user, server)
    return new Answer(202, await returnEngine(context, { server, userId: user.userId }))
  })
  implement(api, routes.formatServer, async ({ server, user, body }) => {
    await limit(user, server)
    return new Answer(202, await formatServer(context, { server, userId: user.userId }, body))
  })
}
