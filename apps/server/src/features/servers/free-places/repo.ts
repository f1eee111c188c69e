/** Who holds a place for a free server, and who waits for one. Whatever changes that holds the cluster's lock. */
import { sql } from 'kysely'
import { livePhases } from '@wakestone/protocol/phases'
import type { Handle, Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'

/** Places are taken and given one after the other. */
export const lockPlaces = (trx: Transaction, clusterId: string) => lockName(trx, `free places of ${clusterId}`)

export type QueueEntry = { user_id: string; cluster_id: string; number: number; offered_until: Date | null }
export type Session = {
  id: string
  user_id: string
  cluster_id: string
  server_id: string | null
  taken_at: Date
  started_at: Date | null
  ends_at: Date
  warned: number | null
}

const entryColumns = ['user_id', 'cluster_id', 'number', 'offered_until'] as const
const sessionColumns = [
  'id',
  'user_id',
  'cluster_id',
  'server_id',
  'taken_at',
  'started_at',
  'ends_at',
  'warned',
] as const

/** Servers that somebody was given for nothing, and those only, need a place. */
export const freeProduct = 'FREE'

/** @param otherwise for a cluster that has no number of its own; undefined when there is no such cluster */
export async function findPlaceCount(db: Handle, clusterId: string, otherwise: number): Promise<number | undefined> {
  const row = await db.selectFrom('clusters').select('free_places').where('id', '=', clusterId).executeTakeFirst()
  return row && (row.free_places ?? otherwise)
}

/** Sessions and offers: each of them is one place. */
export async function countTaken(db: Handle, clusterId: string): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select (select count(*) from free_sessions where cluster_id = ${clusterId} and ended_at is null)
      + (select count(*) from free_server_queue where cluster_id = ${clusterId} and offered_until is not null) as taken`.execute(
    db,
  )
  return rows[0]?.taken ?? 0
}

/** Clusters on which something may have to be done. */
export async function selectBusyClusters(db: Handle): Promise<string[]> {
  const { rows } = await sql<{ cluster_id: string }>`
    select cluster_id from free_sessions where ended_at is null union select cluster_id from free_server_queue`.execute(
    db,
  )
  return rows.map(({ cluster_id }) => cluster_id)
}

export function findEntry(db: Handle, userId: string): Promise<QueueEntry | undefined> {
  return db.selectFrom('free_server_queue').select(entryColumns).where('user_id', '=', userId).executeTakeFirst()
}

/** How many on the same cluster wait, and how many of them came before. */
export async function countWaiting(
  db: Handle,
  clusterId: string,
  number: number,
): Promise<{ waiting: number; ahead: number }> {
  const { rows } = await sql<{ waiting: number; ahead: number }>`
    select count(*) as waiting, count(*) filter (where number < ${number}) as ahead from free_server_queue
    where cluster_id = ${clusterId} and offered_until is null`.execute(db)
  return rows[0] ?? { waiting: 0, ahead: 0 }
}

/** @returns false when they wait already. */
export async function insertEntry(
  trx: Transaction,
  { userId, clusterId, now }: { userId: string; clusterId: string; now: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('free_server_queue')
    .values({ user_id: userId, cluster_id: clusterId, joined_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteEntry(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('free_server_queue').where('user_id', '=', userId).execute()
}

/** Offers that nobody took. */
export function deleteLapsedOffers(trx: Transaction, clusterId: string, now: Date): Promise<QueueEntry[]> {
  return trx
    .deleteFrom('free_server_queue')
    .where('cluster_id', '=', clusterId)
    .where('offered_until', '<=', now)
    .returning(entryColumns)
    .execute()
}

/** Holds places for those who have waited longest. */
export async function offerToFirst(
  trx: Transaction,
  clusterId: string,
  { count, until }: { count: number; until: Date },
): Promise<QueueEntry[]> {
  return trx
    .updateTable('free_server_queue')
    .set({ offered_until: until })
    .where('user_id', 'in', (waiting) =>
      waiting
        .selectFrom('free_server_queue')
        .select('user_id')
        .where('cluster_id', '=', clusterId)
        .where('offered_until', 'is', null)
        .orderBy('number')
        .limit(count),
    )
    .returning(entryColumns)
    .execute()
}

/** The session that somebody has now. */
export function findSession(db: Handle, userId: string): Promise<Session | undefined> {
  return db
    .selectFrom('free_sessions')
    .select(sessionColumns)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export function selectSessions(db: Handle, clusterId: string): Promise<Session[]> {
  return db
    .selectFrom('free_sessions')
    .select(sessionColumns)
    .where('cluster_id', '=', clusterId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function insertSession(
  trx: Transaction,
  session: { userId: string; clusterId: string; serverId: string | null; takenAt: Date; endsAt: Date },
): Promise<void> {
  await trx
    .insertInto('free_sessions')
    .values({
      user_id: session.userId,
      cluster_id: session.clusterId,
      server_id: session.serverId,
      taken_at: session.takenAt,
      ends_at: session.endsAt,
    })
    .execute()
}

export async function updateSession(
  trx: Transaction,
  id: string,
  change: Partial<Pick<Session, 'server_id' | 'taken_at' | 'started_at' | 'ends_at' | 'warned'>>,
): Promise<void> {
  await trx.updateTable('free_sessions').set(change).where('id', '=', id).where('ended_at', 'is', null).execute()
}

export type EndReason = 'over' | 'asleep' | 'unused'

/** Sessions whose time has passed. */
export function endSessionsOver(trx: Transaction, clusterId: string, now: Date): Promise<Session[]> {
  return trx
    .updateTable('free_sessions')
    .set((row) => ({
      ended_at: now,
      end_reason: row.case().when('server_id', 'is', null).then('unused').else('over').end(),
    }))
    .where('cluster_id', '=', clusterId)
    .where('ended_at', 'is', null)
    .where('ends_at', '<=', now)
    .returning(sessionColumns)
    .execute()
}

/**
 * Sessions of servers of which nothing is up and nothing should be: their places are others'. A server that somebody
 * starts at this moment is passed over, because whoever starts it holds its row, and so is one that was just woken. One
 * that an operation holds down, or that may come up again but has not yet, keeps its place.
 */
export async function endSessionsAsleep(trx: Transaction, clusterId: string, now: Date): Promise<void> {
  await sql`
    update free_sessions set ended_at = greatest(${now}, taken_at), end_reason = 'asleep'
    where cluster_id = ${clusterId} and ended_at is null and server_id in (
      select servers.id from servers join services on services.id = servers.service_id
      where servers.id in (select server_id from free_sessions where cluster_id = ${clusterId} and ended_at is null)
        and (servers.deleted_at is not null or services.product_id <> ${freeProduct}
          or (servers.level in ('DEEP_SLEEP', 'HIBERNATED', 'TERMINATED')
            and not (${isDownForAWhile})
            and (servers.woken_at is null or servers.woken_at <= servers.level_since)
            and (servers.phase is null or servers.phase <> all(${[...livePhases]}))))
      for update of servers skip locked)`.execute(trx)
}

/** Its level is that of one which is off, though it is not to be. */
const isDownForAWhile = sql`servers.level = 'TERMINATED' and servers.want_running and not servers.disabled
  and services.bill_overdue_since is null and (services.expires is null or services.expires > now())
  and not exists (select from users where users.id = servers.owner_id and users.suspended_at is not null)`

/** Ends one session before its time. */
export async function endSession(trx: Transaction, id: string, { now, reason }: { now: Date; reason: EndReason }) {
  await sql`update free_sessions set ended_at = greatest(${now}, taken_at), end_reason = ${reason}
    where id = ${id}::uuid and ended_at is null`.execute(trx)
}

/** Sessions that wait for their game, of which it is up now. */
export async function selectStarted(trx: Transaction, clusterId: string): Promise<Session[]> {
  return trx
    .selectFrom('free_sessions')
    .innerJoin('servers', 'servers.id', 'free_sessions.server_id')
    .select(sessionColumns.map((column) => `free_sessions.${column}` as const))
    .where('free_sessions.cluster_id', '=', clusterId)
    .where('free_sessions.ended_at', 'is', null)
    .where('free_sessions.started_at', 'is', null)
    .where('servers.phase', '=', 'running')
    .execute()
}

export async function findTimeZone(db: Handle, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
  return row?.time_zone ?? undefined
}

/** Milliseconds that somebody's free servers were up between two moments. */
export async function sumPlayed(db: Handle, userId: string, { from, to }: { from: Date; to: Date }): Promise<number> {
  const { rows } = await sql<{ played: number }>`
    select coalesce(sum(extract(epoch from least(coalesce(ended_at, ${to}), ${to}) - greatest(started_at, ${from})) * 1000), 0)::float8 as played
    from free_sessions
    where user_id = ${userId}::uuid and started_at < ${to} and coalesce(ended_at, ${to}) > ${from}`.execute(db)
  return rows[0]?.played ?? 0
}

export async function countBonusHours(db: Handle, userId: string, from: Date): Promise<number> {
  const { n } = await db
    .selectFrom('free_bonus_hours')
    .select(db.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('at', '>=', from)
    .executeTakeFirstOrThrow()
  return n
}

export async function insertBonusHour(trx: Transaction, userId: string, at: Date): Promise<void> {
  await trx.insertInto('free_bonus_hours').values({ user_id: userId, at }).execute()
}

/** The free server that somebody has, and whether their address is proven: nobody waits in another's name. */
export async function findQueuer(
  db: Handle,
  userId: string,
): Promise<{ isProven: boolean; server: FreeServer | undefined } | undefined> {
  const user = await db.selectFrom('users').select('email_verified').where('id', '=', userId).executeTakeFirst()
  return user && { isProven: user.email_verified !== null, server: await findFreeServer(db, userId) }
}

export type FreeServer = { id: string; name: string; cluster_id: string; service_id: string }

export function findFreeServer(db: Handle, userId: string): Promise<FreeServer | undefined> {
  return db
    .selectFrom('servers')
    .innerJoin('services', 'services.id', 'servers.service_id')
    .select(['servers.id', 'servers.name', 'servers.cluster_id', 'servers.service_id'])
    .where('servers.owner_id', '=', userId)
    .where('servers.deleted_at', 'is', null)
    .where('services.product_id', '=', freeProduct)
    .orderBy('servers.created_at', 'desc')
    .executeTakeFirst()
}

export async function findServerName(db: Handle, serverId: string): Promise<string | undefined> {
  const row = await db.selectFrom('servers').select('name').where('id', '=', serverId).executeTakeFirst()
  return row?.name
}
