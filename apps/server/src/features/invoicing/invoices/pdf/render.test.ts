/** What printed documents say, page by page, read back from the file. */
import { expect, test } from 'vitest'
import { readPdfText } from '../../../../../../../tests/support/pdf-text.ts'
import { documents, line, number, snapshot } from '../../../../../../../tests/support/sale-documents.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Printed } from './paper.ts'
import { renderPdf } from './render.ts'

const print = (one: Snapshot, more: Partial<Printed> = {}) =>
  renderPdf({ snapshot: one, number, issuedAt: new Date(0), language: 'pl', ksef: null, cii: '<a/>', ...more })
const countIn = (text: string, part: string) => text.split(part).length - 1
const home = documents['an invoice at home'] as Snapshot
const long = { en: 'long '.repeat(40), pl: 'długi opis '.repeat(20), de: 'lang '.repeat(40) }

test('lines that go on overleaf have the headings again, and each page says what document it is', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => ({
    ...line(1000 + index, 230, 0.23),
    ...(index % 2 === 0 && { description: long }),
  }))
  const pdf = await print(snapshot(['PL', 'domestic'], { buyer: home.buyer, lines }), { language: 'en' })
  const text = readPdfText(pdf)
  const pages = countIn(pdf.toString('latin1'), '/Type /Page\n')
  expect(pages).toBeGreaterThan(2)
  expect(countIn(text, 'Page ')).toBe(pages)
  expect(countIn(text, `Invoice No. ${number}`)).toBe(pages)
  expect(countIn(text, 'Description')).toBeGreaterThanOrEqual(pages - 1)
})

test('the register’s code stands beside the sums: a usual document has one page', async () => {
  const ksef = { url: `https://qr.ksef.mf.gov.pl/invoice/5260001246/20-11-2026/${'a'.repeat(43)}`, number: 'K-1' }
  const rates = [line(349, 80, 0.23), line(1000, 80, 0.08), line(500, 0, 0)]
  const pdf = await print(snapshot(['PL', 'domestic'], { buyer: home.buyer, lines: rates }), { ksef })
  expect(readPdfText(pdf)).toContain('K-1')
  expect(countIn(pdf.toString('latin1'), '/Type /Page\n')).toBe(1)
})

test('letters are copied as they were written, whatever was printed before', async () => {
  const name = 'a->b 10x20 fi Łódź\u00a0Αθήνα Київ'
  const printed = await print({ ...home, buyer: { ...home.buyer, name } as Snapshot['buyer'] })
  const text = readPdfText(printed)
  expect(text.replace(/\s/g, '')).toContain(name.replace(/\s/g, ''))
  await print({ ...home, buyer: { ...home.buyer, name: '\u00a0\u2010\u00ad\u2212Ω' } as Snapshot['buyer'] })
  const again = await print({ ...home, buyer: { ...home.buyer, name } as Snapshot['buyer'] })
  expect(readPdfText(again)).toBe(text)
})
