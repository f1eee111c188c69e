/** Tells the fleet where servers are to run, and with what clusters are driven. */
import type { Secrets } from '@wakestone/kit/secrets'
import type { ClusterDirectory, OtherCluster } from '#src/adapters/clusters/routed-cluster.ts'
import type { Db } from '#src/db/client.ts'
import { createAgentHomes } from './agents.ts'
import { selectAgents } from './agents-repo.ts'
import { openHosts } from './hosts.ts'
import { openKubernetes } from './kubernetes.ts'
import { findClusterOfServer, selectClusters } from './repo.ts'

export function createClusterDirectory(deps: { db: Db; secrets: Pick<Secrets, 'factors'> }): ClusterDirectory {
  return {
    clusterOf: (serverId) => findClusterOfServer(deps.db, serverId),
    homesIn: (clusterId) => createAgentHomes(deps.db, clusterId),
    async list() {
      const rows = await selectClusters(deps.db)
      const hasAgents = rows.some(({ driver }) => driver === 'agent')
      const agents = hasAgents ? await selectAgents(deps.db) : []
      return rows.flatMap((row): OtherCluster[] => {
        if (row.driver === 'docker') return [{ id: row.id, kind: 'docker', hosts: openHosts(deps, row) }]
        if (row.driver === 'kubernetes') return [{ id: row.id, kind: 'kubernetes', place: openKubernetes(deps, row) }]
        if (row.driver !== 'agent') return row.own_folder ? [{ id: row.id, kind: 'process' }] : []
        const machines = agents
          .filter(({ cluster_id }) => cluster_id === row.id)
          .map(({ id, name, host, port, certificate, draining }) => ({ id, name, host, port, certificate, draining }))
        return [{ id: row.id, kind: 'agent', machines }]
      })
    },
  }
}
