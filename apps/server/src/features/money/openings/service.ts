/**
 * What a customer had in the wallet of another system, as the first entry of theirs here: an adjustment, as one that an
 * administrator makes by hand. It is money and not credit, and is taxed when it is spent.
 */
import type { Currency } from '@wakestone/contract/primitives'
import type { Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import {
  accounts,
  findMovements,
  findPosting,
  findWalletsOf,
  lockWallet,
  postToLedger,
} from '#src/features/money/ledger/service.ts'
import { recordPurchase } from '#src/features/money/statements/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import { creditWallet } from '#src/features/money/wallets/service.ts'

type Opening = {
  userId: string
  currency: Currency
  /** Minor units, more than zero. */
  amount: number
  /** The same one again is the same entry. */
  key: string
  /** As statements and events show it. */
  reason: string
}

const scope = 'opening'

/** @returns id of the customer's transaction */
export async function openBalance(trx: Transaction, opening: Opening): Promise<string> {
  const { userId, currency, amount, key, reason } = opening
  const id = await creditWallet(trx, {
    userId,
    walletId: await walletIn(trx, opening),
    currency,
    amount,
    tax: 0,
    source: 'adjustment',
    refundable: true,
    cause: 'ADJUSTMENT',
    scope,
    key,
    status: 'ADMIN_ACTION',
    name: 'WALLET_TOP_UP',
    details: { reason },
  })
  await recordUserEvent(trx, userId, { action: 'USER_WALLET_TOP_UP', data: { amount, currency, reason } })
  return id
}

/**
 * Takes an opening balance back by an entry against it, as long as the wallet has not moved since.
 * @returns id of the customer's transaction; undefined where the wallet has moved
 */
export async function takeBackOpening(trx: Transaction, opening: Opening): Promise<string | undefined> {
  const { userId, currency, amount, key, reason } = opening
  const walletId = await walletIn(trx, opening)
  const wallet = await lockWallet(trx, walletId)
  const posting = await findPosting(trx, scope, key)
  const newest = await findMovements(trx, walletId, { after: undefined, limit: 1 })
  if (wallet === undefined || posting === undefined || newest?.rows[0]?.transaction_id !== posting) return undefined
  if (wallet.held > 0) return undefined
  const { id: ledgerTransactionId } = await postToLedger(trx, {
    scope,
    key: `${key}:back`,
    kind: 'ADJUSTMENT',
    entries: [
      { code: accounts.wallet(walletId), currency, amount: -amount },
      { code: accounts.adjustment(currency), currency, amount },
    ],
    meta: { reason },
  })
  const { country_code } = await taxOf(trx, { userId })
  const id = await recordPurchase(trx, {
    userId,
    walletId,
    currency,
    action: 'DEPOSIT',
    status: 'ADMIN_ACTION',
    amount: -amount,
    countryTaxRate: { country_code, vat_rate: 0 },
    positions: [{ name: 'WALLET_TOP_UP', quantity: 1, tax: 0, total_price_gross: -amount }],
    details: { reason },
    ledgerTransactionId,
  })
  await recordUserEvent(trx, userId, { action: 'USER_WALLET_TOP_UP', data: { amount: -amount, currency, reason } })
  return id
}

async function walletIn(trx: Transaction, { userId, currency }: Opening): Promise<string> {
  const wallet = (await findWalletsOf(trx, userId)).find((one) => one.currency === currency)
  if (wallet === undefined) throw new Error(`no wallet in ${currency}`)
  return wallet.id
}
