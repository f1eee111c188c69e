import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DataExports } from '#src/db/types.gen.ts'

export type DataExportRow = Selectable<DataExports>

/** Two requests of one user follow each other. @returns false when there is no such user. */
export async function lockRequester(trx: Transaction, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export function selectExports(db: Handle, userId: string): Promise<DataExportRow[]> {
  return db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}

export function insertExport(trx: Transaction, userId: string): Promise<DataExportRow> {
  return trx.insertInto('data_exports').values({ user_id: userId }).returningAll().executeTakeFirstOrThrow()
}

export function findExport(db: Handle, id: string): Promise<DataExportRow | undefined> {
  return db.selectFrom('data_exports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @returns whether it was waited for. */
export async function markReady(
  trx: Transaction,
  id: string,
  { bytes, expiresAt }: { bytes: number; expiresAt: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable('data_exports')
    .set({ state: 'ready', ready_at: sql<Date>`now()`, expires_at: expiresAt, bytes })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** A new link takes the place of the one before. */
export async function setLink(db: Handle, id: string, link: { hash: Buffer; expiresAt: Date }): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ link_hash: link.hash, link_expires: link.expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Uses a link up. @returns the copy it leads to; undefined when it leads nowhere (any more). */
export function takeLink(trx: Transaction, id: string, hash: Buffer): Promise<DataExportRow | undefined> {
  return trx
    .updateTable('data_exports')
    .set({ link_hash: null, link_expires: null })
    .where('id', '=', id)
    .where('link_hash', '=', hash)
    .where('link_expires', '>', sql<Date>`now()`)
    .where('state', '=', 'ready')
    .returningAll()
    .executeTakeFirst()
}

/** Marks copies whose time is over. @returns their ids. */
export async function expireExports(db: Handle, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('data_exports')
    .set({ state: 'expired', link_hash: null, link_expires: null })
    .where('state', '=', 'ready')
    .where('expires_at', '<=', now)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives up on copies that no job makes any more. */
export async function failStaleExports(db: Handle, before: Date): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ state: 'failed' })
    .where('state', '=', 'pending')
    .where('created_at', '<', before)
    .execute()
}

/** Of these files, those that a copy still stands for. */
export async function selectKept(db: Handle, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('data_exports')
    .select('id')
    .where('id', 'in', ids)
    .where('state', 'in', ['pending', 'ready'])
    .execute()
  return new Set(rows.map(({ id }) => id))
}
