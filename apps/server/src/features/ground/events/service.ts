/**
 * The audit log: what happened to a user or a server, written in the transaction of what it tells of.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'
import type { AuditAction, AuditEvent, eventDetails, EventLevel, eventQuery } from '@wakestone/contract/ground/event'
import { DomainError } from '@wakestone/contract/errors'
import { createAnnouncement } from '#src/announcement.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import { countEvents, type EventRow, findEvent, findEvents, insertEvent, removePersonalDetails } from './repo.ts'

export { deleteEventsBefore as dropEventsBefore, findEvents } from './repo.ts'

/** Something was written into the log, in the transaction that does so. */
export const eventRecorded = createAnnouncement<{
  id: string
  resourceType: AuditEvent['resource_type']
  resourceId: string
  action: AuditAction
}>('recorded events')

/** What happened, with the details that belong to the action. */
type Facts<Action extends AuditAction> = {
  action: Action
  /** Without one INFO. */
  level?: EventLevel
  /** Without it yes. */
  success?: boolean
  error?: { code: string; fields?: Record<string, unknown> }
} & DataOf<z.input<(typeof eventDetails)[Action]>>
type DataOf<Details> = [Details] extends [Record<string, never>]
  ? { data?: { actor?: Actor } }
  : Partial<Details> extends Details
    ? { data?: Details & { actor?: Actor } }
    : { data: Details & { actor?: Actor } }

/** An administrator who acts in somebody else's place, as events show them. */
export type Actor = { user_id: string; username: string }
/** An API key, by its first characters: its name is its owner's affair. */
export type ActingKey = { id: string; hint: string }
type Acting = { actor?: Actor; api_key?: ActingKey }
const acting = new AsyncLocalStorage<Acting>()

/** Has every event that `work` records say through whom it came about, also where nobody thought of it. */
export function actingAs<Result>(by: Acting, work: () => Result): Result {
  return acting.run(by, work)
}

/** Through whom what happens now comes about: for what is told later. */
export const currentlyActing = (): Acting => acting.getStore() ?? {}

/** @returns id of the event. */
export async function recordEvent<const Action extends AuditAction>(
  trx: Transaction,
  { data, ...event }: { resourceType: AuditEvent['resource_type']; resourceId: string } & Facts<Action>,
): Promise<string> {
  const id = await insertEvent(trx, { ...event, data: { ...data, ...acting.getStore() } })
  const { resourceType, resourceId, action } = event
  await eventRecorded.announce(trx, { id, resourceType, resourceId, action })
  return id
}
/** What happened to an account. */
export function recordUserEvent<const Action extends AuditAction>(
  trx: Transaction,
  userId: string,
  facts: Facts<Action>,
): Promise<string> {
  return recordEvent(trx, { resourceType: 'user', resourceId: userId, ...facts })
}
/** What happened to a server. */
export function recordServerEvent<const Action extends AuditAction>(
  trx: Transaction,
  serverId: string,
  facts: Facts<Action>,
): Promise<string> {
  return recordEvent(trx, { resourceType: 'server', resourceId: serverId, ...facts })
}

/** Events of a user or a server, newest first. */
export async function listEvents(
  db: Handle,
  resourceId: string,
  { after, limit, ...filter }: z.output<typeof eventQuery>,
): Promise<{ data: AuditEvent[]; count: number }> {
  const [rows, count] = await Promise.all([
    findEvents(db, { resourceId, filter, after, limit }),
    countEvents(db, { resourceId, filter }),
  ])
  return { count, data: rows.map(showEvent) }
}

export function showEvent({ executor_id, executor_name, person_id, person_name, ...row }: EventRow): AuditEvent {
  return {
    ...row,
    resource_type: row.resource_type as AuditEvent['resource_type'],
    created_at: row.created_at.toISOString(),
    action: row.action as AuditAction,
    error: row.error as AuditEvent['error'],
    executor: executor_id === null || executor_name === null ? null : { id: executor_id, username: executor_name },
    person: person_id === null || person_name === null ? null : { id: person_id, username: person_name },
  }
}

/** What an event tells of, for the check of who may read it. */
export async function findEventResource(
  db: Handle,
  id: string,
): Promise<{ type: AuditEvent['resource_type']; id: string } | undefined> {
  const event = await findEvent(db, id)
  return event && { type: event.resource_type as AuditEvent['resource_type'], id: event.resource_id }
}

/** One event with all that is known. @throws DomainError `resource_not_found`. */
export async function getEvent(db: Handle, id: string): Promise<AuditEvent> {
  const row = await findEvent(db, id)
  if (row === undefined) throw new DomainError('resource_not_found')
  return showEvent(row)
}

/**
 * Leaves of the events of a deleted account what happened and when, and nothing that names a person.
 * The account must have been marked as deleted before, in the same transaction.
 */
export function anonymiseEventsOf(trx: Transaction, userId: string): Promise<void> {
  return removePersonalDetails(trx, userId)
}
