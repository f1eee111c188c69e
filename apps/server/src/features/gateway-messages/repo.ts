import { type Selectable, sql } from 'kysely'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import type { GatewayEvents } from '#src/db/types.gen.ts'

export type EventRow = Selectable<GatewayEvents>

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
  change: { from: readonly EventRow['state'][]; to: EventRow['state']; note?: string },
): Promise<boolean> {
  const isEnd = change.to !== 'verified'
  const result = await db
    .updateTable('gateway_events')
    .set({ state: change.to, note: change.note ?? null, ...(isEnd ? { processed_at: sql<Date>`now()` } : {}) })
    .where('id', '=', id)
    .where('state', 'in', [...change.from])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Messages that nothing was made of for this reason, of a span of time; the end is not within. */
export function findIgnoredEvents(
  db: Handle,
  { gateway, note, from, until }: { gateway: string; note: string; from: Date; until: Date },
): Promise<Pick<EventRow, 'raw' | 'headers'>[]> {
  return db
    .selectFrom('gateway_events')
    .select(['raw', 'headers'])
    .where('gateway', '=', gateway)
    .where('state', '=', 'ignored')
    .where('note', '=', note)
    .where('received_at', '>=', from)
    .where('received_at', '<', until)
    .orderBy('received_at')
    .execute()
}

/** Verified messages that wait, oldest first. */
export async function findWaitingEvents(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('gateway_events')
    .select('id')
    .where('state', '=', 'verified')
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
    .where('received_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Forgets messages that were not the gateway's, after a while. */
export async function forgetRefusedEvents(db: Db, { olderThanDays }: { olderThanDays: number }): Promise<void> {
  await db
    .deleteFrom('gateway_events')
    .where('state', '=', 'refused')
    .where('received_at', '<', sql<Date>`now() - make_interval(days => ${olderThanDays})`)
    .execute()
}
