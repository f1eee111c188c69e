/**
 * Where a service stands at a moment: what it holds, what other plans would cost, and what keeps it from them.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { Cost, Product } from '@wakestone/contract/sales/product'
import type { ChangeObstacle } from '@wakestone/contract/sales/service-change'
import type { Handle } from '#src/db/client.ts'
import { isOnSale, listProducts, quoteCosts, showProduct } from '#src/features/sales/products/service.ts'
import {
  heldWithoutGaps,
  listAddOns,
  type ServiceRow,
  type Span,
  spansOf,
} from '#src/features/sales/services/service.ts'
import { type ActionRow, findLastDowngrade, selectActions } from './repo.ts'

const downgradePause = 24 * 3_600_000

export type Costs = ReadonlyMap<BillingPeriod, Cost>
/** A service (the plan or an add-on) with what it holds now. */
export type Held = { service: ServiceRow; product: Product; costs: Costs; spans: Span[] }

export type Situation = Held & {
  addOns: Held[]
  planned: ActionRow | undefined
  /** Undefined: at once. */
  downgradeFrom: Date | undefined
  now: Date
}

export const grossOf = (costs: Costs, period: string): number | undefined =>
  costs.get(period as BillingPeriod)?.gross_price.amount

/** A product with its prices, as the rules of value ask for them. Only for periods it has a price for. */
export const planOf = (product: string, costs: Costs, above: readonly string[] = []) => ({
  product,
  above,
  price(period: BillingPeriod): number {
    const price = grossOf(costs, period)
    if (price === undefined) throw new DomainError('no_price_for_parameters', { resource: 'billing_product' })
    return price
  },
})

/** What a product costs the owner where the service runs, in a currency; empty where it has no price in it. */
export async function costsOf(
  db: Handle,
  {
    productId,
    service,
    currency,
  }: { productId: string; service: Pick<ServiceRow, 'cluster_id' | 'owner_id'>; currency: string },
): Promise<Costs> {
  try {
    const costs = await quoteCosts(db, {
      productId,
      buyer: { userId: service.owner_id },
      currency: currency as Currency,
      clusterId: service.cluster_id,
    })
    return new Map(costs.map((cost) => [cost.period, cost]))
  } catch (error) {
    if (error instanceof DomainError && error.code === 'product_has_no_price_for_selected_currency') return new Map()
    throw error
  }
}

async function hold(db: Handle, service: ServiceRow, { end, now }: { end: Date | null; now: Date }): Promise<Held> {
  const costs = await costsOf(db, { productId: service.product_id, service, currency: service.currency })
  const period = service.billing_period as BillingPeriod
  const spans =
    end === null
      ? []
      : heldWithoutGaps(spansOf(service), {
          now: now.getTime(),
          end: end.getTime(),
          period,
          currency: service.currency,
          price: grossOf(costs, period) ?? 0,
          vatRate: [...costs.values()][0]?.country_tax_rate.vat_rate ?? 0,
        })
  return { service, product: await showProduct(db, service.product_id, { userId: service.owner_id }), costs, spans }
}

/** @param service locked, where something follows from it. */
export async function situate(db: Handle, service: ServiceRow, now: Date): Promise<Situation> {
  const given = { end: service.expires, now }
  const own = await hold(db, service, given)
  const addOns: Held[] = []
  for (const addOn of await listAddOns(db, service.id)) addOns.push(await hold(db, addOn, given))
  const planned = (await selectActions(db, service.id)).find(({ action }) => action === 'CHANGE_PRODUCT')
  const last = await findLastDowngrade(db, service.id)
  const downgradeFrom = last === undefined ? undefined : new Date(last.getTime() + downgradePause)
  return {
    ...own,
    addOns,
    planned,
    downgradeFrom: downgradeFrom !== undefined && downgradeFrom > now ? downgradeFrom : undefined,
    now,
  }
}

