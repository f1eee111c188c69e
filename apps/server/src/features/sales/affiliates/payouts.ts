/** Commission that is used: moved to the wallet, by itself or for a purchase. */
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { accounts, openAccount, postToLedger } from '#src/features/money/ledger/service.ts'
import { creditWallet } from '#src/features/money/wallets/service.ts'
import { findPayout, findPosted, insertPayout, lockApproved, lockBalance } from './repo.ts'

export type Payout = {
  userId: string
  walletId: string
  currency: string
  /** Minor units, more than zero. */
  amount: number
  /** The same key again is the same payout. */
  key: string
  now: Date
  details?: Record<string, unknown>
}

/**
 * Moves available commission to a wallet of its owner's, as credit that never leaves to a payer.
 * @throws DomainError `affiliate_not_active`, `affiliate_has_not_funds`, `idempotency_key_reused`; those of `creditWallet`.
 */
export async function payOut(trx: Transaction, payout: Payout): Promise<void> {
  const { userId, walletId, currency, amount, key, now } = payout
  // The key may be of another currency too.
  await lockName(trx, `payout:${userId}:${key}`)
  if (!(await lockApproved(trx, userId))) throw new DomainError('affiliate_not_active')
  await lockBalance(trx, userId, currency)
  const known = await findPayout(trx, userId, key)
  if (known !== undefined) {
    if (known.wallet_id !== walletId || known.amount !== amount) throw new DomainError('idempotency_key_reused')
    return
  }
  const available = accounts.commission(userId, 'available', currency)
  const posted = await findPosted(trx, available)
  if (posted < amount) throw new DomainError('affiliate_has_not_funds', { available: posted })
  await openAccount(trx, available, currency)
  await postToLedger(trx, {
    scope: 'payout',
    key: `${userId}:${key}`,
    kind: 'COMMISSION',
    entries: [
      { code: available, currency, amount: -amount },
      { code: accounts.affiliate(currency), currency, amount },
    ],
  })
  const transactionId = await creditWallet(trx, {
    userId,
    walletId,
    currency,
    amount,
    tax: 0,
    source: 'affiliate',
    refundable: false,
    cause: 'COMMISSION',
    scope: 'payout-wallet',
    key: `${userId}:${key}`,
    provider: 'affiliate',
    name: 'AFFILIATE_PAYOUT',
    details: payout.details ?? {},
  })
  await insertPayout(trx, { userId, key, walletId, currency, amount, transactionId, at: now })
  await recordUserEvent(trx, userId, { action: 'USER_AFFILIATE_PAYOUT', data: { amount: { amount, currency } } })
}
