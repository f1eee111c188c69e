/**
 * Documents of sale as people see them: lists, PDF, e-invoice, and the accountant's file.
 */
import type { OwnerCheck } from '#src/owner-check.ts'
import { createHash } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { AdminSaleDocument, DueDocument, SaleDocument } from '@wakestone/contract/invoicing/invoice'
import type { Language } from '@wakestone/contract/primitives'
import { csvLine } from '@wakestone/kit/csv'
import { toDecimal } from '@wakestone/kit/money'
import type { Context } from '#src/context.ts'
import type { Db, Handle } from '#src/db/client.ts'
import { writeEInvoice } from './e-invoice/en16931.ts'
import { findEInvoice, retryEInvoice } from './e-invoice/repo.ts'
import { hastenDue } from './issue-repo.ts'
import {
  type DocumentFilter,
  type DocumentRow,
  findDocument,
  findDocumentOwner,
  findDocuments,
  findDocumentsInOrder,
  findStuck,
} from './repo.ts'
import type { Snapshot } from './snapshot.ts'

const notFound = () => new DomainError('invoice_not_found', { resource: 'invoice' })

function show(row: DocumentRow): SaleDocument {
  return {
    id: row.id,
    invoice_id: row.invoice_id,
    kind: row.kind as SaleDocument['kind'],
    number: row.label,
    positions: (row.snapshot as Snapshot).lines.map(({ description }) => description),
    issued_at: row.issued_at.toISOString(),
    issued_on: row.issued_day,
    sold_on: row.sold_day,
    currency: row.currency as SaleDocument['currency'],
    net: row.net,
    vat: row.vat,
    gross: row.gross,
    home_currency: row.home_currency,
    vat_home: row.vat_home,
    country_code: row.country_code,
    treatment: row.treatment as SaleDocument['treatment'],
    buyer_name: row.buyer_name,
    language: row.language as Language,
    transaction_id: row.transaction_id,
    corrects:
      row.corrects === null || row.corrected_label === null ? null : { id: row.corrects, number: row.corrected_label },
  }
}

/** Newest first. */
export async function listInvoicesOf(
  db: Handle,
  filter: { userId: string; transactionId: string | undefined },
  page: { after: string | undefined; limit: number },
): Promise<{ data: SaleDocument[]; count: number }> {
  const { rows, count } = await findDocuments(db, filter, page)
  return { data: rows.map(show), count }
}

/** @throws DomainError `invoice_not_found`. */
export async function getInvoice(db: Handle, id: string): Promise<SaleDocument> {
  return show(await requireDocument(db, id))
}

async function requireDocument(db: Handle, id: string): Promise<DocumentRow> {
  const row = await findDocument(db, id)
  if (row === undefined) throw notFound()
  return row
}

/** Name of its file, without an ending: `INV-2026-000001`. */
const fileName = ({ label }: Pick<DocumentRow, 'label'>) => label.replaceAll('/', '-')

/** The PDF of a document, made anew each time of what was frozen when it was issued. */
export async function printInvoice(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  id: string,
  language: Language | undefined,
): Promise<{ name: string; content: Buffer }> {
  const row = await requireDocument(db, id)
  const snapshot = row.snapshot as Snapshot
  const kept = await findEInvoice(db, id)
  const { renderPdf } = await import('./pdf/render.ts') // with its fonts, when first needed
  const content = await renderPdf({
    snapshot,
    number: row.label,
    issuedAt: row.issued_at,
    language: language ?? snapshot.language,
    ksef:
      kept === undefined || kept.state === 'kept'
        ? null
        : { url: verificationUrl(settings.KSEF_QR_URL, snapshot, kept.xml), number: kept.ksef_number },
    cii: await writeEInvoice(snapshot, row.label, 'CII'),
  })
  return { name: `${fileName(row)}.pdf`, content }
}

/** Where KSeF shows whether it knows a document: by NIP, day of issue and hash. */
function verificationUrl(base: string, { seller, issued_on }: Snapshot, xml: string): string {
  const hash = createHash('sha256').update(xml).digest('base64url')
  const [year, month, day] = issued_on.split('-')
  return `${base.replace(/\/$/, '')}/invoice/${seller.vat_id.slice(2)}/${day}-${month}-${year}/${hash}`
}

