import { listClusters as listClustersRoute } from '@wakestone/contract/servers/servers-routes'
import { type Api, implement, Kept } from '#src/http/implement.ts'
import { listClusters } from './service.ts'

export function registerClusterRoutes(api: Api): void {
  implement(api, listClustersRoute, async ({ user }) => {
    const capabilities = user?.capabilities ?? {}
    const held = JSON.stringify(Object.entries(capabilities).sort())
    return new Kept(held, () => listClusters(api.context.db, capabilities))
  })
}
