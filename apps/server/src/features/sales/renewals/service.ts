/**
 * Renewals: another period for a service, paid from a wallet in one transaction with the new end. The period is added to
 * the present end, or begins now where that has passed.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import {
  type ChangeServiceBody,
  freeRenewalDays,
  type RenewServiceBody,
  type Service,
} from '@wakestone/contract/sales/service'
import type { Wallet } from '@wakestone/contract/money/wallet'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { type Confirmation, confirmPurchase } from '#src/features/sales/confirmations/service.ts'
import { requireAsked } from '#src/features/sales/early-start/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import {
  giveTime,
  listAddOnsOf,
  forgetRenewal,
  listScheduledActions,
  prolong,
  quoteRenewalOf,
  setCancelled,
} from '#src/features/sales/plans/service.ts'
import { aboutRented, findRented, nameOfRented } from '#src/features/sales/rented/service.ts'
import { showProduct } from '#src/features/sales/products/service.ts'
import { endTrial, findRentedServer, reconcileServer, setCleanup } from '#src/features/servers/servers/service.ts'
import {
  findEffectiveParameters,
  findService,
  lockService,
  type ServiceRow,
  updateService,
} from '#src/features/sales/services/service.ts'
import { beginUse, listCoupons } from '#src/features/sales/vouchers/service.ts'
import { payPurchase } from '#src/features/sales/funding/service.ts'
import { findWalletOwner, getWallet } from '#src/features/money/wallets/service.ts'
import { findBoundCurrency } from '#src/features/sales/withdrawals/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { isFree, notFound, showRenewal } from './quote.ts'
import { findRenewal, insertRenewal } from './repo.ts'
import { filesKept } from './kept.ts'
import { tellWebsiteRenewed } from './websites.ts'
import { giveRenewalVouchers, readRenewalVouchers } from './renewal-vouchers.ts'

const hour = 3_600_000
const freePeriod: BillingPeriod = '720h'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>

/** @throws DomainError `resource_not_found` */
export async function showService(deps: Pick<Context, 'db' | 'settings'>, id: string): Promise<Service> {
  const row = await findService(deps.db, id)
  if (row === undefined) throw notFound()
  const now = new Date()
  const [product, server, parameters, coupons, renewal] = await Promise.all([
    showProduct(deps.db, row.product_id, { userId: row.owner_id }),
    findRentedServer(deps, id),
    findEffectiveParameters(deps.db, id),
    listCoupons(deps.db, id, now),
    showRenewal(deps, row, now),
  ])
  return {
    service_id: row.id,
    product,
    domains: server?.domains ?? [],
    type: row.type as Service['type'],
    wallet_id: row.wallet_id,
    parameters: parameters ?? product.parameters,
    expires: row.expires?.toISOString() ?? null,
    never_expiring: row.expires === null,
    created_at: row.created_at.toISOString(),
    cost: { amount: row.cost, currency: row.currency },
    gross_cost: { amount: row.gross_cost, currency: row.currency },
    country_tax_rate: { country_code: row.country_code, vat_rate: Number(row.vat_rate) },
    auto_renew: row.auto_renew,
    parent_id: row.parent_id,
    billing_period: row.billing_period as BillingPeriod,
    owner: row.owner_id,
    user_capabilities: {},
    coupons: coupons.filter(({ active }) => active),
    scheduled_actions: await listScheduledActions(deps.db, id),
    add_ons: await listAddOnsOf(deps.db, row, now),
    renewal,
    renewal_currency: await findBoundCurrency(deps.db, row, now),
  }
}

export type Renewal = {
  serviceId: string
  /** Null: the service renews itself. */
  executorId: string | null
  /** Where it renews itself: the end that this was decided by. */
  decidedBy?: Date
  body: RenewServiceBody
  /** The same key and body again is the same renewal. */
  key: string
  now: Date
}

/**
 * Renews from a wallet of the owner's.
 * @throws DomainError `resource_not_found`; `access_denied` to whoever is not the owner; `product_not_available` for what
 *   is free; those of `chargeWallet` and `requireAsked`; `wallet_has_other_currency` as long as what was paid may come
 *   back in that one; `no_price_for_parameters`; `idempotency_key_reused`.
 */
