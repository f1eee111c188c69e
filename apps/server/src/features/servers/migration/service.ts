/** Moves servers to other clusters: asked for here, done by an operation. */
import type { z } from 'zod'
import { hasCapability, type Capabilities } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import {
  isPassable,
  type Migration,
  type MigrationObstacle,
  type migrateBody,
  type migrationBegunSchema,
} from '@wakestone/contract/servers/migration'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { type ClusterRow, selectClusters } from '#src/features/servers/clusters/service.ts'
import { beginOperation, requireIdle } from '#src/features/servers/operations/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { estimateDown } from './estimate.ts'
import {
  findObstacle,
  findObstacleThere,
  findRoom,
  hasRoom,
  isLost,
  pagePatienceMilliseconds,
  requireMovable,
  type Room,
} from './fit.ts'
import { isGameUp, type MoveInput } from './phases.ts'
import * as repo from './repo.ts'

export { migrate } from './operation.ts'
export { type Room } from './fit.ts'
export { beginFencing } from './fencing.ts'
export { removeLeft } from './phases.ts'
export { rescue } from './rescue.ts'
export { describeRescue, rescueServer } from './rescue-service.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'fleet'>
/** Who asks, and what they may in general. */
type Asking = { userId: string; capabilities: Capabilities }

const isVisibleTo = (cluster: ClusterRow, capabilities: Capabilities) =>
  cluster.visible_permission === null || hasCapability(capabilities, cluster.visible_permission)

export async function describeMigration(
  { db, fleet }: Pick<Deps, 'db' | 'fleet'>,
  server: ServerRow,
  capabilities: Capabilities,
): Promise<Migration> {
  const [clusters, request, last, isSourceLost] = await Promise.all([
    selectClusters(db),
    repo.findRequest(db, server.id),
    repo.findLastMove(db, server.id),
    isLost(fleet, server, pagePatienceMilliseconds),
  ])
  const nameOf = (id: string) => clusters.find((cluster) => cluster.id === id)?.name ?? id
  const shown = clusters.filter(
    (cluster) =>
      cluster.id !== server.cluster_id && (isVisibleTo(cluster, capabilities) || cluster.id === request?.to_cluster),
  )
  return {
    cluster_id: server.cluster_id,
    cluster_name: nameOf(server.cluster_id),
    request:
      request === undefined
        ? null
        : {
            cluster_id: request.to_cluster,
            cluster_name: nameOf(request.to_cluster),
            reason: request.reason,
            asked_at: request.asked_at.toISOString(),
          },
    targets: await Promise.all(
      shown.map(async (cluster) => ({
        id: cluster.id,
        name: cluster.name,
        country_code: cluster.country_code,
        obstacle: isSourceLost
          ? 'lost'
          : await findObstacleThere(db, server, {
              cluster,
              room: await findRoom(fleet, cluster, pagePatienceMilliseconds),
            }),
        down_seconds: isGameUp(server)
          ? (await estimateDown(db, server, { from: server.cluster_id, to: cluster.id })).seconds
          : null,
      })),
    ),
    bytes: Number(server.disk_bytes ?? 0),
    last:
      last === undefined
        ? null
        : {
            from: nameOf(last.from_cluster),
            to: nameOf(last.to_cluster),
            moved_at: last.moved_at.toISOString(),
            bytes: Number(last.bytes),
            down_seconds: last.down_seconds,
            expected_seconds: last.expected_seconds,
          },
  }
}

/**
 * Moves a server, or asks its owner whether it may be moved.
 * @throws DomainError `cluster_not_found`; `server_cannot_migrate` with why; of operations that are under way
 */
export async function migrateServer(
  deps: Deps,
  server: ServerRow,
  { userId, capabilities }: Asking,
  { cluster_id: clusterId, by, reason }: z.output<typeof migrateBody>,
): Promise<z.input<typeof migrationBegunSchema>> {
  const { db } = deps
  if (by !== undefined) {
    if (!hasCapability(capabilities, 'admin.server')) throw new DomainError('insufficient_capabilities')
    if (reason === undefined) throw new DomainError('invalid_request', { field: 'reason' })
  }
  requireMovable(server)
  await requireIdle(db, server.id)
  const request = await repo.findRequest(db, server.id)
  // Their yes to what an administrator has asked for, who could pass over as much.
  const isAgreed = by === undefined && request?.to_cluster === clusterId
  const cluster = (await selectClusters(db)).find(({ id }) => id === clusterId)
  if (cluster === undefined || (by === undefined && !isAgreed && !isVisibleTo(cluster, capabilities)))
    throw new DomainError('cluster_not_found', { resource: 'cluster' })
  const room = await findRoom(deps.fleet, cluster)
  const obstacle = await findObstacle(deps, server, { cluster, room })
  const isForced = by !== undefined || isAgreed
  if (obstacle !== null && !isPassable(obstacle, isForced))
    throw new DomainError('server_cannot_migrate', { reason: obstacle })
  if (by === 'ask') {
    await inTransaction(db, (trx) => ask(trx, server, { cluster, reason: reason ?? '', userId }))
    return { migrate_process_id: null, stop_game_process_id: null }
  }
  const why = by === 'force' ? (reason ?? null) : isAgreed ? request.reason : null
  const id = await inTransaction(db, (trx) =>
    begin(deps, trx, server, { cluster, room, isForced, reason: why, userId }),
  )
  return { migrate_process_id: id, stop_game_process_id: isGameUp(server) ? id : null }
}

