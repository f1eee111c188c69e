/** What a renewal is made of: the plan that is had then, and everything that was added to it. */
import { type BillingPeriod, type Currency, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Handle, Transaction } from '#src/db/client.ts'
import { type PriceChange, quoteCosts } from '#src/features/sales/products/service.ts'
import { holdValue, listAddOns, type ServiceRow, updateService } from '#src/features/sales/services/service.ts'
import { deleteAction, markRenewed, selectActions } from './repo.ts'

/** The product a service has from its present end on: what its next renewal buys. */
export async function productAfter(db: Handle, service: ServiceRow): Promise<string> {
  const planned = (await selectActions(db, service.id)).find(({ action }) => action === 'CHANGE_PRODUCT')
  return (planned?.details as { product_id?: string } | undefined)?.product_id ?? service.product_id
}

/**
 * What another period costs, for each period that the plan and all its add-ons have a price for; `positions` say what
 * for.
 * @throws DomainError `product_has_no_price_for_selected_currency`
 */
export async function quoteRenewalOf(
  db: Handle,
  service: ServiceRow,
  { change, ...given }: { currency: Currency; period?: BillingPeriod | undefined; change?: PriceChange | undefined },
): Promise<Cost[]> {
  const products = [await productAfter(db, service)]
  for (const addOn of await listAddOns(db, service.id)) products.push(addOn.product_id)
  const lists: Cost[][] = []
  for (const productId of products)
    lists.push(
      await quoteCosts(db, {
        productId,
        buyer: { userId: service.owner_id }, // with the tax of today
        clusterId: service.cluster_id,
        ...given,
        // Vouchers and coupons are for the plan.
        ...(lists.length === 0 && { change }),
      }),
    )
  const [plans = [], ...others] = lists
  return plans.flatMap((plan) => {
    const added = others.map((costs) => costs.find(({ period }) => period === plan.period))
    const all = [plan, ...added.filter((cost) => cost !== undefined)]
    return all.length === lists.length ? [sumOf(all)] : []
  })
}

function sumOf(costs: Cost[]): Cost {
  const [plan] = costs as [Cost, ...Cost[]]
  const sum = (pick: (cost: Cost) => number) => ({
    amount: costs.reduce((total, cost) => total + pick(cost), 0),
    currency: plan.currency,
  })
  return {
    ...plan,
    product_price: sum(({ product_price }) => product_price.amount),
    tax: sum(({ tax }) => tax.amount),
    gross_price: sum(({ gross_price }) => gross_price.amount),
    full_gross_price:
      plan.full_gross_price === null
        ? null
        : sum(({ full_gross_price, gross_price }) => (full_gross_price ?? gross_price).amount),
    positions: costs.map(({ product, gross_price, full_gross_price, tax }) => ({
      product,
      gross_price,
      full_gross_price: full_gross_price ?? gross_price,
      tax,
    })),
  }
}

/**
 * Has everything last until the new end, and writes down what it was got for, in the transaction that paid for it. A
 * cancellation is over with that; a planned change of the plan is paid for.
 */
export async function prolong(
  trx: Transaction,
  service: ServiceRow,
  renewal: {
    cost: Cost
    walletId: string
    transactionId: string
    from: Date
    until: Date
    now: Date
  },
): Promise<void> {
  const { cost, walletId, from, until, now } = renewal
  const { currency, period, country_tax_rate: rate } = cost
  // Hours from vouchers come after it, and were not paid.
  const paidUntil = new Date(from.getTime() + hoursOfPeriod(period) * 3_600_000)
  const rows = [service, ...(await listAddOns(trx, service.id))]
  for (const [index, row] of rows.entries()) {
    const position = cost.positions?.[index]
    if (position === undefined) throw new Error('a renewal that leaves something out')
    const gross = position.gross_price.amount
    await holdValue(trx, row.id, {
      from,
      until: paidUntil,
      period,
      currency,
      price: position.full_gross_price.amount,
      vatRate: rate.vat_rate,
      paid: {
        transaction: renewal.transactionId,
        amount: gross,
        vatRate: rate.vat_rate,
        country: rate.country_code,
      },
      now,
    })
    await updateService(trx, row.id, {
      expires: until,
      billing_period: period,
      wallet_id: walletId,
      currency,
      cost: gross - position.tax.amount,
      gross_cost: gross,
      vat_rate: rate.vat_rate,
      country_code: rate.country_code,
      auto_renew_failed_at: null,
    })
  }
  await deleteAction(trx, { serviceId: service.id, action: 'CANCEL_SERVICE', now })
  await markRenewed(trx, service.id)
}
