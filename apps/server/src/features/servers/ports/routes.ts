import * as routes from '@wakestone/contract/servers/ports-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { acquirePort, describePortLimits, releasePort } from './service.ts'

export function registerPortRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getPortLimits, ({ server }) => describePortLimits(context, server))
  implement(api, routes.acquirePort, ({ server, user, body }) =>
    acquirePort(context, { serverId: server.id, userId: user.userId }, body),
  )
  implement(api, routes.releasePort, ({ server, user, body }) =>
    releasePort(context, { serverId: server.id, userId: user.userId }, body.port),
  )
}
