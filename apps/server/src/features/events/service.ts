/**
 * The audit log: what happened to a user or a server, written in the transaction of what it tells of.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'
import type { AuditAction, AuditEvent, eventQuery } from '@wakestone/contract/event'
import type { Handle, Transaction } from '#src/db/client.ts'
import { insertEvent, type NewEvent, selectEvents } from './repo.ts'

export type { NewEvent }

/** An administrator who acts in somebody else's place, as events show them. */
export type Actor = { user_id: string; username: string }
const actors = new AsyncLocalStorage<Actor>()

/** Has every event that `work` records carry the actor, also where nobody thought of it. */
export function actingAs<Result>(actor: Actor | undefined, work: () => Result): Result {
  return actor === undefined ? work() : actors.run(actor, work)
}

/** @returns id of the event. */
export function recordEvent(trx: Transaction, event: NewEvent): Promise<string> {
  const actor = actors.getStore()
  return insertEvent(trx, actor === undefined ? event : { ...event, data: { ...event.data, actor } })
}

export async function listEvents(
  db: Handle,
  resourceId: string,
  query: z.output<typeof eventQuery>,
): Promise<{ data: AuditEvent[]; count: number }> {
  const { rows, count } = await selectEvents(db, resourceId, query)
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      level: row.level,
      resource_id: row.resource_id,
      resource_type: row.resource_type as AuditEvent['resource_type'],
      created_at: row.created_at.toISOString(),
      action: row.action as AuditAction,
      success: row.success,
      data: row.data as Record<string, unknown>,
      error: row.error as AuditEvent['error'],
    })),
  }
}
