/**
 * Double entry. Money moves by `postToLedger` and in no other way; PostgreSQL refuses everything else.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import { type Entry, post } from './repo.ts'

export {
  expireHolds,
  findHeld,
  findHoldings,
  findMovements,
  findPosting,
  findWallet,
  findWalletOwner,
  findWalletsOf,
  hold,
  insertWallets,
  lockWallet,
  openAccount,
  voidHold,
  type WalletRow,
} from './repo.ts'
export { findLedgerFaults } from './rules.ts'

/** Codes of the accounts. All but wallets, credit and commission come to be when first used. */
export const accounts = {
  wallet: (walletId: string) => `wallet:${walletId}`,
  /** How much of a wallet's balance never leaves to a gateway; `credits` is its other side. */
  credit: (walletId: string) => `credit:${walletId}`,
  credits: (currency: string) => `credits:${currency}`,
  /** What was given away: vouchers, referrals. */
  promotion: (currency: string) => `promotion:${currency}`,
  /** What administrators gave or took by hand. */
  adjustment: (currency: string) => `adjustment:${currency}`,
  /** What partners cost. */
  affiliate: (currency: string) => `affiliate:${currency}`,
  /** What a partner has earned: held still, or theirs to use. */
  commission: (userId: string, state: 'pending' | 'available', currency: string) =>
    `commission:${userId}:${state}:${currency}`,
  /** Commission that had been used when its payment went back. */
  commissionOwed: (userId: string, currency: string) => `receivable:${userId}:commission:${currency}`,
  /** What somebody owes us. */
  receivable: (userId: string, currency: string) => `receivable:${userId}:${currency}`,
  gateway: (gateway: string, currency: string) => `gateway:${gateway}:${currency}`,
  /** What a gateway was asked to give back and has not given back yet. */
  refunds: (gateway: string, currency: string) => `gateway:${gateway}:refunds:${currency}`,
  /** Balances that were taxed when they were paid in: their sale stands in revenue already. */
  prepaid: (currency: string) => `prepaid:${currency}`,
  revenue: (currency: string) => `revenue:${currency}`,
  vat: (countryCode: string, currency: string) => `vat:${countryCode}:${currency}`,
}

export type Posting = {
  /** With `key`, what makes this posting happen once: `payment` and the gateway's order, `purchase` and the service. */
  scope: string
  key: string
  /** Cause, as wallet logs show it. */
  kind: string
  /** Sum to zero per currency; minor units. Plus is owed to the customer, to us as revenue, to the tax office. */
  entries: readonly Entry[]
  /** Shown with the movement in wallet logs. */
  meta?: object
  holdId?: string
}

/**
 * Posts within the caller's transaction, once per scope and key.
 * @returns id of the posting, and whether it was made now.
 * @throws DomainError `wallet_has_not_funds`; the caller's transaction is then over.
 */
export async function postToLedger(trx: Transaction, posting: Posting): Promise<{ id: string; isNew: boolean }> {
  for (const { amount } of posting.entries) {
    if (!Number.isSafeInteger(amount)) throw new Error(`${amount} is no amount`)
  }
  const entries = posting.entries
    .filter(({ amount }) => amount !== 0)
    .toSorted((left, right) => (left.code < right.code ? -1 : 1))
  try {
    return await post(trx, { ...posting, entries, meta: posting.meta ?? {}, holdId: posting.holdId ?? null })
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code === '23514' && constraint === 'ledger_accounts_funds') {
      throw new DomainError('wallet_has_not_funds', { resource: 'wallet' })
    }
    throw error
  }
}
