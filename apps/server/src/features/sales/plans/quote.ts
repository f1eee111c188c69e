/** What the plans that a service could have would cost now: shown before anything is paid, by the rules that charge. */
import { DomainError } from '@wakestone/contract/errors'
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type {
  AddOn,
  AddOnQuote,
  ScheduledAction,
  UpgradeQuote,
  UpgradeTarget,
} from '@wakestone/contract/sales/service-change'
import type { Handle } from '#src/db/client.ts'
import { isOnSale, listProducts } from '#src/features/sales/products/service.ts'
import {
  changePeriod,
  changePlan,
  findService,
  paidLeft,
  priceOfTime,
  type ServiceRow,
} from '#src/features/sales/services/service.ts'
import type { ActionRow } from './repo.ts'
import {
  type Costs,
  costsOf,
  grossOf,
  type Held,
  obstacleAtEnd,
  obstacleNow,
  planOf,
  situate,
  type Situation,
  type Target,
  targetsOf,
} from './situation.ts'

/** @throws DomainError `resource_not_found`, also for add-ons: they change with the plan they stand beside. */
export async function requirePlanService(db: Handle, id: string): Promise<ServiceRow> {
  const row = await findService(db, id)
  if (row === undefined || row.parent_id !== null)
    throw new DomainError('resource_not_found', { resource: 'billing_service' })
  return row
}

export function showAction(row: ActionRow): ScheduledAction {
  return {
    id: row.id,
    service_id: row.service_id,
    action: row.action as ScheduledAction['action'],
    last_run: row.last_run?.toISOString() ?? null,
    done: row.done,
    date: row.date.toISOString(),
    details: row.details as ScheduledAction['details'],
    deleted_at: row.deleted_at?.toISOString() ?? null,
  }
}

export const rateOf = (costs: Costs) => [...costs.values()][0]?.country_tax_rate.vat_rate ?? 0

/** A new period for the plan and all that was added to it; undefined where more is paid for than it costs. */
export function changePeriods(situation: Situation, target: Target, period: BillingPeriod) {
  const { service, spans, product, addOns, now } = situation
  const given = { period, currency: service.currency, vatRate: rateOf(target.costs), now: now.getTime() }
  const own = changePeriod(spans, {
    ...given,
    from: product.id,
    to: planOf(target.product.id, target.costs, target.above),
  })
  const added = addOns.map((addOn) => ({
    addOn,
    change: changePeriod(addOn.spans, {
      ...given,
      from: addOn.product.id,
      to: planOf(addOn.product.id, addOn.costs),
    }),
  }))
  if (own === undefined || added.some(({ change }) => change === undefined)) return undefined
  return { own, added: added.map(({ addOn, change }) => ({ addOn, change: change as NonNullable<typeof change> })) }
}

/** The plan for the hours left. Add-ons stay as they are: what they cost does not depend on it. */
export const changeHours = ({ spans, product }: Situation, { product: to, costs, above, direction }: Target) =>
  changePlan(spans, { from: product.id, to: planOf(to.id, costs, above), direction })

/** @param used bytes its files take; null: not known. */
export async function quoteUpgrade(
  db: Handle,
  id: string,
  { now, used }: { now: Date; used: number | null },
): Promise<UpgradeQuote> {
  const service = await requirePlanService(db, id)
  const situation = await situate(db, service, now)
  const currency = service.currency as Currency
  const money = (amount: number) => ({ amount, currency })
  const price = grossOf(situation.costs, service.billing_period)
  const targets = await targetsOf(db, situation)
  return {
    service_id: id,
    product: situation.product,
    billing_period: service.billing_period as BillingPeriod,
    currency,
    expires: service.expires?.toISOString() ?? null,
    product_price: price === undefined ? null : money(price),
    remaining_price: money(paidLeft(situation.spans)),
    added: describeAdded(situation),
    used_storage: used,
    downgrade_from: situation.downgradeFrom?.toISOString() ?? null,
    planned: situation.planned === undefined ? null : showAction(situation.planned),
    upgrade_targets: targets.map((target) => describeTarget(situation, target, used)),
  }
}

