import { listClusters as listClustersRoute } from '@wakestone/contract/servers/servers-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { listClusters } from './service.ts'

export function registerClusterRoutes(api: Api): void {
  implement(api, listClustersRoute, async ({ user }) => listClusters(api.context.db, user?.capabilities ?? {}))
}
