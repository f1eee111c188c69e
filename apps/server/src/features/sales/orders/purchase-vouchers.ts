/** Vouchers in the purchase of a server or a website. */
import { isTestingGroup, type VoucherData } from '@wakestone/contract/sales/voucher'
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import type { PriceChange } from '#src/features/sales/products/service.ts'
import {
  attachCoupon,
  beginUse,
  changeByVouchers,
  type ReadVouchers,
  readVouchers,
  takeVouchers,
} from '#src/features/sales/vouchers/service.ts'

/** Alone, one voucher pays for the server and says how long it lasts. */
export type OrderVouchers = { codes: readonly string[]; alone: boolean }
type Read = ReadVouchers & { change: PriceChange | undefined; isTrial: boolean }

/** @throws DomainError those of `beginUse` and `readVouchers`. */
export async function readOrderVouchers(
  { settings }: Pick<Context, 'settings'>,
  trx: Transaction,
  {
    user: { userId },
    body,
    product,
    cluster,
    codes: { codes, alone },
    game,
    now,
  }: {
    user: { userId: string }
    body: { billing_period: BillingPeriod; currency: Currency }
    product: { id: string }
    cluster: { id: string }
    codes: OrderVouchers
    game?: { game: string; engine: string }
    now: Date
  },
): Promise<Read> {
  if (codes.length === 0)
    return {
      rows: [],
      effects: { newCost: null, addHours: 0, coupon: null, addProducts: [] },
      change: undefined,
      isTrial: false,
    }
  await beginUse(trx, { userId, settings, now, count: codes.length })
  const read = await readVouchers(trx, codes, {
    purpose: alone ? 'new_server' : 'order',
    target: {
      productId: product.id,
      clusterId: cluster.id,
      // Nothing is bought for a period yet, nor in a currency.
      period: alone ? undefined : body.billing_period,
      currency: alone ? undefined : body.currency,
      ...game,
    },
    reader: { userId, settings, now },
  })
  const byVouchers = changeByVouchers(read.effects, body.currency)
  return {
    ...read,
    change: alone ? { ...byVouchers, net: () => 0 } : byVouchers,
    isTrial: read.rows.some(({ group_id }) => isTestingGroup(group_id)),
  }
}

/** Uses the vouchers up, and leaves what they give besides the price and the hours. */
export async function giveOrderVouchers(
  trx: Transaction,
  vouchers: ReadVouchers,
  {
    user,
    serviceId,
    rented,
    expires,
    now,
  }: {
    user: { userId: string }
    serviceId: string
    rented: { server_id: string } | { craftum_id: string }
    expires: Date
    now: Date
  },
): Promise<void> {
  const { rows, effects } = vouchers
  const useIds = await takeVouchers(trx, vouchers, {
    userId: user.userId,
    now,
    details: {
      service_id: serviceId,
      ...rented,
      add_hours: effects.addHours,
      expires: expires.toISOString(),
    },
  })
  for (const [index, { data }] of rows.entries()) {
    const { coupon } = data as VoucherData
    if (coupon !== null) await attachCoupon(trx, { serviceId, useId: useIds[index] as string, coupon, now })
  }
}