/** @throws DomainError `invoice_not_found`, also where there is no FA(3) of it. */
export async function writeInvoiceXml(
  db: Db,
  id: string,
  format: 'ubl' | 'ksef',
): Promise<{ name: string; content: string }> {
  const row = await requireDocument(db, id)
  if (format === 'ubl') {
    const content = await writeEInvoice(row.snapshot as Snapshot, row.label, 'UBL')
    return { name: `${fileName(row)}.xml`, content }
  }
  const kept = await findEInvoice(db, id)
  if (kept === undefined) throw notFound()
  return { name: `${fileName(row)}-ksef.xml`, content: kept.xml }
}

/** Everybody's, newest first, with what is stuck. */
export async function listInvoices(
  db: Handle,
  filter: DocumentFilter,
  page: { after: string | undefined; limit: number },
): Promise<{ data: AdminSaleDocument[]; count: number; due: DueDocument[] }> {
  const { rows, count } = await findDocuments(db, filter, page)
  const due = await findStuck(db, 50)
  return {
    count,
    data: rows.map((row) => ({
      ...show(row),
      user_id: row.user_id,
      place_contradicts: row.place_contradicts,
      e_invoice:
        row.e_state === null
          ? null
          : {
              state: row.e_state as NonNullable<AdminSaleDocument['e_invoice']>['state'],
              ksef_number: row.ksef_number,
              last_error: row.e_error,
              tries: row.e_tries ?? 0,
            },
    })),
    due: due.map((row) => ({ ...row, since: row.since.toISOString() })),
  }
}

/** Has a failed e-invoice sent again, or a document that could not be made tried again, soon. */
export async function retryInvoice(db: Handle, id: string): Promise<void> {
  if ((await retryEInvoice(db, id)) || (await hastenDue(db, id))) return
  throw new DomainError('resource_not_found', { resource: 'invoice' })
}

const columns = [
  'number',
  'kind',
  'issued_on',
  'sold_on',
  'corrects',
  'buyer',
  'buyer_tax_id',
  'buyer_country',
  'taxed_in',
  'treatment',
  'currency',
  'rate',
  'net',
  'vat',
  'gross',
  'home_currency',
  'exchange_rate',
  'exchange_table',
  'exchange_day',
  'vat_home',
  'ksef_number',
  'transaction',
  'evidence',
] as const
const atOnce = 500

/** One line per document and rate, oldest first; amounts as decimals, and the home currency's VAT on its share. */
export async function* exportInvoices(db: Handle, filter: DocumentFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: string | undefined
  do {
    const rows = await findDocumentsInOrder(db, filter, { after, limit: atOnce })
    yield rows.flatMap(linesOf).join('')
    after = rows.length < atOnce ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}

function linesOf(row: DocumentRow): string[] {
  const snapshot = row.snapshot as Snapshot
  const { buyer, exchange, currency } = snapshot
  // Numbers: an amount below zero is no text that might be a formula.
  const inUnits = (amount: number, of = currency) => Number(toDecimal({ amount, currency: of }))
  let left = row.vat_home
  return snapshot.rates.map(({ rate, net, vat, gross }, index) => {
    const isLast = index === snapshot.rates.length - 1
    const share =
      left === null || row.vat === 0 ? left : isLast ? left : Math.round(((row.vat_home ?? 0) * vat) / row.vat)
    if (left !== null && share !== null) left -= share
    const values: Record<(typeof columns)[number], string | number> = {
      number: row.label,
      kind: row.kind,
      issued_on: row.issued_day,
      sold_on: row.sold_day,
      corrects: row.corrected_label ?? '',
      buyer: row.buyer_name,
      buyer_tax_id: buyer.kind === 'unnamed' ? '' : (buyer.tax_id ?? ''),
      buyer_country: buyer.country,
      taxed_in: row.country_code,
      treatment: row.treatment,
      currency,
      rate,
      net: inUnits(net),
      vat: inUnits(vat),
      gross: inUnits(gross),
      home_currency: row.home_currency,
      exchange_rate: exchange?.rate ?? '',
      exchange_table: exchange?.table ?? '',
      exchange_day: exchange?.day ?? '',
      vat_home: share === null ? '' : inUnits(share, row.home_currency),
      ksef_number: row.ksef_number ?? '',
      transaction: row.transaction_id,
      evidence: JSON.stringify(snapshot.evidence),
    }
    return csvLine(columns.map((column) => values[column]))
  })
}

export const invoiceOwners: OwnerCheck = {
  findOwner: findDocumentOwner,
  notFound: { code: 'invoice_not_found', resource: 'invoice' },
}
