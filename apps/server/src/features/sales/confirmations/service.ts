/**
 * What the mail of a purchase says of it. The mail is kept by the customer as the confirmation of the contract
 * (Directive 2011/83/EU, article 8(7)): price with its VAT, the right of withdrawal, and what was asked for.
 */
import type { FieldsOf } from '@wakestone/contract/ground/notification-kinds'
import type { Transaction } from '#src/db/client.ts'
import { deadlineOf } from '#src/features/sales/early-start/service.ts'
import { listTransactionsById } from '#src/features/money/statements/service.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { findTaxPoint, taxWithin } from '#src/features/money/taxes/service.ts'

export type Confirmation = Omit<FieldsOf<'WEBSITE_CREATED'>, 'website' | 'address'>

/**
 * @param bought.transactionId of the customer's payment; null where there was nothing to pay.
 * @param bought.immediate the buyer asked for it to begin within the time for a withdrawal.
 * @param bought.isOrdered false for what renews itself: that was ordered before, and is not withdrawn from.
 */
export async function confirmPurchase(
  trx: Transaction,
  {
    transactionId,
    expires,
    immediate,
    isOrdered = true,
    now,
  }: {
    transactionId: string | null
    expires: Date | null
    immediate: boolean
    isOrdered?: boolean
    now: Date
  },
): Promise<Confirmation> {
  const until = expires === null ? {} : { expires: expires.toISOString() }
  const [payment] = transactionId === null ? [] : await listTransactionsById(trx, [transactionId])
  if (payment === undefined || payment.amount <= 0) return until
  const { currency, positions } = payment
  const lines = positions.map(({ name, total_price_gross: amount }) => ({ product: name, price: { amount, currency } }))
  const tax = positions.reduce((sum, line) => sum + taxWithin(line.total_price_gross, line.tax), 0)
  const isConsumer = (await showTaxData(trx, payment.user_id))?.kind !== 'company'
  return {
    ...until,
    amount: { amount: payment.amount, currency },
    ...(tax > 0 && { tax: { amount: tax, currency } }),
    method: payment.provider,
    ...(lines.length > 1 && { items: lines }),
    ...(isConsumer && isOrdered && { withdraw_until: deadlineOf(now).toISOString() }),
    ...(isConsumer && isOrdered && immediate && { asked_at: now.toISOString() }),
    ...(await findDocument(trx, { transaction: payment.id, wallet: payment.wallet_id })),
  }
}

/** What leads to the document of a payment: a balance that was taxed as it was paid in has its document from then. */
export async function findDocument(
  trx: Transaction,
  payment: { transaction: string; wallet: string },
): Promise<Pick<Confirmation, 'transaction' | 'wallet'>> {
  return (await findTaxPoint(trx)) === 'purchase' ? payment : {}
}
