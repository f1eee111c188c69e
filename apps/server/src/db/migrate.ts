/**
 * Applies `migrations/NNNN-title.sql` in order, each in a transaction of its own, each once.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { installJobTables } from '#src/jobs/boss.ts'

const folder = join(import.meta.dirname, 'migrations')
/** Any fixed number: two processes that migrate at once take turns. */
const lockId = 7_305_114

/**
 * Brings a database to the present shape.
 * @returns names of the migrations that were applied now.
 * @throws when an applied migration was edited afterwards.
 */
export async function migrate(url: string): Promise<string[]> {
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
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()) {
      const sql = readFileSync(join(folder, name), 'utf8')
      const hash = createHash('sha256').update(sql).digest('hex')
      if (known.has(name)) {
        if (known.get(name) !== hash) throw new Error(`migration ${name} was changed after it had been applied`)
        continue
      }
      await applyOne(client, { name, sql, hash })
      applied.push(name)
    }
    await installJobTables(url)
    return applied
  } finally {
    await client.end() // releases the lock too
  }
}

async function applyOne(client: pg.Client, { name, sql, hash }: { name: string; sql: string; hash: string }) {
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
