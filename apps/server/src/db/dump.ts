/**
 * All rows of the database, as of one moment, into a folder, and back into an empty database.
 *
 * What tables look like is not dumped: the migrations make it, those that the dump names first, the newer ones after its
 * rows are in. So a dump is read by every later version, on any PostgreSQL that runs it, and needs no program of
 * PostgreSQL's own, whose version would have to fit.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { type AppliedMigration, compareMigrations, migrate } from './migrate.ts'

/** Of the job queue; the rest of its tables is upkeep. In this order: jobs name their queue. */
const jobTables = ['queue', 'schedule', 'subscription', 'job']

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int(),
})
const contentsSchema = z.object({
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  jobsVersion: z.number().int(),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
})
export type DumpContents = z.infer<typeof contentsSchema>
type Table = z.infer<typeof tableSchema>

/** Why a dump cannot be read in here. */
export class DumpRefused extends Error {}

const quote = (name: string) => pg.escapeIdentifier(name)
const fullName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${quote(schema)}.${quote(name)}`
const fileOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${schema}.${name}.copy`

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Lost in the middle: what runs then fails by itself.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Writes everything that is committed by now; the product may run meanwhile. */
export async function dumpDatabase(url: string, folder: string): Promise<DumpContents> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(
      "set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3",
    )
    const { rows: migrations } = await client.query<AppliedMigration>(
      'select name, hash from schema_migrations order by name',
    )
    const { rows: versions } = await client.query<{ version: number }>('select version from pgboss.version')
    const tables: Table[] = []
    for (const table of await listTables(client)) {
      const columns = table.columns.map(quote).join(', ')
      const copy = client.query(copyTo(`copy (select ${columns} from ${fullName(table)}) to stdout`))
      await pipeline(copy, createWriteStream(join(folder, fileOf(table)), { mode: 0o600 }))
      tables.push({ ...table, rows: copy.rowCount })
    }
    const contents: DumpContents = {
      migrations,
      jobsVersion: versions[0]?.version ?? 0,
      tables,
      sequences: await listSequences(client),
    }
    await client.query('commit')
    await writeFile(join(folder, 'contents.json'), JSON.stringify(contents, null, 1), { mode: 0o600 })
    return contents
  } finally {
    await client.end()
  }
}

/** What is ours and lasts: no rows that a crash may take, and no columns that PostgreSQL makes by itself. */
async function listTables(client: pg.Client): Promise<Omit<Table, 'rows'>[]> {
  const { rows } = await client.query<Omit<Table, 'rows'>>(
    `select namespace.nspname as schema, class.relname as name, array(
        select attname::text from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped
          and attgenerated = '' order by attnum) as columns
      from pg_class class join pg_namespace namespace on namespace.oid = class.relnamespace
      where class.relkind in ('r', 'p') and not class.relispartition and class.relpersistence = 'p'
        and (namespace.nspname = 'public' or namespace.nspname = 'pgboss' and class.relname::text = any($1::text[]))
        and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
      order by namespace.nspname desc, array_position($1::text[], class.relname::text), class.relname`,
    [jobTables],
  )
  return rows
}

async function listSequences(client: pg.Client): Promise<DumpContents['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public' order by 1",
  )
  const values: DumpContents['sequences'] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quote(name)}`,
    )
    if (found[0] !== undefined) values.push({ name, ...found[0] })
  }
  return values
}

export async function readContents(folder: string): Promise<DumpContents> {
  const found = contentsSchema.safeParse(JSON.parse(await readFile(join(folder, 'contents.json'), 'utf8')))
  if (!found.success) throw new DumpRefused('this is no backup of the business that this version can read')
  return found.data
}

/**
 * Reads a dump into an empty database: all of it or nothing. `change` is done in the same transaction, before anybody can
 * see the rows.
 * @throws DumpRefused where the database is not empty, or this version is older than the dump
 */
export async function loadDump(
  url: string,
  folder: string,
  change: (query: (text: string, values?: unknown[]) => Promise<pg.QueryResult>) => Promise<void>,
): Promise<DumpContents> {
  const contents = await readContents(folder)
  const { unknown, changed } = compareMigrations(contents.migrations)
  if (unknown.length > 0)
    throw new DumpRefused(`it was made by a newer version, which knows ${unknown.at(-1)}: restore with that one`)
  if (changed.length > 0) throw new DumpRefused(`its ${changed[0]} is not this version's: check out a released version`)
  await requireEmpty(url)
  await migrate(url, { only: new Set(contents.migrations.map(({ name }) => name)) })
  const client = await connect(url)
  try {
    await client.query('begin')
    await requireSameJobs(client, contents)
    const finish = await openTables(client)
    for (const table of contents.tables) {
      const columns = table.columns.map(quote).join(', ')
      const copy = client.query(copyFrom(`copy ${fullName(table)} (${columns}) from stdin`))
      await pipeline(createReadStream(join(folder, fileOf(table))), copy)
      if (copy.rowCount !== table.rows)
        throw new Error(`${fullName(table)}: ${copy.rowCount} rows were read of ${table.rows}`)
    }
    for (const { name, value, called } of contents.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [`public.${quote(name)}`, value, called])
    await change((text, values) => client.query(text, values))
    await finish()
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(url)
  return contents
}

async function requireEmpty(url: string): Promise<void> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace limit 1",
    )
    if (rows.length > 0)
      throw new DumpRefused(
        `the database is not empty (it has ${rows[0]?.name}): nothing is overwritten, give an empty one`,
      )
  } finally {
    await client.end()
  }
}

async function requireSameJobs(client: pg.Client, { jobsVersion }: DumpContents): Promise<void> {
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version')
  if (rows[0]?.version !== jobsVersion)
    throw new DumpRefused(
      `its job queue is of version ${jobsVersion}, this one makes ${rows[0]?.version}: restore with the version that made it, then upgrade`,
    )
}

/**
 * Empties all tables, which migrations have begun to fill, and takes rules and triggers off them for as long as rows come
 * in, in any order. An owner of the tables may do that, and needs no more rights.
 * @returns what puts them back, and with that checks every reference
 */
async function openTables(client: pg.Client): Promise<() => Promise<void>> {
  const tables = await listTables(client)
  const { rows: references } = await client.query<{ owner: string; name: string; rule: string }>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  const { rows: always } = await client.query<{ owner: string; name: string }>(
    `select tgrelid::regclass::text as owner, tgname as name from pg_trigger
      where not tgisinternal and tgenabled = 'A' and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  )
  const { rows: off } = await client.query<{ owner: string; name: string }>(
    `select tgrelid::regclass::text as owner, tgname as name from pg_trigger
      where not tgisinternal and tgenabled = 'D' and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  )
  const own = tables.filter(({ schema }) => schema === 'public').map(fullName)
  const jobs = tables.filter(({ schema }) => schema !== 'public').map(fullName)
  for (const table of own) await client.query(`alter table ${table} disable trigger user`)
  for (const { owner, name } of references) await client.query(`alter table ${owner} drop constraint ${quote(name)}`)
  await client.query(`truncate ${own.join(', ')}`)
  for (const table of jobs.reverse()) await client.query(`delete from ${table}`)
  return async () => {
    for (const { owner, name, rule } of references)
      await client.query(`alter table ${owner} add constraint ${quote(name)} ${rule}`)
    for (const table of own) await client.query(`alter table ${table} enable trigger user`)
    for (const { owner, name } of always)
      await client.query(`alter table ${owner} enable always trigger ${quote(name)}`)
    for (const { owner, name } of off) await client.query(`alter table ${owner} disable trigger ${quote(name)}`)
  }
}
