/**
 * Payments for what a customer of ours sells: who pays has no account, and the money is the seller's from the start, on
 * their wallet, held there until it is unlikely to go back. See docs/decisions/0016-shops-of-servers.md.
 */
import { gatewayMethods } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { type ProviderId, transactionLimits } from '@wakestone/contract/money/transaction'
import type { Language } from '@wakestone/contract/primitives'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import { createAnnouncement } from '#src/announcement.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle, type Transaction } from '#src/db/client.ts'
import { settleDebts } from '#src/features/money/debts/service.ts'
import { accounts, findHeld, findWallet, hold, voidHold } from '#src/features/money/ledger/service.ts'
import { insertTransaction, type TransactionRow } from '#src/features/money/statements/service.ts'
import { taxOf, taxWithin } from '#src/features/money/taxes/service.ts'
import { chargeWallet, creditWallet } from '#src/features/money/wallets/service.ts'
import { ensureOrder } from './orders.ts'
import { findDueSales, findSale, insertSale, lockSale, newHoldId, readSeller, updateSale } from './sales-repo.ts'

const dayMilliseconds = 86_400_000
/** Should nobody release it, PostgreSQL does so that much later. */
const forgottenDays = 365

/** A sale was paid, in the transaction that credits its seller. `isSecond`: the buyer has paid once more for the same. */
export const salePaid = createAnnouncement<{
  transactionId: string
  depositId: string
  isSecond: boolean
  now: Date
}>('a paid sale')

export const isSale = ({ action }: Pick<TransactionRow, 'action'>) => action === 'ITEMSHOP_SELL'

/** Ways to pay that a payer without an account has in a currency. */
export function waysToSell(gateways: Gateways, currency: string): { id: ProviderId; minimum: number }[] {
  return gatewayMethods.flatMap((id) => {
    const takes = gateways.ofMethod(id)?.currenciesOf(id).includes(currency) === true
    return takes ? [{ id, minimum: transactionLimits(id, currency).minimum }] : []
  })
}

export type NewSale = {
  sellerId: string
  walletId: string
  currency: string
  /** Gross, minor units, more than zero. */
  amount: number
  provider: ProviderId
  language: Language
  payer: { email: string; ip: string }
  /** For the payer's statement. */
  description: string
  /** Where the payer comes back to, after the language, with a query. */
  returnPath: string
  details: object
}

/**
 * Writes down what is to be paid; `beginSale` has the payer sent on.
 * @returns id of the seller's transaction.
 * @throws DomainError `unsupported_payment_method`, `transaction_value_too_low`, `transaction_value_too_high`.
 */
export async function createSale(
  trx: Transaction,
  {
    settings,
    gateways,
  }: { settings: Pick<Context['settings'], 'SHOP_HOLD_DAYS' | 'SHOP_SHARE_PERCENT'>; gateways: Gateways },
  sale: NewSale,
): Promise<string> {
  const { provider, currency, amount } = sale
  const method = gatewayMethods.find((known) => known === provider)
  const gateway = method === undefined ? undefined : gateways.ofMethod(method)
  if (method === undefined || gateway?.currenciesOf(method).includes(currency) !== true)
    throw new DomainError('unsupported_payment_method')
  if (!gateway.takesPayer(sale.payer.email)) throw new DomainError('unsupported_payment_method')
  const { minimum, maximum } = transactionLimits(provider, currency)
  if (amount < minimum) throw new DomainError('transaction_value_too_low', { minimum })
  if (amount > maximum) throw new DomainError('transaction_value_too_high', { maximum })
  const { country_code } = await taxOf(trx, { userId: sale.sellerId })
  const made = await insertTransaction(trx, {
    userId: sale.sellerId,
    walletId: sale.walletId,
    currency,
    status: 'NEW',
    action: 'ITEMSHOP_SELL',
    provider,
    amount,
    countryCode: country_code,
    vatRate: 0, // no sale of ours
    positions: [{ name: 'ITEMSHOP_SELL', quantity: 1, tax: 0, total_price_gross: amount }],
    details: sale.details,
    language: sale.language,
  })
  if (made === undefined) throw new Error('a sale without a key met one with the same')
  await insertSale(trx, {
    transaction_id: made.id,
    email: sale.payer.email,
    payer_ip: sale.payer.ip,
    description: sale.description,
    return_path: sale.returnPath,
    hold_days: settings.SHOP_HOLD_DAYS,
    share_percent: settings.SHOP_SHARE_PERCENT,
  })
  return made.id
}

/**
 * Sees to it that the payer can be sent on; again is harmless.
 * @throws DomainError `provider_unavailable`.
 */
export async function beginSale(
  context: Context,
  gateways: Gateways,
  { transactionId, provider }: { transactionId: string; provider: ProviderId },
): Promise<void> {
  const method = gatewayMethods.find((known) => known === provider)
  const gateway = method === undefined ? undefined : gateways.ofMethod(method)
  if (gateway === undefined) throw new DomainError('unsupported_payment_method')
  await ensureOrder(context, gateway, transactionId)
}

