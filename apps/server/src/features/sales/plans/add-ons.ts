/**
 * What stands beside a plan: memory, storage and the like. An add-on is a service of its own with the server's as its
 * parent, paid for the hours that has left, renewed with it, and over with it.
 */
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { AddOn, addOnBody } from '@wakestone/contract/sales/service-change'
import type { z } from 'zod'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { requireAsked } from '#src/features/sales/early-start/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { isOnSale, showProduct, takeFromStock } from '#src/features/sales/products/service.ts'
import { applyPlan } from './apply-plan.ts'
import {
  type ServiceRow,
  createService,
  findService,
  giveUp,
  holdValue,
  priceOfTime,
  updateService,
} from '#src/features/sales/services/service.ts'
import { taxWithin } from '#src/features/money/taxes/service.ts'
import { chargeWallet } from '#src/features/money/wallets/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { type ChangeDeps, giveBack, lockPlan, notFound, type Request, requireWallet } from './change.ts'
import { describeAddOn } from './quote.ts'
import { findChange, insertChange } from './repo.ts'
import { costsOf, refuse, situate, type Situation } from './situation.ts'
import { tellAddOnAdded } from './told.ts'

type Addition = Request & { body: z.output<typeof addOnBody> }

/**
 * Adds to a server, for the hours it has left.
 * @throws DomainError those of `lockPlan` and `chargeWallet`; `server_is_expired`, `product_not_available`,
 *   `no_price_for_parameters`, `service_cannot_be_upgraded`, `idempotency_key_reused`.
 */
export async function addToService(deps: ChangeDeps, addition: Addition): Promise<AddOn> {
  const { body, key, now } = addition
  return inTransaction(deps.db, async (trx) => {
    const service = await lockPlan(trx, addition)
    const known = await findChange(trx, service.id, key)
    if (known !== undefined) {
      requireSameRequest(known.request_hash, hashRequest(body))
      return showAddOn(trx, service, { id: known.add_on_id ?? '', now })
    }
    await requireWallet(trx, service, body.wallet_id)
    const situation = await situate(trx, service, now)
    const { id, transaction } = await add(trx, addition, situation)
    await tellChange(deps, trx, addition, { service, before: null, after: body.product_id })
    await tellAddOnAdded(deps, trx, {
      service,
      productId: body.product_id,
      transactionId: transaction,
      expires: service.expires,
      immediate: body.immediate,
      now,
    })
    return showAddOn(trx, service, { id, now })
  })
}

async function add(
  trx: Transaction,
  addition: Addition,
  situation: Situation,
): Promise<{ id: string; transaction: string }> {
  const { body, key, now } = addition
  const { service, addOns, product: plan } = situation
  const product = await showProduct(trx, body.product_id, { userId: service.owner_id })
  // What is not shown is for vouchers only.
  if (!product.visible || !isOnSale(product) || !product.depends_on_products.includes(plan.id))
    throw refuse('not_on_sale', { now })
  if (service.expires === null || service.expires <= now) throw refuse('expired', { now })
  if (addOns.some((addOn) => addOn.product.id === product.id)) throw refuse('already_has_it', { now })
  const period = service.billing_period as BillingPeriod
  const costs = await costsOf(trx, { productId: product.id, service, currency: service.currency })
  const cost = costs.get(period)
  if (cost === undefined) throw refuse('no_price', { now })
  const amount = priceOfTime(cost.gross_price.amount, period, service.expires.getTime() - now.getTime())
  await requireAsked(trx, { userId: service.owner_id, amount, immediate: body.immediate, now })
  const rate = cost.country_tax_rate
  await takeFromStock(trx, product)
  const id = await createService(trx, {
    productId: product.id,
    type: product.type,
    ownerId: service.owner_id,
    walletId: body.wallet_id,
    clusterId: service.cluster_id,
    period,
    currency: service.currency as Currency,
    cost: cost.product_price.amount,
    grossCost: cost.gross_price.amount,
    vatRate: rate.vat_rate,
    countryCode: rate.country_code,
    expires: service.expires,
    parentId: service.id,
  })
  const transaction = await chargeWallet(trx, {
    userId: service.owner_id,
    walletId: body.wallet_id,
    currency: service.currency,
    amount,
    tax: taxWithin(amount, rate.vat_rate),
    countryTaxRate: rate,
    name: product.id,
    action: 'ADD_SERVICE',
    key: `${service.id}:add:${key}`,
    details: { service_id: service.id, add_on_id: id, product_id: product.id, expires: service.expires.toISOString() },
  })
  await holdValue(trx, id, {
    from: now,
    until: service.expires,
    period,
    currency: service.currency,
    price: amount,
    vatRate: rate.vat_rate,
    paid: { transaction, amount, vatRate: rate.vat_rate, country: rate.country_code },
    now,
  })
  await insertChange(trx, {
    serviceId: service.id,
    kind: 'add',
    key,
    requestHash: hashRequest(body),
    executorId: addition.executorId,
    productBefore: null,
    productAfter: product.id,
    addOnId: id,
    expires: service.expires,
    currency: service.currency,
    amount,
    transactionIds: [transaction],
    immediate: body.immediate === true,
    at: now,
  })
  return { id, transaction }
}

