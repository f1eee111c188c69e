import type { Handle } from '#src/db/client.ts'

/** Whether there is a server, or ever was one. */
export async function hasAnyServer(db: Handle): Promise<boolean> {
  return (await db.selectFrom('servers').select('id').limit(1).executeTakeFirst()) !== undefined
}
