/** Who was on a server and when, bans that end by themselves, and what is left of a player elsewhere. */
import { sql } from 'kysely'
import type { PlayerHistorySpan } from '@wakestone/contract/servers/players'
import type { Handle, Transaction } from '#src/db/client.ts'

export type SessionRow = { name: string; joined_at: Date; left_at: Date | null }

/** Somebody came; of one who is on already it is told twice, and the first time counts. */
export async function insertSession(
  trx: Transaction,
  serverId: string,
  { name, id, at }: { name: string; id: string | undefined; at: string },
): Promise<void> {
  await sql`insert into player_sessions (server_id, name, player_id, joined_at)
    values (${serverId}, ${name}, ${id ?? null}, least(${at}::timestamptz, now()))
    on conflict (server_id, name) where left_at is null do nothing`.execute(trx)
}

/** @param name null: of everybody */
export async function endSessions(trx: Transaction, serverId: string, name: string | null, at: string): Promise<void> {
  await sql`update player_sessions set left_at = greatest(joined_at, least(${at}::timestamptz, now()))
    where server_id = ${serverId} and left_at is null and (${name}::text is null or name = ${name})`.execute(trx)
}

/** Nobody knows how long they stayed: until a supervisor was last heard, at most. */
export async function endUnknownSessions(trx: Transaction, serverId: string): Promise<void> {
  await sql`update player_sessions set left_at = greatest(joined_at,
      coalesce((select told_until from server_looks where server_id = ${serverId}), joined_at))
    where server_id = ${serverId} and left_at is null`.execute(trx)
}

export type Visitor = {
  name: string
  player_id: string | null
  first_seen: Date
  last_seen: Date
  seconds: number
  since: Date | null
}

/** Somebody who has been on a server under this name, as the game spells it. */
export async function findPlayed(
  db: Handle,
  serverId: string,
  name: string,
): Promise<{ name: string; id: string | null } | undefined> {
  const { rows } = await sql<{ name: string; id: string | null }>`
    select (array_agg(name order by joined_at desc))[1] as name,
      (array_agg(player_id order by joined_at desc) filter (where player_id is not null))[1] as id
    from player_sessions where server_id = ${serverId} and lower(name) = lower(${name}) group by lower(name)`.execute(
    db,
  )
  return rows[0]
}

/** Names of those who have stayed for a while, in lower case, by server; the latest first. */
export async function selectRegulars(
  db: Handle,
  serverIds: readonly string[],
  { seconds, most }: { seconds: number; most: number },
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; names: string[] }>`
    select wanted.id, array(select lower(name) from player_sessions where server_id = wanted.id group by lower(name)
      having sum(coalesce(left_at, now()) - joined_at) >= make_interval(secs => ${seconds})
      order by max(joined_at) desc limit ${most}) as names
    from unnest(${sql.val(serverIds)}::uuid[]) as wanted (id)`.execute(db)
  return new Map(rows.map(({ id, names }) => [id, names]))
}

/** By name, whatever the case of its letters; the latest first. */
export async function selectVisitors(db: Handle, serverId: string, most: number): Promise<Visitor[]> {
  const { rows } = await sql<Visitor>`
    select (array_agg(name order by joined_at desc))[1] as name,
      (array_agg(player_id order by joined_at desc) filter (where player_id is not null))[1] as player_id,
      min(joined_at) as first_seen, max(coalesce(left_at, now())) as last_seen,
      sum(extract(epoch from coalesce(left_at, now()) - joined_at))::double precision as seconds,
      max(joined_at) filter (where left_at is null) as since
    from player_sessions where server_id = ${serverId}
    group by lower(name) order by last_seen desc limit ${most}`.execute(db)
  return rows
}

