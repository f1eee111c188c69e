import * as routes from '@wakestone/contract/servers/parameters-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeParameters, changeProperties, describeParameters, listProperties } from './service.ts'

export function registerParameterRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getServerParameters, async ({ server }) => describeParameters(server))
  implement(api, routes.changeServerParameters, ({ server, user, body }) =>
    changeParameters(context, { serverId: server.id, userId: user.userId, capabilities: user.capabilities }, body),
  )
  implement(api, routes.getServerProperties, ({ server }) => listProperties(context, server))
  implement(api, routes.changeServerProperties, ({ server, body }) => changeProperties(context, server, body.values))
}
