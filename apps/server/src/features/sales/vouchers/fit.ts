/** Whether vouchers fit what they are used on, and what they give together. Pure. */
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import { DomainError, type ErrorCode } from '@wakestone/contract/errors'
import type { CouponSpec, VoucherData } from '@wakestone/contract/sales/voucher'

/** What a voucher is used on; what is not known yet is not asked about. */
export type Target = {
  productId: string
  clusterId?: string | undefined
  period?: BillingPeriod | undefined
  currency?: Currency | undefined
  game?: string | undefined
  engine?: string | undefined
}

/** A new server that is paid for, a renewal, a service between its payments, and a new server for a voucher alone. */
export type Purpose = 'order' | 'renewal' | 'service' | 'new_server'

const refusals: Record<Purpose, { product: ErrorCode; period: ErrorCode; effects: ErrorCode }> = {
  order: {
    product: 'invalid_voucher_for_product',
    period: 'invalid_voucher_for_billing_period',
    effects: 'voucher_not_for_billing',
  },
  renewal: {
    product: 'voucher_not_for_product',
    period: 'invalid_voucher_for_billing_period',
    effects: 'voucher_not_for_service',
  },
  service: {
    product: 'voucher_not_for_product',
    period: 'voucher_not_for_billing',
    effects: 'voucher_not_for_service',
  },
  new_server: {
    product: 'invalid_voucher_for_product',
    period: 'invalid_voucher_for_billing_period',
    effects: 'voucher_not_for_billing',
  },
}

const refuse = (code: ErrorCode) => new DomainError(code, { resource: 'voucher' })
const allows = (list: readonly string[] | undefined, value: string | undefined) =>
  value === undefined || list === undefined || list.length === 0 || list.includes(value)

/** Whether a voucher has something to give there. */
function hasEffect(data: VoucherData, purpose: Purpose): boolean {
  if (data.new_server || purpose === 'new_server') return data.new_server && purpose === 'new_server'
  const others = [data.add_hours, data.coupon]
  // What stands beside a server is added to one that is there; a price is of something that is being bought.
  if (data.add_product !== null) return purpose === 'service'
  return others.some((effect) => effect !== null) || (data.new_cost !== null && purpose !== 'service')
}

/**
 * @throws DomainError `voucher_not_for_billing` and `voucher_not_for_service` for a voucher that gives nothing there;
 *   `voucher_not_for_product`, `invalid_voucher_for_product`, `voucher_not_for_cluster`,
 *   `invalid_voucher_for_billing_period`, `voucher_not_for_current_config`, `voucher_has_not_supporting_currency`.
 */
export function requireFit(data: VoucherData, purpose: Purpose, target: Target): void {
  const refusal = refusals[purpose]
  if (!hasEffect(data, purpose)) throw refuse(refusal.effects)
  if (!allows(data.product_id, target.productId)) throw refuse(refusal.product)
  if (!allows(data.cluster_id, target.clusterId)) throw refuse('voucher_not_for_cluster')
  if (!allows(data.billing_period, target.period)) throw refuse(refusal.period)
  const { game, engine } = data.user_parameters
  if (!allows(game, target.game) || !allows(engine, target.engine)) throw refuse('voucher_not_for_current_config')
  const currencies = data.new_cost?.map(({ currency }) => currency)
  if (purpose !== 'service' && !allows(currencies, target.currency)) throw refuse('voucher_has_not_supporting_currency')
}

/** Whether a voucher is for this: what it left there before serves nothing else. */
export function isFor(data: VoucherData, target: Target): boolean {
  const { game, engine } = data.user_parameters
  return (
    allows(data.product_id, target.productId) &&
    allows(data.cluster_id, target.clusterId) &&
    allows(data.billing_period, target.period) &&
    allows(game, target.game) &&
    allows(engine, target.engine)
  )
}

/** What vouchers give together. */
export type Effects = {
  /** Net, by currency. */
  newCost: NonNullable<VoucherData['new_cost']> | null
  addHours: number
  coupon: CouponSpec | null
  addProducts: string[]
}

/** @throws DomainError `voucher_not_for_current_config` for two prices or two coupons at once. */
export function combine(all: readonly VoucherData[]): Effects {
  const prices = all.flatMap(({ new_cost }) => (new_cost === null ? [] : [new_cost]))
  const coupons = all.flatMap(({ coupon }) => (coupon === null ? [] : [coupon]))
  if (prices.length > 1 || coupons.length > 1) throw refuse('voucher_not_for_current_config')
  return {
    newCost: prices[0] ?? null,
    addHours: all.reduce((sum, { add_hours }) => sum + (add_hours ?? 0), 0),
    coupon: coupons[0] ?? null,
    addProducts: all.flatMap(({ add_product }) => (add_product === null ? [] : [add_product])),
  }
}
