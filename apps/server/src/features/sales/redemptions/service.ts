/**
 * Vouchers that are redeemed by themselves: on a service, or into a wallet. What a voucher gives, and the use that it
 * loses, are one transaction.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Redemption, VoucherData } from '@wakestone/contract/sales/voucher'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { giveAddOn, giveTime } from '#src/features/sales/plans/service.ts'
import { tellRenewed } from '#src/features/sales/renewals/service.ts'
import { findRentedServer, prolongTrial } from '#src/features/servers/servers/service.ts'
import { lockService, type ServiceRow } from '#src/features/sales/services/service.ts'
import {
  attachCoupon,
  beginUse,
  countEarlierUses,
  findUseByKey,
  readCode,
  type ReadVouchers,
  readVouchers,
  takeVouchers,
} from '#src/features/sales/vouchers/service.ts'
import { creditWallet, getWallet } from '#src/features/money/wallets/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'

const hour = 3_600_000

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>
type Wish = {
  userId: string
  code: string
  /** The same key and code again are the same redemption. */
  key: string | undefined
  now: Date
}
type Voucher = ReadVouchers['rows'][number]

type Refusal =
  | 'voucher_not_for_billing'
  | 'voucher_not_for_service'
  | 'voucher_not_for_current_config'
  | 'voucher_has_not_supporting_currency'
const refuse = (code: Refusal) => new DomainError(code, { resource: 'voucher' })

/**
 * Redeems a voucher on a service of the user's: hours, a coupon, an add-on; money goes into the service's wallet.
 * @throws DomainError `resource_not_found`; `access_denied` to whoever is not the owner; those of `readVouchers`;
 *   `billing_service_already_has_coupon`; `idempotency_key_reused`; `too_many_requests`.
 */
export function redeemOnService(deps: Deps, { serviceId, ...wish }: Wish & { serviceId: string }): Promise<Redemption> {
  return redeemOnce(deps, { ...wish, on: serviceId }, async (trx, requestHash) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined) throw new DomainError('resource_not_found', { resource: 'billing_service' })
    if (service.owner_id !== wish.userId) throw new DomainError('access_denied')
    const voucher = await readCode(trx, wish.code, { ...wish, settings: deps.settings })
    const { wallet_tx } = voucher.data as VoucherData
    if (wallet_tx !== null) return credit(trx, { ...wish, voucher, requestHash, walletId: service.wallet_id })
    return giveToService(deps, trx, { ...wish, voucher, requestHash, service })
  })
}

/**
 * Redeems a voucher that is worth money into a wallet of the user's: credit that is never paid out.
 * @throws DomainError `wallet_not_found`; `voucher_not_for_billing` for a voucher that holds no money,
 *   `voucher_has_not_supporting_currency`; those of `readCode`; `idempotency_key_reused`; `too_many_requests`.
 */
export function redeemIntoWallet(deps: Deps, { walletId, ...wish }: Wish & { walletId: string }): Promise<Redemption> {
  return redeemOnce(deps, { ...wish, on: walletId }, async (trx, requestHash) => {
    const voucher = await readCode(trx, wish.code, { ...wish, settings: deps.settings })
    if ((voucher.data as VoucherData).wallet_tx === null) throw refuse('voucher_not_for_billing')
    return credit(trx, { ...wish, voucher, requestHash, walletId })
  })
}

async function redeemOnce(
  { db, settings }: Deps,
  { userId, code, key, now, on }: Wish & { on: string },
  work: (trx: Transaction, requestHash: Buffer) => Promise<Redemption>,
): Promise<Redemption> {
  const requestHash = hashRequest({ on, code })
  return inTransaction(db, async (trx) => {
    const known = key === undefined ? undefined : await findUseByKey(trx, userId, key)
    if (known !== undefined) return again(known, requestHash)
    await beginUse(trx, { userId, settings, now, count: 1 })
    // Whoever came first with this key has let go of the user's vouchers by now.
    const first = key === undefined ? undefined : await findUseByKey(trx, userId, key)
    return first === undefined ? work(trx, requestHash) : again(first, requestHash)
  })
}

