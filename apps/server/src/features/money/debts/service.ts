/**
 * What somebody owes because their wallet did not hold what was taken back. It stands on an account of its own, as a bill
 * does, and the wallet is lent it for the moment: a wallet is never below zero. The next payment settles it first.
 */
import type { Debt } from '@wakestone/contract/money/payment-return'
import type { WalletLog } from '@wakestone/contract/money/wallet'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { accounts, lockWallet, postToLedger } from '#src/features/money/ledger/service.ts'
import { chargeWallet, refundable } from '#src/features/money/wallets/service.ts'
import { lockOldestDebt, reduceDebt, selectDebts, selectPayingWallets } from './repo.ts'

export { insertDebt } from './repo.ts'

type Loan = { returnId: string; userId: string; walletId: string; currency: string; amount: number }

/** Lends a wallet what it lacks for a return, in the return's transaction; `insertDebt` has to follow. */
export async function lendForReturn(trx: Transaction, loan: Loan): Promise<void> {
  const { returnId, userId, walletId, currency, amount } = loan
  await postToLedger(trx, {
    scope: 'debt',
    key: returnId,
    kind: 'DEBT' satisfies WalletLog['cause'],
    entries: [
      { code: accounts.receivable(userId, currency), currency, amount: -amount },
      { code: accounts.wallet(walletId), currency, amount },
    ],
    meta: { return_id: returnId },
  })
}

/**
 * Pays what a wallet owes as far as it holds money that may be paid out, the oldest debt first. Again is harmless.
 * @returns what was paid, in minor units.
 */
export async function settleDebts(trx: Transaction, walletId: string, now: Date): Promise<number> {
  for (let paid = 0; ;) {
    const wallet = await lockWallet(trx, walletId)
    if (!wallet?.has_debts) return paid
    const debt = await lockOldestDebt(trx, walletId)
    const amount = Math.min(debt?.open ?? 0, refundable(wallet))
    if (debt === undefined || amount === 0) return paid
    const { id, user_id: userId, currency, open } = debt
    await chargeWallet(trx, {
      userId,
      walletId,
      currency,
      amount,
      tax: 0, // nothing is sold
      creditor: accounts.receivable(userId, currency),
      creditLast: true,
      positions: [{ name: 'DEBT', quantity: 1, tax: 0, total_price_gross: amount }],
      action: 'SETTLE_DEBT',
      cause: 'DEBT',
      key: `debt:${id}:${open}`, // falls with each part
      details: { debt_id: id },
    })
    await reduceDebt(trx, id, amount, now)
    paid += amount
  }
}

/** Settles what can be, by whatever way money came into a wallet. */
export async function settleAllDebts({ db, logger }: Pick<Context, 'db' | 'logger'>, now: Date): Promise<void> {
  for (const walletId of await selectPayingWallets(db)) {
    try {
      await inTransaction(db, (trx) => settleDebts(trx, walletId, now))
    } catch (error) {
      logger.warn({ error, wallet: walletId }, 'a debt is not settled yet')
    }
  }
}

export async function listDebts(
  db: Handle,
  page: { offset: number; limit: number },
): Promise<{ data: Debt[]; count: number }> {
  const { rows, count } = await selectDebts(db, page)
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      return_id: row.return_id,
      user: { id: row.user_id, username: row.username },
      wallet_id: row.wallet_id,
      amount: { amount: row.amount, currency: row.currency },
      open: { amount: row.open, currency: row.currency },
      created_at: row.created_at.toISOString(),
      settled_at: row.settled_at?.toISOString() ?? null,
    })),
  }
}