export async function renewService(deps: Deps, renewal: Renewal): Promise<void> {
  const { serviceId, body, key } = renewal
  const requestHash = hashRequest(body)
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined) throw notFound()
    if (renewal.executorId !== null && renewal.executorId !== service.owner_id) throw new DomainError('access_denied')
    const known = await findRenewal(trx, serviceId, key)
    if (known !== undefined) {
      requireSameRequest(known.request_hash, requestHash)
      return
    }
    if (renewal.executorId === null && !renewsItself(service, renewal)) return
    if (service.parent_id !== null) throw notFound() // renewed with its server
    if (isFree(service) || service.expires === null)
      throw new DomainError('product_not_available', { resource: 'billing_product' })
    await renew(deps, trx, { ...renewal, service, before: service.expires, requestHash })
  })
}

/** Since it was decided, its owner may have renewed it, switched that off, or chosen another wallet or period. */
const renewsItself = ({ auto_renew, expires, wallet_id, billing_period }: ServiceRow, { decidedBy, body }: Renewal) =>
  auto_renew &&
  expires?.getTime() === decidedBy?.getTime() &&
  wallet_id === body.wallet_id &&
  billing_period === body.billing_period

/** @throws DomainError `wallet_not_found` (also for other people's), `wallet_has_other_currency`. */
async function requireWallet(trx: Transaction, { service, body, now }: Work): Promise<Wallet> {
  if ((await findWalletOwner(trx, body.wallet_id)) !== service.owner_id)
    throw new DomainError('wallet_not_found', { resource: 'wallet' })
  const wallet = await getWallet(trx, body.wallet_id)
  if (wallet.currency !== service.currency && (await findBoundCurrency(trx, service, now)) !== null)
    throw new DomainError('wallet_has_other_currency', { resource: 'wallet' })
  return wallet
}

type Work = Renewal & { service: ServiceRow; before: Date; requestHash: Buffer }

async function renew(deps: Deps, trx: Transaction, work: Work): Promise<void> {
  const { service, before, body, key, executorId, now } = work
  const { settings } = deps
  const wallet = await requireWallet(trx, work)
  const codes = body.vouchers ?? []
  if (codes.length > 0) await beginUse(trx, { userId: service.owner_id, settings, now, count: codes.length })
  const asked = { currency: wallet.currency, period: body.billing_period }
  const vouchers = await readRenewalVouchers({ db: trx, settings }, { service, codes, ...asked, now })
  const [cost] = await quoteRenewalOf(trx, service, { ...asked, change: vouchers.change })
  if (cost === undefined) throw new DomainError('no_price_for_parameters', { resource: 'billing_product' })
  const from = new Date(Math.max(before.getTime(), now.getTime()))
  const after = new Date(from.getTime() + (hoursOfPeriod(body.billing_period) + cost.add_hours) * hour)
  if (executorId !== null) {
    const { amount } = cost.gross_price
    await requireAsked(trx, { userId: service.owner_id, amount, immediate: body.immediate, begins: from, now })
  }
  const transactionId = await payPurchase(trx, deps, {
    method: body.payment_method ?? 'wallet',
    serviceId: service.id,
    now,
    charge: {
      userId: service.owner_id,
      walletId: body.wallet_id,
      currency: wallet.currency,
      amount: cost.gross_price.amount,
      tax: cost.tax.amount,
      countryTaxRate: cost.country_tax_rate,
      positions: (cost.positions ?? []).map(({ product, gross_price }) => ({
        name: product,
        quantity: 1,
        tax: cost.country_tax_rate.vat_rate,
        total_price_gross: gross_price.amount,
      })),
      action: 'RENEW_SERVICE',
      key: `${service.id}:${key}`,
      details: {
        service_id: service.id,
        product_id: cost.product,
        billing_period: body.billing_period,
        expires: after.toISOString(),
      },
    },
  })
  await giveRenewalVouchers(trx, vouchers, { service, executorId, after, now })
  await endTrial(trx, service.id)
  await insertRenewal(trx, {
    serviceId: service.id,
    key,
    requestHash: work.requestHash,
    period: body.billing_period,
    executorId,
    before,
    after,
    transactionId,
    immediate: body.immediate === true,
    now,
  })
  await prolong(trx, service, { cost, walletId: body.wallet_id, transactionId, from, until: after, now })
  const confirmation = await confirmPurchase(trx, {
    transactionId,
    expires: after,
    immediate: body.immediate === true,
    isOrdered: executorId !== null,
    now,
  })
  await tellRenewed(deps, trx, { service, after, executorId, period: body.billing_period, confirmation })
}