async function showAddOn(
  trx: Transaction,
  service: ServiceRow,
  { id, now }: { id: string; now: Date },
): Promise<AddOn> {
  const { addOns } = await situate(trx, service, now)
  const addOn = addOns.find((one) => one.service.id === id)
  if (addOn === undefined) throw notFound() // removed since
  return describeAddOn(addOn)
}

/**
 * Removes an add-on; what was paid for the hours left goes to the wallet that paid last, as credit never paid out.
 * @param removal `used`: bytes the server's files take.
 * @throws DomainError those of `lockPlan`; `resource_not_found`; `insufficient_storage`; `too_many_requests`: it is a
 *   downgrade, of which there is one a day.
 */
export async function removeFromService(
  deps: ChangeDeps,
  removal: Request & { addOnId: string; used: number },
): Promise<void> {
  const { addOnId, used, now, key } = removal
  await inTransaction(deps.db, async (trx) => {
    const service = await lockPlan(trx, removal)
    const addOnRow = await findService(trx, addOnId)
    if (addOnRow?.parent_id !== service.id) throw notFound()
    const situation = await situate(trx, service, now)
    const addOn = situation.addOns.find((one) => one.service.id === addOnId)
    if (addOn === undefined) throw notFound()
    if (service.expires === null || service.expires <= now) throw refuse('expired', { now })
    if (situation.downgradeFrom !== undefined)
      throw refuse('downgraded_lately', { retryAt: situation.downgradeFrom, now })
    if (addOn.spans.some(({ currency }) => currency !== service.currency)) throw refuse('other_currency', { now })
    const storage = situation.addOns
      .filter((one) => one !== addOn)
      .reduce((sum, one) => sum + one.product.parameters.storage, situation.product.parameters.storage)
    if (addOn.product.parameters.storage > 0 && used > storage) throw refuse('storage_in_use', { used, storage, now })
    const returns = giveUp(addOn.spans)
    const transactionIds = await giveBack(deps, trx, {
      service,
      walletId: service.wallet_id,
      returns,
      key,
      details: { product_id: addOn.product.id, add_on_id: addOnId },
      now,
    })
    await updateService(trx, addOnId, { ended_at: now, value_held: '[]' })
    await insertChange(trx, {
      serviceId: service.id,
      kind: 'remove',
      key,
      requestHash: hashRequest({ addOnId }),
      executorId: removal.executorId,
      productBefore: addOn.product.id,
      productAfter: null,
      addOnId,
      expires: service.expires,
      currency: service.currency,
      amount: 0 - returns.reduce((sum, { amount }) => sum + amount, 0),
      transactionIds,
      at: now,
    })
    await tellChange(deps, trx, removal, { service, before: addOn.product.id, after: null })
  })
}

/** Has the server get what it may use now, and writes the change into its log. */
export async function tellChange(
  deps: ChangeDeps,
  trx: Transaction,
  { executorId }: Pick<Request, 'executorId'>,
  { service, before, after }: { service: ServiceRow; before: string | null; after: string | null },
): Promise<void> {
  const serverId = await applyPlan(deps, trx, service.id)
  if (serverId === undefined) return
  const product = before ?? after ?? ''
  await recordServerEvent(trx, serverId, {
    action: after === null ? 'SERVICE_REMOVE_ADD_ON' : 'SERVICE_ADD_ADD_ON',
    data: { executor: executorId, service_id: service.id, product },
  })
}
