/** The product's database within the embedded PostgreSQL. */
import pg from 'pg'
import type { Postgres } from './postgres.ts'

const name = 'wakestone'

/** Makes the database when it is missing, and returns its address. */
export async function ensureDatabase(postgres: Postgres): Promise<string> {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  return postgres.url(name)
}
