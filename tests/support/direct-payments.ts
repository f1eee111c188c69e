/** Payments as a gateway's adapter writes them down, without a gateway. */
import { randomUUID } from 'node:crypto'
import { type Context } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { accounts, postToLedger } from '../../apps/server/src/features/money/ledger/service.ts'
import { insertTransaction } from '../../apps/server/src/features/money/statements/repo.ts'
import type { Caller } from './api.ts'

type Payer = Pick<Caller, 'user'>

/** A top-up that was paid; a negative amount goes back to the payer of `reverses`. @returns id of the transaction. */
export async function payIn(
  { db }: Pick<Context, 'db'>,
  { user }: Payer,
  amount: number,
  { reverses, ip, currency = 'PLN' }: { reverses?: string; ip?: string; currency?: 'PLN' | 'EUR' | 'USD' } = {},
): Promise<string> {
  const wallet = user.wallets.find((one) => one.currency === currency)
  if (wallet === undefined) throw new Error('no such wallet')
  return inTransaction(db, async (trx) => {
    const { id: ledgerTransactionId } = await postToLedger(trx, {
      scope: 'payment',
      key: randomUUID(),
      kind: amount > 0 ? 'DEPOSIT' : 'REFUND',
      entries: [
        { code: accounts.gateway('payu', currency), currency, amount: -amount },
        { code: accounts.wallet(wallet.id), currency, amount },
      ],
    })
    const made = await insertTransaction(trx, {
      userId: user.id,
      walletId: wallet.id,
      currency,
      status: 'COMPLETED',
      action: 'DEPOSIT',
      provider: 'payu',
      amount,
      countryCode: 'PL',
      vatRate: 0.23,
      positions: [{ name: 'WALLET_TOP_UP', quantity: 1, tax: 0, total_price_gross: amount }],
      details: reverses === undefined ? {} : { reverses },
      ledgerTransactionId,
      ...(ip !== undefined && { payerIp: ip }),
    })
    if (made === undefined) throw new Error('a payment was not written')
    return made.id
  })
}

/** Gives a payment back to its payer. */
export const giveBack = (context: Pick<Context, 'db'>, payer: Payer, transactionId: string, amount: number) =>
  payIn(context, payer, -amount, { reverses: transactionId })
