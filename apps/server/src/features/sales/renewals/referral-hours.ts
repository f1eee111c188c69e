/** Hours from invitations, put on a service: it ends so much later. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { giveTime } from '#src/features/sales/plans/service.ts'
import { spendHours } from '#src/features/sales/referrals/service.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import { isPaid, lockService } from '#src/features/sales/services/service.ts'
import { isFree, notFound } from './quote.ts'
import { tellRenewed } from './service.ts'

export type ReferralHours = {
  serviceId: string
  executorId: string
  code: string
  /** All there are where missing. */
  hours: number | undefined
  key: string
  now: Date
}

/**
 * Adds hours to the later of now and the present end. What costs nothing takes none: a trial is not prolonged, and what is
 * free renews itself. What a service was paid with stays as it is: hours are worth no money.
 * @throws DomainError `resource_not_found`, `access_denied`, `product_not_available` and those of `spendHours`.
 */
export async function putReferralHours(
  deps: Pick<Context, 'db' | 'boss' | 'settings'>,
  { serviceId, executorId, code, hours, key, now }: ReferralHours,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined) throw notFound()
    if (executorId !== service.owner_id) throw new DomainError('access_denied')
    const before = service.expires
    if (isFree(service) || !isPaid(service, now) || before === null || service.parent_id !== null)
      throw new DomainError('product_not_available', { resource: 'billing_product' })
    // What it costs says nothing here: a trial that was changed to another plan has that one's price.
    if ((await findRentedServer({ ...deps, db: trx }, serviceId))?.testing === true)
      throw new DomainError('product_not_available', { resource: 'billing_product' })
    const after = await spendHours(trx, { userId: executorId, serviceId, code, hours, key, before, now })
    if (after === undefined) return
    await giveTime(trx, serviceId, { expires: after, now })
    await tellRenewed(deps, trx, { service, after, executorId })
  })
}
