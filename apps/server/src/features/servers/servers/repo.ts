import type { Selectable } from 'kysely'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { type Handle, type Prepared, runPrepared } from '#src/db/client.ts'
import type { Servers } from '#src/db/types.gen.ts'
import { withdrawnAt } from '#src/db/withdrawn.ts'

/** A server with all that it is shown with; times inside `domains` are texts of PostgreSQL. */
export type ServerRow = Selectable<Servers> & {
  product_id: string
  auto_renew: boolean
  cancel_at_end: boolean
  owner_name: string
  expires: Date | null
  /** When the contract was withdrawn from that it ran under; null: it goes on, or has ended otherwise. */
  withdrawn_at: Date | null
  /** Its cluster is being emptied: it stands still until that ends. */
  cluster_draining: boolean
  /** Its owner's account is suspended: it stands still until that ends. */
  owner_suspended: boolean
  /** When the time that it may run for nothing is over, or was; null: it has no such end, or sleeps anyway. */
  session_ends_at: Date | null
  /** A bill of it was not paid in time: it stands still until it is. */
  bill_overdue: boolean
  domains: DomainRow[]
  /** Beside the game's own, oldest first. */
  ports: PortRow[]
}
export type PortRow = { port: number; name: string; created_by: string | null; updated_at: string }
export type DomainRow = {
  id: string
  server_id: string
  user_id: string
  kind: 'primary' | 'secondary'
  fqdn: string
  sub_domain: string
  zone_name: string
  external: boolean
  generated: boolean
  created_at: string
  updated_at: string
  expires: string | null
}
export type GrantedServerRow = ServerRow & { capabilities: Capabilities | null }

/** Times of a row, which JSON carries as texts. */
const times = [
  'created_at',
  'deleted_at',
  'cleanup_date',
  'placed_at',
  'phase_since',
  'launched_at',
  'exit_at',
  'prepared_at',
  'retry_at',
  'files_deleted_at',
  'volume_removed_at',
  'last_used_at',
  'level_since',
  'level_until',
  'empty_since',
  'woken_at',
  'ping_until',
  'needed_until',
  'checkpointed_at',
] as const

/**
 * Of all requests most are these: the statement is planned once, the row goes over the wire as one JSON text.
 * (Measured: sorting and nesting here cost as much again as all the rest.)
 * `granted` is the parameter that holds the user whose capabilities come along.
 */
function statement(name: string, where: string, granted?: '$1' | '$2'): Prepared {
  const grants =
    granted === undefined
      ? 'null'
      : `(select json_object_agg(name, value) from user_capabilities grants
          where grants.resource_id = servers.id and grants.user_id = ${granted})`
  return {
    name,
    text: `select row_to_json(servers) as server, services.product_id, services.auto_renew, services.expires,
        ${withdrawnAt} as withdrawn_at,
        services.bill_overdue_since is not null as bill_overdue,
        case when services.product_id = 'FREE' then free_session_end(servers) end as session_ends_at,
        exists (select from scheduled_actions planned where planned.service_id = services.id
          and planned.action = 'CANCEL_SERVICE' and not planned.done and planned.deleted_at is null) as cancel_at_end,
        (select suspended_at is not null from users where users.id = servers.owner_id) as owner_suspended,
        (select draining from clusters where clusters.id = servers.cluster_id) as cluster_draining,
        (select username from users where users.id = servers.owner_id) as owner_name,
        (select json_agg(domains) from domains where domains.server_id = servers.id) as domains,
        (select json_agg(taken order by taken.created_at, taken.port) from cluster_ports taken where taken.server_id = servers.id) as ports,
        ${grants} as capabilities
      from servers join services on services.id = servers.service_id
      where servers.deleted_at is null and ${where}`,
  }
}

