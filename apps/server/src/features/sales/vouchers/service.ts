/**
 * Vouchers: codes that give something, once for each use that they have. What they give is given by whoever uses them,
 * in one transaction with `takeVouchers`.
 */
import { DomainError } from '@wakestone/contract/errors'
import { testingGroupPrefix, type ShownVoucher, type VoucherUse } from '@wakestone/contract/sales/voucher'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { quoteCosts, requireServerProduct } from '#src/features/sales/products/service.ts'
import { changeByVouchers } from './coupons.ts'
import { insertBatchOf } from './generate.ts'
import { findOwnVoucher, lockUsesOf } from './repo.ts'
import { listUses, showToHolder } from './show.ts'
import { hasTriedServer, readVouchers } from './use.ts'

export {
  attachCoupon,
  changeByCoupon,
  changeByVouchers,
  findActiveCoupon,
  type HeldCoupon,
  listCoupons,
  requireNoCoupon,
  servesRenewal,
  takeCoupon,
} from './coupons.ts'
export type { Target } from './fit.ts'
export { beginUse, countGuesses, readCode, readVouchers, type ReadVouchers, takeVouchers } from './use.ts'
export { countEarlierUses, findUseByKey } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>

/** What a product costs with vouchers, as `quoteCosts` without. @throws DomainError those of `readVouchers` too. */
export async function quoteWithVouchers(
  { db, settings }: { db: Handle; settings: Context['settings'] },
  {
    codes,
    userId,
    now,
    ...wanted
  }: Omit<Parameters<typeof quoteCosts>[1], 'change'> & {
    codes: readonly string[]
    userId: string | undefined
    now: Date
  },
): Promise<Cost[]> {
  const { effects } = await readVouchers(db, codes, {
    purpose: 'order',
    target: wanted,
    reader: { userId, settings, now },
  })
  return quoteCosts(db, { ...wanted, change: changeByVouchers(effects, wanted.currency) })
}

/** The last that a user has redeemed, newest first. */
export async function listVoucherUsesOf(db: Handle, userId: string): Promise<VoucherUse[]> {
  return (await listUses(db, userId, { limit: 100 })).data
}

const trialCodeDays = 14

/**
 * A code for a trial server, for this user alone; the one that they have while it can be used.
 * @throws DomainError `product_not_found`, `product_not_available` for what cannot be tried; `voucher_already_used`
 *   within so many days of the last trial.
 */
export async function giveTrial(
  { db, settings }: Deps,
  { userId, productId, now }: { userId: string; productId: string; now: Date },
): Promise<ShownVoucher> {
  const groupId = `${testingGroupPrefix}${productId}`
  return inTransaction(db, async (trx) => {
    const product = await requireServerProduct(trx, productId)
    if (product.trial_hours === null) throw new DomainError('product_not_available', { resource: 'billing_product' })
    await lockUsesOf(trx, userId)
    if (await hasTriedServer(trx, { userId, settings, now }))
      throw new DomainError('voucher_already_used', { resource: 'voucher' })
    const known = await findOwnVoucher(trx, { userId, groupId, now })
    if (known !== undefined) return showToHolder(known)
    await insertBatchOf(
      trx,
      {
        createdBy: null,
        prefix: 'TRY-',
        groupId,
        perUser: 1,
        expires: new Date(now.getTime() + trialCodeDays * 86_400_000),
        data: {
          product_id: [productId],
          billing_period: [],
          cluster_id: [],
          user_parameters: {},
          comment: '',
          add_hours: product.trial_hours,
          new_cost: null,
          coupon: null,
          wallet_tx: null,
          add_product: null,
          new_server: true,
        },
        codes: 1,
        hours: product.trial_hours,
        value: {},
      },
      { uses: 1, userId },
    )
    const made = await findOwnVoucher(trx, { userId, groupId, now })
    if (made === undefined) throw new Error('a trial has no code')
    return showToHolder(made)
  })
}
