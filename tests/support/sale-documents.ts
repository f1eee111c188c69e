/** Documents of sale of every kind, for tests of what is written of them. */
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'
import { sumByRate } from '../../apps/server/src/features/invoicing/invoices/amounts.ts'
import type { Snapshot } from '../../apps/server/src/features/invoicing/invoices/snapshot.ts'

export const number = 'FV/2026/000123'

export const company = (country: string, tax_id: string | null, nip: string | null = null): Snapshot['buyer'] => ({
  kind: 'company',
  name: 'Zażółć & Söhne <GmbH>',
  address: 'Straße  1 ',
  postal_code: '10115',
  city: 'Berlin',
  country,
  nip,
  tax_id,
})
const nobody = (country: string): Snapshot['buyer'] => ({ kind: 'unnamed', name: 'demo', country })
export const line = (net: number, vat: number, rate: number): Snapshot['lines'][number] => ({
  description: { en: 'GRASS, 30 days', pl: 'GRASS, 30 dni', de: 'GRASS, 30 Tage' },
  quantity: 1,
  rate,
  net,
  vat,
  gross: net + vat,
})
const exchange = (vat: number) => ({
  source: 'NBP' as const,
  table: '224/A/NBP/2026',
  day: '2026-11-18',
  rate: '4.2512',
  currency: 'PLN',
  vat,
})
const corrects = { id: 'x', number: 'FV/2026/000001', issued_on: '2026-11-01', sold_on: '2026-11-01' }

/** What is left out is an invoice of a Polish seller in złoty; sums are those of the lines. */
export function snapshot(
  [country_code, treatment]: [string, TaxTreatment],
  more: Partial<Snapshot> & Pick<Snapshot, 'buyer' | 'lines'>,
): Snapshot {
  const sum = (part: 'net' | 'vat' | 'gross') => more.lines.reduce((total, one) => total + one[part], 0)
  return {
    version: 1,
    sample: false,
    kind: 'invoice',
    issued_on: '2026-11-20',
    sold_on: '2026-11-19',
    currency: 'PLN',
    language: 'pl',
    seller: {
      name: 'Latarnia Sp. z o.o.',
      address: 'ul. Morska 1',
      postal_code: '81-001',
      city: 'Gdynia',
      country: 'PL',
      vat_id: 'PL5260001246',
      registration: 'KRS 0000000001',
      email: 'biuro@latarnia.example',
    },
    buyer_email: 'buyer@example.com',
    exchange: null,
    payment: { provider: 'wallet', transaction_id: '01a1fc34-52c4-7b8a-9aee-191d4ce681ae' },
    corrects: null,
    evidence: { billing: 'PL', registration: 'PL', session: 'PL', payment: null, contradicts: false },
    rates: sumByRate(more.lines),
    totals: { net: sum('net'), vat: sum('vat'), gross: sum('gross') },
    tax: { country_code, treatment, check: null },
    ...more,
  }
}

const polish = company('PL', 'PL5260001246', '5260001246')
/** One of each kind, as frozen when it is issued. */
export const documents: Record<string, Snapshot> = {
  'an invoice at home': snapshot(['PL', 'domestic'], {
    buyer: polish,
    lines: [line(1499, 345, 0.23), line(900, 207, 0.23)],
  }),
  'a receipt': snapshot(['PL', 'domestic'], { kind: 'receipt', buyer: nobody('PL'), lines: [line(1499, 345, 0.23)] }),
  'an invoice in euro': snapshot(['PL', 'domestic'], {
    currency: 'EUR',
    buyer: polish,
    lines: [line(349, 80, 0.23)],
    exchange: exchange(340),
  }),
  'below the threshold': snapshot(['PL', 'seller_rate'], { buyer: nobody('DE'), lines: [line(349, 80, 0.23)] }),
  'another country’s rate': snapshot(['DE', 'destination'], {
    currency: 'EUR',
    language: 'de',
    buyer: nobody('DE'),
    lines: [line(349, 66, 0.19)],
    exchange: exchange(281),
  }),
  'reverse charge': snapshot(['DE', 'reverse_charge'], {
    currency: 'EUR',
    buyer: company('DE', 'DE123456789'),
    lines: [line(1049, 0, 0)],
    exchange: exchange(0),
  }),
  'outside the EU': snapshot(['US', 'outside'], {
    currency: 'USD',
    language: 'en',
    buyer: company('US', '12-3456789'),
    lines: [line(379, 0, 0)],
    exchange: exchange(0),
  }),
  'a credit note': snapshot(['PL', 'domestic'], {
    kind: 'credit_note',
    buyer: polish,
    lines: [line(-1000, -230, 0.23)],
    corrects,
  }),
}
