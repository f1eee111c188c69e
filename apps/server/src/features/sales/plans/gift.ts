/** What is added to a server for nothing, for the hours it has left: by a voucher. */
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { Transaction } from '#src/db/client.ts'
import { showProduct } from '#src/features/sales/products/service.ts'
import { createService, holdValue, priceOfTime, type ServiceRow } from '#src/features/sales/services/service.ts'
import { hashRequest } from '#src/idempotency.ts'
import { tellChange } from './add-ons.ts'
import type { ChangeDeps } from './change.ts'
import { insertChange } from './repo.ts'
import { costsOf, refuse, situate } from './situation.ts'

/**
 * Adds to a server, also what is not on sale. It is worth its price, and nothing was paid for it: nothing is given back.
 * @param gift `service` is locked; `key` makes it happen once.
 * @returns id of the add-on's service.
 * @throws DomainError as `refuse` says, for what does not fit the plan, is there already, or has no price.
 */
export async function giveAddOn(
  deps: ChangeDeps,
  trx: Transaction,
  gift: { service: ServiceRow; productId: string; executorId: string; key: string; now: Date },
): Promise<string> {
  const { service, productId, executorId, key, now } = gift
  const { addOns, product: plan } = await situate(trx, service, now)
  const product = await showProduct(trx, productId, { userId: service.owner_id })
  if (!product.depends_on_products.includes(plan.id)) throw refuse('not_on_sale', { now })
  if (service.expires === null || service.expires <= now) throw refuse('expired', { now })
  if (addOns.some((addOn) => addOn.product.id === productId)) throw refuse('already_has_it', { now })
  const period = service.billing_period as BillingPeriod
  const cost = (await costsOf(trx, { productId, service, currency: service.currency })).get(period)
  if (cost === undefined) throw refuse('no_price', { now })
  const { country_code: country, vat_rate: vatRate } = cost.country_tax_rate
  const id = await createService(trx, {
    productId,
    type: product.type,
    ownerId: service.owner_id,
    walletId: service.wallet_id,
    clusterId: service.cluster_id,
    period,
    currency: service.currency as Currency,
    cost: 0,
    grossCost: 0,
    vatRate,
    countryCode: country,
    expires: service.expires,
    parentId: service.id,
  })
  await holdValue(trx, id, {
    from: now,
    until: service.expires,
    period,
    currency: service.currency,
    price: priceOfTime(cost.gross_price.amount, period, service.expires.getTime() - now.getTime()),
    vatRate,
    paid: { transaction: null, amount: 0, vatRate, country },
    now,
  })
  await insertChange(trx, {
    serviceId: service.id,
    kind: 'add',
    key,
    requestHash: hashRequest({ productId }),
    executorId,
    productBefore: null,
    productAfter: productId,
    addOnId: id,
    expires: service.expires,
    currency: service.currency,
    amount: 0,
    transactionIds: [],
    at: now,
  })
  await tellChange(deps, trx, { executorId }, { service, before: null, after: productId })
  return id
}
