import { type Selectable, sql } from 'kysely'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import type { GatewayEvents } from '#src/db/types.gen.ts'

export type EventRow = Selectable<GatewayEvents>

/** What is kept of a message that was refused. */
const refusedBytes = 1024
const isDue = sql<boolean>`(next_try_at is null or next_try_at <= now())`

/** Stores a message as it came; the same message again is the row that is there. */
export async function storeEvent(
  db: Db,
  event: { gateway: string; raw: Buffer; headers: object; dedupeKey: Buffer },
): Promise<{ id: string; state: string }> {
  const made = await db
    .insertInto('gateway_events')
    .values({
      gateway: event.gateway,
      raw: event.raw,
      headers: JSON.stringify(event.headers),
      dedupe_key: event.dedupeKey,
    })
    .onConflict((conflict) => conflict.columns(['gateway', 'dedupe_key']).doNothing())
    .returning(['id', 'state'])
    .executeTakeFirst()
  if (made !== undefined) return made
  return db
    .selectFrom('gateway_events')
    .select(['id', 'state'])
    .where('gateway', '=', event.gateway)
    .where('dedupe_key', '=', event.dedupeKey)
    .executeTakeFirstOrThrow()
}

export function findEvent(db: Handle, id: string): Promise<EventRow | undefined> {
  return db.selectFrom('gateway_events').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @returns whether it was this call that moved the event on. */
export async function moveEvent(
  db: Db | Transaction,
  id: string,
  change: { from: readonly EventRow['state'][]; to: EventRow['state']; note?: string; raw?: Buffer },
): Promise<boolean> {
  const isEnd = change.to !== 'verified'
  const result = await db
    .updateTable('gateway_events')
    .set({
      state: change.to,
      note: change.note ?? null,
      next_try_at: null,
      processed_at: isEnd ? sql<Date>`now()` : null,
      ...(change.raw === undefined ? {} : { raw: change.raw }),
    })
    .where('id', '=', id)
    .where('state', 'in', [...change.from])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** It is not the gateway's: the beginning of it is kept, by which somebody may see what it wanted to be. */
export async function refuseStoredEvent(db: Db, id: string): Promise<void> {
  await db
    .updateTable('gateway_events')
    .set({
      state: 'refused',
      note: 'signature',
      raw: sql<Buffer>`substr(raw, 1, ${refusedBytes})`,
      next_try_at: null,
      processed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['received', 'refused'])
    .execute()
}

/**
 * Nothing can be made of a message now: it is looked at again in a minute, later the older it is, each hour at last.
 * @param withinSeconds no more once it is older than that; unset: for ever.
 * @returns whether it waits.
 */
export async function postponeEvent(
  db: Db,
  id: string,
  { note, withinSeconds }: { note?: string; withinSeconds?: number } = {},
): Promise<boolean> {
  let postponed = db
    .updateTable('gateway_events')
    .set({
      ...(note === undefined ? {} : { state: 'verified', note }),
      next_try_at: sql<Date>`now() + least(greatest(now() - received_at, interval '1 minute'), interval '1 hour')`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['received', 'verified'])
  if (withinSeconds !== undefined) {
    postponed = postponed.where('received_at', '>', sql<Date>`now() - make_interval(secs => ${withinSeconds})`)
  }
  return (await postponed.executeTakeFirst()).numUpdatedRows > 0n
}

/** Messages of a span of time that nothing was made of for this reason, or not yet; the end is not within. */
export function findUnmadeEvents(
  db: Handle,
  { gateway, note, from, until }: { gateway: string; note: string; from: Date; until: Date },
): Promise<Pick<EventRow, 'raw' | 'headers'>[]> {
  return (
    db
      .selectFrom('gateway_events')
      .select(['raw', 'headers'])
      .where('gateway', '=', gateway)
      // Each half has an index.
      .where(sql<boolean>`(state = 'ignored' or (state = 'verified' and next_try_at is not null))`)
      .where('note', '=', note)
      .where('received_at', '>=', from)
      .where('received_at', '<', until)
      .orderBy('received_at')
      .execute()
  )
}

/** Verified messages that wait, oldest first. */
export async function findWaitingEvents(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('gateway_events')
    .select('id')
    .where('state', '=', 'verified')
    .where(isDue)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Messages that were left behind when a process ended. */
export async function findLeftEvents(
  db: Db,
  { olderThanSeconds, limit }: { olderThanSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('gateway_events')
    .select('id')
    .where('state', 'in', ['received', 'verified'])
    .where(isDue)
    .where('received_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes at most `limit` messages that were done with before a moment, the oldest first. @returns how many. */
export async function dropMessagesBefore(db: Handle, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('gateway_events')
    .select('id')
    .where('state', 'in', ['processed', 'ignored'])
    .where('received_at', '<', before)
    .orderBy('id')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('gateway_events').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Forgets messages that were not the gateway's, after a while. */
export async function forgetRefusedEvents(db: Db, { olderThanDays }: { olderThanDays: number }): Promise<void> {
  await db
    .deleteFrom('gateway_events')
    .where('state', '=', 'refused')
    .where('received_at', '<', sql<Date>`now() - make_interval(days => ${olderThanDays})`)
    .execute()
}
