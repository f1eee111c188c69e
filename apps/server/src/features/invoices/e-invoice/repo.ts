import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export async function insertEInvoice(
  trx: Transaction,
  row: { documentId: string; xml: string; state: 'kept' | 'waiting'; nextAt: Date | null },
): Promise<void> {
  await trx
    .insertInto('e_invoices')
    .values({ document_id: row.documentId, xml: row.xml, state: row.state, next_at: row.nextAt })
    .execute()
}

export function findEInvoice(db: Handle, documentId: string) {
  return db.selectFrom('e_invoices').selectAll().where('document_id', '=', documentId).executeTakeFirst()
}

export async function findKsefNumber(db: Handle, documentId: string): Promise<string | undefined> {
  return (await findEInvoice(db, documentId))?.ksef_number ?? undefined
}

/** @returns whether there was a failed one to send again. */
export async function retryEInvoice(db: Handle, documentId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('e_invoices')
    .set({ state: 'waiting', tries: 0, next_at: sql<Date>`now()`, last_error: null })
    .where('document_id', '=', documentId)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
