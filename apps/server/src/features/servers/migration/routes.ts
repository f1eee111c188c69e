import * as routes from '@wakestone/contract/servers/migration-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, Answer, implement } from '#src/http/implement.ts'
import { declineMigration, describeMigration, describeRescue, migrateServer, rescueServer } from './service.ts'

export function registerMigrationRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getMigration, ({ server, user }) => describeMigration(context, server, user.capabilities))
  implement(api, routes.migrateServer, async ({ server, user, body }) => {
    await requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })
    return new Answer(202, await migrateServer(context, server, user, body))
  })
  implement(api, routes.declineMigration, ({ server, user }) => declineMigration(context, server, user.capabilities))
  implement(api, routes.getRescue, ({ params: { serverId } }) => describeRescue(context, serverId))
  implement(api, routes.rescueServer, async ({ user: { userId }, params: { serverId }, body }) => {
    await requireWithinLimit(context, 'power', { serverOfUser: `${userId} ${serverId}` })
    return new Answer(202, await rescueServer(context, { serverId, userId }, body))
  })
}
