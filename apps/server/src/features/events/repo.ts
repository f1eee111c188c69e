import type { z } from 'zod'
import type { AuditAction, eventQuery } from '@wakestone/contract/event'
import type { Handle, Transaction } from '#src/db/client.ts'

export type NewEvent = {
  level: number
  resourceType: 'user' | 'server'
  resourceId: string
  action: AuditAction
  success: boolean
  data?: Record<string, unknown>
  error?: { code: string; fields?: Record<string, unknown> }
}

export async function insertEvent(trx: Transaction, event: NewEvent): Promise<string> {
  const { id } = await trx
    .insertInto('audit_events')
    .values({
      level: event.level,
      resource_type: event.resourceType,
      resource_id: event.resourceId,
      action: event.action,
      success: event.success,
      data: JSON.stringify(event.data ?? {}),
      error: event.error === undefined ? null : JSON.stringify(event.error),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Newest first; `count` is of all that the filter lets through, whatever the page. */
export async function selectEvents(db: Handle, resourceId: string, query: z.output<typeof eventQuery>) {
  let filtered = db.selectFrom('audit_events').where('resource_id', '=', resourceId)
  if (query.action !== undefined) filtered = filtered.where('action', '=', query.action)
  if (query.fromDate !== undefined) filtered = filtered.where('created_at', '>=', new Date(query.fromDate))
  if (query.toDate !== undefined) filtered = filtered.where('created_at', '<=', new Date(query.toDate))
  if (query.minLevel !== undefined) filtered = filtered.where('level', '>=', query.minLevel)
  const page = query.after === undefined ? filtered : filtered.where('id', '<', query.after)
  const [rows, { count }] = await Promise.all([
    page.selectAll().orderBy('id', 'desc').limit(query.limit).execute(),
    filtered.select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}
