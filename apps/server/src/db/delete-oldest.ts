import { type RawBuilder, sql } from 'kysely'
import type { Handle } from './client.ts'
import { firstIdAt } from './ids.ts'
import type { DB } from './types.gen.ts'

/**
 * Removes at most `limit` rows whose id (UUID version 7) was made before a moment, the oldest first, in one statement.
 * @param and narrows them further.
 * @returns how many.
 */
export async function deleteOldest(
  db: Handle,
  table: keyof DB & string,
  { before, limit, and = sql`true` }: { before: Date; limit: number; and?: RawBuilder<unknown> },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where id < ${firstIdAt(before.getTime())}::uuid and ${and}
      order by id limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
