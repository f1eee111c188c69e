/** Clusters as administrators see and change them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { agentTokenSchema } from '@wakestone/contract/admin/agents'
import type {
  AdminCluster,
  changeClusterBody,
  ClusterHistory,
  createClusterBody,
} from '@wakestone/contract/admin/clusters'
import { DomainError } from '@wakestone/contract/errors'
import { type EventDetails, eventLevels } from '@wakestone/contract/ground/event'
import { type HistorySpan, spanSeconds } from '@wakestone/contract/servers/history'
import { measureMachine } from '#src/adapters/clusters/machine.ts'
import type { Cluster as DrivenCluster } from '#src/adapters/clusters/cluster.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { copyPrices, selectClustersWithPrices } from '#src/features/sales/products/service.ts'
import {
  changeAgent as changeOne,
  type ClusterRow,
  createAgentToken as createToken,
  findCluster,
  findClusterByZone,
  insertCluster,
  keepHosts,
  keepKubernetes,
  lockCluster,
  removeAgent as removeOne,
  selectClusters,
  showAgents,
  showHosts,
  showKubernetes,
  updateCluster,
} from '#src/features/servers/clusters/service.ts'
import { selectSums, selectUse, selectUsePoints } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'secrets' | 'fleet'>
/** Engines that do not answer keep nobody waiting for the list. */
const capacityMilliseconds = 3_000

export async function listAdminClusters(deps: Deps): Promise<AdminCluster[]> {
  const { db, settings } = deps
  const [clusters, agents, sums, use, priced, machine] = await Promise.all([
    selectClusters(db),
    showAgents(db),
    selectSums(db),
    selectUse(db),
    selectClustersWithPrices(db),
    measureMachine(settings.DATA_DIR),
  ])
  const nodes = new Map(
    await Promise.all(clusters.map(async (cluster) => [cluster.id, await nodesOf(deps, cluster)] as const)),
  )
  const ownDisks = await measureOwnDisks(deps, machine, clusters)
  return clusters.map((cluster) => {
    const sum = sums.find(({ cluster_id }) => cluster_id === cluster.id)
    const used = use.find(({ cluster_id }) => cluster_id === cluster.id)
    return {
      ...essenceOf(cluster),
      id: cluster.id,
      host: cluster.host,
      zone_name: cluster.zone_name,
      driver: cluster.driver,
      hosts: showHosts(deps, cluster),
      kubernetes: showKubernetes(cluster),
      agents: cluster.driver === 'agent' ? (agents.get(cluster.id) ?? []) : null,
      nodes: nodes.get(cluster.id) ?? [],
      has_prices: priced.has(cluster.id),
      servers: { all: sum?.all ?? 0, placed: sum?.placed ?? 0, up: sum?.up ?? 0, players: sum?.players ?? 0 },
      memory: { promised: sum?.memory ?? 0, placed: sum?.memory_placed ?? 0, used: used?.memory ?? 0 },
      cpu: { promised: sum?.cpu ?? 0, placed: sum?.cpu_placed ?? 0, used: used?.cpu ?? 0 },
      storage: { promised: sum?.storage ?? 0, used: sum?.disk ?? 0 },
      machine: cluster.driver === 'process' ? (ownDisks.get(cluster.id) ?? machine) : null,
    }
  })
}

type Machine = NonNullable<AdminCluster['machine']>

/** The folder of a cluster may be on another disk than the one of all. */
async function measureOwnDisks(
  { fleet }: Deps,
  machine: Machine,
  clusters: readonly ClusterRow[],
): Promise<Map<string, Machine>> {
  const own = clusters.filter(({ own_folder }) => own_folder)
  const measured = await Promise.all(
    own.map(async ({ id }) => {
      const { storage } = await (await fleet.clusterOf(id)).capacity()
      const isKnown = storage !== null && storage.free !== null
      return [
        id,
        isKnown ? { ...machine, storage: { total: storage.total, free: storage.free as number } } : machine,
      ] as const
    }),
  )
  return new Map(measured)
}

/** Machines with engines, as far as they are heard in time. */
async function nodesOf({ fleet }: Deps, { id, driver }: ClusterRow): Promise<AdminCluster['nodes']> {
  if (driver === 'process') return []
  const asked = fleet
    .clusterOf(id)
    .then((cluster: DrivenCluster) => cluster.capacity())
    .catch(() => ({ nodes: [] }))
  const { nodes } = await Promise.race([asked, delay(capacityMilliseconds, { nodes: [] }, { ref: false })])
  return nodes
}

/** Has it try what it needs. @throws DomainError `cluster_not_found` */
export async function checkCluster({ db, fleet }: Deps, id: string): Promise<{ ok: boolean; problems: string[] }> {
  if ((await findCluster(db, id)) === undefined) throw notFound()
  return (await fleet.clusterOf(id)).check()
}

/** @throws DomainError `cluster_not_found` */
async function showCluster(deps: Deps, id: string): Promise<AdminCluster> {
  const cluster = (await listAdminClusters(deps)).find((one) => one.id === id)
  if (cluster === undefined) throw notFound()
  return cluster
}

/** @throws DomainError `cluster_not_found` */
export async function showClusterHistory(
  { db }: Pick<Context, 'db'>,
  id: string,
  span: HistorySpan,
  now = new Date(),
): Promise<ClusterHistory> {
  if ((await findCluster(db, id)) === undefined) throw notFound()
  const { length, step } = spanSeconds[span]
  const from = new Date(Math.floor((now.getTime() / 1000 - length) / step) * step * 1000)
  const table = step < 3600 ? 'server_minutes' : 'server_hours'
  const points = await selectUsePoints(db, id, { from, step, table })
  return {
    from: from.toISOString(),
    to: now.toISOString(),
    step_seconds: step,
    points: points.map((point) => ({ ...point, at: point.at.toISOString() })),
  }
}

