/**
 * Applies `migrations/NNNN-title.sql` in order, each in a transaction of its own, each once.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { installJobTables } from '#src/jobs/boss.ts'

const folder = join(import.meta.dirname, 'migrations')
type Migration = { name: string; sql: string; hash: string }

/** All migrations of this version of the product, in order. */
function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    })
}

export type AppliedMigration = Pick<Migration, 'name' | 'hash'>

/**
 * What tells a database from one that this version has made, given the rows of `schema_migrations`: migrations that it
 * lacks, those that only a newer version knows, and those that are not what was applied.
 */
export function compareMigrations(applied: readonly AppliedMigration[]) {
  const all = listMigrations()
  const hashes = new Map(all.map(({ name, hash }) => [name, hash]))
  const done = new Set(applied.map(({ name }) => name))
  return {
    missing: all.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !hashes.has(name)).map(({ name }) => name),
    changed: applied.filter(({ name, hash }) => hashes.has(name) && hashes.get(name) !== hash).map(({ name }) => name),
  }
}
/** Any fixed number: two processes that migrate at once take turns. */
const lockId = 7_305_114

/**
 * Brings a database to the present shape, or to that of `only` these migrations.
 * @returns names of the migrations that were applied now.
 * @throws when an applied migration was edited afterwards.
 */
export async function migrate(url: string, { only }: { only?: ReadonlySet<string> } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
    const known = new Map(rows.map((row) => [row.name, row.hash]))
    const applied: string[] = []
    for (const { name, sql, hash } of listMigrations()) {
      if (known.has(name)) {
        if (known.get(name) !== hash) throw new Error(`migration ${name} was changed after it had been applied`)
        continue
      }
      if (only !== undefined && !only.has(name)) continue
      await applyOne(client, { name, sql, hash })
      applied.push(name)
    }
    await installJobTables(url)
    return applied
  } finally {
    await client.end() // releases the lock too
  }
}

async function applyOne(client: pg.Client, { name, sql, hash }: Migration) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
  }
}