function again(use: { id: string; request_hash: Buffer | null; details: unknown }, requestHash: Buffer): Redemption {
  requireSameRequest(use.request_hash, requestHash)
  return { ...empty(use.id), ...(use.details as { given: Partial<Redemption> }).given }
}

const empty = (useId: string): Redemption => ({
  use_id: useId,
  add_hours: 0,
  expires: null,
  wallet_id: null,
  amount: null,
  coupon: false,
  added_service_id: null,
})

type Given = Wish & { voucher: Voucher; requestHash: Buffer }

async function take(
  trx: Transaction,
  { voucher, userId, now, key, requestHash }: Given,
  details: { service_id?: string; wallet_id?: string; given: Partial<Redemption> },
): Promise<Redemption> {
  const [useId = ''] = await takeVouchers(trx, { rows: [voucher] }, { userId, now, key, requestHash, details })
  return { ...empty(useId), ...details.given }
}

async function credit(trx: Transaction, given: Given & { walletId: string }): Promise<Redemption> {
  const { voucher, walletId, userId } = given
  const { currency } = await getWallet(trx, walletId)
  const amount = (voucher.data as VoucherData).wallet_tx?.find((one) => one.currency === currency)
  if (amount === undefined) throw refuse('voucher_has_not_supporting_currency')
  const redemption = await take(trx, given, { wallet_id: walletId, given: { wallet_id: walletId, amount } })
  await creditWallet(trx, {
    userId,
    walletId,
    currency,
    amount: amount.amount,
    tax: 0,
    source: 'promotion',
    refundable: false,
    cause: 'VOUCHER_USE',
    scope: 'voucher',
    key: redemption.use_id,
    action: 'VOUCHER_USE',
    name: 'voucher',
    details: { voucher_use_id: redemption.use_id },
  })
  return redemption
}

async function giveToService(
  deps: Deps,
  trx: Transaction,
  given: Given & { service: ServiceRow },
): Promise<Redemption> {
  const { service, userId, code, now } = given
  const server = await findRentedServer({ ...deps, db: trx }, service.id)
  const { effects } = await readVouchers(trx, [code], {
    purpose: 'service',
    target: {
      productId: service.product_id,
      clusterId: service.cluster_id,
      period: service.billing_period as BillingPeriod,
      game: server?.parameters.game,
      engine: server?.parameters.engine,
    },
    reader: { userId, settings: deps.settings, now },
  })
  const { addHours, coupon } = effects
  // What never ends cannot be made longer, and is not renewed; what was added to a server ends with it.
  if (service.expires === null || service.parent_id !== null) throw refuse('voucher_not_for_service')
  const after = new Date(Math.max(service.expires.getTime(), now.getTime()) + addHours * hour)
  const added = await addProducts(deps, trx, given, effects.addProducts)
  const redemption = await take(trx, given, {
    service_id: service.id,
    given: {
      add_hours: addHours,
      expires: (addHours > 0 ? after : service.expires).toISOString(),
      coupon: coupon !== null,
      added_service_id: added,
    },
  })
  if (coupon !== null) await attachCoupon(trx, { serviceId: service.id, useId: redemption.use_id, coupon, now })
  if (addHours > 0) {
    await giveTime(trx, service.id, { expires: after, now })
    await prolongTrial(deps, trx, { serviceId: service.id, expires: after })
    await tellRenewed(deps, trx, { service, after, executorId: userId })
  }
  return redemption
}

/** @returns the service of what was added; null where nothing is to be. */
async function addProducts(
  deps: Deps,
  trx: Transaction,
  { service, userId, now, voucher }: Given & { service: ServiceRow },
  [productId]: string[],
): Promise<string | null> {
  if (productId === undefined) return null
  // A code may be used again once what it had added is removed: each use is a change of its own.
  const key = `voucher:${voucher.id}:${await countEarlierUses(trx, { userId, voucherId: voucher.id })}`
  try {
    return await giveAddOn(deps, trx, { service, productId, executorId: userId, key, now })
  } catch (error) {
    // It is not for this plan, is there already, or the server has ended.
    if (error instanceof DomainError) throw refuse('voucher_not_for_current_config')
    throw error
  }
}
