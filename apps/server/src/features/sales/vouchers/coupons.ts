/** Coupons: what a voucher leaves on a service. The next renewals use the one that is active. */
import { priceByExpression } from '@wakestone/contract/sales/coupon-expression'
import { DomainError } from '@wakestone/contract/errors'
import { type BillingPeriod, type Currency, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { CouponSpec, ServiceCoupon, VoucherData } from '@wakestone/contract/sales/voucher'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { PriceChange } from '#src/features/sales/products/service.ts'
import { type CouponRow, insertCoupon, selectCoupons, takeCouponUse } from './coupons-repo.ts'
import { type Effects, isFor, type Target } from './fit.ts'

const isActive = ({ uses_left, end_time }: CouponRow, now: Date) =>
  uses_left !== 0 && (end_time === null || end_time > now)

function showCoupon(row: CouponRow, now: Date): ServiceCoupon {
  return {
    id: row.id,
    name: row.name,
    expression: row.expression,
    add_hours_on_renewal: row.add_hours_on_renewal,
    end_time: row.end_time?.toISOString() ?? null,
    uses_left: row.uses_left,
    details: row.details as Record<string, unknown>,
    created_at: row.created_at.toISOString(),
    active: isActive(row, now),
  }
}

/** All that a service has had, newest first. */
export async function listCoupons(db: Handle, serviceId: string, now: Date): Promise<ServiceCoupon[]> {
  return (await selectCoupons(db, serviceId)).map((row) => showCoupon(row, now))
}

/** @throws DomainError `voucher_not_found` */
export async function showServiceCoupon(
  db: Handle,
  { serviceId, couponId, now }: { serviceId: string; couponId: string; now: Date },
): Promise<ServiceCoupon> {
  const coupon = (await listCoupons(db, serviceId, now)).find(({ id }) => id === couponId)
  if (coupon === undefined) throw new DomainError('voucher_not_found', { resource: 'voucher' })
  return coupon
}

/** The one that the next renewal uses. */
export async function findActiveCoupon(db: Handle, serviceId: string, now: Date): Promise<CouponRow | undefined> {
  return (await selectCoupons(db, serviceId)).find((row) => isActive(row, now))
}

/**
 * Leaves a coupon on a service, which the caller has locked.
 * @returns its id.
 * @throws DomainError `billing_service_already_has_coupon`
 */
export async function attachCoupon(
  trx: Transaction,
  { serviceId, useId, coupon, now }: { serviceId: string; useId: string; coupon: CouponSpec; now: Date },
): Promise<string> {
  await requireNoCoupon(trx, serviceId, now)
  return insertCoupon(trx, { serviceId, useId, coupon })
}

/** @throws DomainError `billing_service_already_has_coupon` */
export async function requireNoCoupon(db: Handle, serviceId: string, now: Date): Promise<void> {
  if ((await findActiveCoupon(db, serviceId, now)) !== undefined)
    throw new DomainError('billing_service_already_has_coupon', { resource: 'billing_service' })
}

/** One renewal less. The service is locked: nobody else takes from it meanwhile. */
export async function takeCoupon(trx: Transaction, coupon: CouponRow): Promise<void> {
  if (!(await takeCouponUse(trx, coupon.id))) throw new Error('a coupon was used up under the lock of its service')
}

/** What vouchers alone make of a price. */
export function changeByVouchers({ newCost, addHours }: Effects, currency: Currency): PriceChange {
  const amount = newCost?.find((one) => one.currency === currency)?.amount
  return { net: (net) => amount ?? net, addHours: () => addHours }
}

/** A coupon, and what the voucher that left it is for. */
export type HeldCoupon = Pick<CouponRow, 'expression' | 'add_hours_on_renewal' | 'used'> & { voucher: VoucherData }

/** Whether a coupon serves a renewal of this. It is kept for another one where it does not. */
export const servesRenewal = ({ voucher }: HeldCoupon, target: Target) => isFor(voucher, target)

/** What a renewal costs by a coupon, and how much longer it lasts, where that is for it. */
export function changeByCoupon(coupon: HeldCoupon, target: Omit<Target, 'period'>): PriceChange {
  const { expression, add_hours_on_renewal, used } = coupon
  const serves = (period: BillingPeriod) => servesRenewal(coupon, { ...target, period })
  return {
    net: (price, period) =>
      expression === null || !serves(period)
        ? price
        : priceByExpression(expression, { price, hours: hoursOfPeriod(period), used }),
    addHours: (period) => (serves(period) ? add_hours_on_renewal : 0),
  }
}
