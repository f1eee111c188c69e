/** What administrators search for beyond users, and what a user rents and pays. */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

type Page = { after?: string | undefined; limit: number }
const asPart = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
/** Of names that many things have, only so many are looked at. */
const mostLookedAt = 200

/** What users of these ids are called. */
export const selectNames = (db: Handle, ids: readonly string[]): Promise<{ id: string; username: string }[]> =>
  db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()

/** Servers whose name holds a text in lower case, also deleted ones; newest first. */
export async function selectServerIdsByText(db: Handle, text: string, limit: number): Promise<string[]> {
  const rows = await db
    .with('found', (found) =>
      found
        .selectFrom('servers')
        .select(['id', 'created_at'])
        .where((row) => row(row.fn<string>('lower', ['name']), 'like', asPart(text)))
        .where('deleted_at', 'is', null)
        .limit(mostLookedAt),
    )
    .selectFrom('found')
    .select('id')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Servers that are reached at a port: their own, one that their owner took, or the one behind the gateway. */
export async function selectServerIdsByPort(db: Handle, port: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from servers where deleted_at is null
    and (bedrock_port = ${port} or game_port = ${port}
      or id in (select server_id from cluster_ports where port = ${port} and released_at is null))
    order by created_at desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Servers of a cluster, by its id, name or host, or at an address; those that came last first. */
export async function selectServerIdsByNode(db: Handle, node: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from servers where deleted_at is null
    and (game_host = ${node} or cluster_id in (select id from clusters
      where id = ${node} or lower(name) = ${node} or lower(host) = ${node}))
    order by created_at desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Servers that a player of this name was on; where they were last comes first. */
export async function selectServerIdsByPlayer(db: Handle, player: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ server_id: string }>`
    select server_id from player_sessions join servers on servers.id = server_id and servers.deleted_at is null
    where lower(player_sessions.name) = ${player}
    group by server_id order by max(joined_at) desc limit ${limit}`.execute(db)
  return rows.map(({ server_id }) => server_id)
}

/** Servers on which something has ended with an error of this code, or a crash of this kind; the latest first. */
export async function selectServerIdsByError(db: Handle, code: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select servers.id from servers join (
      select resource_id as id, max(created_at) as at from (
        select resource_id, created_at from audit_events
        where error is not null and error ->> 'code' = ${code} and resource_type = 'server'
        order by audit_events.id desc limit ${mostLookedAt}) told group by resource_id
      union all select server_id, at from server_crashes where tag = ${code}
      union all select id, created_at from servers where preparation_error = ${code}
    ) found on found.id = servers.id
    where servers.deleted_at is null group by servers.id order by max(found.at) desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The server that a service pays for, that an event tells of, or that an operation is about. */
export async function selectServerIdsByRelated(db: Handle, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from servers where service_id = ${id} and deleted_at is null
    union select resource_id from audit_events where id = ${id} and resource_type = 'server'
    union select server_id from operations where id = ${id}`.execute(db)
  return rows.map(({ id: found }) => found)
}

/** Transactions whose order at a gateway has this name there or here. */
export async function selectTransactionIdsByOrder(db: Handle, order: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_orders')
    .select('transaction_id')
    .where((row) => row.or([row('external_id', '=', order), row('gateway_order_id', '=', order)]))
    .limit(limit)
    .execute()
  return rows.map(({ transaction_id }) => transaction_id)
}

/** What a user rents or has rented, newest first; `count` is of all. */
export async function selectServicesOf(db: Handle, userId: string, { after, limit }: Page) {
  let page = db
    .selectFrom('services')
    .leftJoin('services as plans', 'plans.id', 'services.parent_id')
    // An add-on belongs to the server of its plan, and is renewed with it.
    .leftJoin('servers', (join) =>
      join.on((row) => row('servers.service_id', '=', row.fn.coalesce('services.parent_id', 'services.id'))),
    )
    .selectAll('services')
    .select((row) => [
      'servers.id as server_id',
      'servers.name as server_name',
      row.fn.coalesce('plans.auto_renew', 'services.auto_renew').as('renews_itself'),
    ])
    .where('services.owner_id', '=', userId)
  if (after !== undefined) page = page.where('services.id', '<', after)
  const [rows, { count }] = await Promise.all([
    page.orderBy('services.id', 'desc').limit(limit).execute(),
    db
      .selectFrom('services')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner_id', '=', userId)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}