async function ask(
  trx: Transaction,
  server: ServerRow,
  { cluster, reason, userId }: { cluster: ClusterRow; reason: string; userId: string },
): Promise<void> {
  await repo.writeRequest(trx, { serverId: server.id, clusterId: cluster.id, reason, userId })
  await notify(trx, {
    userId: server.owner_id,
    resource: { type: 'server', id: server.id },
    kind: 'SERVER_MOVE_ASKED',
    fields: { server: server.name, cluster: cluster.name, reason },
  })
}

type Beginning = { cluster: ClusterRow; room: Room; isForced: boolean; reason: string | null; userId: string | null }

/** Begins a move that was checked, and takes the room for it. @returns its process */
async function begin(
  deps: Pick<Deps, 'boss'>,
  trx: Transaction,
  server: ServerRow,
  { cluster, room, isForced, reason, userId }: Beginning,
): Promise<string> {
  await repo.lockRoom(trx, cluster)
  if (!(await hasRoom(trx, server, cluster, room)))
    throw new DomainError('server_cannot_migrate', { reason: 'no_room' })
  const between = { from: server.cluster_id, to: cluster.id }
  const estimate = await estimateDown(trx, server, between)
  const isDown = !isGameUp(server)
  const input: MoveInput = {
    ...between,
    isForced,
    reason,
    expectedSeconds: isDown ? null : estimate.seconds,
    modelledSeconds: isDown ? null : estimate.modelled,
  }
  const about = { cluster: cluster.name, old_cluster: server.cluster_id, ...(reason !== null && { reason }) }
  await repo.deleteRequest(trx, server.id)
  return beginOperation(deps, trx, { serverId: server.id, kind: 'migrate', input, about, userId })
}

/**
 * Where a server goes when its cluster is emptied: to a cluster that nothing speaks against, else to one where only what an
 * administrator may pass over does; among those to where most room is left.
 * @param clusters those that are open, with the room that is left in each
 * @returns why it can go nowhere, by the one with most room; null: there is no other that is open
 */
export async function chooseTarget(
  { db, fleet }: Pick<Deps, 'db' | 'fleet'>,
  server: ServerRow,
  clusters: readonly { cluster: ClusterRow; room: Room }[],
): Promise<{ cluster: ClusterRow; expectedSeconds: number | null } | { obstacle: MigrationObstacle | null }> {
  if (await isLost(fleet, server)) return { obstacle: 'lost' }
  let nearest: MigrationObstacle | undefined
  let chosen: { cluster: ClusterRow; rank: number } | undefined
  for (const { cluster, room } of clusters.toSorted((one, other) => (other.room ?? 0) - (one.room ?? 0))) {
    if (cluster.id === server.cluster_id) continue
    const obstacle = await findObstacleThere(db, server, { cluster, room })
    const rank = obstacle === null ? 2 : isPassable(obstacle, true) ? 1 : 0
    if (rank === 0) nearest ??= obstacle ?? undefined
    else if (rank > (chosen?.rank ?? 0)) chosen = { cluster, rank }
  }
  if (chosen === undefined) return { obstacle: nearest ?? null }
  const between = { from: server.cluster_id, to: chosen.cluster.id }
  const expectedSeconds = isGameUp(server) ? (await estimateDown(db, server, between)).seconds : null
  return { cluster: chosen.cluster, expectedSeconds }
}

/** Clusters that take servers, with the room in each. */
export async function findOpenClusters({
  db,
  fleet,
}: Pick<Deps, 'db' | 'fleet'>): Promise<{ cluster: ClusterRow; room: Room }[]> {
  const open = (await selectClusters(db)).filter(({ disabled, draining }) => !disabled && !draining)
  return Promise.all(
    open.map(async (cluster) => ({ cluster, room: await findRoom(fleet, cluster, pagePatienceMilliseconds) })),
  )
}

/**
 * Begins the move of a server whose cluster is emptied; an administrator has said so.
 * @throws DomainError `server_cannot_migrate` with why; of operations that are under way
 */
export async function moveByForce(
  deps: Deps,
  trx: Transaction,
  server: ServerRow,
  target: { cluster: ClusterRow; room: Room; reason: string; userId: string | null },
): Promise<string> {
  requireMovable(server)
  await requireIdle(trx, server.id)
  return begin(deps, trx, server, { ...target, isForced: true })
}

/** Forgets what an administrator has asked for. */
export async function declineMigration(
  deps: Pick<Deps, 'db' | 'fleet'>,
  server: ServerRow,
  capabilities: Capabilities,
): Promise<Migration> {
  await inTransaction(deps.db, (trx) => repo.deleteRequest(trx, server.id))
  return describeMigration(deps, server, capabilities)
}
