import type { Handle } from '#src/db/client.ts'

/** What servers are called in the panel's addresses, by id, of those among the resources that are any. */
export async function findServerNames(
  db: Handle,
  resourceIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(resourceIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('domains')
    .select(['server_id', 'sub_domain'])
    .where('server_id', 'in', ids)
    .where('kind', '=', 'primary')
    .execute()
  return new Map(rows.map(({ server_id, sub_domain }) => [server_id!, sub_domain]))
}
