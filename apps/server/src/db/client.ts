/**
 * The database handle and the one way to open a transaction.
 */
import { CompiledQuery, Kysely, PostgresDialect, type Transaction as KyselyTransaction } from 'kysely'
import pg from 'pg'
import type { DB } from './types.gen.ts'

export type Db = Kysely<DB>
/** A repo function that must be atomic takes this, so that a plain handle does not compile. */
export type Transaction = KyselyTransaction<DB>
/** For repo functions that read, inside a transaction or outside. */
export type Handle = Db | Transaction

// Amounts are bigint in SQL and safe integers in the product: a value past 2^53 is a fault, never rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`integer out of range: ${text}`)
  return value
})

export type Database = { db: Db; pool: pg.Pool; close: () => Promise<void> }

const pools = new WeakMap<object, { pool: pg.Pool; named: boolean }>()

/** A statement that each connection parses and plans once only. A name belongs to one text. */
export type Prepared = { name: string; text: string }

/**
 * Runs a statement that most requests need. Outside of a transaction it goes to the pool itself: the query builder's
 * way costs more than the query.
 */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Handle,
  { name, text }: Prepared,
  values: unknown[],
): Promise<Row[]> {
  const found = pools.get(db)
  if (found !== undefined)
    return (await found.pool.query<Row>(found.named ? { name, text, values } : { text, values })).rows
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

export function openDatabase({
  url,
  size = 10,
  named = true,
  onError,
}: {
  url: string
  size?: number
  /** Whether statements may be named: not through PgBouncer, behind which each may meet another connection. */
  named?: boolean
  onError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError) // an idle connection lost with the server: the pool opens another
  // One that is lost between two statements of a transaction: unheard, the loss would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, { pool, named })
  return { db, pool, close: () => db.destroy() }
}

const retried = new Set(['40001', '40P01']) // serialisation failure, deadlock
const maximumTries = 5

/**
 * Runs `work` in one transaction, again from the start when PostgreSQL asks for it.
 * The handle is dead afterwards: a call that slipped out of the transaction fails instead of writing alone.
 */
export async function inTransaction<Result>(db: Db, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (code === undefined || !retried.has(code) || attempt === maximumTries) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}
