import { sql } from 'kysely'
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Piece, TaxedTopUp } from './split.ts'

export type TopUpRow = TaxedTopUp & {
  country_code: string
  vat_rate: number
  treatment: TaxTreatment
  /** The transaction of its document. */
  taxed_by: string
  /** Gross: what was taxed, and of how much of that the tax was given back. */
  amount: number
  returned: number
}

const topUps = sql`select id, deposit_id as "depositId", left_money, left_credit, country_code,
  vat_rate::float8 as vat_rate, treatment, taxed_by, amount, returned from taxed_top_ups`

/** Those of which something is left in a wallet, oldest first. The caller holds the wallet's lock. */
export async function findLeft(trx: Transaction, walletId: string): Promise<TopUpRow[]> {
  const { rows } = await sql<TopUpRow>`${topUps}
    where wallet_id = ${walletId}::uuid and left_money + left_credit > 0 order by id`.execute(trx)
  return rows
}

export async function findTopUp(trx: Transaction, id: string): Promise<TopUpRow> {
  const { rows } = await sql<TopUpRow>`${topUps} where id = ${id}::uuid`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('a taxed top-up vanished')
  return row
}

export async function insertTopUp(
  trx: Transaction,
  row: Omit<TopUpRow, 'returned' | 'depositId'> & {
    depositId: string
    userId: string
    walletId: string
    currency: string
  },
): Promise<void> {
  const { depositId, userId, walletId, ...rest } = row
  await trx
    .insertInto('taxed_top_ups')
    .values({ ...rest, deposit_id: depositId, user_id: userId, wallet_id: walletId })
    .execute()
}

/** The wallet that a taxed top-up is in. */
export async function findWalletOf(trx: Transaction, id: string): Promise<string> {
  const row = await trx.selectFrom('taxed_top_ups').select('wallet_id').where('id', '=', id).executeTakeFirstOrThrow()
  return row.wallet_id
}

export async function setRule(
  trx: Transaction,
  id: string,
  rule: Pick<TopUpRow, 'country_code' | 'vat_rate' | 'treatment' | 'taxed_by'>,
): Promise<void> {
  await trx.updateTable('taxed_top_ups').set(rule).where('id', '=', id).execute()
}

/** Of top-ups what is left rises (or falls, below zero), and of how much the tax was given back. */
export async function moveLeft(
  trx: Transaction,
  { topUpId, isCredit, amount }: Piece,
  { returned = 0 }: { returned?: number } = {},
): Promise<void> {
  await trx
    .updateTable('taxed_top_ups')
    .set({
      left_money: sql`left_money + ${isCredit ? 0 : amount}`,
      left_credit: sql`left_credit + ${isCredit ? amount : 0}`,
      returned: sql`returned + ${returned}`,
    })
    .where('id', '=', topUpId)
    .execute()
}

export async function insertUse(
  trx: Transaction,
  { transactionId, kind, piece }: { transactionId: string; kind: 'spent' | 'untaxed'; piece: Piece },
): Promise<void> {
  await trx
    .insertInto('taxed_uses')
    .values({
      transaction_id: transactionId,
      top_up_id: piece.topUpId,
      kind,
      is_credit: piece.isCredit,
      amount: piece.amount,
    })
    .execute()
}

/** What a transaction took and has not come back, the latest top-up first. */
export async function findUses(
  db: Handle,
  { transactionId, kind }: { transactionId: string; kind: 'spent' | 'untaxed' },
): Promise<Piece[]> {
  const rows = await db
    .selectFrom('taxed_uses')
    .select(['top_up_id', 'is_credit'])
    .select(sql<number>`amount - back`.as('amount'))
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .where(sql<boolean>`back < amount`)
    .orderBy('top_up_id', 'desc')
    .execute()
  return rows.map((row) => ({ topUpId: row.top_up_id, isCredit: row.is_credit, amount: row.amount }))
}

export async function noteBack(trx: Transaction, transactionId: string, piece: Piece): Promise<void> {
  await trx
    .updateTable('taxed_uses')
    .set({ back: sql`back + ${piece.amount}` })
    .where('transaction_id', '=', transactionId)
    .where('top_up_id', '=', piece.topUpId)
    .where('is_credit', '=', piece.isCredit)
    .execute()
}
