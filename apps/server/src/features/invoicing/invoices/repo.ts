import { sql } from 'kysely'
import type { DocumentKind } from '@wakestone/contract/invoicing/invoice'
import type { Handle } from '#src/db/client.ts'

export type DocumentFilter = {
  userId?: string | undefined
  /** The payment they are of; a taxed top-up names the document of the sale that was made of it. */
  transactionId?: string | undefined
  /** First and last day of sale. */
  from?: string | undefined
  to?: string | undefined
  kind?: DocumentKind | undefined
  /** Place contradicts, or the e-invoice failed. */
  attention?: boolean
}

const selectDocuments = (db: Handle) =>
  db
    .selectFrom('documents')
    .leftJoin('documents as corrected', 'corrected.id', 'documents.corrects')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .selectAll('documents')
    .select([
      'corrected.label as corrected_label',
      'e_invoices.state as e_state',
      'e_invoices.ksef_number',
      'e_invoices.last_error as e_error',
      'e_invoices.tries as e_tries',
    ])
    .select([
      sql<string>`documents.issued_on::text`.as('issued_day'),
      sql<string>`documents.sold_on::text`.as('sold_day'),
    ])
export type DocumentRow = Awaited<ReturnType<ReturnType<typeof selectDocuments>['executeTakeFirstOrThrow']>>

const matches = ({ userId, transactionId, from, to, kind, attention }: DocumentFilter) =>
  sql<boolean>`(${userId ?? null}::uuid is null or documents.user_id = ${userId ?? null}::uuid)
    and (${transactionId ?? null}::uuid is null or documents.transaction_id = ${transactionId ?? null}::uuid
      or documents.invoice_id = (select invoice_id from transactions where id = ${transactionId ?? null}::uuid))
    and (${from ?? null}::date is null or documents.sold_on >= ${from ?? null}::date)
    and (${to ?? null}::date is null or documents.sold_on <= ${to ?? null}::date)
    and (${kind ?? null}::text is null or documents.kind = ${kind ?? null}::text)
    and (not ${attention ?? false}::boolean or documents.place_contradicts
      or exists (select from e_invoices failed where failed.document_id = documents.id and failed.state = 'failed'))`

/** Newest first; `count` is of all that match. */
export async function findDocuments(
  db: Handle,
  filter: DocumentFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ rows: DocumentRow[]; count: number }> {
  let page = selectDocuments(db).where(matches(filter))
  if (after !== undefined) page = page.where('documents.id', '<', after)
  const rows = await page.orderBy('documents.id', 'desc').limit(limit).execute()
  const { count } = await db
    .selectFrom('documents')
    .select(sql<number>`count(*)`.as('count'))
    .where(matches(filter))
    .executeTakeFirstOrThrow()
  return { rows, count }
}

/** Oldest first, for files. */
export function findDocumentsInOrder(
  db: Handle,
  filter: DocumentFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<DocumentRow[]> {
  let page = selectDocuments(db).where(matches(filter))
  if (after !== undefined) page = page.where('documents.id', '>', after)
  return page.orderBy('documents.id').limit(limit).execute()
}

export function findDocument(db: Handle, id: string): Promise<DocumentRow | undefined> {
  return selectDocuments(db).where('documents.id', '=', id).executeTakeFirst()
}

export async function findDocumentOwner(db: Handle, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('documents').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}

/** Sales that wait for their document and have failed at least once. */
export function findStuck(db: Handle, limit: number) {
  return db
    .selectFrom('documents_due')
    .select(['transaction_id', 'since', 'tries', 'last_error'])
    .where('tries', '>', 0)
    .orderBy('since')
    .limit(limit)
    .execute()
}
