/**
 * A website's renewals and its end. It goes off by itself once its time is over; here that is told, and what is in it is
 * deleted two weeks later unless it was renewed. That is told at least three days before.
 */
import type { Money } from '@wakestone/kit/money'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { lockService, type ServiceRow, updateService } from '#src/features/sales/services/service.ts'
import type { Confirmation } from '#src/features/sales/confirmations/service.ts'
import { endWebsite, findRentedWebsite, setWebsiteCleanup } from '#src/features/websites/craftums/service.ts'
import { filesKept, warnedBefore } from './kept.ts'

type Deps = Pick<Context, 'db' | 'settings'>
const day = 86_400_000
const eventOf = ({ id, name }: Craftum) => ({ website_id: id, name })
const resourceOf = ({ id }: Craftum) => ({ type: 'craftum' as const, id })

/** Nothing where there is no price to be told; `period` in days. */
export type RenewalPrice = { amount?: Money; period?: number }

export async function warnOfWebsite(
  trx: Transaction,
  given: { service: ServiceRow; website: Craftum; expires: Date; days: number; price: RenewalPrice },
): Promise<void> {
  const { service, website, expires, days, price } = given
  await notify(trx, {
    userId: service.owner_id,
    kind: 'WEBSITE_EXPIRES_WARNING',
    fields: { website: website.name, days, expires: expires.toISOString(), ...price },
    resource: resourceOf(website),
    dedupeKey: `expires:${service.id}:${expires.toISOString()}:${days}`,
  })
}

export async function tellWebsiteEnd(
  trx: Transaction,
  { service, website, expires, isTold }: { service: ServiceRow; website: Craftum; expires: Date; isTold: boolean },
): Promise<void> {
  const eventId = await recordUserEvent(trx, service.owner_id, {
    action: 'USER_WEBSITE_EXPIRED',
    data: { ...eventOf(website), expires: expires.toISOString() },
  })
  if (isTold) return
  await notify(trx, {
    userId: service.owner_id,
    kind: 'WEBSITE_EXPIRED',
    fields: { website: website.name, deleted_at: new Date(expires.getTime() + filesKept).toISOString() },
    resource: resourceOf(website),
    eventId,
  })
}

export async function tellWebsiteRenewed(
  trx: Transaction,
  {
    service,
    website,
    after,
    period,
    confirmation,
  }: { service: ServiceRow; website: Craftum; after: Date; period?: BillingPeriod; confirmation?: Confirmation },
): Promise<void> {
  await setWebsiteCleanup(trx, website.id, null)
  const expires = after.toISOString()
  const eventId = await recordUserEvent(trx, service.owner_id, {
    action: 'USER_WEBSITE_RENEWED',
    data: { ...eventOf(website), expires, ...(period !== undefined && { billing_period: period }) },
  })
  await notify(trx, {
    userId: service.owner_id,
    kind: 'WEBSITE_RENEWED',
    fields: { website: website.name, ...confirmation, expires },
    resource: resourceOf(website),
    eventId,
  })
}

/** One of the services that ended; repeated until it is over. */
export function cleanUpWebsite(deps: Deps, serviceId: string, now: Date): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service?.expires == null || service.expires > now) return // renewed meanwhile
    const website = await findRentedWebsite({ ...deps, db: trx }, serviceId)
    if (website === undefined) return
    if (website.cleanup_date === null) {
      const at = new Date(Math.max(service.expires.getTime() + filesKept, now.getTime() + warnedBefore))
      await setWebsiteCleanup(trx, website.id, at)
      await notify(trx, {
        userId: service.owner_id,
        kind: 'WEBSITE_CLEANUP_WARNING',
        fields: { website: website.name, days: Math.ceil((at.getTime() - now.getTime()) / day) },
        resource: resourceOf(website),
      })
      return
    }
    if (Date.parse(website.cleanup_date) > now.getTime()) return
    await endWebsite(trx, website.id, now)
    await updateService(trx, service.id, { ended_at: now })
    const eventId = await recordUserEvent(trx, service.owner_id, {
      action: 'USER_WEBSITE_DELETED',
      data: eventOf(website),
    })
    await notify(trx, {
      userId: service.owner_id,
      kind: 'WEBSITE_CLEANED_UP',
      fields: { website: website.name, address: website.address },
      resource: resourceOf(website),
      eventId,
    })
  })
}
