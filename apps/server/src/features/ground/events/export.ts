/** A list of events as CSV: read page by page, so that neither memory nor a transaction holds all of it. */
import { type AuditEvent, type EventFilter, eventLevels } from '@wakestone/contract/ground/event'
import type { Handle } from '#src/db/client.ts'
import { csvLine } from '@wakestone/kit/csv'
import { findEvents } from './repo.ts'
import { showEvent } from './service.ts'

const columns = ['id', 'time', 'level', 'action', 'success', 'executor', 'error', 'details'] as const
const eventsAtOnce = 500

const nameOfLevel = (level: number) => Object.entries(eventLevels).find(([, value]) => value === level)?.[0]

function lineOf(event: AuditEvent): string {
  const row: Record<(typeof columns)[number], string> = {
    id: event.id,
    time: event.created_at,
    level: nameOfLevel(event.level) ?? String(event.level),
    action: event.action,
    success: event.success ? 'yes' : 'no',
    executor: event.executor?.username ?? '',
    error: event.error?.code ?? '',
    details: JSON.stringify(event.data),
  }
  return csvLine(columns.map((column) => row[column]))
}

export async function* exportEvents(db: Handle, resourceId: string, filter: EventFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: string | undefined
  do {
    const rows = await findEvents(db, { resourceId, filter, after, limit: eventsAtOnce })
    yield rows.map((row) => lineOf(showEvent(row))).join('')
    after = rows.length < eventsAtOnce ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}
