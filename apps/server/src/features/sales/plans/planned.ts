/** What is done to services by itself: planned changes of a plan, and cancellations. Each is one transaction. */
import { DomainError } from '@wakestone/contract/errors'
import type { ScheduledAction } from '@wakestone/contract/sales/service-change'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { applyPlan } from './apply-plan.ts'
import { type DiskMeter, findRentedServer } from '#src/features/servers/servers/service.ts'
import {
  findService,
  lockService,
  moveEnd,
  type ServiceRow,
  updateService,
} from '#src/features/sales/services/service.ts'
import { hashRequest } from '#src/idempotency.ts'
import { type ChangeDeps, lockPlan, type Request } from './change.ts'
import { showAction } from './quote.ts'
import {
  type ActionRow,
  deleteAction,
  endAction,
  insertAction,
  insertChange,
  markUnpaid,
  moveAction,
  moveActions,
  selectActions,
  selectDueActions,
} from './repo.ts'
import { isPaid, refuse, situate, targetsOf } from './situation.ts'
import { tellPlanChanged } from './told.ts'

/** What is planned for a service and not done, soonest first. */
export async function listScheduledActions(db: Handle, serviceId: string): Promise<ScheduledAction[]> {
  return (await selectActions(db, serviceId)).map(showAction)
}

/**
 * Takes a planned change of the plan back.
 * @throws DomainError `service_cannot_be_upgraded` once time after it is paid for at the other plan's price;
 *   `resource_not_found` where nothing is planned.
 */
export async function cancelPlannedChange(deps: Pick<Context, 'db'>, request: Omit<Request, 'key'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockPlan(trx, { ...request, key: '' })
    const planned = (await selectActions(trx, service.id)).find(({ action }) => action === 'CHANGE_PRODUCT')
    if (isPaid(planned)) throw refuse('change_is_paid', request)
    const isThere = await deleteAction(trx, { serviceId: service.id, action: 'CHANGE_PRODUCT', now: request.now })
    if (!isThere) throw new DomainError('resource_not_found', { resource: 'billing_service' })
  })
}

/**
 * Has a service end with its paid time, or takes that back: automatic renewal is then again what it was. The caller holds
 * its lock.
 * @returns whether it ends now and did not before.
 */
export async function setCancelled(
  trx: Transaction,
  service: ServiceRow,
  { value, executorId, now }: { value: boolean; executorId: string; now: Date },
): Promise<boolean> {
  const present = (await selectActions(trx, service.id)).find(({ action }) => action === 'CANCEL_SERVICE')
  if (!value) {
    await deleteAction(trx, { serviceId: service.id, action: 'CANCEL_SERVICE', now })
    if (renewedBefore(present)) await updateService(trx, service.id, { auto_renew: true })
    return false
  }
  if (service.expires === null || service.expires <= now) throw refuse('expired', { now })
  await updateService(trx, service.id, { auto_renew: false, auto_renew_failed_at: null })
  if (present !== undefined) return false
  await insertAction(trx, {
    serviceId: service.id,
    action: 'CANCEL_SERVICE',
    date: service.expires,
    details: service.auto_renew ? { auto_renew: true } : {},
    executorId,
  })
  return true
}

const renewedBefore = (cancellation: ActionRow | undefined) =>
  (cancellation?.details as ScheduledAction['details'] | undefined)?.auto_renew === true

/** Has a service end later, for nothing: what is planned for its end waits with it. The caller holds its lock. */
export async function giveTime(
  trx: Transaction,
  serviceId: string,
  { expires, now }: { expires: Date; now: Date },
): Promise<void> {
  await moveEnd(trx, serviceId, expires)
  await moveActions(trx, serviceId, { date: expires, now })
}

/** Time that was paid for is given up from its end: a change that was planned and paid for with it can be taken back. */
export async function releasePlans(
  trx: Transaction,
  serviceId: string,
  { expires, now }: { expires: Date; now: Date },
): Promise<void> {
  await markUnpaid(trx, serviceId, expires)
  await moveActions(trx, serviceId, { date: expires, now })
}

/** A contract is over: nothing that was planned for its end is left. */
export async function dropPlans(trx: Transaction, serviceId: string, now: Date): Promise<void> {
  for (const action of ['CHANGE_PRODUCT', 'CANCEL_SERVICE'] as const)
    await deleteAction(trx, { serviceId, action, now })
}

