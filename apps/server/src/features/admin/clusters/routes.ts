import * as routes from '@wakestone/contract/admin/clusters-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeCluster, createCluster, listAdminClusters, showClusterHistory } from './service.ts'

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
}
