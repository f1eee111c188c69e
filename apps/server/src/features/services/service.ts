/**
 * Billing services: what a customer pays for, and until when.
 */
import type { Handle, Transaction } from '#src/db/client.ts'
import { insertService, isPaidServiceActive, type NewService, selectServiceIds } from './repo.ts'

/** Ids of the services that a user holds, oldest first. */
export function listServiceIdsOf(db: Handle, userId: string): Promise<string[]> {
  return selectServiceIds(db, userId)
}

/** Begins a service that has just been paid for. @returns its id. */
export function createService(trx: Transaction, service: NewService): Promise<string> {
  return insertService(trx, service)
}

/** Whether a user has paid for a time that is not over. */
export function hasActivePaidService(db: Handle, userId: string): Promise<boolean> {
  return isPaidServiceActive(db, userId)
}
