/** What another period costs: one quote for what is shown, promised and charged. */
import { DomainError } from '@wakestone/contract/errors'
import type { BillingPeriod, Currency } from '@wakestone/contract/primitives'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Service } from '@wakestone/contract/sales/service'
import type { Context } from '#src/context.ts'
import { quoteRenewalOf } from '#src/features/sales/plans/service.ts'
import { findService, type ServiceRow } from '#src/features/sales/services/service.ts'
import { readRenewalVouchers } from './renewal-vouchers.ts'

type Deps = Pick<Context, 'db' | 'settings'>

/** So long before its end a service renews itself, in milliseconds. */
export const renewsBefore = 86_400_000

export const notFound = () => new DomainError('resource_not_found', { resource: 'billing_service' })
/** What is free is kept on, not bought again. */
export const isFree = (service: ServiceRow) => service.product_id === 'FREE'

/**
 * What another period costs now, for each period, with vouchers and the coupon of the service.
 * @param currency without it that of the service.
 * @throws DomainError `resource_not_found`, `product_has_no_price_for_selected_currency`; those of `readVouchers`.
 */
export async function quoteRenewal(
  deps: Deps,
  {
    serviceId,
    currency,
    codes = [],
    now,
  }: { serviceId: string; currency?: Currency | undefined; codes?: string[]; now: Date },
): Promise<Cost[]> {
  const service = await findService(deps.db, serviceId)
  if (service === undefined) throw notFound()
  const asked = { currency: currency ?? (service.currency as Currency) }
  const { change } = await readRenewalVouchers(deps, { service, codes, ...asked, now })
  return quoteRenewalOf(deps.db, service, { ...asked, change })
}

/** What it costs to renew itself, for the period of last time; undefined where that has no price. */
export async function quoteItself(deps: Deps, service: ServiceRow, now: Date): Promise<Cost | undefined> {
  const costs = await quoteRenewal(deps, { serviceId: service.id, now })
  return costs.find(({ period }) => period === (service.billing_period as BillingPeriod))
}

/** What is shown of the next renewal; null for what is not renewed, or has no price now. */
export async function showRenewal(deps: Deps, service: ServiceRow, now: Date): Promise<Service['renewal']> {
  if (isFree(service) || service.expires === null || service.parent_id !== null) return null
  const cost = await quoteItself(deps, service, now).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined
    throw error
  })
  if (cost === undefined) return null
  const automatic = new Date(service.expires.getTime() - renewsBefore).toISOString()
  return { cost, automatic_at: service.auto_renew ? automatic : null }
}
