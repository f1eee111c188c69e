/** Moves of servers as they stand in the database: what was asked, where a server is to be, and what moves took. */
import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Clusters, MoveRequests, ServerMoves } from '#src/db/types.gen.ts'

export type MoveRow = Selectable<ServerMoves>
export type RequestRow = Selectable<MoveRequests>
type Place = Pick<Selectable<Clusters>, 'id' | 'driver'>

/** Where it is, and where it is being brought. */
export type Whereabouts = { cluster_id: string; move_to: string | null; supervisor_seq: number }

export async function findWhereabouts(db: Handle, serverId: string): Promise<Whereabouts | undefined> {
  return db
    .selectFrom('servers')
    .select(['cluster_id', 'move_to', 'supervisor_seq'])
    .where('id', '=', serverId)
    .executeTakeFirst()
}

/**
 * Has it brought to a cluster.
 * @param seq of the last event that is known of its supervisor there
 * @param abandons where it was nothing is ended first, since that machine is lost
 */
export async function writeMoveTo(
  trx: Transaction,
  serverId: string,
  { clusterId, seq, abandons = false }: { clusterId: string; seq: number; abandons?: boolean },
): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ move_to: clusterId, move_seq: seq, move_abandons: abandons })
    .where('id', '=', serverId)
    .where('cluster_id', '!=', clusterId)
    .execute()
}

