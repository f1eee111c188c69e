/** Every kind of document as FA(3), UBL and CII, held against the published structures, and as PDF/A-3 with the CII in it. */
import { describe, expect, test, vi } from 'vitest'
import type { TaxTreatment } from '@wakestone/contract/tax-treatment'
import { findBrokenRules, findFa3Faults, readCii, readUbl } from '../../../../../../tests/support/e-invoice-rules.ts'
import { readXml } from '../../../../../../tests/support/xml.ts'
import { sumByRate } from '../amounts.ts'
import { renderPdf } from '../pdf/render.ts'
import type { Snapshot } from '../snapshot.ts'
import { writeEInvoice } from './en16931.ts'
import { writeFa3 } from './fa3.ts'

// The first one compiles a large schema, or loads fonts.
vi.setConfig({ testTimeout: 120_000 })

const company = (country: string, tax_id: string | null, nip: string | null = null): Snapshot['buyer'] => ({
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
const line = (net: number, vat: number, rate: number): Snapshot['lines'][number] => ({
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

function snapshot(
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
const documents: Record<string, Snapshot> = {
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
const number = 'FV/2026/000123'
const now = new Date('2026-11-20T10:00:00Z')
const fa3Of = (one: Snapshot) => writeFa3(one, { number, now })

describe.each(Object.entries(documents))('%s', (_, one) => {
  test('is FA(3)', () => {
    expect(findFa3Faults(readXml(fa3Of(one)))).toEqual([])
  })
  test('keeps the rules of EN 16931, and says the same in both syntaxes', async () => {
    const ubl = readUbl(readXml(await writeEInvoice(one, number, 'UBL')))
    const cii = readCii(readXml(await writeEInvoice(one, number, 'CII')))
    expect([findBrokenRules(ubl), findBrokenRules(cii)]).toEqual([[], []])
    expect(cii).toEqual(ubl)
    const { net, vat, gross } = one.totals
    expect(ubl).toMatchObject({ number, issued: one.issued_on, net, vat, gross, prepaid: gross, payable: 0 })
  })
})

test.each<[string, (xml: string) => string]>([
  ['an element too few', (xml) => xml.replace(/<P_15>.*<\/P_15>/, '')],
  ['one too many', (xml) => xml.replace('<P_23>', '<P_21>1</P_21><P_23>')],
  ['two in the other order', (xml) => xml.replace(/(<P_1>.*<\/P_1>)(<P_2>.*<\/P_2>)/, '$2$1')],
  ['another sum', (xml) => xml.replace(/<P_14_1>[^<]*/, '<P_14_1>1.00')],
  ['a NIP that cannot be one', (xml) => xml.replace('<NIP>526', '<NIP>000')],
  ['text with an end of spaces', (xml) => xml.replace('</P_7>', ' </P_7>')],
  ['an older form', (xml) => xml.replace('FA (3)', 'FA (2)')],
])('FA(3) with %s is noticed', (_, spoil) => {
  const xml = fa3Of(documents['an invoice at home'] as Snapshot)
  expect(spoil(xml)).not.toBe(xml)
  expect(findFa3Faults(readXml(spoil(xml)))).not.toEqual([])
})

test.each([
  ['net', 'BR-CO-13'],
  ['vat', 'BR-CO-14'],
  ['gross', 'BR-CO-15'],
  ['payable', 'BR-CO-16'],
  ['lineTotal', 'BR-CO-10'],
] as const)('EN 16931 with another %s breaks %s', async (part, rule) => {
  const one = readUbl(readXml(await writeEInvoice(documents['an invoice at home'] as Snapshot, number, 'UBL')))
  expect(findBrokenRules({ ...one, [part]: one[part] + 1 })).toContain(rule)
})

test('a PDF says of itself that it is PDF/A-3 and Factur-X, and holds its fonts, colours and the CII', async () => {
  const one = documents['reverse charge'] as Snapshot
  const cii = await writeEInvoice(one, number, 'CII')
  const pdf = (await renderPdf({ snapshot: one, number, issuedAt: now, language: 'pl', ksef: null, cii })).toString(
    'latin1',
  )
  for (const part of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '/AFRelationship /Alternative',
    '/AF [',
    '/EmbeddedFiles',
    '/S /GTS_PDFA1',
    '/DestOutputProfile',
  ])
    expect(pdf).toContain(part)
  const count = (pattern: RegExp) => [...pdf.matchAll(pattern)].length
  expect(count(/\/Type \/FontDescriptor/g)).toBeGreaterThan(0)
  expect(count(/\/FontFile[23] /g)).toBe(count(/\/Type \/FontDescriptor/g))
  expect(count(/\/ToUnicode /g)).toBe(count(/\/Subtype \/Type0/g))
  // What PDF/A forbids.
  expect(pdf).not.toMatch(/\/Encrypt|\/JavaScript|\/Launch|\/SMask [^/]|\/ca 0/)
})
