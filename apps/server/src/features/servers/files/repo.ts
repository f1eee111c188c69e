/** Tickets for bytes of files, and what was done with files until it is told. */
import { type Selectable, sql } from 'kysely'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { AuditAction } from '@wakestone/contract/ground/event'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { FileChanges, FileTickets } from '#src/db/types.gen.ts'

export type TicketRow = Selectable<FileTickets>
export type ChangeRow = Selectable<FileChanges>

/** Each ticket clears away a few that are over. */
const clearedWithEach = 4

export async function insertTicket(
  db: Handle,
  ticket: Omit<TicketRow, 'expires_at'> & { seconds: number },
): Promise<Date> {
  const { seconds, ...row } = ticket
  await sql`delete from file_tickets where digest in (
    select digest from file_tickets where expires_at < now() order by expires_at limit ${clearedWithEach}
    for update skip locked)`.execute(db)
  const { expires_at } = await db
    .insertInto('file_tickets')
    .values({ ...row, expires_at: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** One that has not ended. */
export function findTicket(db: Handle, digest: Buffer): Promise<TicketRow | undefined> {
  return db
    .selectFrom('file_tickets')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

export async function deleteTicket(db: Handle, digest: Buffer): Promise<void> {
  await db.deleteFrom('file_tickets').where('digest', '=', digest).execute()
}

/** Paths that an event names. */
const pathsTold = 10
const pathLength = 200

export async function addChange(
  db: Handle,
  change: {
    serverId: string
    action: AuditAction
    executor: string | null
    acting: object
    count: number
    bytes: number
    paths: readonly string[]
    target: string | null
  },
): Promise<void> {
  const paths = change.paths.slice(0, pathsTold).map((path) => path.slice(0, pathLength))
  await sql`
    insert into file_changes (server_id, action, executor, acting, minute, count, bytes, paths, target)
    values (${change.serverId}, ${change.action}, ${change.executor}, ${JSON.stringify(change.acting)}::jsonb,
      date_trunc('minute', now()), ${change.count}, ${change.bytes}, ${sql.val(paths)}::text[],
      ${change.target?.slice(0, pathLength) ?? null})
    on conflict (server_id, action, executor, acting, minute) do update set
      count = file_changes.count + excluded.count,
      bytes = file_changes.bytes + excluded.bytes,
      paths = (file_changes.paths || excluded.paths)[1:${sql.lit(pathsTold)}],
      target = case when file_changes.target = excluded.target then file_changes.target end`.execute(db)
}

/** Tells whoever watches the server at once, when the transaction is over. */
export async function tellFilesChanged(db: Handle, serverId: string): Promise<void> {
  await sql`select pg_notify('files_changed', ${serverId})`.execute(db)
}

/** Takes some of those whose minute is over: nobody adds to them any more. */
export async function takeChanges(trx: Transaction, most: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    delete from file_changes where id in (
      select id from file_changes where minute < date_trunc('minute', now()) order by minute limit ${most}
      for update skip locked)
    returning *`.execute(trx)
  return rows
}

/** Bytes that the files take, where no supervisor is there that could tell. */
export async function writeDiskUse(db: Handle, serverId: string, bytes: number): Promise<void> {
  await db
    .updateTable('servers')
    .set({ disk_bytes: bytes })
    .where('id', '=', serverId)
    .where('placed_at', 'is', null)
    .where('volume_removed_at', 'is', null)
    .where('disk_bytes', 'is distinct from', bytes)
    .execute()
}

/** What a user may do on the whole product; undefined for one who may do nothing any more. */
export async function findHeld(db: Handle, userId: string): Promise<Capabilities | undefined> {
  const row = await db
    .selectFrom('users')
    .select((query) =>
      query
        .selectFrom('held_capabilities')
        .select((held) => held.fn<Capabilities | null>('jsonb_object_agg', ['name', 'value']).as('held'))
        .whereRef('held_capabilities.user_id', '=', 'users.id')
        .as('held'),
    )
    .where('users.id', '=', userId)
    .where('users.destroyed_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst()
  return row && (row.held ?? {})
}

/** Operations of one kind on a server that are not over. */
export async function countOpen(db: Handle, serverId: string, kind: string): Promise<number> {
  const { count } = await db
    .selectFrom('operations')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('server_id', '=', serverId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Takes note that all that the trash lost up to then is told. @returns undefined when it was told before */
export async function takeTrashTold(
  trx: Transaction,
  serverId: string,
  until: Date,
): Promise<{ name: string; owner_id: string; told: Date | null } | undefined> {
  const row = await trx
    .selectFrom('servers')
    .select(['name', 'owner_id', 'trash_told_at as told'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || (row.told !== null && row.told >= until)) return undefined
  await trx.updateTable('servers').set({ trash_told_at: until }).where('id', '=', serverId).execute()
  return row
}
