/** The product's database within the embedded PostgreSQL, kept running. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Lifecycle } from '@wakestone/kit/lifecycle'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { type Postgres, startPostgres } from './postgres.ts'

const name = 'wakestone'

/** Starts PostgreSQL, again whenever it ends, and returns the address of the database. */
export async function embedDatabase({
  settings,
  secrets,
  lifecycle,
}: {
  settings: Settings
  secrets: Secrets
  lifecycle: Lifecycle
}): Promise<string> {
  const logFolder = join(settings.DATA_DIR, 'logs')
  mkdirSync(logFolder, { recursive: true })
  const options = {
    home: join(settings.DATA_DIR, 'postgres'),
    password: secrets.databasePassword,
    logFile: join(logFolder, 'postgres.log'),
  }
  let postgres = await startPostgres(options)
  console.log(postgres.adopted ? '  PostgreSQL was running already' : '  PostgreSQL runs')
  let stopping = false
  lifecycle.onStop('PostgreSQL', () => {
    stopping = true
    return postgres.stop()
  })

  async function keep(running: Postgres): Promise<void> {
    await running.lost
    if (stopping) return
    console.error('PostgreSQL ended, starting it again')
    postgres = await startPostgres(options)
    return keep(postgres)
  }
  keep(postgres).catch((error: Error) => console.error(error.message))

  await ensureDatabase(postgres)
  return postgres.url(name)
}

async function ensureDatabase(postgres: Postgres) {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
}
