/** Making vouchers, within what one administrator may give away in a day. */
import { DomainError } from '@wakestone/contract/errors'
import { priceByExpression } from '@wakestone/contract/sales/coupon-expression'
import { hoursOfPeriod } from '@wakestone/contract/primitives'
import type { GenerateVouchersBody, Voucher, VoucherData } from '@wakestone/contract/sales/voucher'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { listNetPrices, type NetPrice, requireAddOn } from '#src/features/sales/products/service.ts'
import { makeCodes } from './codes.ts'
import { findVouchersOfBatch, insertBatch, insertVouchers, type NewBatch, sumMade, writeRevoked } from './repo.ts'
import { showVoucher } from './show.ts'

const day = 86_400_000

/**
 * Makes vouchers, and writes down who did.
 * @throws DomainError `voucher_invalid_quantity`, `voucher_daily_limit_reached`, `voucher_daily_hours_limit_reached`,
 *   `voucher_daily_value_limit_reached`; `product_not_found`, `product_has_no_price_for_selected_currency`;
 *   `invalid_request` for an end that has passed.
 */
export async function generateVouchers(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { userId, body, now }: { userId: string; body: GenerateVouchersBody; now: Date },
): Promise<Voucher[]> {
  const { quantity, prefix, data, uses_left: uses } = body
  if (quantity < 1 || quantity > settings.VOUCHER_DAILY_CODES)
    throw new DomainError('voucher_invalid_quantity', { resource: 'voucher', max: settings.VOUCHER_DAILY_CODES })
  const expires =
    body.expires === undefined ? new Date(now.getTime() + settings.VOUCHER_DAYS * day) : new Date(body.expires)
  if (expires <= now) throw new DomainError('invalid_request', { expires: 'invalid' })
  if (data.coupon?.end_time != null && new Date(data.coupon.end_time) <= now)
    throw new DomainError('invalid_request', { 'data.coupon.end_time': 'invalid' })
  return inTransaction(db, async (trx) => {
    const each = await worthOf(trx, data)
    const times = quantity * uses
    const hours = each.hours * times
    const value = Object.fromEntries(Object.entries(each.value).map(([currency, amount]) => [currency, amount * times]))
    const made = await sumMade(trx, { userId, since: new Date(now.getTime() - day) })
    requireWithinDay(settings, {
      codes: made.codes + quantity,
      hours: made.hours + hours,
      value: add(made.value, value),
    })
    const batchId = await insertBatchOf(
      trx,
      {
        createdBy: userId,
        prefix,
        groupId: body.group_id,
        perUser: body.per_user,
        expires,
        data,
        codes: quantity,
        hours,
        value,
      },
      { uses, userId: null },
    )
    await recordUserEvent(trx, userId, {
      action: 'USER_GENERATE_VOUCHERS',
      data: { batch: batchId, quantity, group: body.group_id, prefix, hours, value },
    })
    return (await findVouchersOfBatch(trx, batchId)).map(showVoucher)
  })
}

/**
 * Takes codes back, all that are left of a batch or some of them, and writes down who did. What they have given stays.
 * A day's limits are not given back: the codes were out.
 * @throws DomainError `voucher_not_found` where nothing was made under this id.
 */
export async function revokeVouchers(
  { db }: Pick<Context, 'db'>,
  { userId, batchId, ids, now }: { userId: string; batchId: string; ids: readonly string[] | undefined; now: Date },
): Promise<Voucher[]> {
  return inTransaction(db, async (trx) => {
    const quantity = await writeRevoked(trx, { batchId, ids, now })
    const rows = await findVouchersOfBatch(trx, batchId)
    const [first] = rows
    if (first === undefined) throw new DomainError('voucher_not_found', { resource: 'voucher' })
    if (quantity > 0)
      await recordUserEvent(trx, userId, {
        action: 'USER_REVOKE_VOUCHERS',
        data: {
          batch: batchId,
          quantity,
          group: first.group_id,
          prefix: first.prefix,
          ...(ids !== undefined && { voucher_ids: [...ids] }),
        },
      })
    return rows.map(showVoucher)
  })
}

