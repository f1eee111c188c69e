/**
 * What invoices say of a buyer, every version of it, and what the EU's register says of the VAT id.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { TaxData, TaxIdState } from '@wakestone/contract/money/tax-data'
import { settleTaxData, type TaxDataBody } from '@wakestone/contract/money/tax-data-form'
import { isInEuRegister } from '@wakestone/contract/money/tax-id'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import { checkTaxIdJob } from './check.ts'
import { findTaxData, insertCheck, lockBuyer, replaceTaxData, type TaxDataRow } from './repo.ts'

export { lockBuyer } from './repo.ts'

/** Null where none was given yet. */
export async function showTaxData(db: Handle, userId: string): Promise<TaxData | null> {
  const row = await findTaxData(db, userId)
  return row === undefined ? null : toTaxData(row)
}

function toTaxData(row: TaxDataRow): TaxData {
  const { name, short_name, nip, tax_id, address, postal_code, city, country } = row
  return {
    kind: row.kind as TaxData['kind'],
    name,
    short_name,
    nip,
    tax_id,
    address,
    postal_code,
    city,
    country,
    language: row.language as Language,
    updated_at: row.created_at.toISOString(),
    tax_id_check:
      row.state === null
        ? null
        : {
            state: row.state as TaxIdState,
            checked_at: row.checked_at?.toISOString() ?? null,
            consultation_number: row.consultation_number,
          },
  }
}

/**
 * Keeps new data beside the old. Another VAT id is checked anew; the same one is asked of the register again only where
 * it was not valid.
 * @throws DomainError `user_not_found`.
 */
export async function changeTaxData(context: Context, userId: string, body: TaxDataBody): Promise<TaxData> {
  return inTransaction(context.db, (trx) => writeTaxData(context, trx, userId, body))
}

/** The same in a transaction of the caller's. */
export async function writeTaxData(
  context: Pick<Context, 'boss'>,
  trx: Transaction,
  userId: string,
  body: TaxDataBody,
): Promise<TaxData> {
  const data = settleTaxData(body)
  if (!(await lockBuyer(trx, userId))) throw new DomainError('user_not_found', { resource: 'user' })
  const before = await findTaxData(trx, userId)
  const checkId = await findOrBeginCheck(context, trx, { userId, taxId: data.tax_id, before })
  await replaceTaxData(trx, { userId, data, checkId })
  await recordUserEvent(trx, userId, {
    action: 'USER_CHANGE_TAX_DATA',
    // Not the data itself: that has a history of its own, which goes with the account.
    data: { changed: changedFields(before, data) },
  })
  const row = await findTaxData(trx, userId)
  if (row === undefined) throw new Error('the invoice data just written is not there')
  return toTaxData(row)
}

async function findOrBeginCheck(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  { userId, taxId, before }: { userId: string; taxId: string | null; before: TaxDataRow | undefined },
): Promise<string | null> {
  if (taxId === null || !isInEuRegister(taxId)) return null
  const isKnown = before?.tax_id === taxId && (before.state === 'valid' || before.state === 'pending')
  if (isKnown && before.check_id !== null) return before.check_id
  const checkId = await insertCheck(trx, userId, taxId)
  await enqueue(boss, trx, checkTaxIdJob, { checkId })
  return checkId
}

function changedFields(before: TaxDataRow | undefined, data: ReturnType<typeof settleTaxData>): string[] {
  return Object.entries(data)
    .filter(([name, value]) => before?.[name as keyof TaxDataRow] !== value)
    .map(([name]) => name)
}
