import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export type OpenDebt = { id: string; user_id: string; wallet_id: string; currency: string; open: number }

export async function insertDebt(
  trx: Transaction,
  debt: { returnId: string; userId: string; walletId: string; currency: string; amount: number; now: Date },
): Promise<void> {
  await trx
    .insertInto('debts')
    .values({
      return_id: debt.returnId,
      user_id: debt.userId,
      wallet_id: debt.walletId,
      currency: debt.currency,
      amount: debt.amount,
      open: debt.amount,
      created_at: debt.now,
    })
    .execute()
}

/** The oldest open debt of a wallet, which nobody else then settles. */
export function lockOldestDebt(trx: Transaction, walletId: string): Promise<OpenDebt | undefined> {
  return trx
    .selectFrom('debts')
    .select(['id', 'user_id', 'wallet_id', 'currency', 'open'])
    .where('wallet_id', '=', walletId)
    .where('open', '>', 0)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export async function reduceDebt(trx: Transaction, id: string, paid: number, now: Date): Promise<void> {
  await trx
    .updateTable('debts')
    .set({
      open: sql`open - ${paid}`,
      settled_at: sql`case when open = ${paid} then ${now}::timestamptz end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Wallets that owe something and hold money that is free. */
export async function selectPayingWallets(db: Handle): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct debts.wallet_id as id
    from debts
    join wallets on wallets.id = debts.wallet_id
    join ledger_accounts account on account.id = wallets.ledger_account_id
    left join ledger_accounts credit on credit.code = 'credit:' || wallets.id
    where debts.open > 0 and account.posted - account.held - coalesce(credit.posted, 0) > 0`.execute(db)
  return rows.map(({ id }) => id)
}

/** Open ones first, then the latest. */
export async function selectDebts(db: Handle, { offset, limit }: { offset: number; limit: number }) {
  const rows = await db
    .selectFrom('debts')
    .innerJoin('users', 'users.id', 'debts.user_id')
    .selectAll('debts')
    .select('users.username')
    .orderBy(sql`debts.open = 0`)
    .orderBy('debts.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const { count } = await db
    .selectFrom('debts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, count }
}
