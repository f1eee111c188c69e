/**
 * EN 16931, Europe's semantic model of an invoice, in its two syntaxes: UBL for exchange, CII for the XML inside of the
 * PDF (Factur-X). Made of the snapshot alone.
 */
import type { Invoice } from '@e-invoice-eu/core'
import { isInEu } from '@wakestone/contract/money/european-union'
import { toDecimal } from '@wakestone/kit/money'
import type { Snapshot } from '../snapshot.ts'
import { type Syntax, writerOf } from './library.ts'
import { oneLine } from '../text.ts'

const profile = 'urn:cen.eu:en16931:2017'

/** UN/ECE codes. A credit note is a corrected invoice with amounts below zero. */
const typeCodes = { invoice: '380', receipt: '380', credit_note: '384' } as const

type Category = { code: 'S' | 'AE' | 'O' | 'Z' | 'G'; reason?: string }
function categoryOf({ tax }: Snapshot, rate: number): Category {
  if (tax.treatment === 'reverse_charge') return { code: 'AE', reason: 'Reverse charge' }
  if (tax.treatment === 'outside') return { code: 'O', reason: 'Not subject to VAT' }
  return rate === 0 ? { code: 'Z' } : { code: 'S' }
}

/** The model sets no length; nobody's name is longer. */
const said = (text: string) => oneLine(text, 1_000)

const percentText = (rate: number) => String(Math.round(rate * 10_000) / 100)

/** @throws Error naming what the model does not allow. */
export async function writeEInvoice(snapshot: Snapshot, number: string, syntax: Syntax): Promise<string> {
  const write = await writerOf(syntax)
  return write(describe(snapshot, number), snapshot.language)
}

function describe(snapshot: Snapshot, number: string): Invoice {
  const { currency, totals, lines, language, exchange } = snapshot
  const decimal = (amount: number) => toDecimal({ amount, currency })
  const amount = (name: string, value: number) => ({
    [`cbc:${name}`]: decimal(value),
    [`cbc:${name}@currencyID`]: currency,
  })
  const category = (rate: number) => {
    const { code } = categoryOf(snapshot, rate)
    return {
      'cbc:ID': code,
      ...(code !== 'O' && { 'cbc:Percent': percentText(rate) }),
      'cac:TaxScheme': { 'cbc:ID': 'VAT' },
    }
  }
  const invoice = {
    'ubl:Invoice': {
      'cbc:CustomizationID': profile,
      'cbc:ID': number,
      'cbc:IssueDate': snapshot.issued_on,
      'cbc:DueDate': snapshot.sold_on,
      'cbc:InvoiceTypeCode': typeCodes[snapshot.kind],
      'cbc:DocumentCurrencyCode': currency,
      ...(exchange !== null && { 'cbc:TaxCurrencyCode': exchange.currency }),
      ...(snapshot.corrects !== null && {
        'cac:BillingReference': [
          {
            'cac:InvoiceDocumentReference': {
              'cbc:ID': snapshot.corrects.number,
              'cbc:IssueDate': snapshot.corrects.issued_on,
            },
          },
        ],
      }),
      'cac:AccountingSupplierParty': { 'cac:Party': seller(snapshot) },
      'cac:AccountingCustomerParty': { 'cac:Party': buyer(snapshot) },
      'cac:Delivery': { 'cbc:ActualDeliveryDate': snapshot.sold_on },
      'cac:PaymentMeans': [{ 'cbc:PaymentMeansCode': '97', 'cbc:PaymentID': snapshot.payment.transaction_id }],
      'cac:TaxTotal': [
        {
          ...amount('TaxAmount', totals.vat),
          'cac:TaxSubtotal': snapshot.rates.map(({ rate, net, vat }) => {
            const { reason } = categoryOf(snapshot, rate)
            return {
              ...amount('TaxableAmount', net),
              ...amount('TaxAmount', vat),
              'cac:TaxCategory': {
                ...category(rate),
                ...(reason !== undefined && { 'cbc:TaxExemptionReason': reason }),
              },
            }
          }),
        },
        ...(exchange === null
          ? []
          : [
              {
                'cbc:TaxAmount': toDecimal({ amount: exchange.vat, currency: exchange.currency }),
                'cbc:TaxAmount@currencyID': exchange.currency,
              },
            ]),
      ],
      'cac:LegalMonetaryTotal': {
        ...amount('LineExtensionAmount', totals.net),
        ...amount('TaxExclusiveAmount', totals.net),
        ...amount('TaxInclusiveAmount', totals.gross),
        ...amount('PrepaidAmount', totals.gross),
        ...amount('PayableAmount', 0),
      },
      'cac:InvoiceLine': lines.map((line, index) => ({
        'cbc:ID': String(index + 1),
        // A price is never below zero: what is given back is a quantity below zero.
        'cbc:InvoicedQuantity': String(line.net < 0 ? -line.quantity : line.quantity),
        'cbc:InvoicedQuantity@unitCode': 'C62',
        ...amount('LineExtensionAmount', line.net),
        'cac:Item': { 'cbc:Name': said(line.description[language]), 'cac:ClassifiedTaxCategory': category(line.rate) },
        'cac:Price': {
          ...amount('PriceAmount', Math.abs(line.net)),
          ...(line.quantity > 1 && { 'cbc:BaseQuantity': String(line.quantity), 'cbc:BaseQuantity@unitCode': 'C62' }),
        },
      })),
    },
  }
  return invoice as unknown as Invoice // its amounts are branded strings
}

const postal = ({
  address,
  city,
  postal_code,
  country,
}: {
  address: string
  city: string
  postal_code: string
  country: string
}) => ({
  'cac:PostalAddress': {
    'cbc:StreetName': said(address),
    'cbc:CityName': said(city),
    'cbc:PostalZone': said(postal_code),
    'cac:Country': { 'cbc:IdentificationCode': country },
  },
})

/** Where the party takes electronic documents: mail (`EM`). The model wants one of everybody. */
const endpoint = (email: string | null) => ({
  'cbc:EndpointID': email === null ? 'unknown@invalid' : said(email),
  'cbc:EndpointID@schemeID': 'EM',
})

const vatScheme = (id: string) => ({ 'cbc:CompanyID': id, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } })

/** Sales that are not subject to VAT name no VAT id (BR-O-02). */
function seller({ seller: party, tax }: Snapshot) {
  return {
    ...endpoint(party.email),
    ...postal(party),
    ...(tax.treatment !== 'outside' && { 'cac:PartyTaxScheme': [vatScheme(party.vat_id)] }),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': said(party.name),
      ...(tax.treatment === 'outside' && { 'cbc:CompanyID': party.vat_id.slice(2) }),
    },
  }
}

function buyer({ buyer: party, buyer_email, tax }: Snapshot) {
  if (party.kind === 'unnamed')
    return {
      ...endpoint(buyer_email),
      'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': party.country } },
      'cac:PartyLegalEntity': { 'cbc:RegistrationName': said(party.name) },
    }
  const isVatId = party.tax_id !== null && (party.tax_id.startsWith('EL') || isInEu(party.tax_id.slice(0, 2)))
  return {
    ...endpoint(buyer_email),
    ...postal(party),
    ...(isVatId && tax.treatment !== 'outside' && { 'cac:PartyTaxScheme': vatScheme(party.tax_id as string) }),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': said(party.name),
      ...(party.tax_id !== null && !isVatId && { 'cbc:CompanyID': said(party.tax_id) }),
    },
  }
}
