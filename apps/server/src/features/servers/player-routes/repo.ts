import type { Door, Face } from '@wakestone/protocol/supervisor'
import type { Handle } from '#src/db/client.ts'

/** What players saw of a server in their list, and whom it lets in; as its supervisor has told last. */
export type Seen = { face: Face | null; door: Door | null }

export async function selectSeen(db: Handle, serverIds: string[]): Promise<Map<string, Seen>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db.selectFrom('server_doors').selectAll().where('server_id', 'in', serverIds).execute()
  return new Map(
    rows.map(({ server_id, face, door }) => [server_id, { face: face as Face | null, door: door as Door | null }]),
  )
}

/** Clusters whose games are reached through agents. */
export async function selectAgentClusters(db: Handle): Promise<Set<string>> {
  const rows = await db.selectFrom('clusters').select('id').where('driver', '=', 'agent').execute()
  return new Set(rows.map(({ id }) => id))
}

/** All that there are. */
export async function selectServerIds(db: Handle): Promise<string[]> {
  const rows = await db.selectFrom('servers').select('id').where('deleted_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** Servers whose paid time was over in this time. */
export async function selectExpiredBetween(db: Handle, from: Date, until: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('services')
    .innerJoin('servers', 'servers.service_id', 'services.id')
    .select('servers.id')
    .where('services.ended_at', 'is', null)
    .where('services.expires', '>', from)
    .where('services.expires', '<=', until)
    .execute()
  return rows.map(({ id }) => id)
}
