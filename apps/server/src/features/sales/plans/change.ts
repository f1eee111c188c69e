/**
 * Another plan for a service. Money, plan, what the service holds, what its server may use, and the event are one
 * transaction: all of it happens, or nothing.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { ServiceChange, UpgradeBody } from '@wakestone/contract/sales/service-change'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { payBillsOf } from '#src/features/sales/bills/service.ts'
import { requireAsked } from '#src/features/sales/early-start/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { goOn } from '#src/features/sales/pay-later/service.ts'
import { takeFromStock } from '#src/features/sales/products/service.ts'
import { applyPlan } from './apply-plan.ts'
import { endTrial } from '#src/features/servers/servers/service.ts'
import {
  type Payment,
  type Return,
  type ServiceRow,
  lockService,
  updateService,
} from '#src/features/sales/services/service.ts'
import { taxWithin } from '#src/features/money/taxes/service.ts'
import { chargeWallet, creditWallet, findWalletOwner, getWallet } from '#src/features/money/wallets/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { changeHours, changePeriods, showAction } from './quote.ts'
import { deleteAction, findChange, insertAction, insertChange, moveActions } from './repo.ts'
import { obstacleAtEnd, obstacleNow, refuse, situate, type Situation, type Target, targetsOf } from './situation.ts'
import { tellPlanChanged } from './told.ts'

export type ChangeDeps = Pick<Context, 'db' | 'boss' | 'settings'>
export type Request = {
  serviceId: string
  executorId: string
  /** The same key and body again is the same change. */
  key: string
  now: Date
}
type Upgrade = Request & {
  body: UpgradeBody
  /** Bytes the files of its server take; null where the change gives more room, and nobody asked. */
  used: number | null
}

export const notFound = () => new DomainError('resource_not_found', { resource: 'billing_service' })

/**
 * The plan of a service, locked, for its owner.
 * @throws DomainError `resource_not_found`; `access_denied` to whoever is not the owner.
 */
export async function lockPlan(trx: Transaction, { serviceId, executorId }: Request): Promise<ServiceRow> {
  const service = await lockService(trx, serviceId)
  if (service === undefined || service.parent_id !== null) throw notFound()
  if (executorId !== service.owner_id) throw new DomainError('access_denied')
  return service
}

/**
 * Changes the plan, or plans the change.
 * @throws DomainError those of `lockPlan` and of `chargeWallet`; `service_cannot_be_upgraded` and others as `refuse` says;
 *   `idempotency_key_reused`.
 */
export async function changeService(deps: ChangeDeps, upgrade: Upgrade): Promise<ServiceChange> {
  return inTransaction(deps.db, async (trx) => {
    const service = await lockPlan(trx, upgrade)
    const known = await findChange(trx, service.id, upgrade.key)
    if (known !== undefined) {
      requireSameRequest(known.request_hash, hashRequest(upgrade.body))
      return {
        product: known.product_after ?? service.product_id,
        expires: known.expires?.toISOString() ?? null,
        amount: { amount: known.amount, currency: known.currency },
        planned: null,
      }
    }
    await requireWallet(trx, service, upgrade.body.wallet_id)
    const situation = await situate(trx, service, upgrade.now)
    const target = await requireTarget(trx, situation, upgrade.body.product_id)
    return upgrade.body.when === 'period_end'
      ? planChange(trx, { ...upgrade, situation, target })
      : changeNow(deps, trx, { ...upgrade, situation, target })
  })
}

/** @throws DomainError `wallet_not_found` (also for other people's), `wallet_has_other_currency`. */
export async function requireWallet(trx: Transaction, service: ServiceRow, walletId: string): Promise<void> {
  if ((await findWalletOwner(trx, walletId)) !== service.owner_id)
    throw new DomainError('wallet_not_found', { resource: 'wallet' })
  if ((await getWallet(trx, walletId)).currency !== service.currency)
    throw new DomainError('wallet_has_other_currency', { resource: 'wallet' })
}

type Work = Upgrade & { situation: Situation; target: Target }

async function requireTarget(trx: Transaction, situation: Situation, productId: string): Promise<Target> {
  const { product, now } = situation
  if (productId === product.id) throw refuse('same_product', { now })
  const target = (await targetsOf(trx, situation)).find((one) => one.product.id === productId)
  if (target === undefined) throw refuse('not_offered', { now })
  return target
}

