import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Handle } from '#src/db/client.ts'
import type { Servers } from '#src/db/types.gen.ts'

/** A server with all that it is shown with; times inside `domains` are texts of PostgreSQL. */
export type ServerRow = Selectable<Servers> & {
  product_id: string
  auto_renew: boolean
  expires: Date | null
  domains: DomainRow[]
}
export type DomainRow = {
  id: string
  server_id: string
  user_id: string
  kind: 'primary' | 'secondary'
  fqdn: string
  sub_domain: string
  zone_name: string
  created_at: string
  updated_at: string
  expires: string | null
}
export type GrantedServerRow = ServerRow & { capabilities: Capabilities | null }

const shown = sql`servers.*, services.product_id, services.auto_renew, services.expires,
  (select coalesce(json_agg(domains order by domains.kind, domains.id), '[]') from domains where domains.server_id = servers.id) as domains`
const granted = (userId: string) => sql`(select json_object_agg(name, value) from user_capabilities grants
  where grants.resource_id = servers.id and grants.user_id = ${userId}) as capabilities`

async function select<Row>(db: Handle, columns: RawBuilder<unknown>, rest: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select ${columns} from servers join services on services.id = servers.service_id where servers.deleted_at is null and ${rest}`.execute(
      db,
    )
  return rows
}

/** One query: the server, its service and addresses, and what this user may do with it. */
export async function findServerFor(
  db: Handle,
  serverId: string,
  userId: string,
): Promise<GrantedServerRow | undefined> {
  const [row] = await select<GrantedServerRow>(db, sql`${shown}, ${granted(userId)}`, sql`servers.id = ${serverId}`)
  return row
}

export async function findServer(db: Handle, serverId: string): Promise<ServerRow | undefined> {
  const [row] = await select<ServerRow>(db, shown, sql`servers.id = ${serverId}`)
  return row
}

/** Servers on which a user holds anything, oldest first. */
export function selectServersOf(db: Handle, userId: string): Promise<GrantedServerRow[]> {
  return select<GrantedServerRow>(
    db,
    sql`${shown}, ${granted(userId)}`,
    sql`servers.id in (select resource_id from user_capabilities where user_id = ${userId} and resource_type = 'server') order by servers.id`,
  )
}

/** These servers, or all. */
export function selectServers(db: Handle, serverIds?: string[]): Promise<ServerRow[]> {
  return select<ServerRow>(db, shown, serverIds === undefined ? sql`true` : sql`servers.id = any(${serverIds})`)
}
