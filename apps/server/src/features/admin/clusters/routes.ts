import * as routes from '@wakestone/contract/admin/clusters-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { joinAgent } from '#src/features/servers/clusters/service.ts'
import {
  changeAgent,
  changeCluster,
  checkCluster,
  createAgentToken,
  createCluster,
  listAdminClusters,
  removeAgent,
  showClusterHistory,
} from './service.ts'

export function registerAdminClusterRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listAdminClusters, () => listAdminClusters(context))
  implement(api, routes.getClusterHistory, ({ params, query }) =>
    showClusterHistory(context, params.clusterId, query.span),
  )
  implement(api, routes.createCluster, ({ user, body }) => createCluster(context, user.userId, body))
  implement(api, routes.changeCluster, ({ user, params, body }) =>
    changeCluster(context, { id: params.clusterId, userId: user.userId }, body),
  )
  implement(api, routes.checkCluster, ({ params }) => checkCluster(context, params.clusterId))
  implement(api, routes.createAgentToken, ({ user, params }) =>
    createAgentToken(context, { ...params, userId: user.userId }),
  )
  implement(api, routes.joinAgent, ({ body, ip }) => joinAgent(context, body, ip))
  implement(api, routes.changeAgent, ({ user, params, body }) =>
    changeAgent(context, { ...params, userId: user.userId }, body),
  )
  implement(api, routes.removeAgent, ({ user, params }) => removeAgent(context, { ...params, userId: user.userId }))
}
