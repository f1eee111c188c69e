import { type RawBuilder, sql } from 'kysely'
import {
  type AuditAction,
  type AuditEvent,
  type EventFilter,
  type EventLevel,
  eventCountLimit,
  eventLevels,
  longDetails,
  personalDetails,
} from '@wakestone/contract/ground/event'
import type { Handle, Transaction } from '#src/db/client.ts'
import { deleteOldest } from '#src/db/delete-oldest.ts'
import { firstIdAt } from '#src/db/ids.ts'

type NewEvent = {
  resourceType: AuditEvent['resource_type']
  resourceId: string
  action: AuditAction
  level?: EventLevel
  success?: boolean
  data?: object | undefined
  error?: object
}

export async function insertEvent(trx: Transaction, event: NewEvent): Promise<string> {
  const { id } = await trx
    .insertInto('audit_events')
    .values({
      level: event.level ?? eventLevels.INFO,
      resource_type: event.resourceType,
      resource_id: event.resourceId,
      action: event.action,
      success: event.success ?? true,
      data: JSON.stringify(event.data ?? {}),
      error: event.error === undefined ? null : JSON.stringify(event.error),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Found = { resourceId: string; filter: EventFilter; after?: string | undefined; limit: number }

/**
 * Ids of the newest events that fit, each level and action by itself: whatever the filter, an index is walked from its newest end
 * and left as soon as there are enough. Between two dates means between two ids.
 */
function newestIds({ resourceId, filter, after, limit }: Found): RawBuilder<{ id: string }> {
  const { action: actions, minLevel = 0, fromDate, toDate } = filter
  const levels = Object.values(eventLevels).filter((level) => level >= minLevel)
  const conditions = [
    sql`resource_id = ${resourceId}::uuid`,
    sql`level = wanted.level`,
    ...(actions === undefined ? [] : [sql`action = kind.action`]),
    ...(after === undefined ? [] : [sql`id < ${after}::uuid`]),
    ...(fromDate === undefined ? [] : [sql`id >= ${firstIdAt(Date.parse(fromDate))}::uuid`]),
    ...(toDate === undefined ? [] : [sql`id < ${firstIdAt(Date.parse(toDate) + 1)}::uuid`]),
  ]
  return sql`
    select found.id from unnest(${levels}::smallint[]) as wanted (level)
    ${actions === undefined ? sql`` : sql`cross join unnest(${[...new Set(actions)]}::text[]) as kind (action)`}
    cross join lateral (
      select id from audit_events where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}
    ) as found`
}

export type EventRow = Awaited<ReturnType<typeof findEvent>> & {}

const selectEvents = (db: Handle, leftOut: readonly string[] = []) =>
  db
    .selectFrom('audit_events as event')
    .leftJoin('users as executor', (join) =>
      join
        .on(sql<boolean>`executor.id = (event.data ->> 'executor')::uuid` as never)
        .on('executor.destroyed_at', 'is', null),
    )
    .select(['event.id', 'event.level', 'event.resource_id', 'event.resource_type', 'event.created_at'])
    .select(['event.action', 'event.success', 'event.error'])
    .leftJoin('users as person', (join) =>
      join.on(sql<boolean>`person.id = (event.data ->> 'person')::uuid` as never).on('person.destroyed_at', 'is', null),
    )
    .select(['executor.id as executor_id', 'executor.username as executor_name'])
    .select(['person.id as person_id', 'person.username as person_name'])
    .select(sql<Record<string, unknown>>`event.data - ${[...leftOut]}::text[]`.as('data'))

/** Newest first, without what may be long. */
export function findEvents(db: Handle, wanted: Found) {
  return selectEvents(db, longDetails)
    .where('event.id', 'in', sql<string>`(${newestIds(wanted)} order by id desc limit ${wanted.limit})`)
    .orderBy('event.id', 'desc')
    .execute()
}

/** How many events fit, counted no further than `eventCountLimit`. */
export async function countEvents(db: Handle, wanted: Pick<Found, 'resourceId' | 'filter'>): Promise<number> {
  const ids = newestIds({ ...wanted, limit: eventCountLimit })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${ids} limit ${eventCountLimit}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

export function findEvent(db: Handle, id: string) {
  return selectEvents(db).where('event.id', '=', id).executeTakeFirst()
}

/** Takes what names a person out of the events of an account; the table lets that happen to one that is gone only. */
export async function removePersonalDetails(trx: Transaction, userId: string): Promise<void> {
  await sql`
    update audit_events set data = data - ${[...personalDetails]}::text[]
    where resource_id = ${userId}::uuid and data ?| ${[...personalDetails]}::text[]`.execute(trx)
}

/** Removes some of the events made before a moment, the oldest first. @returns how many. */
export function deleteEventsBefore(db: Handle, before: Date, limit: number): Promise<number> {
  return deleteOldest(db, 'audit_events', { before, limit })
}
