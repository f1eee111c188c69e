/** What the doctor reads of the database itself. */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'
import type { AppliedMigration } from '#src/db/migrate.ts'

export type DatabaseFacts = { version: number; now: Date; connections: number; most: number }

export async function selectFacts(db: Handle): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version_num')::int as version, clock_timestamp() as now,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as most`.execute(db)
  return rows[0] as DatabaseFacts
}

/** Undefined for a database that nothing was made in. */
export async function selectMigrations(db: Handle): Promise<AppliedMigration[] | undefined> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('schema_migrations') is not null as made`.execute(db)
  if (rows[0]?.made !== true) return undefined
  return (await sql<AppliedMigration>`select name, hash from schema_migrations order by name`.execute(db)).rows
}

/** Seconds since a worker looked after the job queue, which one of them does twice a minute; null: none ever did. */
export async function selectWorkerAge(db: Handle): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from now() - max(cron_on))::int as age from pgboss.version`.execute(db)
  return rows[0]?.age ?? null
}

/** Whether anybody has ever had a server brought up. */
export async function hasServer(db: Handle): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from servers where placed_at is not null) as has`.execute(db)
  return rows[0]?.has === true
}
