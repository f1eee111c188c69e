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
