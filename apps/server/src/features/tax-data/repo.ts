import { type Selectable, sql } from 'kysely'
import type { TaxIdState } from '@wakestone/contract/tax-data'
import type { settleTaxData } from '@wakestone/contract/tax-data-form'
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
}
