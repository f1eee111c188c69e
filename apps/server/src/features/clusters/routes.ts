import { listClusters as listClustersRoute } from '@wakestone/contract/routes/servers'
import { type Api, implement } from '#src/http/implement.ts'
import { listClusters } from './service.ts'

export function registerClusterRoutes(api: Api): void {
  implement(api, listClustersRoute, async ({ user }) => listClusters(api.context.db, user?.capabilities ?? {}))
}