type Deps = ChangeDeps & Pick<Context, 'logger'>

/** Does what is due. What fails for one does not keep the others waiting, and is tried again with the next pass. */
export async function runDueActions(deps: Deps, diskOf: DiskMeter, now: Date): Promise<void> {
  for (const action of await selectDueActions(deps.db, now)) {
    try {
      if (action.action === 'CHANGE_PRODUCT') await changeAsPlanned(deps, diskOf, { action, now })
      else await endAsPlanned(deps, { action, now })
    } catch (error) {
      deps.logger.warn({ error, actionId: action.id }, 'what was planned for a service is not done yet')
    }
  }
}

/** What is not paid for waits for the end, wherever that has gone meanwhile. @returns whether it has to. */
async function waitsForEnd(
  trx: Transaction,
  given: { service: ServiceRow | undefined; row: ActionRow; now: Date },
): Promise<boolean> {
  const end = given.service?.expires
  if (isPaid(given.row) || end === undefined || end === null || end <= given.now) return false
  await moveAction(trx, given.row.id, end)
  return true
}

/** The end itself is the services' clock's work. */
async function endAsPlanned({ db }: Deps, { action, now }: { action: ActionRow; now: Date }): Promise<void> {
  await inTransaction(db, async (trx) => {
    const service = await lockService(trx, action.service_id)
    const row = (await selectActions(trx, action.service_id)).find(({ id }) => id === action.id)
    if (row === undefined || (await waitsForEnd(trx, { service, row, now }))) return
    await endAction(trx, row.id, { now })
  })
}

async function changeAsPlanned(
  deps: Deps,
  diskOf: DiskMeter,
  { action, now }: { action: ActionRow; now: Date },
): Promise<void> {
  const server = await findRentedServer(deps, action.service_id)
  const isThere = (await findService(deps.db, action.service_id)) !== undefined
  const used = server === undefined || !isThere ? 0 : await diskOf(server.id)
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, action.service_id)
    const row = (await selectActions(trx, action.service_id)).find(({ id }) => id === action.id)
    if (row === undefined) return // taken back, or done by another worker
    if (await waitsForEnd(trx, { service, row, now })) return
    const productId = (row.details as { product_id: string }).product_id
    if (service === undefined || service.product_id === productId) return endAction(trx, row.id, { now })
    const situation = await situate(trx, service, now)
    const target = (await targetsOf(trx, situation)).find(({ product }) => product.id === productId)
    // Once the time after it is paid for at the other plan's price there is no way back.
    const fits = isPaid(row) || (target !== undefined && (target.direction === 'up' || used <= target.storage))
    await endAction(trx, row.id, { now, failed: !fits })
    if (fits) return takePlan(deps, trx, { service, productId, isUp: target?.direction === 'up', row, now })
    if (server === undefined) return
    await notify(trx, {
      userId: service.owner_id,
      kind: 'DOWNGRADE_FAILED',
      fields: { server: server.name, product: productId },
      resource: { type: 'server', id: server.id },
    })
  })
}

async function takePlan(
  deps: Deps,
  trx: Transaction,
  given: { service: ServiceRow; productId: string; isUp: boolean; row: ActionRow; now: Date },
): Promise<void> {
  const { service, productId, isUp, row, now } = given
  await updateService(trx, service.id, { product_id: productId })
  await insertChange(trx, {
    serviceId: service.id,
    kind: isUp ? 'upgrade' : 'downgrade',
    key: `planned:${row.id}`,
    requestHash: hashRequest(row.details),
    executorId: null,
    productBefore: service.product_id,
    productAfter: productId,
    addOnId: null,
    expires: service.expires,
    currency: service.currency,
    amount: 0,
    transactionIds: [],
    at: now,
  })
  const serverId = await applyPlan(deps, trx, service.id)
  if (serverId === undefined) return
  await recordServerEvent(trx, serverId, {
    action: isUp ? 'SERVICE_UPGRADE' : 'SERVICE_DOWNGRADE',
    data: { service_id: service.id, old_product: service.product_id, new_product: productId },
  })
  // Without a renewal its time is over just now.
  const expires = service.expires !== null && service.expires > now ? service.expires : null
  await tellPlanChanged(deps, trx, { service, productId, transactionId: null, expires, now })
}
