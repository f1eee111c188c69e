/** Servers whose machine is lost, as administrators bring them up elsewhere: asked for here, done by an operation. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import { isPassable, type Rescue, type rescueBegunSchema, type rescueBody } from '@wakestone/contract/servers/migration'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { listWholeBackups, type WholeBackup } from '#src/features/servers/backups/service.ts'
import { selectClusters } from '#src/features/servers/clusters/service.ts'
import { beginOperation, requireIdle } from '#src/features/servers/operations/service.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { findObstacleThere, findRoom, hasRoom, isSurelyLost, requireMovable, pagePatienceMilliseconds } from './fit.ts'
import * as repo from './repo.ts'
import type { RescueInput } from './rescue.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'fleet'>

async function requireServer({ db }: Pick<Deps, 'db'>, serverId: string): Promise<ServerRow> {
  const server = await findServer(db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

const describe = ({ id, madeAt, name, bytes }: WholeBackup) => ({ id, created_at: madeAt.toISOString(), name, bytes })

/** @throws DomainError `server_id_not_found` */
export async function describeRescue(deps: Pick<Deps, 'db' | 'fleet'>, serverId: string): Promise<Rescue> {
  const { db, fleet } = deps
  const server = await requireServer(deps, serverId)
  const [clusters, backups, since, isLost] = await Promise.all([
    selectClusters(db),
    listWholeBackups(db, serverId),
    repo.findLostSince(db, serverId),
    isSurelyLost(fleet.cluster, serverId),
  ])
  return {
    is_lost: isLost,
    lost_since: isLost ? (since?.toISOString() ?? null) : null,
    backups: backups.map(describe),
    targets: await Promise.all(
      clusters
        .filter(({ id }) => id !== server.cluster_id)
        .map(async (cluster) => ({
          id: cluster.id,
          name: cluster.name,
          country_code: cluster.country_code,
          obstacle: isLost
            ? await findObstacleThere(db, server, {
                cluster,
                room: await findRoom(fleet, cluster, pagePatienceMilliseconds),
              })
            : 'not_lost',
        })),
    ),
  }
}

/**
 * Begins to bring a server up on another cluster from a backup.
 * @throws DomainError `cluster_not_found`; `server_cannot_migrate` with why; `no_server_backup_found` for a backup that is not
 * offered; of operations that are under way
 */
export async function rescueServer(
  deps: Deps,
  { serverId, userId }: { serverId: string; userId: string },
  { cluster_id: clusterId, reason, backup_id: backupId }: z.output<typeof rescueBody>,
): Promise<z.input<typeof rescueBegunSchema>> {
  const { db, fleet } = deps
  const refuse = (why: string) => new DomainError('server_cannot_migrate', { reason: why })
  const server = await requireServer(deps, serverId)
  requireMovable(server)
  await requireIdle(db, serverId)
  const cluster = (await selectClusters(db)).find(({ id }) => id === clusterId)
  if (cluster === undefined) throw new DomainError('cluster_not_found', { resource: 'cluster' })
  if (cluster.id === server.cluster_id) throw refuse('same_cluster')
  if (!(await isSurelyLost(fleet.cluster, serverId))) throw refuse('not_lost')
  const room = await findRoom(fleet, cluster)
  const obstacle = await findObstacleThere(db, server, { cluster, room })
  if (obstacle !== null && !isPassable(obstacle, true)) throw refuse(obstacle)
  const backups = await listWholeBackups(db, serverId)
  const backup = backupId === undefined ? backups[0] : backups.find(({ id }) => id === backupId)
  if (backup === undefined)
    throw backupId === undefined ? refuse('no_backup') : new DomainError('no_server_backup_found')
  const { madeAt, snapshot, bytes } = backup
  const input: RescueInput = {
    from: server.cluster_id,
    to: cluster.id,
    reason,
    backupId: backup.id,
    snapshot,
    madeAt: madeAt.toISOString(),
    bytes,
  }
  const about = { cluster: cluster.name, old_cluster: server.cluster_id, reason, made_at: input.madeAt }
  const id = await inTransaction(db, async (trx) => {
    await repo.lockRoom(trx, cluster)
    if (!(await hasRoom(trx, server, cluster, room))) throw refuse('no_room')
    await repo.deleteRequest(trx, serverId)
    return beginOperation(deps, trx, { serverId, kind: 'rescue', input, about, userId })
  })
  return { process_id: id, backup: describe(backup) }
}