/** What came in is on the seller's wallet: it is put aside there, and told of. The caller holds the transaction's lock. */
export async function takeSale(
  trx: Transaction,
  { transaction, depositId, now }: { transaction: TransactionRow; depositId: string; now: Date },
): Promise<void> {
  const first = await findSale(trx, transaction.id)
  if (first === undefined) throw new Error('a sale without its payer')
  const isSecond = depositId !== transaction.id
  if (isSecond) {
    const { email, payer_ip, description, return_path, hold_days, share_percent } = first
    const row = { email, payer_ip, description, return_path, hold_days, share_percent: Number(share_percent) }
    await insertSale(trx, { transaction_id: depositId, ...row })
  }
  const heldUntil = new Date(now.getTime() + first.hold_days * dayMilliseconds)
  await putAside(trx, { depositId, walletId: transaction.wallet_id, amount: transaction.amount, heldUntil })
  await updateSale(trx, depositId, { held_until: heldUntil })
  await salePaid.announce(trx, { transactionId: transaction.id, depositId, isSecond, now })
}

async function putAside(
  trx: Transaction,
  { depositId, walletId, amount, heldUntil }: { depositId: string; walletId: string; amount: number; heldUntil: Date },
): Promise<void> {
  const id = await newHoldId(trx)
  const until = new Date(heldUntil.getTime() + forgottenDays * dayMilliseconds)
  await hold(trx, { id, code: accounts.wallet(walletId), amount, until })
  await updateSale(trx, depositId, { hold_id: id })
}

/** What of a sale its seller cannot use yet. */
export async function heldOf(db: Handle, depositId: string): Promise<number> {
  const sale = await findSale(db, depositId)
  return sale?.hold_id == null ? 0 : ((await findHeld(db, sale.hold_id)) ?? 0)
}

/** Has so much of a sale be held no more, since it goes back to its payer. Does nothing to other payments. */
export async function freeHeld(
  trx: Transaction,
  { depositId, amount }: { depositId: string; amount: number },
): Promise<void> {
  const sale = await lockSale(trx, depositId)
  if (sale?.hold_id == null) return
  const held = (await findHeld(trx, sale.hold_id)) ?? 0
  await voidHold(trx, sale.hold_id)
  await updateSale(trx, depositId, { hold_id: null })
  const left = held - amount
  if (left <= 0 || sale.held_until === null) return
  await putAside(trx, {
    depositId,
    walletId: (await readSeller(trx, depositId)).wallet_id,
    amount: left,
    heldUntil: sale.held_until,
  })
}

/** Hands over what was held for long enough, less the operator's part, which is a sale of the operator's to the seller. */
export async function releaseDueSales(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  now: Date,
  limit = 200,
): Promise<number> {
  const due = await findDueSales(db, now, limit)
  for (const depositId of due) {
    try {
      await inTransaction(db, (trx) => release(trx, depositId, now))
    } catch (error) {
      logger.warn({ error, transaction: depositId }, 'what a shop has earned cannot be handed over yet')
    }
  }
  return due.length
}

async function release(trx: Transaction, depositId: string, now: Date): Promise<void> {
  const sale = await lockSale(trx, depositId)
  if (sale === undefined || sale.released_at !== null) return
  const base = sale.hold_id === null ? 0 : ((await findHeld(trx, sale.hold_id)) ?? 0)
  if (sale.hold_id !== null) await voidHold(trx, sale.hold_id)
  await updateSale(trx, depositId, { hold_id: null, released_at: now })
  const share = Math.floor((base * Math.round(Number(sale.share_percent) * 100)) / 10_000)
  const wallet = await findWallet(trx, (await readSeller(trx, depositId)).wallet_id)
  if (wallet === undefined) throw new Error('a sale without a wallet')
  if (share > 0) {
    const { country_code, vat_rate } = await taxOf(trx, { userId: wallet.user_id })
    const countryTaxRate = { country_code, vat_rate }
    const id = await chargeWallet(trx, {
      userId: wallet.user_id,
      walletId: wallet.id,
      currency: wallet.currency,
      amount: share,
      tax: taxWithin(share, vat_rate),
      countryTaxRate,
      name: 'ITEMSHOP_FEE',
      action: 'ITEMSHOP_FEE',
      creditLast: true,
      key: `shop-fee:${depositId}`,
      details: { sale_transaction_id: depositId },
    })
    await updateSale(trx, depositId, { share_base: base, share, share_transaction_id: id })
  }
  await settleDebts(trx, wallet.id, now)
}

/** The operator earns nothing by what went back to its payer. */
export async function giveShareBack(
  trx: Transaction,
  { depositId, returnId, amount }: { depositId: string; returnId: string; amount: number },
): Promise<void> {
  const sale = await lockSale(trx, depositId)
  if (sale?.share_transaction_id == null || sale.share_base === null || sale.share_base === 0) return
  const { share, share_base: base, share_returned: returned } = sale
  const back = Math.min(share - returned, Math.floor((share * amount) / base))
  if (back <= 0) return
  const fee = await readSeller(trx, sale.share_transaction_id)
  const vatRate = Number(fee.vat_rate)
  await creditWallet(trx, {
    userId: fee.user_id,
    walletId: fee.wallet_id,
    currency: fee.currency,
    amount: back,
    tax: taxWithin(back, vatRate),
    countryTaxRate: { country_code: fee.country_code, vat_rate: vatRate },
    source: 'purchase',
    refundable: true,
    cause: 'REFUND',
    scope: 'shop-fee-back',
    key: returnId,
    action: 'ITEMSHOP_FEE',
    name: 'ITEMSHOP_FEE',
    details: { reverses: sale.share_transaction_id },
  })
  await updateSale(trx, depositId, { share_returned: returned + back })
}
