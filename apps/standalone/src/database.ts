/** The product's database within the embedded PostgreSQL, kept running. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Lifecycle } from '@wakestone/kit/lifecycle'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { boundForeignLog } from './log-file.ts'
import { findPostgres, type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'

const name = 'wakestone'
const pauseMilliseconds = 2_000
const boundMilliseconds = 60_000

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
  const options = optionsOf(settings, secrets)
  mkdirSync(dirname(options.logFile), { recursive: true })
  let postgres = await startPostgres(options)
  console.log(postgres.adopted ? '  PostgreSQL was running already' : '  PostgreSQL runs')
  let stopping = false
  lifecycle.onStop('PostgreSQL', () => {
    stopping = true
    return postgres.stop()
  })

  async function keep(): Promise<void> {
    while (!stopping) {
      await postgres.lost
      console.error('PostgreSQL ended, starting it again')
      await startAgain()
    }
  }
  /** Tried for as long as it takes: a full disk, say, gets room again. */
  async function startAgain(): Promise<void> {
    while (!stopping) {
      try {
        postgres = await startPostgres(options)
        return
      } catch (error) {
        console.error((error as Error).message)
        await delay(pauseMilliseconds)
      }
    }
  }
  void keep()
  setInterval(() => boundForeignLog(options.logFile), boundMilliseconds).unref()

  await ensureDatabase(postgres)
  return postgres.url(name)
}

/** Address of the database, if it runs. */
export function findDatabase(settings: Settings, secrets: Secrets): string | undefined {
  return findPostgres(optionsOf(settings, secrets), name)
}

const optionsOf = (settings: Settings, secrets: Secrets): PostgresOptions => ({
  home: join(settings.DATA_DIR, 'postgres'),
  password: secrets.databasePassword,
  logFile: join(settings.DATA_DIR, 'logs', 'postgres.log'),
})

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
