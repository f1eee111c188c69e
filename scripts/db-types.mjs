// Writes apps/server/src/db/types.gen.ts from the migrations: makes a throw-away database on DATABASE_URL's server.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'

const root = join(import.meta.dirname, '..')
const base = process.env.DATABASE_URL
if (base === undefined) {
  console.error('DATABASE_URL takes a postgres:// address of a server on which a database may be made')
  process.exit(2)
}
const name = `wakestone_types_${process.pid}`
const url = new URL(base)
url.pathname = `/${name}`
const admin = new pg.Client({ connectionString: base })
await admin.connect()
try {
  await admin.query(`create database ${name}`)
  const { migrate } = await import('../apps/server/src/db/migrate.ts')
  await migrate(url.href)
  execFileSync(
    join(root, 'node_modules/.bin/kysely-codegen'),
    [
      '--dialect',
      'postgres',
      '--url',
      url.href,
      '--default-schema',
      'public',
      '--include-pattern',
      'public.*',
      '--type-mapping',
      '{"int8":"number"}',
      '--out-file',
      join(root, 'apps/server/src/db/types.gen.ts'),
    ],
    { stdio: 'inherit' },
  )
} finally {
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
}
