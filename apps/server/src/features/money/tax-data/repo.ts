import { type Selectable, sql } from 'kysely'
import type { TaxIdState } from '@wakestone/contract/money/tax-data'
import type { settleTaxData } from '@wakestone/contract/money/tax-data-form'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { TaxIdChecks } from '#src/db/types.gen.ts'

type Settled = ReturnType<typeof settleTaxData>

/** What is in force, with what is known of the VAT id. */
export function findTaxData(db: Handle, userId: string) {
  return db
    .selectFrom('tax_data')
    .leftJoin('tax_id_checks', 'tax_id_checks.id', 'tax_data.check_id')
    .selectAll('tax_data')
    .select(['tax_id_checks.state', 'tax_id_checks.checked_at', 'tax_id_checks.consultation_number'])
    .where('tax_data.user_id', '=', userId)
    .where('tax_data.replaced_at', 'is', null)
    .executeTakeFirst()
}
export type TaxDataRow = NonNullable<Awaited<ReturnType<typeof findTaxData>>>

/** Two changes of one user follow each other. @returns false when there is no such user. */
export async function lockBuyer(trx: Transaction, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function replaceTaxData(
  trx: Transaction,
  { userId, data, checkId }: { userId: string; data: Settled; checkId: string | null },
): Promise<void> {
  await trx
    .updateTable('tax_data')
    .set({ replaced_at: sql<Date>`clock_timestamp()` })
    .where('user_id', '=', userId)
    .where('replaced_at', 'is', null)
    .execute()
  await trx
    .insertInto('tax_data')
    .values({ user_id: userId, check_id: checkId, ...data })
    .execute()
}

export async function insertCheck(trx: Transaction, userId: string, taxId: string): Promise<string> {
  const { id } = await trx
    .insertInto('tax_id_checks')
    .values({ user_id: userId, tax_id: taxId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function findCheck(db: Handle, id: string): Promise<Selectable<TaxIdChecks> | undefined> {
  return db.selectFrom('tax_id_checks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** An answer stays: what is still open is all that changes. */
export async function noteAnswer(
  db: Handle,
  id: string,
  answer: { state: Exclude<TaxIdState, 'pending'>; consultationNumber?: string | null; error?: string },
): Promise<void> {
  await db
    .updateTable('tax_id_checks')
    .set({
      state: answer.state,
      checked_at: sql<Date>`now()`,
      consultation_number: answer.consultationNumber ?? null,
      last_error: answer.error ?? null,
    })
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'unavailable'])
    .execute()
  if (answer.state === 'unavailable') return
  // The answer to a repeated question counts from now on, for the data that the first one was asked for.
  await sql`
    update tax_data set check_id = ${id}::uuid from tax_id_checks
    where tax_id_checks.id = ${id}::uuid and tax_data.check_id = tax_id_checks.rechecks and tax_data.replaced_at is null`.execute(
    db,
  )
}

/** Asks anew for valid ids whose answer is old. @returns ids of the new questions. */
export async function insertRechecks(trx: Transaction, olderThan: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into tax_id_checks (user_id, tax_id, rechecks)
    select known.user_id, known.tax_id, known.id
    from tax_data join tax_id_checks known on known.id = tax_data.check_id
    where tax_data.replaced_at is null and known.state = 'valid' and known.checked_at < ${olderThan}
      and not exists (select from tax_id_checks later where later.rechecks = known.id)
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Questions that the register has left open since before this moment, of data in force. */
export async function findOpenChecks(db: Handle, askedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select open.id from tax_id_checks open
    where open.state in ('pending', 'unavailable') and coalesce(open.checked_at, open.asked_at) < ${askedBefore}
      and exists (select from tax_data where replaced_at is null and check_id in (open.id, open.rechecks))`.execute(db)
  return rows.map(({ id }) => id)
}
