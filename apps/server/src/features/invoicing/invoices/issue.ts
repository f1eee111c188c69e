/**
 * Issues documents for completed sales. One sale, one transaction: number, document and the sale's reference to it exist
 * together or not at all, so a process may be killed at any line; a sale that cannot be invoiced yet waits, without a
 * number.
 */
import { vatCountry } from '@wakestone/contract/money/european-union'
import type { DocumentKind } from '@wakestone/contract/invoicing/invoice'
import { type TaxTreatment, taxTreatments } from '@wakestone/contract/money/tax-treatment'
import { type Language, languages } from '@wakestone/contract/values'
import { askMidRate } from '#src/adapters/nbp/client.ts'
import type { Context } from '#src/context.ts'
import { type Db, type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { findCountry } from '#src/features/ground/location/service.ts'
import { convert, splitPositions, sumByRate } from './amounts.ts'
import { describeLine } from './descriptions.ts'
import { isAwaited, keepEInvoice } from './e-invoice/keep.ts'
import { reasonOf } from './reasons.ts'
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
  lockVatLeft,
  postponeDue,
  type Sale,
} from './issue-repo.ts'
import { sellerOf } from './seller.ts'
import type { Snapshot } from './snapshot.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>

/** What a credit note corrects has no document yet, or none that KSeF has numbered. */
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
  // Documents never change: what was found before anything is locked is so afterwards.
  const corrected = await findOriginal(deps, sale, now)
  const rate = await findRateOf(deps, { sale, corrected, soldOn: day(sale.completed_at) })
  return inTransaction(deps.db, async (trx) => {
    if ((await lockDue(trx, transactionId)) === undefined) return false
    const snapshot = await freeze(deps, trx, {
      sale,
      corrected,
      exchange: rate && { ...rate, vat: await convertVat(trx, { sale, corrected, rate }) },
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

type Rate = { table: string; day: string; rate: string }

/**
 * What the sale's VAT is converted by; null where it is in the tax office's currency. What is given back is converted as
 * what it was given back of; else it is the rate of the business day before the sale.
 */
async function findRateOf(
  deps: Deps,
  { sale, corrected, soldOn }: { sale: Sale; corrected: CorrectedRow | undefined; soldOn: string },
): Promise<Rate | null> {
  const home = deps.settings.VAT_HOME_CURRENCY
  if (home === 'none' || sale.currency === home) return null
  const { currency, exchange } = (corrected?.snapshot as Snapshot | undefined) ?? { currency: '', exchange: null }
  if (exchange === null || currency !== sale.currency || exchange.currency !== home)
    return rateOn(deps, sale.currency, soldOn)
  const { table, day, rate } = exchange
  return { table, day, rate }
}

/** VAT in the tax office's currency. Of what is given back in parts these add up to that of the whole. */
async function convertVat(
  trx: Transaction,
  { sale, corrected, rate: { rate } }: { sale: Sale; corrected: CorrectedRow | undefined; rate: Rate },
): Promise<number> {
  if (corrected?.currency !== sale.currency) return convert(sale.vat, rate)
  const left = await lockVatLeft(trx, corrected.id)
  return convert(left + sale.vat, rate) - convert(left, rate)
}

/**
 * The document that a credit note corrects.
 * @throws OriginalDue as long as that has no number, here or at KSeF, which the credit note has to name.
 */
async function findOriginal({ db, settings }: Deps, sale: Sale, now: Date): Promise<CorrectedRow | undefined> {
  if (sale.revenue + sale.vat > 0) return undefined
  const text = (name: string) => (typeof sale.details[name] === 'string' ? sale.details[name] : undefined)
  const reverses = text('reverses')
  if (reverses !== undefined && (await isDue(db, reverses)))
    throw new OriginalDue('what it corrects has no document yet')
  const corrected = await findCorrected(db, { userId: sale.user_id, reverses, serviceId: text('service_id') })
  if (corrected !== undefined && (await isAwaited(db, settings, { documentId: corrected.id, now })))
    throw new OriginalDue('KSeF has not numbered what it corrects yet')
  return corrected
}

type Facts = {
  sale: Sale
  corrected: CorrectedRow | undefined
  exchange: (Rate & { vat: number }) | null
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
    ...(isCredit && { reason: reasonOf(sale) }),
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
