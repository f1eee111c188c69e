/** Payments for what somebody sells, beside their transactions: who pays, and what of them is still held. */
import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { SalePayments } from '#src/db/types.gen.ts'

export type SaleRow = Selectable<SalePayments>

export function findSale(db: Handle, transactionId: string): Promise<SaleRow | undefined> {
  return db.selectFrom('sale_payments').selectAll().where('transaction_id', '=', transactionId).executeTakeFirst()
}

export function lockSale(trx: Transaction, transactionId: string): Promise<SaleRow | undefined> {
  return trx
    .selectFrom('sale_payments')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertSale(
  trx: Transaction,
  row: Pick<SaleRow, 'transaction_id' | 'email' | 'payer_ip' | 'description' | 'return_path' | 'hold_days'> & {
    share_percent: number
  },
): Promise<void> {
  await trx.insertInto('sale_payments').values(row).execute()
}

export async function updateSale(
  trx: Transaction,
  transactionId: string,
  change: {
    hold_id?: string | null
    held_until?: Date
    released_at?: Date
    share_base?: number
    share?: number
    share_returned?: number
    share_transaction_id?: string
  },
): Promise<void> {
  await trx.updateTable('sale_payments').set(change).where('transaction_id', '=', transactionId).execute()
}

/** Whose a transaction is, and by which rule it was taxed. */
export function readSeller(db: Handle, transactionId: string) {
  return db
    .selectFrom('transactions')
    .select(['user_id', 'wallet_id', 'currency', 'country_code', 'vat_rate'])
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow()
}

export async function newHoldId(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx)
  return (rows[0] as { id: string }).id
}

/** Sales whose hold is over. */
export async function findDueSales(db: Handle, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sale_payments')
    .select('transaction_id')
    .where('held_until', '<=', now)
    .where('released_at', 'is', null)
    .orderBy('held_until')
    .limit(limit)
    .execute()
  return rows.map(({ transaction_id }) => transaction_id)
}

/** Who paid is kept for a time only. @returns how many were forgotten. */
export async function forgetPayers(db: Handle, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } =
    await sql`update sale_payments set email = null, payer_ip = null where transaction_id = any(array(
    select s.transaction_id from sale_payments s join transactions t on t.id = s.transaction_id
    where s.email is not null and t.created_at < ${before} order by t.created_at limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export type HeldSales = { amount: number; next: number; next_at: Date }

/** The amount still held from a wallet's sales, and how much of it is released first. */
export async function sumHeldSales(db: Handle, walletId: string): Promise<HeldSales | undefined> {
  const { rows } = await sql<HeldSales>`with held as (
      select h.amount, s.held_until from transactions t join sale_payments s on s.transaction_id = t.id
        join ledger_holds h on h.id = s.hold_id and h.state = 'held'
        where t.wallet_id = ${walletId} and s.held_until is not null),
    first as (select min(held_until) as at from held)
    select sum(amount)::bigint as amount, first.at as next_at,
      (sum(amount) filter (where held_until = first.at))::bigint as next
    from held, first group by first.at`.execute(db)
  return rows[0]
}

export function findSales(db: Handle, transactionIds: readonly string[]) {
  return db
    .selectFrom('sale_payments')
    .select(['transaction_id', 'description', 'hold_id', 'held_until', 'released_at'])
    .where('transaction_id', 'in', transactionIds)
    .execute()
}