const statements = {
  one: statement('server', 'servers.id = $1'),
  granted: statement('server-granted', 'servers.id = $1', '$2'),
  grantedAll: statement(
    'servers-granted',
    // One whose service has ended is being deleted.
    `servers.id in (select resource_id from user_capabilities where user_id = $1 and resource_type = 'server')
      and services.ended_at is null order by servers.created_at, servers.id`,
    '$1',
  ),
  owned: statement('servers-owned', 'servers.owner_id = $1'),
  ofService: statement('server-of-service', 'servers.service_id = $1'),
  some: statement('servers-some', 'servers.id = any($1)'),
  all: statement('servers-all', 'true'),
}

type Found = Omit<GrantedServerRow, 'domains' | 'ports'> & {
  server: object
  domains: DomainRow[] | null
  ports: PortRow[] | null
}

async function read(db: Handle, text: Prepared, values: unknown[]): Promise<GrantedServerRow[]> {
  const rows = await runPrepared<Found>(db, text, values)
  return rows.map(({ server, domains, ports, ...rest }) => {
    const shown = { domains: (domains ?? []).sort(byKind), ports: ports ?? [] }
    const row = Object.assign(server, rest, shown) as GrantedServerRow
    for (const time of times) {
      const value = row[time] as unknown as string | null
      if (value !== null) (row as Record<string, unknown>)[time] = new Date(value)
    }
    return row
  })
}

/** Primary ones first, then by age. */
function byKind(one: DomainRow, other: DomainRow): number {
  if (one.kind !== other.kind) return one.kind === 'primary' ? -1 : 1
  return one.id < other.id ? -1 : 1
}

/** One query: the server, its service and addresses, and what this user may do with it. */
export async function findServerFor(
  db: Handle,
  serverId: string,
  userId: string,
): Promise<GrantedServerRow | undefined> {
  const [row] = await read(db, statements.granted, [serverId, userId])
  return row
}

export async function findServer(db: Handle, serverId: string): Promise<ServerRow | undefined> {
  const [row] = await read(db, statements.one, [serverId])
  return row
}

export async function findServerOfService(db: Handle, serviceId: string): Promise<ServerRow | undefined> {
  const [row] = await read(db, statements.ofService, [serviceId])
  return row
}

/** Undefined when that is not known; a server that was never prepared has no files. */
export async function findDiskBytes(db: Handle, serverId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('servers')
    .select(['disk_bytes', 'prepared_at'])
    .where('id', '=', serverId)
    .executeTakeFirst()
  return row?.disk_bytes ?? (row?.prepared_at === null ? 0 : undefined)
}

/** Servers on which a user holds anything, oldest first. */
export function selectServersOf(db: Handle, userId: string): Promise<GrantedServerRow[]> {
  return read(db, statements.grantedAll, [userId])
}

/** Servers that a user has rented. */
export function selectOwnServers(db: Handle, userId: string): Promise<ServerRow[]> {
  return read(db, statements.owned, [userId])
}

/** These servers, or all. */
export function selectServers(db: Handle, serverIds?: string[]): Promise<ServerRow[]> {
  return serverIds === undefined ? read(db, statements.all, []) : read(db, statements.some, [serverIds])
}

const levelsShown = 1_000

/** Changes of level since a moment, and the one that held then; oldest first. */
export async function selectLevels(
  db: Handle,
  serverId: string,
  from: Date,
): Promise<{ level: string; since: Date; freed: number | null }[]> {
  const rows = await db
    .selectFrom('server_levels')
    .select(['level', 'since', 'freed'])
    .where('server_id', '=', serverId)
    .where('since', '>=', (query) =>
      query.fn.coalesce(
        query
          .selectFrom('server_levels as before')
          .select((before) => before.fn.max('before.since').as('since'))
          .where('before.server_id', '=', serverId)
          .where('before.since', '<=', from),
        query.val(from),
      ),
    )
    .orderBy('since', 'desc')
    .limit(levelsShown)
    .execute()
  return rows.toReversed()
}
