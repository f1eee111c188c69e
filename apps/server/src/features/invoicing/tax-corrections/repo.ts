import { sql } from 'kysely'
import type { Db, Handle, Transaction } from '#src/db/client.ts'

/** A valid answer of the register of which nothing was made yet. */
export type Answer = { id: string; user_id: string; tax_id: string }

export function findUnhandled(db: Handle): Promise<Answer[]> {
  return db
    .selectFrom('tax_id_checks')
    .select(['id', 'user_id', 'tax_id'])
    .where('state', '=', 'valid')
    .where('heeded_at', 'is', null)
    .orderBy('checked_at')
    .limit(100)
    .execute()
}

export async function noteHandled(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('tax_id_checks').set({ heeded_at: now }).where('id', '=', id).execute()
}

/** Transactions that were made while this VAT id stood in the buyer's data and the register had not answered for it. */
const whileOpen = ({ id }: Answer) => sql`
  from tax_id_checks answer
  join transactions t on t.user_id = answer.user_id and t.created_at < answer.checked_at
  join tax_data d on d.user_id = t.user_id and d.created_at <= t.created_at and (d.replaced_at is null or d.replaced_at > t.created_at)
  join tax_id_checks asked on asked.id = d.check_id
  where answer.id = ${id}::uuid and d.kind = 'company' and d.tax_id = answer.tax_id and asked.state <> 'invalid'
    and t.status = 'COMPLETED' and t.details ->> 'tax_treatment' in ('destination', 'seller_rate')`

/** Sales with VAT that were made meanwhile and are not corrected, oldest first. */
export async function findSales(db: Handle, answer: Answer): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id ${whileOpen(answer)} and t.amount > 0
      and t.action in ('ADD_SERVICE', 'RENEW_SERVICE', 'UPGRADE_SERVICE', 'RENEW_SERVER', 'CRAFTUM')
      and not exists (select from transactions back where back.details ->> 'reverses' = t.id::text and back.amount < 0
        and back.action = 'TAX_CORRECTION')
    order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Top-ups that were taxed with VAT meanwhile, as they are taxed now. */
export async function findTopUps(db: Handle, answer: Answer): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select top_up.id from taxed_top_ups top_up
    where top_up.amount > top_up.returned and top_up.taxed_by in (select t.id ${whileOpen(answer)} and t.action = 'TOP_UP_TAX')
    order by top_up.id`.execute(db)
  return rows.map(({ id }) => id)
}

export type SaleRow = {
  id: string
  user_id: string
  wallet_id: string
  currency: string
  amount: number
  country_code: string
  vat_rate: number
  positions: { name: string; quantity: number; tax: number; total_price_gross: number }[]
  details: Record<string, unknown>
  /** Gross, of what has been given back. */
  returned: number
  is_corrected: boolean
}

/** As it stands; its wallet is locked by the caller. */
export async function findSale(trx: Transaction, id: string): Promise<SaleRow | undefined> {
  const { rows } = await sql<SaleRow>`
    select t.id, t.user_id, t.wallet_id, t.currency, t.amount, t.country_code, t.vat_rate::float8 as vat_rate, t.positions, t.details,
      coalesce((select sum(-back.amount) from transactions back where back.details ->> 'reverses' = t.id::text and back.amount < 0), 0)::bigint as returned,
      exists (select from transactions back where back.details ->> 'reverses' = t.id::text and back.amount < 0
        and back.action = 'TAX_CORRECTION') as is_corrected
    from transactions t where t.id = ${id}::uuid`.execute(trx)
  return rows[0]
}

/** Services whose time was paid by a transaction; nobody else changes them then. */
export async function lockPaidServices(
  trx: Transaction,
  transactionId: string,
): Promise<{ id: string; value_held: unknown }[]> {
  const held = JSON.stringify([{ payments: [{ transaction: transactionId }] }])
  const { rows } = await sql<{ id: string; value_held: unknown }>`
    select id, value_held from services
    where owner_id = (select user_id from transactions where id = ${transactionId}::uuid) and value_held @> ${held}::jsonb
    order by coalesce(parent_id, id), parent_id nulls first for update`.execute(trx)
  return rows
}
