/**
 * Places where servers run.
 */
import { hasCapability, type Capabilities } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { Cluster } from '@wakestone/contract/servers/server'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { type ClusterRow, findCluster, findClusterByZone, selectClusters, setClusterAddress } from './repo.ts'

export type { ClusterRow }
export { changeAgent, createAgentToken, joinAgent, removeAgent, showAgents } from './agents.ts'
export { createClusterDirectory } from './directory.ts'
export { keepHosts, showHosts } from './hosts.ts'
export { keepKubernetes, showKubernetes } from './kubernetes.ts'
export { findCluster, findClusterByZone, insertCluster, lockCluster, selectClusters, updateCluster } from './repo.ts'
export const localClusterId = 'local'

/** This machine's cluster serves the domain of the settings; called at every start. */
export async function ensureLocalCluster({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  await setClusterAddress(db, localClusterId, { host: settings.GAME_DOMAIN, zoneName: settings.GAME_DOMAIN })
}

const isVisibleTo = (cluster: ClusterRow, capabilities: Capabilities) =>
  cluster.visible_permission === null || hasCapability(capabilities, cluster.visible_permission)

export async function listClusters(db: Handle, capabilities: Capabilities): Promise<Cluster[]> {
  const rows = await selectClusters(db)
  return rows.filter((row) => isVisibleTo(row, capabilities)).map(describeCluster)
}

/**
 * A cluster that takes new servers of this user.
 * @throws DomainError `cluster_not_found`, `cluster_is_disabled`
 */
export async function requireOpenCluster(db: Handle, id: string, capabilities: Capabilities): Promise<ClusterRow> {
  const cluster = await findCluster(db, id)
  if (cluster === undefined || !isVisibleTo(cluster, capabilities))
    throw new DomainError('cluster_not_found', { resource: 'cluster' })
  if (cluster.disabled) throw new DomainError('cluster_is_disabled', { resource: 'cluster' })
  return cluster
}

/**
 * Bedrock Edition and further ports are led to servers of the machine's own processes alone.
 * @throws DomainError `cluster_does_not_support_module`
 */
export function requireAllWays({ driver }: Pick<ClusterRow, 'driver'>): void {
  if (driver !== 'process') throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
}

/** Whether some cluster gives out names below this zone. */
export async function isKnownZone(db: Handle, zoneName: string): Promise<boolean> {
  return (await findClusterByZone(db, zoneName)) !== undefined
}

function describeCluster(row: ClusterRow): Cluster {
  return {
    id: row.id,
    visible_permission: row.visible_permission,
    disabled: row.disabled,
    host: row.host,
    zone_name: row.zone_name,
    metadata: { name: row.name, country_code: row.country_code },
  }
}
