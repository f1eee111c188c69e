/**
 * Billing services: what a customer pays for, and until when.
 */
import type { OwnerCheck } from '#src/owner-check.ts'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import {
  insertService,
  lockService,
  type NewService,
  selectAddOns,
  selectRunning,
  selectService,
  selectServiceIds,
  type ServiceRow,
  updateService,
} from './repo.ts'
import { paidFor, type Payment, type Span } from './value.ts'

export {
  lockService,
  selectAddOns as listAddOns,
  selectEffectiveParameters as findEffectiveParameters,
  selectService as findService,
  type ServiceRow,
  updateService,
} from './repo.ts'
export {
  changePeriod,
  changePlan,
  giveUp,
  held,
  heldWithoutGaps,
  paidLeft,
  type Payment,
  priceOfTime,
  type Return,
  type Span,
  takeOut,
  within,
} from './value.ts'

/** Has a service, and what was added to it, end at another moment; the caller holds its lock. */
export async function moveEnd(trx: Transaction, serviceId: string, expires: Date): Promise<void> {
  await updateService(trx, serviceId, { expires, auto_renew_failed_at: null })
  for (const { id } of await selectAddOns(trx, serviceId)) await updateService(trx, id, { expires })
}

/** What the time left of a service is worth and what was paid for it, as it was written down. */
export const spansOf = (service: Pick<ServiceRow, 'value_held'>) => service.value_held as unknown as Span[]

/**
 * Writes down what a time was got for, in the transaction that pays for it. Whatever sets the end of a service to a
 * later moment says so here; hours of which nothing is said count as a gift at the price of the plan.
 * @param bought `price`: what the time costs without any reduction, gross at `vatRate`; `paid`: what was paid for it.
 */
export async function holdValue(
  trx: Transaction,
  serviceId: string,
  bought: {
    from: Date
    until: Date
    period: BillingPeriod
    currency: string
    price: number
    vatRate: number
    paid: Payment
    now: Date
  },
): Promise<void> {
  if (bought.until <= bought.from) return
  const row = await lockService(trx, serviceId)
  if (row === undefined) throw new Error('no service to write a value to')
  const span: Span = {
    from: bought.from.getTime(),
    until: bought.until.getTime(),
    period: bought.period,
    currency: bought.currency,
    worth: bought.price,
    vatRate: bought.vatRate,
    known: {},
    payments: bought.paid.amount === 0 ? [] : [bought.paid],
  }
  const left = spansOf(row).filter(({ until }) => until > bought.now.getTime())
  await updateService(trx, serviceId, { value_held: JSON.stringify([...left, span]) })
}

/** Whose it is; undefined where there is none, or none any more. */
export async function findServiceOwner(db: Handle, id: string): Promise<string | undefined> {
  return (await selectService(db, id))?.owner_id
}

/** Ids of the services that a user holds, oldest first. */
export function listServiceIdsOf(db: Handle, userId: string): Promise<string[]> {
  return selectServiceIds(db, userId)
}

/** Begins a service that has just been paid for. @returns its id. */
export function createService(trx: Transaction, service: NewService): Promise<string> {
  return insertService(trx, service)
}

/** Whether a user has paid for a time that is not over. */
export async function hasActivePaidService(db: Handle, userId: string): Promise<boolean> {
  return (await selectRunning(db, userId)).some((service) => isPaid(service, new Date()))
}

/** Whether it costs something, or was paid for before a voucher made its last renewal free, for a time that is not over. */
export const isPaid = (service: ServiceRow, now: Date): boolean =>
  service.gross_cost > 0 || spansOf(service).some((span) => span.until > now.getTime() && paidFor(span) > 0)

export const serviceOwners: OwnerCheck = {
  findOwner: findServiceOwner,
  notFound: { code: 'resource_not_found', resource: 'billing_service' },
}
