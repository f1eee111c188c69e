import { sql } from 'kysely'
import type { Decision } from '@wakestone/contract/servers/levels'
import type { Handle } from '#src/db/client.ts'

type LevelBefore = {
  id: string
  level: string | null
  level_causes: string[]
  level_until: Date | null
  woken_at: Date | null
}

/**
 * The level that a server is to be at, with why and until when.
 * @param written what was written since the row was read
 * @returns whether it is another level than before
 */
export async function writeLevel(
  db: Handle,
  row: LevelBefore,
  { decision, written }: { decision: Decision; written?: Decision | undefined },
): Promise<boolean> {
  const { level, because, until } = decision
  const before = written ?? { level: row.level, because: row.level_causes, until: row.level_until }
  const isSame =
    before.level === level &&
    before.because.join() === because.join() &&
    (before.until?.getTime() ?? null) === (until?.getTime() ?? null)
  if (isSame) return false
  const { rows } = await sql<{ is_new: boolean }>`update servers set level_causes = ${because}, level_until = ${until},
      level_since = case when level is distinct from ${level} then now() else level_since end, level = ${level}
    where id = ${row.id} and woken_at is not distinct from ${row.woken_at}
    returning level_since = now() as is_new`.execute(db)
  return rows[0]?.is_new ?? false
}
