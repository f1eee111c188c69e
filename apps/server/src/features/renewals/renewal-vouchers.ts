/** Vouchers and the service's coupon in a renewal. */
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { VoucherData } from '@wakestone/contract/voucher'
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { PriceChange } from '#src/features/products/service.ts'
import { findRentedServer } from '#src/features/servers/service.ts'
import type { ServiceRow } from '#src/features/services/service.ts'
import {
  attachCoupon,
  changeByCoupon,
  changeByVouchers,
  findActiveCoupon,
  type ReadVouchers,
  readVouchers,
  requireNoCoupon,
  takeCoupon,
  takeVouchers,
} from '#src/features/vouchers/service.ts'

type RenewalVouchers = ReadVouchers & {
  change: PriceChange
  /** Makes this renewal cheaper or longer. Not where a voucher names the price: then it is kept for another one. */
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
  const read = await readForService({ db, settings }, { service, codes, currency, period, now })
  const { effects } = read
  if (effects.coupon !== null) await requireNoCoupon(db, service.id, now)
  // A coupon that comes with this renewal serves it already.
  const coupon = effects.coupon === null ? await findActiveCoupon(db, service.id, now) : { ...effects.coupon, used: 0 }
  const byVouchers = changeByVouchers(effects, currency)
  if (coupon === undefined || effects.newCost !== null) return { ...read, change: byVouchers, usesCoupon: false }
  const byCoupon = changeByCoupon(coupon)
  return {
    ...read,
    change: { net: byCoupon.net, addHours: byVouchers.addHours + byCoupon.addHours },
    usesCoupon: true,
  }
}

async function readForService(
  { db, settings }: { db: Handle; settings: Context['settings'] },
  { service, codes, currency, period, now }: Asked,
): Promise<ReadVouchers> {
  if (codes.length === 0) return none
  const server = await findRentedServer({ db, settings }, service.id)
  return readVouchers(db, codes, {
    purpose: 'renewal',
    target: {
      productId: service.product_id,
      clusterId: service.cluster_id,
      period,
      currency,
      game: server?.parameters.game,
      engine: server?.parameters.engine,
    },
    reader: { userId: service.owner_id, settings, now },
  })
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