/** A free server is kept on in its last days, or while its files are there: from now on, as it is not bought ahead. */
export async function renewFreeService(
  deps: Deps,
  { serviceId, executorId, now }: { serviceId: string; executorId: string; now: Date },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined) throw notFound()
    if (executorId !== service.owner_id) throw new DomainError('access_denied')
    if (!isFree(service) || service.expires === null)
      throw new DomainError('product_not_available', { resource: 'billing_product' })
    const opens = service.expires.getTime() - freeRenewalDays * 24 * hour
    if (now.getTime() < opens)
      throw new DomainError('too_many_requests', { retry_after: Math.ceil((opens - now.getTime()) / 1000) })
    const after = new Date(now.getTime() + hoursOfPeriod(freePeriod) * hour)
    await giveTime(trx, service.id, { expires: after, now })
    await tellRenewed(deps, trx, { service, after, executorId, period: freePeriod })
  })
}

/**
 * Tells of a new end: the log, the owner, and whoever sees to it that the server runs. What was to be deleted stays.
 * @throws DomainError `server_is_expired`: its files are gone already, there is nothing to go on with.
 */
export async function tellRenewed(
  deps: Deps,
  trx: Transaction,
  given: {
    service: ServiceRow
    after: Date
    executorId: string | null
    period?: BillingPeriod
    /** Where it was bought. */
    confirmation?: Confirmation
  },
): Promise<void> {
  const { service, after, executorId, period, confirmation } = given
  const rented = await findRented({ ...deps, db: trx }, service.id)
  if (rented === undefined) return
  if (rented.kind === 'website') return tellWebsiteRenewed(trx, { ...given, website: rented.website })
  const { server } = rented
  if (server.files_deleted_at !== null) throw new DomainError('server_is_expired', { resource: 'server' })
  await setCleanup(trx, server.id, null)
  const expires = after.toISOString()
  const eventId = await recordServerEvent(trx, server.id, {
    action: 'SERVER_RENEWED',
    data: {
      ...(executorId !== null && { executor: executorId }),
      expires,
      ...(period !== undefined && { billing_period: period }),
    },
  })
  await notify(trx, {
    userId: service.owner_id,
    kind: 'SERVER_RENEWED',
    fields: { server: server.name, ...confirmation, expires },
    resource: { type: 'server', id: server.id },
    eventId,
  })
  await reconcileServer(deps, trx, server.id)
}

/**
 * Has a service renew itself, or end with its paid time.
 * @throws DomainError `resource_not_found`; `product_not_available` for what is free, or never ends; `server_is_expired`.
 */
export async function changeRenewal(
  deps: Pick<Context, 'db' | 'settings'>,
  { serviceId, executorId, body, now }: { serviceId: string; executorId: string; body: ChangeServiceBody; now: Date },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined || service.parent_id !== null) throw notFound()
    if (isFree(service) || service.expires === null)
      throw new DomainError('product_not_available', { resource: 'billing_product' })
    const { auto_renew: autoRenew, cancel_at_end: cancel } = body
    // What renews itself does not end; that of the body counts, whatever is brought back.
    if (cancel !== undefined || autoRenew === true) {
      const endsNow = await setCancelled(trx, service, { value: cancel === true, executorId, now })
      if (endsNow) await confirmCancelled(deps, trx, { service, expires: service.expires })
    }
    // Whoever says no to it while it waits for that does not get it back.
    else if (autoRenew === false) await forgetRenewal(trx, serviceId)
    if (autoRenew !== undefined)
      await updateService(trx, serviceId, { auto_renew: autoRenew, auto_renew_failed_at: null })
  })
}

/** Owners keep the mail as proof that they have cancelled. */
async function confirmCancelled(
  deps: Pick<Context, 'db' | 'settings'>,
  trx: Transaction,
  { service, expires }: { service: ServiceRow; expires: Date },
): Promise<void> {
  const rented = await findRented({ ...deps, db: trx }, service.id)
  if (rented === undefined) return
  await notify(trx, {
    userId: service.owner_id,
    kind: 'SERVICE_CANCELLED',
    fields: {
      server: nameOfRented(rented),
      expires: expires.toISOString(),
      deleted_at: new Date(expires.getTime() + filesKept).toISOString(),
    },
    ...aboutRented(rented),
    ...(rented.kind === 'website' && { actions: ['open_website_plan'] as const }),
  })
}
