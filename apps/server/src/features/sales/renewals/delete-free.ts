/** Deletes a free server at its owner's request: its files at once, its address as soon as they are gone. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { dropPlans } from '#src/features/sales/plans/service.ts'
import { listAddOns, lockService, spansOf, updateService } from '#src/features/sales/services/service.ts'
import { requireIdle } from '#src/features/servers/operations/service.ts'
import {
  deleteFiles,
  endServer,
  findRentedServer,
  lockServer,
  reconcileServer,
} from '#src/features/servers/servers/service.ts'
import { isFree } from './quote.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>

/**
 * Cannot be undone. The reconciler removes the volume and then ends the server.
 * @throws DomainError `access_denied` for anyone but the owner; `product_not_available` if paid time is left; a busy code
 * if an exclusive operation is under way
 */
export async function deleteFreeServer(
  deps: Deps,
  { serviceId, executorId, now }: { serviceId: string; executorId: string; now: Date },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const service = await lockService(trx, serviceId)
    if (service === undefined) throw new DomainError('resource_not_found', { resource: 'billing_service' })
    if (executorId !== service.owner_id) throw new DomainError('access_denied')
    const rows = [service, ...(await listAddOns(trx, service.id))]
    const isPaid = rows.some((row) =>
      spansOf(row).some(({ until, payments }) => until > now.getTime() && payments.length > 0),
    )
    if (!isFree(service) || isPaid) throw new DomainError('product_not_available', { resource: 'billing_product' })
    const found = await findRentedServer({ ...deps, db: trx }, service.id)
    if (found !== undefined) await lockServer(trx, found.id)
    // Read again under the lock: its volume may have been removed meanwhile.
    const server = await findRentedServer({ ...deps, db: trx }, service.id)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    await requireNothingUnderWay(trx, server.id)
    await dropPlans(trx, service.id, now)
    for (const { id } of rows) await updateService(trx, id, { expires: now, expiry_noted: now, ended_at: now })
    await recordUserEvent(trx, executorId, { action: 'USER_DELETE_SERVER', data: { name: server.name } })
    if (server.volume_removed_at !== null) return endServer(trx, server.id, now)
    await deleteFiles(trx, server.id, now)
    await reconcileServer(deps, trx, server.id)
  })
}

/** A server that is still being prepared has nothing to lose. */
async function requireNothingUnderWay(trx: Transaction, serverId: string): Promise<void> {
  await requireIdle(trx, serverId).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'server_is_preparing')) throw error
  })
}