/** Writes a batch and its codes; a code that is taken already is made anew. @returns id of the batch. */
export async function insertBatchOf(
  trx: Transaction,
  batch: NewBatch,
  { uses, userId }: { uses: number; userId: string | null },
): Promise<string> {
  const batchId = await insertBatch(trx, batch)
  for (let missing = batch.codes; missing > 0;) {
    const codes = makeCodes(batch.prefix, missing)
    missing -= await insertVouchers(trx, { batchId, codes, uses, userId })
  }
  return batchId
}

function add(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one }
  for (const [currency, amount] of Object.entries(other)) sum[currency] = (sum[currency] ?? 0) + amount
  return sum
}

function requireWithinDay(
  settings: Context['settings'],
  total: { codes: number; hours: number; value: Record<string, number> },
): void {
  if (total.codes > settings.VOUCHER_DAILY_CODES)
    throw new DomainError('voucher_daily_limit_reached', { resource: 'voucher', limit: settings.VOUCHER_DAILY_CODES })
  if (total.hours > settings.VOUCHER_DAILY_HOURS)
    throw new DomainError('voucher_daily_hours_limit_reached', {
      resource: 'voucher',
      limit: settings.VOUCHER_DAILY_HOURS,
    })
  for (const [currency, amount] of Object.entries(total.value))
    if (amount > settings.VOUCHER_DAILY_VALUE)
      throw new DomainError('voucher_daily_value_limit_reached', {
        resource: 'voucher',
        limit: settings.VOUCHER_DAILY_VALUE,
        currency,
      })
}

type Worth = { hours: number; value: Record<string, number> }
/** A coupon without a number of uses is counted as this many. */
const countedRenewals = 12
/** Among so many of its first ones. */
const foreseenRenewals = 120

/**
 * What an expression saves on all renewals that it is good for, where its holder chooses the dearest price each time. It
 * may save nothing at first and much later: each renewal counts with its own number, and of those without end the dearest.
 */
function savedBy(expression: string, uses: number | null, prices: readonly NetPrice[]): number {
  const saved = (used: number) =>
    Math.max(
      ...prices.map(
        ({ amount, period }) =>
          amount - priceByExpression(expression, { price: amount, hours: hoursOfPeriod(period), used }),
      ),
    )
  return Array.from({ length: uses ?? foreseenRenewals }, (_, used) => saved(used))
    .toSorted((one, other) => other - one)
    .slice(0, uses ?? countedRenewals)
    .reduce((sum, one) => sum + one, 0)
}

/**
 * The most that one use gives away: hours, and money by currency. Money is what goes into a wallet, and what the
 * dearest price that a voucher or its coupon fits is made cheaper by; of an add-on its dearest price. Net.
 */
async function worthOf(db: Handle, data: VoucherData): Promise<Worth> {
  const { add_hours, coupon, wallet_tx, new_cost, add_product } = data
  const renewals = coupon?.uses_left ?? countedRenewals
  const prices = (await Promise.all(data.product_id.map((id) => listNetPrices(db, id))))
    .flat()
    .filter(({ period }) => data.billing_period.length === 0 || data.billing_period.includes(period))
  const value: Record<string, number> = {}
  const count = (currency: string, amounts: readonly number[]) => {
    value[currency] = (value[currency] ?? 0) + Math.max(0, ...amounts)
  }
  for (const { amount, currency } of wallet_tx ?? []) count(currency, [amount])
  for (const { amount, currency } of new_cost ?? []) {
    const fitting = prices.filter((price) => price.currency === currency)
    if (fitting.length === 0)
      throw new DomainError('product_has_no_price_for_selected_currency', { resource: 'billing_product' })
    count(
      currency,
      fitting.map((price) => price.amount - amount),
    )
  }
  const inEachCurrency = (all: NetPrice[], worth: (prices: NetPrice[]) => number) => {
    for (const currency of new Set(all.map((price) => price.currency)))
      count(currency, [worth(all.filter((price) => price.currency === currency))])
  }
  if (coupon?.expression != null) {
    const { expression } = coupon
    inEachCurrency(prices, (some) => savedBy(expression, coupon.uses_left, some))
  }
  if (add_product !== null) await requireAddOn(db, add_product)
  if (add_product !== null)
    inEachCurrency(await listNetPrices(db, add_product), (some) => Math.max(...some.map(({ amount }) => amount)))
  return { hours: (add_hours ?? 0) + (coupon === null ? 0 : coupon.add_hours_on_renewal * renewals), value }
}
