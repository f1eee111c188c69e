/** What every purchase of a service has in common, whatever the service pays for. The caller's transaction. */
import { hoursOfPeriod, type BillingPeriod, type Currency } from '@wakestone/contract/primitives'
import { DomainError } from '@wakestone/contract/errors'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { type Confirmation, confirmPurchase } from '#src/features/sales/confirmations/service.ts'
import { requireAsked } from '#src/features/sales/early-start/service.ts'
import { payPurchase } from '#src/features/sales/funding/service.ts'
import { type PriceChange, type ProductRow, quoteCosts, takeFromStock } from '#src/features/sales/products/service.ts'
import { createService, holdValue, updateService } from '#src/features/sales/services/service.ts'
import { giveOrderVouchers, type OrderVouchers, readOrderVouchers } from './purchase-vouchers.ts'

const hourMilliseconds = 3_600_000

export type Purchase = {
  user: { userId: string }
  body: {
    wallet_id: string
    currency: Currency
    billing_period: BillingPeriod
    payment_method?: PaymentMethod | undefined
    immediate?: boolean | undefined
  }
  product: ProductRow
  cluster: { id: string }
  vouchers: OrderVouchers
  /** Of a server: what vouchers may ask for. */
  game?: { game: string; engine: string }
  /** What the service pays for: in the customer's entry, and in the voucher's use. */
  rented: { server_id: string } | { craftum_id: string }
  now: Date
}

/**
 * Charges, and begins the service.
 * @throws DomainError those of `readOrderVouchers`, `requireAsked`, `takeFromStock`, `quoteCosts` and `payPurchase`.
 */
export async function buyService(
  context: Pick<Context, 'settings'>,
  trx: Transaction,
  purchase: Purchase,
): Promise<{ serviceId: string; expires: Date; isTrial: boolean; confirmation: Confirmation }> {
  const { user, body, product, cluster, rented, now } = purchase
  const vouchers = await readOrderVouchers(context, trx, { ...purchase, codes: purchase.vouchers })
  const cost = await priceOf(trx, purchase, vouchers.change)
  await requireAsked(trx, { userId: user.userId, amount: cost.gross_price.amount, immediate: body.immediate, now })
  await takeFromStock(trx, product)
  const paidHours = purchase.vouchers.alone ? 0 : hoursOfPeriod(body.billing_period)
  const expires = new Date(now.getTime() + (paidHours + cost.add_hours) * hourMilliseconds)
  const serviceId = await createService(trx, {
    productId: product.id,
    type: product.type,
    ownerId: user.userId,
    walletId: body.wallet_id,
    clusterId: cluster.id,
    period: body.billing_period,
    currency: body.currency,
    cost: cost.product_price.amount,
    grossCost: cost.gross_price.amount,
    vatRate: cost.country_tax_rate.vat_rate,
    countryCode: cost.country_tax_rate.country_code,
    expires,
  })
  if (body.immediate === true) await updateService(trx, serviceId, { immediate_consent_at: new Date() })
  const transaction = await charge(context, trx, purchase, { cost, serviceId })
  const { country_code: country, vat_rate: vatRate } = cost.country_tax_rate
  await holdValue(trx, serviceId, {
    from: now,
    until: new Date(now.getTime() + paidHours * hourMilliseconds),
    period: body.billing_period,
    currency: body.currency,
    price: (cost.full_gross_price ?? cost.gross_price).amount,
    vatRate,
    paid: { transaction, amount: cost.gross_price.amount, vatRate, country },
    now,
  })
  await giveOrderVouchers(trx, vouchers, { user, serviceId, rented, expires, now })
  const immediate = body.immediate === true
  const confirmation = await confirmPurchase(trx, { transactionId: transaction, expires, immediate, now })
  return { serviceId, expires, isTrial: vouchers.isTrial, confirmation }
}

async function priceOf(
  trx: Transaction,
  { user, body, product, cluster }: Purchase,
  change: PriceChange | undefined,
): Promise<Cost> {
  const [cost] = await quoteCosts(trx, {
    productId: product.id,
    buyer: { userId: user.userId },
    currency: body.currency,
    period: body.billing_period,
    clusterId: cluster.id,
    change,
  })
  if (cost === undefined) throw new DomainError('no_price_for_parameters', { resource: 'billing_product' })
  return cost
}

async function charge(
  context: Pick<Context, 'settings'>,
  trx: Transaction,
  { user, body, product, vouchers, rented, now }: Purchase,
  { cost, serviceId }: { cost: Cost; serviceId: string },
): Promise<string> {
  return payPurchase(trx, context, {
    method: body.payment_method ?? 'wallet',
    serviceId,
    now,
    charge: {
      userId: user.userId,
      walletId: body.wallet_id,
      currency: body.currency,
      amount: cost.gross_price.amount,
      tax: cost.tax.amount,
      countryTaxRate: cost.country_tax_rate,
      name: product.id,
      ...(vouchers.alone && { action: 'VOUCHER_USE' as const }),
      key: serviceId,
      details: { service_id: serviceId, ...rented, product_id: product.id, billing_period: body.billing_period },
    },
  })
}
