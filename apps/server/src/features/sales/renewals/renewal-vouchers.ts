/** Vouchers and the service's coupon in a renewal. */
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { VoucherData } from '@wakestone/contract/sales/voucher'
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import { productAfter } from '#src/features/sales/plans/service.ts'
import type { PriceChange } from '#src/features/sales/products/service.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import type { ServiceRow } from '#src/features/sales/services/service.ts'
import {
  attachCoupon,
  changeByCoupon,
  changeByVouchers,
  findActiveCoupon,
  type HeldCoupon,
  type ReadVouchers,
  readVouchers,
  requireNoCoupon,
  servesRenewal,
  takeCoupon,
  takeVouchers,
  type Target,
} from '#src/features/sales/vouchers/service.ts'

type RenewalVouchers = ReadVouchers & {
  change: PriceChange
  /**
   * Makes this renewal cheaper or longer. Not where a voucher names the price, nor where it is for another plan or period:
   * then it is kept for another one.
   */
  usesCoupon: boolean
}

type Asked = {
  service: ServiceRow
  codes: readonly string[]
  currency: Currency
  period?: BillingPeriod | undefined
  now: Date
}

const none: ReadVouchers = { rows: [], effects: { newCost: null, addHours: 0, coupon: null, addProducts: [] } }

/** @throws DomainError those of `readVouchers`; `billing_service_already_has_coupon`. */
export async function readRenewalVouchers(
  { db, settings }: { db: Handle; settings: Context['settings'] },
  { service, codes, currency, period, now }: Asked,
): Promise<RenewalVouchers> {
  const active = await findActiveCoupon(db, service.id, now)
  if (codes.length === 0 && active === undefined)
    return { ...none, change: changeByVouchers(none.effects, currency), usesCoupon: false }
  const server = await findRentedServer({ db, settings }, service.id)
  const target: Target = {
    productId: await productAfter(db, service), // what is bought: another plan, where that is planned
    clusterId: service.cluster_id,
    currency,
    game: server?.parameters.game,
    engine: server?.parameters.engine,
  }
  const reader = { userId: service.owner_id, settings, now }
  const read = await readVouchers(db, codes, { purpose: 'renewal', target: { ...target, period }, reader })
  const { effects } = read
  if (effects.coupon !== null) await requireNoCoupon(db, service.id, now)
  const byVouchers = changeByVouchers(effects, currency)
  const coupon = active === undefined ? couponIn(read) : { ...active, voucher: active.voucher_data as VoucherData }
  if (coupon === undefined || effects.newCost !== null) return { ...read, change: byVouchers, usesCoupon: false }
  const byCoupon = changeByCoupon(coupon, target)
  return {
    ...read,
    change: { net: byCoupon.net, addHours: (one) => byVouchers.addHours(one) + byCoupon.addHours(one) },
    usesCoupon: servesRenewal(coupon, { ...target, period }),
  }
}

/** A coupon that comes with this renewal serves it already. */
function couponIn({ rows }: ReadVouchers): HeldCoupon | undefined {
  const voucher = rows.map(({ data }) => data as VoucherData).find(({ coupon }) => coupon !== null)
  return voucher?.coupon === undefined || voucher.coupon === null ? undefined : { ...voucher.coupon, used: 0, voucher }
}

/** Uses vouchers and coupon up, and leaves on the service what vouchers give besides price and hours. */
export async function giveRenewalVouchers(
  trx: Transaction,
  vouchers: RenewalVouchers,
  { service, executorId, after, now }: { service: ServiceRow; executorId: string | null; after: Date; now: Date },
): Promise<void> {
  const useIds = await takeVouchers(trx, vouchers, {
    userId: service.owner_id,
    ...(executorId !== null && { executorId }),
    now,
    details: { service_id: service.id, add_hours: vouchers.effects.addHours, expires: after.toISOString() },
  })
  for (const [index, { data }] of vouchers.rows.entries()) {
    const { coupon } = data as VoucherData
    if (coupon !== null) await attachCoupon(trx, { serviceId: service.id, useId: useIds[index] as string, coupon, now })
  }
  if (!vouchers.usesCoupon) return
  const coupon = await findActiveCoupon(trx, service.id, now)
  if (coupon === undefined) throw new Error('a coupon vanished under the lock of its service')
  await takeCoupon(trx, coupon)
}