/**
 * A further cluster. It takes no servers before it is opened, so that names and prices can be looked at first.
 * @throws DomainError `resource_already_exists`, `cluster_not_found` where there are no such prices
 */
export async function createCluster(
  deps: Deps,
  userId: string,
  { prices_of, ...body }: z.output<typeof createClusterBody>,
): Promise<AdminCluster> {
  await inTransaction(deps.db, async (trx) => {
    if ((await findClusterByZone(trx, body.zone_name)) !== undefined)
      throw new DomainError('resource_already_exists', { resource: 'cluster', field: 'zone_name' })
    const isNew = await insertCluster(trx, {
      ...body,
      host: body.zone_name,
      disabled: true,
      own_folder: body.driver === 'process',
    })
    if (!isNew) throw new DomainError('resource_already_exists', { resource: 'cluster', field: 'id' })
    if (prices_of !== undefined) {
      if ((await findCluster(trx, prices_of)) === undefined) throw notFound()
      await copyPrices(trx, { from: prices_of, to: body.id })
    }
    await recordChange(trx, userId, { before: undefined, after: await requireLocked(trx, body.id) })
  })
  return showCluster(deps, body.id)
}

/**
 * Who drains a cluster disables it too; opening it ends both.
 * @throws DomainError `cluster_not_found`, `invalid_request` for machines that cannot be spoken to
 */
export async function changeCluster(
  deps: Deps,
  { id, userId }: { id: string; userId: string },
  { hosts, kubernetes, ...body }: z.output<typeof changeClusterBody>,
): Promise<AdminCluster> {
  await inTransaction(deps.db, async (trx) => {
    const before = await requireLocked(trx, id)
    const other = body.draining === true ? { disabled: true } : body.disabled === false ? { draining: false } : {}
    const kept = {
      ...(hosts !== undefined && keepHosts(deps, before, hosts)),
      ...(kubernetes !== undefined && keepKubernetes(deps, before, kubernetes)),
    }
    const change = Object.entries({ ...body, ...other, ...kept }).filter(([, value]) => value !== undefined)
    await updateCluster(trx, id, Object.fromEntries(change) as Partial<ClusterRow>)
    await recordChange(trx, userId, { before, after: await requireLocked(trx, id) })
  })
  return showCluster(deps, id)
}

/** @throws DomainError `cluster_not_found`, `cluster_does_not_support_module` */
export const createAgentToken = (
  deps: Deps,
  { clusterId, userId }: { clusterId: string; userId: string },
): Promise<z.output<typeof agentTokenSchema>> =>
  inTransaction(deps.db, async (trx) => {
    const token = await createToken(deps, trx, await requireLocked(trx, clusterId))
    await recordAgent(trx, userId, {
      cluster: clusterId,
      before: null,
      after: { token_of_machine_until: token.expires_at },
    })
    return token
  })

type Named = { clusterId: string; agentId: string; userId: string }

/** @throws DomainError `cluster_not_found`, `resource_not_found` */
export async function changeAgent(
  deps: Deps,
  { userId, ...named }: Named,
  change: { draining: boolean },
): Promise<AdminCluster> {
  await inTransaction(deps.db, async (trx) => {
    const { name, draining } = await changeOne(trx, named, change)
    const [before, after] = [draining, change.draining].map((value) => ({ machine: name, draining: value }))
    if (draining !== change.draining)
      await recordAgent(trx, userId, { cluster: named.clusterId, before: before!, after: after! })
  })
  return showCluster(deps, named.clusterId)
}

/** @throws DomainError `cluster_not_found`, `resource_not_found`, `agent_has_servers` */
export async function removeAgent(deps: Deps, { userId, ...named }: Named): Promise<AdminCluster> {
  await inTransaction(deps.db, async (trx) => {
    const { name } = await removeOne(trx, named)
    await recordAgent(trx, userId, { cluster: named.clusterId, before: { machine: name }, after: {} })
  })
  return showCluster(deps, named.clusterId)
}

const recordAgent = (trx: Transaction, userId: string, data: EventDetails<'USER_CHANGE_CLUSTER'>) =>
  recordUserEvent(trx, userId, { action: 'USER_CHANGE_CLUSTER', level: eventLevels.WARN, data })

async function requireLocked(trx: Transaction, id: string): Promise<ClusterRow> {
  const cluster = await lockCluster(trx, id)
  if (cluster === undefined) throw notFound()
  return cluster
}

async function recordChange(
  trx: Transaction,
  userId: string,
  { before, after }: { before: ClusterRow | undefined; after: ClusterRow },
): Promise<void> {
  const told = (row: ClusterRow) => ({
    ...essenceOf(row),
    ...(row.driver === 'docker' && { hosts: row.hosts }),
    ...(row.driver === 'kubernetes' && { kubernetes: row.kubernetes }),
  })
  const old = before === undefined ? null : told(before)
  const isRekeyed =
    before !== undefined && !(before.host_secrets ?? Buffer.of()).equals(after.host_secrets ?? Buffer.of())
  if (!isRekeyed && JSON.stringify(old) === JSON.stringify(told(after))) return
  await recordUserEvent(trx, userId, {
    action: 'USER_CHANGE_CLUSTER',
    level: eventLevels.WARN,
    data: { cluster: after.id, before: old, after: told(after) },
  })
}

const essenceOf = ({ name, country_code, disabled, draining, visible_permission, free_places }: ClusterRow) => ({
  name,
  country_code,
  disabled,
  draining,
  visible_permission,
  free_places,
})
const notFound = () => new DomainError('cluster_not_found', { resource: 'cluster' })
