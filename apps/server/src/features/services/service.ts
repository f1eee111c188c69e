/**
 * Billing services: what a customer pays for, and until when.
 */
import type { Craftum } from '@wakestone/contract/craftum'
import type { Handle, Transaction } from '#src/db/client.ts'
import {
  insertService,
  isFreeServerHeld,
  isPaidServiceActive,
  type NewService,
  selectService,
  selectServiceIds,
  selectServicesOfType,
} from './repo.ts'

export { lockService, selectService as findService, type ServiceRow, updateService } from './repo.ts'

/** Whose it is; undefined where there is none, or none any more. */
export async function findServiceOwner(db: Handle, id: string): Promise<string | undefined> {
  return (await selectService(db, id))?.owner_id
}

/** Ids of the services that a user holds, oldest first. */
export function listServiceIdsOf(db: Handle, userId: string): Promise<string[]> {
  return selectServiceIds(db, userId)
}

/** Websites that a user rents, oldest first. */
export async function listCraftumsOf(db: Handle, userId: string): Promise<Craftum[]> {
  const rows = await selectServicesOfType(db, userId, 'CRAFTUM')
  return rows.map(({ id, product_id, created_at, expires }) => ({
    id,
    service_id: id,
    product_id,
    created_at: created_at.toISOString(),
    expires: expires?.toISOString() ?? null,
  }))
}

/** There is one for each user at most. */
export function hasFreeServer(db: Handle, userId: string): Promise<boolean> {
  return isFreeServerHeld(db, userId)
}

/** Begins a service that has just been paid for. @returns its id. */
export function createService(trx: Transaction, service: NewService): Promise<string> {
  return insertService(trx, service)
}

/** Whether a user has paid for a time that is not over. */
export function hasActivePaidService(db: Handle, userId: string): Promise<boolean> {
  return isPaidServiceActive(db, userId)
}
