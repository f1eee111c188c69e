/** Empties clusters: by a plan that is shown before, some servers at a time, paused and ended as wanted. */
import type { z } from 'zod'
import type {
  beginEvacuationBody,
  changeEvacuationBody,
  ClusterEvacuation,
  Evacuation,
} from '@wakestone/contract/admin/evacuations'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { findCluster, lockCluster, updateCluster } from '#src/features/servers/clusters/service.ts'
import { planEvacuation } from './plan.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'fleet'>
type By = { clusterId: string; userId: string }

/** @throws DomainError `cluster_not_found` */
export async function showEvacuation(deps: Deps, clusterId: string): Promise<ClusterEvacuation> {
  if ((await findCluster(deps.db, clusterId)) === undefined) throw notFound()
  const row = await repo.findLast(deps.db, clusterId)
  const isOpen = row !== undefined && row.ended_at === null
  return {
    evacuation: row === undefined ? null : await describe(deps.db, row),
    plan: isOpen ? [] : await planEvacuation(deps, clusterId),
  }
}

async function describe(db: Handle, row: repo.EvacuationRow): Promise<Evacuation> {
  return {
    id: row.id,
    state: row.state as Evacuation['state'],
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    servers: (await repo.selectServers(db, row.id)).map((server) => ({
      server_id: server.server_id,
      name: server.name,
      owner_name: server.owner_name,
      new_cluster: server.new_cluster,
      expected_seconds: server.expected_seconds,
      state: server.state as Evacuation['servers'][number]['state'],
      down_seconds: server.down_seconds,
      process_id: server.operation_id,
      progress: server.progress,
      error: server.error,
    })),
  }
}

/**
 * Begins to empty a cluster, which takes no new servers from now on. What can go nowhere stays, and is shown as failed.
 * @throws DomainError `cluster_not_found`; `resource_already_exists` where that is under way
 */
export async function beginEvacuation(
  deps: Deps,
  { clusterId, userId }: By,
  { reason }: z.output<typeof beginEvacuationBody>,
): Promise<ClusterEvacuation> {
  const plan = await planEvacuation(deps, clusterId)
  await inTransaction(deps.db, async (trx) => {
    if ((await lockCluster(trx, clusterId)) === undefined) throw notFound()
    if ((await repo.lockOpen(trx, clusterId)) !== undefined)
      throw new DomainError('resource_already_exists', { resource: 'cluster' })
    await updateCluster(trx, clusterId, { disabled: true })
    const servers = plan.map(({ server_id, new_cluster, expected_seconds }) => ({
      server_id,
      new_cluster,
      expected_seconds,
      state: new_cluster === null ? 'failed' : 'waiting',
      error: new_cluster === null ? 'server_cannot_migrate' : null,
    }))
    await repo.insertEvacuation(trx, { clusterId, reason, userId }, servers)
    await record(trx, { clusterId, userId }, { state: 'running', reason })
  })
  return showEvacuation(deps, clusterId)
}

/** @throws DomainError `cluster_not_found`; `resource_not_found` where none is under way */
export async function changeEvacuation(
  deps: Deps,
  by: By,
  { state }: z.output<typeof changeEvacuationBody>,
): Promise<ClusterEvacuation> {
  if ((await findCluster(deps.db, by.clusterId)) === undefined) throw notFound()
  await inTransaction(deps.db, async (trx) => {
    const row = await repo.lockOpen(trx, by.clusterId)
    if (row === undefined) throw new DomainError('resource_not_found')
    if (row.state === state) return
    await repo.writeState(trx, row.id, state)
    await record(trx, by, { state, reason: row.reason })
  })
  return showEvacuation(deps, by.clusterId)
}

const record = (trx: Transaction, { clusterId, userId }: By, data: { state: string; reason: string }) =>
  recordUserEvent(trx, userId, {
    action: 'USER_EVACUATE_CLUSTER',
    level: eventLevels.WARN,
    data: { cluster: clusterId, ...data },
  })

const notFound = () => new DomainError('cluster_not_found', { resource: 'cluster' })
