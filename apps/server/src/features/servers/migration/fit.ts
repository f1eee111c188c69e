/** Whether a server can go to a cluster. */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { MigrationObstacle } from '@wakestone/contract/servers/migration'
import type { Cluster, Placement } from '#src/adapters/clusters/cluster.ts'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import type { ClusterRow } from '#src/features/servers/clusters/service.ts'
import { hasLockedTables } from '#src/features/servers/mysql/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { costsNoMoreOn, findTakenPort, selectKept, sumComing } from './repo.ts'

/** Beyond the files themselves: what is installed anew there, and what the game writes meanwhile. */
const spareBytes = 512 * 1024 ** 2
/** So long a machine is waited for by a page that shows where a server can go. */
export const pagePatienceMilliseconds = 5_000
/** Who acts on the answer waits longer: a busy machine is no lost one. */
const patienceMilliseconds = 30_000

/** Bytes that are free for files; null: its machines do not tell; undefined: nobody answers. */
export type Room = number | null | undefined

/** @param milliseconds after which nobody answers */
export async function findRoom(
  fleet: Pick<Fleet, 'clusterOf'>,
  { id }: Pick<ClusterRow, 'id'>,
  milliseconds = patienceMilliseconds,
): Promise<Room> {
  const cluster = await fleet.clusterOf(id)
  const capacity = await inTime<Awaited<ReturnType<Cluster['capacity']>>>(cluster.capacity(), milliseconds)
  return capacity === undefined || !capacity.nodes.some(({ answers }) => answers)
    ? undefined
    : (capacity.storage?.free ?? null)
}

/** Whether its files are on a machine that does not answer: nobody can copy them from there. */
export async function isLost(
  fleet: Pick<Fleet, 'cluster'>,
  { id }: Pick<ServerRow, 'id'>,
  milliseconds = patienceMilliseconds,
): Promise<boolean> {
  const placement = await inTime(fleet.cluster.inspect(id), milliseconds)
  return placement === undefined || placement.state === 'lost'
}

/** Whether its driver says that its machine does not answer: one that is slow, or in trouble, is not given up. */
export async function isSurelyLost(cluster: Pick<Cluster, 'inspect'>, serverId: string): Promise<boolean> {
  return (await findPlacement(cluster, serverId))?.state === 'lost'
}

/** @returns undefined where nobody can tell */
export const findPlacement = (cluster: Pick<Cluster, 'inspect'>, serverId: string): Promise<Placement | undefined> =>
  inTime(cluster.inspect(serverId))

/** @returns undefined where it fails or takes too long */
const inTime = <Result>(asked: Promise<Result>, milliseconds = patienceMilliseconds): Promise<Result | undefined> =>
  Promise.race([asked.catch(() => undefined), delay(milliseconds, undefined, { ref: false })])

/** Whether there is room for a server beside all that is on its way there. */
export async function hasRoom(db: Handle, server: ServerRow, cluster: ClusterRow, room: Room): Promise<boolean> {
  if (room == null) return true
  const coming = await sumComing(db, cluster, server.id)
  return room - coming >= Number(server.disk_bytes ?? 0) * 1.1 + spareBytes
}

/** @returns what is in the way; the first of what even an administrator cannot pass over, where there is such. */
export async function findObstacle(
  { db, fleet }: Pick<Context, 'db' | 'fleet'>,
  server: ServerRow,
  target: { cluster: ClusterRow; room: Room },
): Promise<MigrationObstacle | null> {
  if (target.cluster.id === server.cluster_id) return 'same_cluster'
  if (await isLost(fleet, server)) return 'lost'
  return findObstacleThere(db, server, target)
}

/** The same for a server whose machine answers. */
export async function findObstacleThere(
  db: Handle,
  server: ServerRow,
  { cluster, room }: { cluster: ClusterRow; room: Room },
): Promise<MigrationObstacle | null> {
  if (cluster.draining) return 'draining'
  const kept = await selectKept(db, server.id)
  if (kept.some(({ cluster_id }) => cluster_id === cluster.id)) return 'kept'
  if (await hasLockedTables(db, server)) return 'mysql'
  const wanted = { serverId: server.id, clusterId: cluster.id }
  if ((await findTakenPort(db, wanted)) !== undefined) return 'port_taken'
  if (room === undefined) return 'unfit'
  if (!(await hasRoom(db, server, cluster, room))) return 'no_room'
  if (cluster.disabled) return 'closed'
  if (server.product_id === 'FREE') return 'plan'
  if (!(await costsNoMoreOn(db, wanted))) return 'price'
  return null
}

/** @throws DomainError where it has no files, or not yet */
export function requireMovable(server: ServerRow): void {
  if (server.files_deleted_at !== null || server.volume_removed_at !== null)
    throw new DomainError('server_has_no_files', { resource: 'server' })
  if (server.prepared_at === null) throw new DomainError('server_is_preparing', { resource: 'server' })
}
