/**
 * The database handle and the one way to open a transaction.
 */
import { Kysely, PostgresDialect, type Transaction as KyselyTransaction } from 'kysely'
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

const preparedMark = /^\/\* prepared: ([\w-]+) \*\//

/** Marks a statement that each connection parses and plans once only. A name belongs to one text. */
export const prepared = (name: string, text: string) => `/* prepared: ${name} */ ${text}`

class PreparingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- the many forms of this method are pg's
  override query(config: any, values?: any, callback?: any): any {
    const name = typeof config === 'string' ? preparedMark.exec(config)?.[1] : undefined
    return name === undefined
      ? super.query(config, values, callback)
      : super.query({ name, text: config, values }, callback)
  }
}

export function openDatabase({
  url,
  size = 10,
  onError,
}: {
  url: string
  size?: number
  onError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    Client: PreparingClient,
  } as pg.PoolConfig)
  pool.on('error', onError) // an idle connection lost with the server: the pool opens another
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
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
