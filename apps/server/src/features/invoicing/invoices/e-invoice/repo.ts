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

export type EInvoiceRow = NonNullable<Awaited<ReturnType<typeof findEInvoice>>>

/** Takes e-invoices that are due, for so long that another process leaves them alone meanwhile. */
export async function claimDueEInvoices(
  db: Handle,
  { now, limit }: { now: Date; limit: number },
): Promise<EInvoiceRow[]> {
  const { rows } = await sql<EInvoiceRow>`
    update e_invoices set next_at = ${now}::timestamptz + interval '10 minutes', tries = tries + 1
    where document_id in (
      select document_id from e_invoices where next_at <= ${now} order by next_at limit ${limit} for update skip locked)
    returning *`.execute(db)
  return rows
}

export type EInvoiceChange = Partial<
  Pick<
    EInvoiceRow,
    'state' | 'tries' | 'next_at' | 'session_reference' | 'invoice_reference' | 'ksef_number' | 'upo' | 'last_error'
  >
>

export async function updateEInvoice(db: Handle, documentId: string, change: EInvoiceChange): Promise<void> {
  await db.updateTable('e_invoices').set(change).where('document_id', '=', documentId).execute()
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
