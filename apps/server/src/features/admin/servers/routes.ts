import * as routes from '@wakestone/contract/admin/servers-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeFlags, listAllServers, showAdminServer } from './service.ts'

export function registerAdminServerRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listAdminServers, ({ query }) => listAllServers(context, query))
  implement(api, routes.getAdminServer, ({ params }) => showAdminServer(context, params.serverId))
  implement(api, routes.changeAdminServer, async ({ user, params: { serverId }, body }) => {
    await changeFlags(context, { serverId, userId: user.userId }, body)
    return showAdminServer(context, serverId)
  })
}
