/** What a document says, frozen when it is issued. Everything printed or sent is made of this and nothing else. */
import type { DocumentKind } from '@wakestone/contract/invoicing/invoice'
import type { Language } from '@wakestone/contract/primitives'
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'
import { gatewayNames } from '#src/adapters/payments/gateway.ts'

export type Texts = Record<Language, string>

export type SnapshotLine = {
  /** In all languages, because a copy in another language must say the same. */
  description: Texts
  quantity: number
  /** A fraction; amounts in minor units, net + vat = gross. */
  rate: number
  net: number
  vat: number
  gross: number
}
export type Party = { name: string; address: string; postal_code: string; city: string; country: string }

export type Snapshot = {
  version: 1
  /** Without data of a real seller, outside production. */
  sample: boolean
  kind: DocumentKind
  issued_on: string
  sold_on: string
  currency: string
  language: Language
  seller: Party & { vat_id: string; registration: string | null; email: string | null }
  buyer:
    | (Party & { kind: 'person' | 'company'; nip: string | null; tax_id: string | null })
    /** Of receipts. */
    | { kind: 'unnamed'; name: string; country: string }
  /** Address of mail of the buyer's account. */
  buyer_email: string | null
  lines: SnapshotLine[]
  /** One entry per rate. */
  rates: { rate: number; net: number; vat: number; gross: number }[]
  totals: { net: number; vat: number; gross: number }
  tax: {
    country_code: string
    treatment: TaxTreatment
    /** What the EU's register had said of the VAT id. */
    check: { state: string; checked_at: string | null; consultation_number: string | null } | null
  }
  /** Where the buyer seemed to be, by whatever told so. */
  evidence: {
    billing: string | null
    registration: string | null
    session: string | null
    payment: string | null
    contradicts: boolean
  }
  /** VAT in the tax office's currency; null where the sale is in it. */
  exchange: { source: 'NBP'; table: string; day: string; rate: string; currency: string; vat: number } | null
  payment: { provider: string; transaction_id: string }
  corrects: {
    id: string
    number: string
    issued_on: string
    sold_on: string
  } | null
  /** Of credit notes, why they were made; old ones do not say. */
  reason?: Texts
}

const gateways: Readonly<Record<string, string>> = { ...gatewayNames, blik: 'BLIK' }

/** By which gateway a top-up was paid that is taxed as it comes in; undefined: from a wallet. */
export const gatewayOf = ({ payment }: Snapshot): string | undefined => gateways[payment.provider]