async function planChange(trx: Transaction, { situation, target, executorId, now }: Work): Promise<ServiceChange> {
  const obstacle = obstacleAtEnd(situation, target)
  if (obstacle !== null) throw refuse(obstacle, { now })
  const { service, planned } = situation
  const expires = service.expires as Date
  const productId = target.product.id
  const isPlanned = (planned?.details as { product_id?: string } | undefined)?.product_id === productId
  if (planned !== undefined && !isPlanned)
    await deleteAction(trx, { serviceId: service.id, action: 'CHANGE_PRODUCT', now })
  const action =
    isPlanned && planned !== undefined
      ? planned
      : await insertAction(trx, {
          serviceId: service.id,
          action: 'CHANGE_PRODUCT',
          date: expires,
          details: { product_id: productId },
          executorId,
        })
  return {
    product: service.product_id,
    expires: expires.toISOString(),
    amount: { amount: 0, currency: service.currency },
    planned: showAction(action),
  }
}

async function changeNow(deps: ChangeDeps, trx: Transaction, work: Work): Promise<ServiceChange> {
  const { situation, target, body, used, now } = work
  const obstacle = obstacleNow(situation, target, used)
  if (obstacle !== null)
    throw refuse(obstacle, { used, storage: target.storage, retryAt: situation.downgradeFrom, now })
  const { service } = situation
  await takeFromStock(trx, target.product)
  const done =
    body.billing_period === undefined
      ? await keepEnd(deps, trx, work)
      : await beginPeriod(trx, work, body.billing_period)
  await deleteAction(trx, { serviceId: service.id, action: 'CHANGE_PRODUCT', now })
  const isUp = target.direction === 'up'
  await insertChange(trx, {
    serviceId: service.id,
    kind: isUp ? 'upgrade' : 'downgrade',
    key: work.key,
    requestHash: hashRequest(body),
    executorId: work.executorId,
    productBefore: service.product_id,
    productAfter: target.product.id,
    addOnId: null,
    expires: done.expires,
    currency: service.currency,
    amount: done.amount,
    transactionIds: done.transactionIds,
    immediate: body.immediate === true,
    at: now,
  })
  const serverId = await applyPlan(deps, trx, service.id)
  if (serverId !== undefined) {
    await recordServerEvent(trx, serverId, {
      action: isUp ? 'SERVICE_UPGRADE' : 'SERVICE_DOWNGRADE',
      data: {
        executor: work.executorId,
        service_id: service.id,
        old_product: service.product_id,
        new_product: target.product.id,
      },
    })
    await tellPlanChanged(deps, trx, {
      service,
      productId: target.product.id,
      transactionId: done.payment.transaction,
      credit: done.credit,
      expires: done.expires,
      immediate: body.immediate,
      now,
    })
  }
  return {
    product: target.product.id,
    expires: done.expires?.toISOString() ?? null,
    amount: { amount: done.amount, currency: service.currency },
    planned: null,
  }
}

type Done = {
  amount: number
  transactionIds: string[]
  expires: Date | null
  payment: Payment
  /** What came back to the wallet, gross. */
  credit?: { amount: number; transaction: string; wallet: string } | undefined
}

async function keepEnd(deps: ChangeDeps, trx: Transaction, work: Work): Promise<Done> {
  const { situation, target, body } = work
  const { service } = situation
  const change = changeHours(situation, target)
  const payment = await pay(trx, work, {
    amount: change.charge,
    positions: [{ name: target.product.id, amount: change.charge }],
    expires: service.expires,
  })
  const given = await giveBack(deps, trx, {
    service,
    walletId: body.wallet_id,
    returns: change.returns,
    key: work.key,
    now: work.now,
    details: { product_id: target.product.id, product_before: service.product_id },
  })
  await writePlan(trx, work, { spans: change.spansAfter(payment), expires: service.expires })
  const [credited] = given
  return {
    amount: change.charge - change.credit,
    transactionIds: [...(payment.transaction === null ? [] : [payment.transaction]), ...given],
    expires: service.expires,
    payment,
    credit:
      credited === undefined ? undefined : { amount: change.credit, transaction: credited, wallet: body.wallet_id },
  }
}

async function beginPeriod(trx: Transaction, work: Work, period: BillingPeriod): Promise<Done> {
  const { situation, target, now } = work
  if (target.direction === 'down') throw refuse('not_offered', { now })
  const change = changePeriods(situation, target, period)
  if (change === undefined) throw refuse('more_is_paid_than_it_costs', { now })
  const positions = [
    { name: target.product.id, amount: change.own.charge },
    ...change.added.map((one) => ({ name: one.addOn.product.id, amount: one.change.charge })),
  ]
  const amount = positions.reduce((sum, position) => sum + position.amount, 0)
  const blank: Payment = { transaction: null, amount: 0, vatRate: 0, country: '' }
  const expires = new Date(change.own.spansAfter(blank)[0]?.until ?? now)
  const payment = await pay(trx, work, { amount, positions, expires })
  await writePlan(trx, work, { spans: change.own.spansAfter(payment), expires, period })
  await endTrial(trx, situation.service.id)
  await moveActions(trx, situation.service.id, { date: expires, now })
  for (const one of change.added) {
    await updateService(trx, one.addOn.service.id, {
      value_held: JSON.stringify(one.change.spansAfter(payment)),
      expires,
      billing_period: period,
      cost: one.addOn.costs.get(period)?.product_price.amount ?? 0,
      gross_cost: one.addOn.costs.get(period)?.gross_price.amount ?? 0,
    })
  }
  const transactionIds = payment.transaction === null ? [] : [payment.transaction]
  return { amount, transactionIds, expires, payment }
}