export type Target = {
  product: Product
  direction: 'up' | 'down'
  costs: Costs
  /** Plans of which it is an upgrade. */
  above: string[]
  /** Bytes that files may take, with the add-ons. */
  storage: number
}

/** Plans that a service could have, in the order of the catalogue. */
export async function targetsOf(db: Handle, situation: Situation): Promise<Target[]> {
  const { product, service, addOns } = situation
  const extra = addOns.reduce((sum, addOn) => sum + addOn.product.parameters.storage, 0)
  const targets: Target[] = []
  const catalogue = await listProducts(db, { userId: service.owner_id })
  for (const other of catalogue) {
    const direction = directionTo(product, other)
    if (direction === undefined) continue
    const costs = await costsOf(db, { productId: other.id, service, currency: service.currency })
    const above = catalogue.filter(({ upgrade_targets }) => upgrade_targets.includes(other.id)).map(({ id }) => id)
    targets.push({ product: other, direction, costs, above, storage: other.parameters.storage + extra })
  }
  return targets
}

/** What is free is where one begins: nobody is put back to it. */
function directionTo(from: Product, to: Product): 'up' | 'down' | undefined {
  if (to.type !== 'GAME_SERVER' || to.id === from.id) return undefined
  if (from.upgrade_targets.includes(to.id)) return 'up'
  return to.upgrade_targets.includes(from.id) && to.id !== 'FREE' ? 'down' : undefined
}

/** What keeps a service from a plan, whenever it would be. */
function lastingObstacle({ service, addOns, planned, now }: Situation, target: Target): ChangeObstacle | null {
  if (service.expires === null || service.expires <= now) return 'expired'
  if (!isOnSale(target.product)) return 'not_on_sale'
  if (grossOf(target.costs, service.billing_period) === undefined) return 'no_price'
  if (isPaid(planned)) return 'change_is_paid'
  const fits = addOns.every((addOn) => addOn.product.depends_on_products.includes(target.product.id))
  return fits ? null : 'add_ons_do_not_fit'
}

export const isPaid = (planned: ActionRow | undefined) =>
  (planned?.details as { renewed?: boolean } | undefined)?.renewed === true

/** @param used bytes its files take; null: not known. */
export function obstacleNow(situation: Situation, target: Target, used: number | null): ChangeObstacle | null {
  const lasting = lastingObstacle(situation, target)
  if (lasting !== null) return lasting
  const { service, spans, addOns, downgradeFrom } = situation
  const isOther = ({ currency }: Span) => currency !== service.currency
  if ([spans, ...addOns.map((addOn) => addOn.spans)].some((all) => all.some(isOther))) return 'other_currency'
  if (spans.some(({ period }) => grossOf(target.costs, period) === undefined)) return 'no_price'
  if (target.direction === 'up') return null
  if (downgradeFrom !== undefined) return 'downgraded_lately'
  return used !== null && used > target.storage ? 'storage_in_use' : null
}

export const obstacleAtEnd = lastingObstacle

/** The same, as a refusal. */
export function refuse(
  obstacle: ChangeObstacle,
  { used, storage, retryAt, now }: { used?: number | null; storage?: number; retryAt?: Date | undefined; now: Date },
): DomainError {
  switch (obstacle) {
    case 'expired':
      return new DomainError('server_is_expired', { resource: 'server' })
    case 'not_on_sale':
      return new DomainError('product_not_available', { resource: 'billing_product' })
    case 'no_price':
      return new DomainError('no_price_for_parameters', { resource: 'billing_product' })
    case 'storage_in_use':
      return new DomainError('insufficient_storage', {
        resource: 'billing_service',
        ...(used != null && { used }),
        ...(storage !== undefined && { limit: storage }),
      })
    case 'downgraded_lately':
      return new DomainError('too_many_requests', {
        resource: 'billing_service',
        retry_after: Math.ceil(((retryAt?.getTime() ?? 0) - now.getTime()) / 1000),
      })
    default:
      return new DomainError('service_cannot_be_upgraded', { resource: 'billing_service', reason: obstacle })
  }
}
