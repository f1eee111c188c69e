/**
 * Issues documents for completed sales. One sale, one transaction: number, document and the sale's reference to it exist
 * together or not at all, so a process may be killed at any line; a sale that cannot be invoiced yet waits, without a
 * number.
 */
import { vatCountry } from '@wakestone/contract/european-union'
import type { DocumentKind } from '@wakestone/contract/invoice'
import { type TaxTreatment, taxTreatments } from '@wakestone/contract/tax-treatment'
import { type Language, languages } from '@wakestone/contract/values'
import { askMidRate } from '#src/adapters/nbp/client.ts'
import type { Context } from '#src/context.ts'
import { type Db, type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { findCountry } from '#src/features/location/service.ts'
import { convert, splitPositions, sumByRate } from './amounts.ts'
import { describeLine } from './descriptions.ts'
import { keepEInvoice } from './e-invoice/keep.ts'
import {
  type CorrectedRow,
  findBuyerAt,
  findCorrected,
  findDue,
  findPlaces,
  findRate,
  findSale,
  insertDocument,
  insertRate,
  isDue,
  lockDue,
  postponeDue,
  type Sale,
} from './issue-repo.ts'
import { sellerOf } from './seller.ts'
import type { Snapshot } from './snapshot.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>

/** What a credit note corrects has no document yet. */
class OriginalDue extends Error {}

/**
 * Issues what is due; any number of processes may do so at once.
 * @returns how many documents were issued.
 */
export async function issueDueDocuments(deps: Deps, now: Date, { limit = 100 } = {}): Promise<number> {
  let issued = 0
  for (const id of await findDue(deps.db, { now, limit })) {
    try {
      if (await issueDocument(deps, id, now)) issued++
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await postponeDue(deps.db, id, message, now)
      deps.logger.warn({ error, transaction: id }, 'invoices: no document could be issued; it is tried again')
    }
  }
  return issued
}

/** @returns whether this call has issued it. */
async function issueDocument(deps: Deps, transactionId: string, now: Date): Promise<boolean> {
  const sale = await findSale(deps.db, transactionId)
  if (sale === undefined) throw new Error('the sale has no posting')
  const day = (at: Date) => dayIn(deps.settings.SELLER_TIME_ZONE, at)
  const home = deps.settings.VAT_HOME_CURRENCY
  // Asked for before anything is locked. The rate is that of the business day before the sale.
  const exchange =
    home === 'none' || sale.currency === home ? null : await rateOn(deps, sale.currency, day(sale.completed_at))
  return inTransaction(deps.db, async (trx) => {
    if ((await lockDue(trx, transactionId)) === undefined) return false
    const corrected = await findOriginal(trx, sale)
    const snapshot = await freeze(deps, trx, {
      sale,
      corrected,
      exchange,
      issuedOn: day(now),
      soldOn: day(sale.completed_at),
    })
    const document = await insertDocument(trx, {
      userId: sale.user_id,
      transactionId,
      corrects: corrected?.id ?? null,
      prefix: prefixOf(deps.settings, snapshot.kind),
      now,
      homeCurrency: home === 'none' ? sale.currency : home,
      buyerName: snapshot.buyer.name,
      snapshot,
      // A top-up shows the document that taxed it.
      shownAt: snapshot.kind === 'credit_note' ? undefined : depositOf(sale),
    })
    await keepEInvoice(deps, trx, { document, snapshot, now })
    return true
  })
}

function prefixOf(settings: Deps['settings'], kind: DocumentKind): string {
  return {
    invoice: settings.INVOICE_PREFIX,
    receipt: settings.RECEIPT_PREFIX,
    credit_note: settings.CREDIT_NOTE_PREFIX,
  }[kind]
}

/** The day that a moment is in, `2026-11-20`. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}

/** The rate of the business day before a day; asked of the bank once. @throws NbpUnavailable */
async function rateOn({ db, settings }: { db: Db; settings: Deps['settings'] }, currency: string, before: string) {
  const known = await findRate(db, currency, before)
  if (known !== undefined) return known
  const asked = await askMidRate(settings, { currency, before })
  await insertRate(db, { currency, before, ...asked })
  return asked
}

async function findOriginal(trx: Transaction, sale: Sale): Promise<CorrectedRow | undefined> {
  if (sale.revenue + sale.vat > 0) return undefined
  const text = (name: string) => (typeof sale.details[name] === 'string' ? sale.details[name] : undefined)
  const reverses = text('reverses')
  if (reverses !== undefined && (await isDue(trx, reverses)))
    throw new OriginalDue('what it corrects has no document yet')
  return findCorrected(trx, { userId: sale.user_id, reverses, serviceId: text('service_id') })
}

type Facts = {
  sale: Sale
  corrected: CorrectedRow | undefined
  exchange: { table: string; day: string; rate: string } | null
  issuedOn: string
  soldOn: string
}

async function freeze(
  deps: Deps,
  trx: Transaction,
  { sale, corrected, exchange, issuedOn, soldOn }: Facts,
): Promise<Snapshot> {
  const { settings } = deps
  const original = corrected?.snapshot as Snapshot | undefined
  const taxData = await findBuyerAt(trx, sale.user_id, sale.completed_at)
  const isCredit = sale.revenue + sale.vat < 0
  // Of a sale that was partly paid with money taxed before only the rest is documented.
  const positions = (sale.details['document_positions'] as Sale['positions'] | undefined) ?? sale.positions
  const lines = splitPositions(positions, sale).map(({ position, net, vat, gross }) => ({
    description: describeLine(position.name, { action: sale.action, period: sale.details['billing_period'] }),
    quantity: position.quantity,
    rate: position.tax,
    net,
    vat,
    gross,
  }))
  const totals = { net: sale.revenue, vat: sale.vat, gross: sale.revenue + sale.vat }
  const named = taxData && {
    kind: taxData.kind as 'person' | 'company',
    name: taxData.name,
    address: taxData.address,
    postal_code: taxData.postal_code,
    city: taxData.city,
    country: taxData.country,
    nip: taxData.nip,
    tax_id: taxData.tax_id,
  }
  const unnamed = { kind: 'unnamed' as const, name: sale.username ?? '', country: sale.country_code }
  return {
    version: 1,
    ...sellerOf(settings),
    kind: isCredit ? 'credit_note' : named === undefined ? 'receipt' : 'invoice',
    issued_on: issuedOn,
    sold_on: soldOn,
    currency: sale.currency,
    language: languageOf(taxData?.language ?? sale.language),
    // What corrects a document speaks to the same buyer as it did.
    buyer: original?.buyer ?? named ?? unnamed,
    buyer_email: named === undefined ? null : sale.email, // of receipts nobody needs it
    lines,
    rates: sumByRate(lines),
    totals,
    tax: {
      country_code: sale.country_code,
      treatment: original?.tax.treatment ?? treatmentOf(sale),
      check:
        original?.tax.check ??
        (taxData?.state == null
          ? null
          : {
              state: taxData.state,
              checked_at: taxData.checked_at?.toISOString() ?? null,
              consultation_number: taxData.consultation_number,
            }),
    },
    evidence: await findEvidence(trx, settings, { sale, billing: taxData?.country ?? null }),
    exchange: exchange && {
      source: 'NBP',
      ...exchange,
      currency: settings.VAT_HOME_CURRENCY,
      vat: convert(sale.vat, exchange.rate),
    },
    payment: { provider: sale.provider, transaction_id: depositOf(sale) ?? sale.id },
    corrects: corrected
      ? {
          id: corrected.id,
          number: corrected.label,
          issued_on: corrected.issued_day,
          sold_on: (corrected.snapshot as Snapshot).sold_on,
        }
      : null,
  }
}

/** The top-up that a transaction taxes. */
const depositOf = ({ action, details }: Sale): string | undefined =>
  action === 'TOP_UP_TAX' ? String(details['deposit_id']) : undefined

const languageOf = (language: string | null | undefined): Language =>
  languages.find((known) => known === language) ?? 'en'

/** As it was when the buyer was charged. Sales from before that was noted were all taxed by the buyer's country. */
function treatmentOf(sale: Sale): TaxTreatment {
  return (
    taxTreatments.find((known) => known === sale.details['tax_treatment']) ??
    (Number(sale.vat_rate) > 0 ? 'destination' : 'outside')
  )
}

async function findEvidence(
  db: Handle,
  settings: Deps['settings'],
  { sale, billing }: { sale: Sale; billing: string | null },
): Promise<Snapshot['evidence']> {
  const { registration, session_ip, payment_ip } = await findPlaces(db, sale.user_id, sale.completed_at)
  const countryOf = (ip: string | null) => (ip === null ? null : (findCountry(ip, settings) ?? null))
  const places = { billing, registration, session: countryOf(session_ip), payment: countryOf(payment_ip) }
  const known = Object.values(places).filter((place) => place !== null)
  return { ...places, contradicts: new Set(known.map(vatCountry)).size > 1 }
}
