/**
 * Wallets: one per user and currency. A balance is what the ledger says, less what is held.
 */
import { DomainError } from '@wakestone/contract/errors'
import { walletCurrencies } from '@wakestone/contract/primitives'
import type { TransactionAction } from '@wakestone/contract/states'
import type { Wallet, WalletLog } from '@wakestone/contract/wallet'
import type { Handle, Transaction } from '#src/db/client.ts'
import {
  accounts,
  findMovements,
  findWallet,
  findWalletsOf,
  insertWallets,
  lockWallet,
  postToLedger,
  type WalletRow,
} from '#src/features/ledger/service.ts'
import { vatRateOf } from '#src/features/taxes/service.ts'
import { findPurchaseByPosting, recordPurchase } from '#src/features/transactions/service.ts'

/** Opens a wallet in every currency on offer; wallets that are there stay. */
export async function openWallets(trx: Transaction, { userId }: { userId: string }): Promise<void> {
  await insertWallets(trx, userId, walletCurrencies)
}

export async function findWalletOwner(db: Handle, id: string): Promise<string | undefined> {
  return (await findWallet(db, id))?.user_id
}

async function showWallet(db: Handle, row: WalletRow): Promise<Wallet> {
  return {
    id: row.id,
    currency: row.currency as Wallet['currency'],
    balance: { amount: row.posted - row.held, currency: row.currency },
    details: row.details as Record<string, unknown>,
    created_at: row.created_at.toISOString(),
    country_tax_rate: { country_code: row.country_code, vat_rate: await vatRateOf(db, row.country_code) },
  }
}

/** @throws DomainError `wallet_not_found`. */
export async function getWallet(db: Handle, id: string): Promise<Wallet> {
  const row = await findWallet(db, id)
  if (row === undefined) throw new DomainError('wallet_not_found', { resource: 'wallet' })
  return showWallet(db, row)
}

/** In the order in which currencies are offered. */
export async function listWalletsOf(db: Handle, userId: string): Promise<Wallet[]> {
  const rows = await findWalletsOf(db, userId)
  const rank = (row: WalletRow) => walletCurrencies.indexOf(row.currency as Wallet['currency'])
  return Promise.all(rows.toSorted((left, right) => rank(left) - rank(right)).map((row) => showWallet(db, row)))
}

/** Movements, newest first. */
export async function listWalletLogs(
  db: Handle,
  walletId: string,
  page: { after: string | undefined; limit: number },
): Promise<{ data: WalletLog[]; count: number }> {
  const wallet = await findWallet(db, walletId)
  if (wallet === undefined) throw new DomainError('wallet_not_found', { resource: 'wallet' })
  const { rows, count } = await findMovements(db, wallet.ledger_account_id, page)
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      wallet_id: walletId,
      pair_id: row.transaction_id,
      ts: row.at.toISOString(),
      amount: { amount: row.amount, currency: row.currency },
      balance_after: { amount: row.balance_after ?? 0, currency: row.currency },
      currency: row.currency as WalletLog['currency'],
      cause: row.kind as WalletLog['cause'],
      details: row.meta as Record<string, unknown>,
      completed: row.at.toISOString(),
    })),
  }
}

export type Charge = {
  userId: string
  walletId: string
  currency: string
  /** Gross, minor units; `tax` is the part of it that is VAT. Zero is allowed and moves nothing. */
  amount: number
  tax: number
  /** Of the buyer; unset: that of their country. */
  countryTaxRate?: { country_code: string; vat_rate: number }
  /** What is bought: a service's product id, in the transaction's one position. */
  name?: string
  action?: TransactionAction
  /** The same key again is the same charge: the id of the service, with its period for renewals. */
  key: string
  details: Record<string, unknown>
}

/**
 * Pays for a purchase from a wallet, in the purchase's own transaction: wallet to revenue and VAT, and the customer's
 * transaction, COMPLETED. Charges on one wallet wait for each other.
 * @returns id of the customer's transaction.
 * @throws DomainError `wallet_not_found` (also for other people's), `wallet_has_other_currency`, `wallet_has_not_funds`.
 */
export async function chargeWallet(trx: Transaction, charge: Charge): Promise<string> {
  const { userId, walletId, currency, amount, tax, details } = charge
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(tax) || tax < 0 || tax > amount) {
    throw new Error(`cannot charge ${amount} with ${tax} of tax`)
  }
  const wallet = await lockWallet(trx, walletId)
  if (wallet === undefined || wallet.user_id !== userId)
    throw new DomainError('wallet_not_found', { resource: 'wallet' })
  if (wallet.currency !== currency) throw new DomainError('wallet_has_other_currency', { resource: 'wallet' })
  const countryTaxRate = charge.countryTaxRate ?? {
    country_code: wallet.country_code,
    vat_rate: await vatRateOf(trx, wallet.country_code),
  }
  let ledgerTransactionId: string | null = null
  if (amount > 0) {
    const posting = await postToLedger(trx, {
      scope: 'purchase',
      key: charge.key,
      kind: 'PAYMENT' satisfies WalletLog['cause'],
      entries: [
        { code: accounts.wallet(walletId), currency, amount: -amount },
        { code: accounts.revenue(currency), currency, amount: amount - tax },
        { code: accounts.vat(countryTaxRate.country_code, currency), currency, amount: tax },
      ],
      meta: details,
    })
    const known = posting.isNew ? undefined : await findPurchaseByPosting(trx, posting.id)
    if (known !== undefined) return known
    ledgerTransactionId = posting.id
  }
  const name = charge.name ?? (typeof details['product_id'] === 'string' ? details['product_id'] : 'service')
  return recordPurchase(trx, {
    userId,
    walletId,
    currency,
    action: charge.action ?? 'ADD_SERVICE',
    amount,
    countryTaxRate,
    positions: [{ name, quantity: 1, tax: countryTaxRate.vat_rate, total_price_gross: amount }],
    details,
    ledgerTransactionId,
  })
}
