/** What is kept of a user: a copy for them, and what becomes of it when the account ends. */
import type { Transaction } from '#src/db/client.ts'
import { eraseRows } from './repo.ts'
import { personalTables } from './tables.ts'

/**
 * Deletes or anonymises every row that is a user's, as `tables.ts` says; what law has us keep stays under an account
 * without a name.
 */
export async function erasePersonalData(trx: Transaction, userId: string): Promise<void> {
  for (const [name, table] of Object.entries(personalTables).toReversed()) await eraseRows(trx, { name, table, userId })
}
