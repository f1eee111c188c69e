import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ClusterPorts } from '#src/db/types.gen.ts'

export type PortRow = Selectable<ClusterPorts>

export type NewPort = {
  clusterId: string
  serverId: string
  userId: string
  name: string
  range: { first: number; last: number }
  /** A port that was given up is nobody's for so long: who still calls there means whoever had it. */
  restSeconds: number
}

const now = sql<Date>`now()`

/** @returns one of the range that is nobody's, now this server's; undefined when there is none */
export async function takePort(
  trx: Transaction,
  { clusterId, serverId, userId, name, range, restSeconds }: NewPort,
): Promise<PortRow | undefined> {
  // One at a time: two who look at once would find the same.
  await sql`select pg_advisory_xact_lock(hashtext('cluster_port'))`.execute(trx)
  const { rows } = await sql<PortRow>`
    insert into cluster_ports (cluster_id, server_id, port, name, created_by)
    select ${clusterId}, ${serverId}, free.port, ${name}, ${userId}
    from (select every.port from generate_series(${range.first}::int, ${range.last}::int) every (port)
      where not exists (select from cluster_ports taken where taken.cluster_id = ${clusterId} and taken.port = every.port
        and (taken.server_id is not null or taken.released_at > now() - ${restSeconds} * interval '1 second'))
      order by random() limit 1) free
    on conflict (cluster_id, port) do update set server_id = excluded.server_id, name = excluded.name,
      created_by = excluded.created_by, created_at = now(), updated_at = now(), released_at = null
    returning *`.execute(trx)
  return rows[0]
}

export async function noteTaking(trx: Transaction, serverId: string): Promise<void> {
  await trx.insertInto('port_takings').values({ server_id: serverId }).execute()
  await sql`delete from port_takings where server_id = ${serverId} and taken_at < now() - interval '1 day'`.execute(trx)
}

/** When ports were taken within a day, oldest first. */
export async function selectTakings(db: Handle, serverId: string): Promise<Date[]> {
  const rows = await db
    .selectFrom('port_takings')
    .select('taken_at')
    .where('server_id', '=', serverId)
    .where('taken_at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('taken_at')
    .execute()
  return rows.map(({ taken_at }) => taken_at)
}

/** @returns what it was; undefined when it is not this server's */
export async function releasePort(
  trx: Transaction,
  { serverId, port }: { serverId: string; port: number },
): Promise<{ name: string } | undefined> {
  const held = await trx
    .selectFrom('cluster_ports')
    .select(['id', 'name'])
    .where('server_id', '=', serverId)
    .where('port', '=', port)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) return undefined
  await trx
    .updateTable('cluster_ports')
    .set({ server_id: null, created_by: null, name: '', released_at: now, updated_at: now })
    .where('id', '=', held.id)
    .execute()
  return { name: held.name }
}
