import { sql } from 'kysely'
import type { Transaction } from './client.ts'

/** Holds a name until the transaction ends; whoever else wants it waits so long. Best taken before anything else. */
export async function lockName(trx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}
