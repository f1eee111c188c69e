import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ImportItems, Imports } from '#src/db/types.gen.ts'
import type { System } from './model.ts'
import type { Kind } from './report.ts'

export type ItemRow = Selectable<ImportItems>
type ImportRow = Selectable<Imports>
export type Source = { system: System; origin: string }

/** Of a row as it is there, whatever the order of its columns. */
export function hashRow(row: object): Buffer {
  const sorted = JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(sorted).digest()
}

/** The run that was begun and never ended, or a new one. @returns its id */
export async function beginImport(trx: Transaction, source: Source, dumpHash: Buffer): Promise<string> {
  const running = await trx
    .selectFrom('imports')
    .select('id')
    .where('system', '=', source.system)
    .where('origin', '=', source.origin)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (running !== undefined) return running.id
  const { id } = await trx
    .insertInto('imports')
    .values({ ...source, dump_hash: dumpHash })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The run that was begun and never ended. */
export async function findRunning(db: Handle, { system, origin }: Source): Promise<string | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('system', '=', system)
    .where('origin', '=', origin)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row?.id
}

export async function endImport(db: Handle, id: string, totals: object): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'done', ended_at: new Date(), totals: JSON.stringify(totals) })
    .where('id', '=', id)
    .execute()
}

export async function markUndone(db: Handle, id: string): Promise<void> {
  await db.updateTable('imports').set({ state: 'undone', ended_at: new Date() }).where('id', '=', id).execute()
}

export function findImport(db: Handle, id: string): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What came before of an installation, and is here. */
export function selectKnownItems(db: Handle, { system, origin }: Source): Promise<ItemRow[]> {
  return db
    .selectFrom('import_items')
    .selectAll()
    .where('system', '=', system)
    .where('origin', '=', origin)
    .where('state', '<>', 'undone')
    .execute()
}

/** What one run has brought, the last first. */
export function selectItemsOf(db: Handle, importId: string): Promise<ItemRow[]> {
  return db.selectFrom('import_items').selectAll().where('import_id', '=', importId).orderBy('id', 'desc').execute()
}

export type NewItem = {
  importId: string
  source: Source
  kind: Kind
  key: string
  made: string
  state: 'made' | 'found' | 'begun'
  rowHash: Buffer
  details?: object
}

export async function insertItem(trx: Transaction, item: NewItem): Promise<string> {
  const { id } = await trx
    .insertInto('import_items')
    .values({
      import_id: item.importId,
      ...item.source,
      kind: item.kind,
      source_key: item.key,
      made: item.made,
      state: item.state,
      row_hash: item.rowHash,
      details: JSON.stringify(item.details ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function writeItemState(
  db: Handle,
  id: string,
  state: 'made' | 'kept' | 'undone',
  details?: object,
): Promise<void> {
  await db
    .updateTable('import_items')
    .set({ state, mark: sql<string>`uuidv7()`, ...(details !== undefined && { details: JSON.stringify(details) }) })
    .where('id', '=', id)
    .execute()
}

/** Whether anything was written of an account or a server since the import has last touched it. */
export async function hasEventsSince(
  db: Handle,
  resourceId: string,
  { itemIds, onlyOfPeople }: { itemIds: readonly string[]; onlyOfPeople: boolean },
): Promise<boolean> {
  let events = db
    .selectFrom('audit_events')
    .select('audit_events.id')
    .where('resource_id', '=', resourceId)
    .where('audit_events.id', '>', (query) =>
      query
        .selectFrom('import_items')
        .select('mark')
        .where('import_items.id', 'in', [...itemIds])
        .orderBy('mark', 'desc')
        .limit(1),
    )
  if (onlyOfPeople) events = events.where(sql<boolean>`data ? 'executor'`)
  return (await events.limit(1).executeTakeFirst()) !== undefined
}

/** Whether an account was made by an import, of whichever system. */
export async function isImported(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('import_items')
    .select('id')
    .where('kind', '=', 'account')
    .where('made', '=', userId)
    .where('state', 'in', ['made', 'kept'])
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account has anything that is not gone with an import: services, or money in a wallet. */
export async function hasBelongings(db: Handle, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from services where owner_id = ${userId}::uuid and ended_at is null)
      or exists (select from wallets join ledger_accounts account on account.id = wallets.ledger_account_id
        where wallets.user_id = ${userId}::uuid and (account.posted <> 0 or account.held <> 0)) as has`.execute(db)
  return rows[0]?.has === true
}

export async function writeItemMade(
  trx: Transaction,
  id: string,
  { made, details }: { made: string; details: object },
): Promise<void> {
  await trx
    .updateTable('import_items')
    .set({ made, details: JSON.stringify(details), mark: sql<string>`uuidv7()` })
    .where('id', '=', id)
    .execute()
}