/** @returns the payment, without a transaction where there was nothing to pay. */
async function pay(
  trx: Transaction,
  { situation, target, body, key, now }: Work,
  bill: { amount: number; positions: { name: string; amount: number }[]; expires: Date | null },
): Promise<Payment> {
  const { service } = situation
  await requireAsked(trx, { userId: service.owner_id, amount: bill.amount, immediate: body.immediate, now })
  const rate = [...target.costs.values()][0]?.country_tax_rate
  if (rate === undefined) throw new DomainError('no_price_for_parameters', { resource: 'billing_product' })
  const positions = bill.positions
    .filter(({ amount }) => amount > 0)
    .map(({ name, amount }) => ({ name, quantity: 1, tax: rate.vat_rate, total_price_gross: amount }))
  const transaction =
    bill.amount === 0
      ? null
      : await chargeWallet(trx, {
          userId: service.owner_id,
          walletId: body.wallet_id,
          currency: service.currency,
          amount: bill.amount,
          // By line, as an invoice counts it.
          tax: positions.reduce((sum, line) => sum + taxWithin(line.total_price_gross, rate.vat_rate), 0),
          countryTaxRate: rate,
          positions,
          action: 'UPGRADE_SERVICE',
          key: `${service.id}:change:${key}`,
          details: {
            service_id: service.id,
            product_id: target.product.id,
            product_before: service.product_id,
            ...(bill.expires !== null && { expires: bill.expires.toISOString() }),
          },
        })
  return { transaction, amount: bill.amount, vatRate: rate.vat_rate, country: rate.country_code }
}

/**
 * Gives what is not used up to a wallet, as credit that is never paid out: for each payment its part, with its VAT. What
 * comes back of something whose bill is not paid pays that bill.
 * @returns ids of the customer's transactions.
 */
export async function giveBack(
  deps: ChangeDeps,
  trx: Transaction,
  back: {
    service: ServiceRow
    walletId: string
    returns: Return[]
    key: string
    details: Record<string, unknown>
    now: Date
  },
): Promise<string[]> {
  const { service, details, returns, now } = back
  const ids: string[] = []
  for (const { payment, amount } of returns) {
    ids.push(
      await creditWallet(trx, {
        userId: service.owner_id,
        walletId: back.walletId,
        currency: service.currency,
        amount,
        tax: taxWithin(amount, payment.vatRate),
        countryTaxRate: { country_code: payment.country, vat_rate: payment.vatRate },
        source: 'purchase',
        refundable: false,
        cause: 'REFUND',
        scope: 'downgrade',
        key: `${service.id}:${back.key}:${payment.transaction ?? 'before'}`,
        action: 'UPGRADE_SERVICE',
        details: {
          ...details,
          service_id: service.id,
          ...(payment.transaction !== null && { reverses: payment.transaction }),
        },
      }),
    )
  }
  const bills = { userId: service.owner_id, returns, key: `change:${back.key}`, now }
  for (const bill of await payBillsOf(trx, bills)) await goOn(deps, trx, bill)
  return ids
}

async function writePlan(
  trx: Transaction,
  { situation, target, body }: Work,
  after: { spans: unknown[]; expires: Date | null; period?: BillingPeriod },
): Promise<void> {
  const { service } = situation
  const period = after.period ?? (service.billing_period as BillingPeriod)
  const cost = target.costs.get(period)
  await updateService(trx, service.id, {
    product_id: target.product.id,
    value_held: JSON.stringify(after.spans),
    wallet_id: body.wallet_id,
    billing_period: period,
    auto_renew_failed_at: null,
    ...(after.expires !== null && { expires: after.expires }),
    ...(cost !== undefined && {
      cost: cost.product_price.amount,
      gross_cost: cost.gross_price.amount,
      vat_rate: cost.country_tax_rate.vat_rate,
      country_code: cost.country_tax_rate.country_code,
    }),
  })
}
