/** Clusters that are emptied, as they stand in the database. */
import { type Selectable, sql } from 'kysely'
import { awakePhases } from '@wakestone/protocol/phases'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Evacuations, EvacuationServers } from '#src/db/types.gen.ts'

export type EvacuationRow = Selectable<Evacuations>
export type EvacuatedRow = Selectable<EvacuationServers>

/** Servers of a cluster that have files, those first whose move nobody notices. */
export async function selectServersToMove(
  db: Handle,
  clusterId: string,
): Promise<{ id: string; owner_name: string }[]> {
  const { rows } = await sql<{ id: string; owner_name: string }>`
    select servers.id, users.username as owner_name from servers join users on users.id = servers.owner_id
    where cluster_id = ${clusterId} and servers.deleted_at is null and files_deleted_at is null
      and volume_removed_at is null and prepared_at is not null
    order by coalesce(phase = any(${[...awakePhases]}::text[]), false), players_online,
      disk_bytes nulls first, servers.id`.execute(db)
  return rows
}

export async function insertEvacuation(
  trx: Transaction,
  { clusterId, reason, userId }: { clusterId: string; reason: string; userId: string },
  servers: readonly Pick<EvacuatedRow, 'server_id' | 'new_cluster' | 'expected_seconds' | 'state' | 'error'>[],
): Promise<string> {
  const { id } = await trx
    .insertInto('evacuations')
    .values({ cluster_id: clusterId, reason, created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [position, server] of servers.entries())
    await trx
      .insertInto('evacuation_servers')
      .values({ evacuation_id: id, position, ...server })
      .execute()
  return id
}

/** What is under way, or was last. */
export function findLast(db: Handle, clusterId: string): Promise<EvacuationRow | undefined> {
  return db
    .selectFrom('evacuations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function lockOpen(trx: Transaction, clusterId: string): Promise<EvacuationRow | undefined> {
  return trx
    .selectFrom('evacuations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function writeState(trx: Transaction, id: string, state: string): Promise<void> {
  const isOver = state === 'done' || state === 'cancelled'
  await trx
    .updateTable('evacuations')
    .set({ state, ended_at: isOver ? new Date() : null })
    .where('id', '=', id)
    .execute()
}

export type ShownServer = EvacuatedRow & {
  name: string
  owner_name: string
  progress: number | null
  down_seconds: number | null
}

export async function selectServers(db: Handle, evacuationId: string): Promise<ShownServer[]> {
  return db
    .selectFrom('evacuation_servers as own')
    .innerJoin('servers', 'servers.id', 'own.server_id')
    .innerJoin('users', 'users.id', 'servers.owner_id')
    .leftJoin('operations', 'operations.id', 'own.operation_id')
    .leftJoin('server_moves', 'server_moves.operation_id', 'own.operation_id')
    .selectAll('own')
    .select(['servers.name', 'users.username as owner_name', 'operations.progress', 'server_moves.down_seconds'])
    .where('own.evacuation_id', '=', evacuationId)
    .orderBy('own.position')
    .execute()
}

/** Ids of those at which a worker has something to do. */
export async function selectOpen(db: Handle): Promise<string[]> {
  const rows = await db
    .selectFrom('evacuations')
    .select('id')
    .where((row) =>
      row.or([
        row('ended_at', 'is', null),
        row.exists(
          row
            .selectFrom('evacuation_servers')
            .select('server_id')
            .whereRef('evacuation_id', '=', 'evacuations.id')
            .where('state', '=', 'moving'),
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Alone at it until the transaction ends; undefined where another worker is. */
export async function lockFree(trx: Transaction, id: string): Promise<EvacuationRow | undefined> {
  return trx.selectFrom('evacuations').selectAll().where('id', '=', id).forUpdate().skipLocked().executeTakeFirst()
}

/** Those that move, with what has become of the operation; `state` null: it is gone with all that was known of it. */
export async function selectMoving(
  db: Handle,
  evacuationId: string,
): Promise<{ server_id: string; tries: number; state: string | null; code: string | null }[]> {
  return db
    .selectFrom('evacuation_servers as own')
    .leftJoin('operations', 'operations.id', 'own.operation_id')
    .select([
      'own.server_id',
      'own.tries',
      'operations.state',
      sql<string | null>`operations.error ->> 'code'`.as('code'),
    ])
    .where('own.evacuation_id', '=', evacuationId)
    .where('own.state', '=', 'moving')
    .execute()
}

/** The next one whose time has come. */
export function findNext(db: Handle, evacuationId: string): Promise<EvacuatedRow | undefined> {
  return db
    .selectFrom('evacuation_servers')
    .selectAll()
    .where('evacuation_id', '=', evacuationId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', new Date())
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

export async function hasOpenServers(db: Handle, evacuationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('evacuation_servers')
    .select('server_id')
    .where('evacuation_id', '=', evacuationId)
    .where('state', 'in', ['waiting', 'moving'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateServer(
  trx: Transaction,
  { evacuation_id, server_id }: Pick<EvacuatedRow, 'evacuation_id' | 'server_id'>,
  change: Partial<Omit<EvacuatedRow, 'evacuation_id' | 'server_id'>>,
): Promise<void> {
  await trx
    .updateTable('evacuation_servers')
    .set(change)
    .where('evacuation_id', '=', evacuation_id)
    .where('server_id', '=', server_id)
    .execute()
}