/** @param names in lower case; undefined: of everybody */
export async function selectSessions(
  db: Handle,
  serverId: string,
  { names, id, most }: { names?: readonly string[]; id?: string; most: number },
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select name, joined_at, left_at from player_sessions where server_id = ${serverId}
      and (${names === undefined} or lower(name) = any(${sql.val(names ?? [])}::text[]) or player_id = ${id ?? null}::text)
    order by joined_at desc limit ${most}`.execute(db)
  return rows
}

/** Who came and went since a time, the newest so many of each. */
export async function selectComings(
  db: Handle,
  serverId: string,
  { from, most }: { from: Date; most: number },
): Promise<{ at: Date; name: string; came: boolean }[]> {
  const { rows } = await sql<{ at: Date; name: string; came: boolean }>`
    (select joined_at as at, name, true as came from player_sessions
      where server_id = ${serverId} and joined_at >= ${from} order by joined_at desc limit ${most})
    union all
    (select left_at, name, false from player_sessions
      where server_id = ${serverId} and left_at >= ${from} and joined_at >= ${from}::timestamptz - interval '2 days'
      order by joined_at desc limit ${most})`.execute(db)
  return rows
}

const spans: Record<PlayerHistorySpan, { unit: 'hour' | 'day'; steps: number }> = {
  day: { unit: 'hour', steps: 24 },
  month: { unit: 'day', steps: 30 },
}

/** Each step with how many came in it, and how many people were on. */
export async function selectHistory(
  db: Handle,
  serverId: string,
  { span, timeZone }: { span: PlayerHistorySpan; timeZone: string },
): Promise<{ at: Date; joins: number; players: number }[]> {
  const { unit, steps } = spans[span]
  const { rows } = await sql<{ at: Date; joins: number; players: number }>`
    with steps as (
      select local at time zone ${timeZone} as at, (local + ${`1 ${unit}`}::interval) at time zone ${timeZone} as until
      from generate_series(
        date_trunc(${unit}, now() at time zone ${timeZone}) - ${`${steps - 1} ${unit}`}::interval,
        date_trunc(${unit}, now() at time zone ${timeZone}), ${`1 ${unit}`}::interval) as local
    )
    select steps.at,
      count(joined_at) filter (where joined_at >= steps.at)::int as joins,
      count(distinct lower(name))::int as players
    from steps left join player_sessions on server_id = ${serverId} and joined_at < steps.until
      and coalesce(left_at, now()) >= steps.at
    group by steps.at order by steps.at`.execute(db)
  return rows
}

/** Removes some of the sessions that ended before a moment, the oldest first. @returns how many. */
export async function dropSessionsBefore(db: Handle, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from player_sessions where id = any(array(
    select id from player_sessions where joined_at < ${before} and left_at is not null
    order by joined_at limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export type TimedBan = { server_id: string; kind: 'player' | 'address'; target: string; until: Date }

export async function selectTimedBans(db: Handle, serverId: string): Promise<TimedBan[]> {
  const rows = await db.selectFrom('timed_bans').selectAll().where('server_id', '=', serverId).execute()
  return rows as TimedBan[]
}

/** @param until null: it does not end by itself any more */
export async function writeTimedBan(
  db: Handle,
  { serverId, kind, target, until }: { serverId: string; kind: TimedBan['kind']; target: string; until: Date | null },
): Promise<void> {
  const which = { server_id: serverId, kind, target: target.toLowerCase() }
  if (until === null)
    await db
      .deleteFrom('timed_bans')
      .where('server_id', '=', which.server_id)
      .where('kind', '=', kind)
      .where('target', '=', which.target)
      .execute()
  else
    await db
      .insertInto('timed_bans')
      .values({ ...which, until })
      .onConflict((conflict) =>
        conflict.columns(['server_id', 'kind', 'target']).doUpdateSet({ until, tried_at: null }),
      )
      .execute()
}

/** Those that are over; each is tried again after a while, by one worker at a time. */
export async function takeDueBans(trx: Transaction, most: number): Promise<TimedBan[]> {
  const { rows } = await sql<TimedBan>`
    update timed_bans set tried_at = now() from (
      select server_id, kind, target from timed_bans
      where until <= now() and (tried_at is null or tried_at < now() - interval '5 minutes')
      order by until limit ${most} for update skip locked) due
    where timed_bans.server_id = due.server_id and timed_bans.kind = due.kind and timed_bans.target = due.target
    returning timed_bans.server_id, timed_bans.kind, timed_bans.target, timed_bans.until`.execute(trx)
  return rows
}

/** Whether a ban still ends then: its owner may have made another of it. */
export async function isStillDue(db: Handle, { server_id, kind, target, until }: TimedBan): Promise<boolean> {
  const row = await db
    .selectFrom('timed_bans')
    .select('until')
    .where('server_id', '=', server_id)
    .where('kind', '=', kind)
    .where('target', '=', target)
    .executeTakeFirst()
  return row !== undefined && row.until.getTime() === until.getTime()
}

/** Forgets the end of a ban that was lifted, and not that of one that came in its place meanwhile. */
export async function forgetTimedBan(db: Handle, { server_id, kind, target, until }: TimedBan): Promise<void> {
  await db
    .deleteFrom('timed_bans')
    .where('server_id', '=', server_id)
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('until', '=', until)
    .execute()
}

/** Removes what the database knows of a player of a server. @param names in lower case */
export async function deletePlayer(
  trx: Transaction,
  serverId: string,
  { names, id }: { names: readonly string[]; id: string | null },
): Promise<void> {
  const all = sql`${sql.val(names)}::text[]`
  const others = (column: string) =>
    sql`array(select name from unnest(${sql.ref(column)}) as name where lower(name) <> all(${all}))`
  await sql`delete from player_sessions where server_id = ${serverId}
    and (lower(name) = any(${all}) or player_id = ${id}::text)`.execute(trx)
  await sql`delete from timed_bans where server_id = ${serverId} and kind = 'player' and target = any(${all})`.execute(
    trx,
  )
  await sql`update servers set player_names = ${others('player_names')} where id = ${serverId}`.execute(trx)
  await sql`update server_play set names = ${others('names')} where server_id = ${serverId}`.execute(trx)
  for (const list of ['whitelist', 'banned'])
    await sql`update server_doors set door = jsonb_set(door, ${sql.val([list])}::text[], (door->${list}::text) - ${all})
      where server_id = ${serverId} and jsonb_typeof(door->${list}::text) = 'array'`.execute(trx)
  await sql`update audit_events set data = data - 'player'
    where resource_id = ${serverId} and lower(data->>'player') = any(${all})`.execute(trx)
}

/** Names under which the game has told of an account. */
export async function selectNamesOf(db: Handle, serverId: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('player_sessions')
    .select('name')
    .distinct()
    .where('server_id', '=', serverId)
    .where('player_id', '=', id)
    .limit(20)
    .execute()
  return rows.map(({ name }) => name)
}
