/** Clusters as administrators see and change them. */
import type { z } from 'zod'
import type {
  AdminCluster,
  changeClusterBody,
  ClusterHistory,
  createClusterBody,
} from '@wakestone/contract/admin/clusters'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import { type HistorySpan, spanSeconds } from '@wakestone/contract/servers/history'
import { measureMachine } from '#src/adapters/clusters/machine.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { copyPrices, selectClustersWithPrices } from '#src/features/sales/products/service.ts'
import {
  type ClusterRow,
  findCluster,
  findClusterByZone,
  insertCluster,
  lockCluster,
  selectClusters,
  updateCluster,
} from '#src/features/servers/clusters/service.ts'
import { selectSums, selectUse, selectUsePoints } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>

export async function listAdminClusters({ db, settings }: Deps): Promise<AdminCluster[]> {
  const [clusters, sums, use, priced, machine] = await Promise.all([
    selectClusters(db),
    selectSums(db),
    selectUse(db),
    selectClustersWithPrices(db),
    measureMachine(settings.DATA_DIR),
  ])
  return clusters.map((cluster) => {
    const sum = sums.find(({ cluster_id }) => cluster_id === cluster.id)
    const used = use.find(({ cluster_id }) => cluster_id === cluster.id)
    return {
      ...essenceOf(cluster),
      id: cluster.id,
      host: cluster.host,
      zone_name: cluster.zone_name,
      driver: cluster.driver,
      has_prices: priced.has(cluster.id),
      servers: { all: sum?.all ?? 0, placed: sum?.placed ?? 0, up: sum?.up ?? 0, players: sum?.players ?? 0 },
      memory: { promised: sum?.memory ?? 0, placed: sum?.memory_placed ?? 0, used: used?.memory ?? 0 },
      cpu: { promised: sum?.cpu ?? 0, placed: sum?.cpu_placed ?? 0, used: used?.cpu ?? 0 },
      storage: { promised: sum?.storage ?? 0, used: sum?.disk ?? 0 },
      machine: cluster.driver === 'process' ? machine : null,
    }
  })
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
 * A cluster on this machine. It takes no servers before it is opened, so that names and prices can be looked at first.
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
    const isNew = await insertCluster(trx, { ...body, host: body.zone_name, driver: 'process', disabled: true })
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
 * @throws DomainError `cluster_not_found`
 */
export async function changeCluster(
  deps: Deps,
  { id, userId }: { id: string; userId: string },
  body: z.output<typeof changeClusterBody>,
): Promise<AdminCluster> {
  await inTransaction(deps.db, async (trx) => {
    const before = await requireLocked(trx, id)
    const other = body.draining === true ? { disabled: true } : body.disabled === false ? { draining: false } : {}
    const change = Object.entries({ ...body, ...other }).filter(([, value]) => value !== undefined)
    await updateCluster(trx, id, Object.fromEntries(change) as Partial<ClusterRow>)
    await recordChange(trx, userId, { before, after: await requireLocked(trx, id) })
  })
  return showCluster(deps, id)
}

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
  const old = before === undefined ? null : essenceOf(before)
  if (JSON.stringify(old) === JSON.stringify(essenceOf(after))) return
  await recordUserEvent(trx, userId, {
    action: 'USER_CHANGE_CLUSTER',
    level: eventLevels.WARN,
    data: { cluster: after.id, before: old, after: essenceOf(after) },
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