function describeAdded({ addOns, service }: Situation): UpgradeQuote['added'] {
  const sum = (name: 'memory' | 'cpu' | 'storage') =>
    addOns.reduce((all, { product }) => all + product.parameters[name], 0)
  const prices = addOns.map(({ costs }) => grossOf(costs, service.billing_period))
  return {
    products: addOns.map(({ product }) => product.id),
    memory: sum('memory'),
    cpu: sum('cpu'),
    storage: sum('storage'),
    price: prices.includes(undefined)
      ? null
      : { amount: prices.reduce<number>((all, price) => all + (price ?? 0), 0), currency: service.currency },
  }
}

function describeTarget(situation: Situation, target: Target, used: number | null): UpgradeTarget {
  const { currency, cluster_id } = situation.service
  const money = (amount: number) => ({ amount, currency })
  const obstacle = obstacleNow(situation, target, used)
  const hasPrices = obstacle !== 'no_price' && obstacle !== 'expired' && obstacle !== 'other_currency'
  const change = hasPrices ? changeHours(situation, target) : undefined
  return {
    product: target.product,
    direction: target.direction,
    obstacle,
    planned_obstacle: obstacleAtEnd(situation, target),
    upgrade_price: change === undefined ? null : money(change.charge),
    credit: change === undefined ? null : money(change.credit),
    create_transaction: change !== undefined && change.charge + change.credit > 0,
    billing_periods: [...target.costs.values()].map(({ period, gross_price }) => ({
      cluster_id,
      period,
      price: money(gross_price.amount),
      upgrade_price: newPeriodPrice(situation, target, { period, hasPrices }),
    })),
  }
}

function newPeriodPrice(
  situation: Situation,
  target: Target,
  { period, hasPrices }: { period: BillingPeriod; hasPrices: boolean },
) {
  const isPriced = situation.addOns.every(({ costs }) => costs.has(period))
  if (!hasPrices || target.direction === 'down' || !isPriced) return null
  const change = changePeriods(situation, target, period)
  if (change === undefined) return null
  const amount = change.added.reduce((sum, { change: { charge } }) => sum + charge, change.own.charge)
  return { amount, currency: situation.service.currency }
}

export function describeAddOn({ service, spans }: Pick<Held, 'service' | 'spans'>): AddOn {
  return {
    service_id: service.id,
    product: service.product_id,
    type: service.type as AddOn['type'],
    expires: service.expires?.toISOString() ?? null,
    created_at: service.created_at.toISOString(),
    gross_cost: { amount: service.gross_cost, currency: service.currency },
    remaining_price: { amount: paidLeft(spans), currency: service.currency },
  }
}

/** What may stand beside this plan, each at its price for the hours left. */
export async function quoteAddOns(db: Handle, id: string, now: Date): Promise<AddOnQuote> {
  const service = await requirePlanService(db, id)
  const situation = await situate(db, service, now)
  const { product, addOns } = situation
  const period = service.billing_period as BillingPeriod
  const left = service.expires === null ? 0 : Math.max(0, service.expires.getTime() - now.getTime())
  const options: AddOnQuote['options'] = []
  for (const other of await listProducts(db, { userId: service.owner_id })) {
    if (!other.depends_on_products.includes(product.id) || !isOnSale(other)) continue
    const costs = await costsOf(db, { productId: other.id, service, currency: service.currency })
    const price = grossOf(costs, period)
    const money = (amount: number) => ({ amount, currency: service.currency })
    options.push({
      product: other,
      price: price === undefined ? null : money(price),
      price_now: price === undefined ? null : money(priceOfTime(price, period, left)),
      obstacle:
        left === 0
          ? 'expired'
          : price === undefined
            ? 'no_price'
            : addOns.some((addOn) => addOn.product.id === other.id)
              ? 'already_has_it'
              : null,
    })
  }
  return {
    currency: service.currency as Currency,
    billing_period: period,
    expires: service.expires?.toISOString() ?? null,
    add_ons: addOns.map(describeAddOn),
    options,
  }
}