/** It stays where it is. @returns false where that is another cluster than this one */
export async function clearMoveTo(
  trx: Transaction,
  { serverId, clusterId }: { serverId: string; clusterId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('servers')
    .set({ move_to: null, move_abandons: false })
    .where('id', '=', serverId)
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Wherever it is now, it stays there. */
export async function forgetMoveTo(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set({ move_to: null, move_abandons: false }).where('id', '=', serverId).execute()
}

/** A port of this server that another one has on that cluster. */
export async function findTakenPort(
  db: Handle,
  { serverId, clusterId }: { serverId: string; clusterId: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('cluster_ports as own')
    .innerJoin('cluster_ports as other', 'other.port', 'own.port')
    .select('own.port')
    .where('own.server_id', '=', serverId)
    .where('other.cluster_id', '=', clusterId)
    .where('other.server_id', 'is distinct from', sql<string>`own.server_id`)
    .executeTakeFirst()
  return row?.port
}

/**
 * Whether all that is paid for it costs no more on a cluster: its owner goes on paying the prices of where it was bought,
 * and nobody is to buy cheaply and move.
 */
export async function costsNoMoreOn(
  db: Handle,
  { serverId, clusterId }: { serverId: string; clusterId: string },
): Promise<boolean> {
  const { rows } = await sql<{ costs_more: boolean }>`
    select exists (
      select from servers
        join services on services.id = servers.service_id
          or services.parent_id = servers.service_id and services.ended_at is null
        join prices own on own.product_id = services.product_id and own.cluster_id = services.cluster_id
      where servers.id = ${serverId} and not exists (
        select from prices other where other.cluster_id = ${clusterId} and other.amount <= own.amount
          and (other.product_id, other.currency, other.period) = (own.product_id, own.currency, own.period))
    ) as costs_more`.execute(db)
  return rows[0]?.costs_more === false
}

/** The machine of the product is below all of these. */
const isOfMachine = ({ driver }: Pick<Place, 'driver'>) => driver === 'process'

/**
 * Bytes that are on their way to the disk of a cluster, by moves that are under way or that are planned while another one
 * is emptied, without those of one server.
 */
export async function sumComing(db: Handle, cluster: Place, exceptId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(servers.disk_bytes), 0)::float8 as bytes from (
      select server_id, input ->> 'to' as goes_to from operations
      where kind in ('migrate', 'rescue') and ended_at is null
      union
      select server_id, new_cluster from evacuation_servers where state = 'waiting' and exists (
        select from evacuations where id = evacuation_id and ended_at is null)
    ) coming join servers on servers.id = coming.server_id and servers.id <> ${exceptId}
    where goes_to = ${cluster.id}
      or ${isOfMachine(cluster)}::boolean and goes_to in (select id from clusters where driver = 'process')`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** One move at a time is begun that takes room there, until the transaction ends. */
export async function lockRoom(trx: Transaction, cluster: Place): Promise<void> {
  const name = `room of ${isOfMachine(cluster) ? 'this machine' : cluster.id}`
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx)
}

export async function insertMove(
  trx: Transaction,
  move: Omit<MoveRow, 'moved_at' | 'abandoned' | 'back_at'> & { abandoned?: boolean },
): Promise<void> {
  await trx
    .insertInto('server_moves')
    .values(move)
    .onConflict((conflict) => conflict.column('operation_id').doNothing())
    .execute()
}

export function findLastMove(db: Handle, serverId: string): Promise<MoveRow | undefined> {
  return db
    .selectFrom('server_moves')
    .selectAll()
    .where('server_id', '=', serverId)
    .orderBy('moved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The last moves of running servers, those between the same clusters first. */
export function selectPastMoves(db: Handle, { from, to }: { from: string; to: string }): Promise<MoveRow[]> {
  return db
    .selectFrom('server_moves')
    .selectAll()
    .where('down_seconds', 'is not', null)
    .where('modelled_seconds', 'is not', null)
    .orderBy(sql`(from_cluster, to_cluster) = (${from}, ${to})`, 'desc')
    .orderBy('moved_at', 'desc')
    .limit(20)
    .execute()
}

export function findRequest(db: Handle, serverId: string): Promise<RequestRow | undefined> {
  return db.selectFrom('move_requests').selectAll().where('server_id', '=', serverId).executeTakeFirst()
}

/** The last one counts. */
export async function writeRequest(
  trx: Transaction,
  { serverId, clusterId, reason, userId }: { serverId: string; clusterId: string; reason: string; userId: string },
): Promise<void> {
  const values = { to_cluster: clusterId, reason, asked_by: userId, asked_at: new Date() }
  await trx
    .insertInto('move_requests')
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(values))
    .execute()
}

export async function deleteRequest(trx: Transaction, serverId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('move_requests').where('server_id', '=', serverId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** So long the files stay on a machine that was lost, once it is back: what was built after the backup is in them. */
export const keptDays = 7

/**
 * Moves of servers whose files have yet to be removed where they were, unless they are back there. Those of a server that
 * was rescued stay for a while, unless it is gone.
 */
export function selectLeft(db: Handle): Promise<MoveRow[]> {
  const mayGo = sql<boolean>`(not move.abandoned or move.back_at is not null
    and (move.back_at < now() - ${keptDays} * interval '1 day' or servers.deleted_at is not null))`
  return db
    .selectFrom('server_moves as move')
    .innerJoin('servers', 'servers.id', 'move.server_id')
    .selectAll('move')
    .where('move.left_behind', '=', true)
    .where(mayGo)
    .whereRef('servers.cluster_id', '!=', 'move.from_cluster')
    .where('servers.move_to', 'is', null)
    .where('servers.hold', 'is', null)
    .limit(20)
    .execute()
}

export type Abandoned = Pick<MoveRow, 'operation_id' | 'server_id' | 'from_cluster'> & { stop_timeout: number }

/** Rescues from machines that have not been seen since. */
export function selectAbandoned(db: Handle): Promise<Abandoned[]> {
  return db
    .selectFrom('server_moves as move')
    .innerJoin('servers', 'servers.id', 'move.server_id')
    .select(['move.operation_id', 'move.server_id', 'move.from_cluster', 'servers.stop_timeout'])
    .where('move.abandoned', '=', true)
    .where('move.back_at', 'is', null)
    .whereRef('servers.cluster_id', '!=', 'move.from_cluster')
    .orderBy('move.moved_at')
    .execute()
}

export async function writeBack(db: Handle, operationId: string): Promise<void> {
  await db.updateTable('server_moves').set({ back_at: new Date() }).where('operation_id', '=', operationId).execute()
}

export type Kept = { cluster_id: string; back_at: Date | null }

/** Where files of a server are kept that it was rescued from. */
export function selectKept(db: Handle, serverId: string): Promise<Kept[]> {
  return db
    .selectFrom('server_moves as move')
    .select(['move.from_cluster as cluster_id', 'move.back_at'])
    .where('move.server_id', '=', serverId)
    .where('move.abandoned', '=', true)
    .where('move.left_behind', '=', true)
    .execute()
}

/** Since when the machine of a server is missed. */
export async function findLostSince(db: Handle, serverId: string): Promise<Date | null> {
  const look = await db
    .selectFrom('server_looks')
    .select('lost_since')
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return look?.lost_since ?? null
}

export async function writeNothingLeft(db: Handle, operationId: string): Promise<void> {
  await db.updateTable('server_moves').set({ left_behind: false }).where('operation_id', '=', operationId).execute()
}
