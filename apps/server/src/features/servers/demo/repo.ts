import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

/** The server of a name in one of our zones; where several have it, the one that took it first. */
export async function selectServerNamed(db: Handle, label: string): Promise<string | undefined> {
  const names = db.selectFrom('clusters').select(sql<string>`${label} || '.' || zone_name`.as('name'))
  const row = await db
    .selectFrom('domains')
    .select('server_id')
    .where('fqdn', 'in', names)
    .where('server_id', 'is not', null)
    .orderBy('id')
    .executeTakeFirst()
  return row?.server_id ?? undefined
}
