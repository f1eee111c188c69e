/** Every kind of document as FA(3), UBL and CII, held against the published structures, and as PDF/A-3 with the CII in it. */
import { Profile, validateXsd } from '@stackforge-eu/factur-x'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { findBrokenRules, findFa3Faults, readCii, readUbl } from '../../../../../../../tests/support/e-invoice-rules.ts'
import { runsOf, someOf } from '../../../../../../../tests/support/long.ts'
import { readPdfText } from '../../../../../../../tests/support/pdf-text.ts'
import { documents, number } from '../../../../../../../tests/support/sale-documents.ts'
import { readXml } from '../../../../../../../tests/support/xml.ts'
import { renderPdf } from '../pdf/render.ts'
import type { Snapshot } from '../snapshot.ts'
import { writeEInvoice } from './en16931.ts'
import { writeFa3 } from './fa3.ts'
import { allowedInXml } from '../text.ts'

// The first one compiles a large schema, or loads fonts.
vi.setConfig({ testTimeout: 120_000 })

const now = new Date('2026-11-20T10:00:00Z')
const fa3Of = (one: Snapshot) => writeFa3(one, { number, now })

/** What the schema that is published with Factur-X, profile EN 16931, has against it. */
const findCiiFaults = async (cii: string) =>
  (await validateXsd(cii, Profile.EN16931)).errors.map(({ message }) => message)

describe.each(Object.entries(documents))('%s', (_, one) => {
  test('is FA(3)', () => {
    expect(findFa3Faults(readXml(fa3Of(one)))).toEqual([])
  })
  test('keeps the rules of EN 16931, and says the same in both syntaxes', async () => {
    const ubl = readUbl(readXml(await writeEInvoice(one, number, 'UBL')))
    const cii = readCii(readXml(await writeEInvoice(one, number, 'CII')))
    expect([findBrokenRules(ubl), findBrokenRules(cii)]).toEqual([[], []])
    expect(cii).toEqual(ubl)
    expect(await findCiiFaults(await writeEInvoice(one, number, 'CII'))).toEqual([])
    const { net, vat, gross } = one.totals
    expect(ubl).toMatchObject({ number, issued: one.issued_on, net, vat, gross, prepaid: gross, payable: 0 })
  })
})

describe('whatever people call themselves', () => {
  const odd = [
    '',
    ' \t\n ',
    '\u0000\u0001\u000b\u001f\ufffe\uffff',
    'a \u0001 b \u0002',
    '\ud83d',
    'half \udc00 a letter',
    '👩‍👩‍👧‍👦🏴‍☠️'.repeat(200),
    `${'x'.repeat(511)} y`,
    `${'x'.repeat(511)}👍`,
    'شركة استضافة الألعاب 123',
    'חברת משחקים',
    '\u202eesrever\u202c',
    ']]><script>alert("&amp;")</script>&lt;<!-- -->',
    '游戏服务器有限公司',
    'Zażółć\u00a0gęślą\u2028jaźń\u2029',
    'e\u0301'.repeat(300),
    '\ufeffBOM',
    'W'.repeat(2_000),
  ]
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.constantFrom(...odd))
  const named = (text: string): Snapshot => {
    const one = documents['an invoice at home'] as Snapshot
    const party = { name: text, address: text, city: text, postal_code: text }
    return {
      ...one,
      seller: { ...one.seller, ...party },
      buyer: { ...one.buyer, ...party } as Snapshot['buyer'],
      lines: one.lines.map((line) => ({ ...line, description: { en: text, pl: text, de: text } })),
    }
  }

  test('documents are what they must be', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const one = named(text)
        expect(findFa3Faults(readXml(fa3Of(one)))).toEqual([])
        const ubl = await writeEInvoice(one, number, 'UBL')
        const cii = await writeEInvoice(one, number, 'CII')
        expect([findBrokenRules(readUbl(readXml(ubl))), findBrokenRules(readCii(readXml(cii)))]).toEqual([[], []])
        expect(readCii(readXml(cii))).toEqual(readUbl(readXml(ubl)))
        expect(await findCiiFaults(cii)).toEqual([])
        for (const xml of [fa3Of(one), ubl, cii]) expect(allowedInXml(xml)).toBe(xml)
      }),
      { numRuns: runsOf(60), examples: odd.map((text): [string] => [text]) },
    )
  })

  test.each(someOf(odd, 3).map((text) => [JSON.stringify(text).slice(0, 24), text]))(
    'a page is set for %s',
    async (_, text) => {
      const cii = await writeEInvoice(named(text), number, 'CII')
      const pdf = await renderPdf({ snapshot: named(text), number, issuedAt: now, language: 'pl', ksef: null, cii })
      expect(readPdfText(pdf)).toContain(number)
    },
  )
})

test('CII with an element too few, too many or in another place is noticed by its schema', async () => {
  const xml = await writeEInvoice(documents['an invoice at home'] as Snapshot, number, 'CII')
  for (const spoil of [
    xml.replace(/<ram:InvoiceCurrencyCode>.*<\/ram:InvoiceCurrencyCode>/, ''),
    xml.replace('<ram:InvoiceCurrencyCode>', '<ram:Odd/><ram:InvoiceCurrencyCode>'),
    xml.replace(/<ram:LineTotalAmount>[^<]*/g, '<ram:LineTotalAmount>much'),
  ]) {
    expect(spoil).not.toBe(xml)
    expect(await findCiiFaults(spoil)).not.toEqual([])
  }
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
