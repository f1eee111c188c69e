/** A document as a page that one would show to a customer; the same words as in its e-invoice, which is attached. */
import { encode } from 'uqr'
import type { Language } from '@wakestone/contract/primitives'
import { formatMoney } from '@wakestone/kit/money'
import { reasonIn } from '../reasons.ts'
import { gatewayOf } from '../snapshot.ts'
import { facturX } from './factur-x.ts'
import {
  colours,
  dayOf,
  footer,
  isTaxed,
  margin,
  moneyOf,
  type Paper,
  percentOf,
  type Printed,
  roomFor,
} from './paper.ts'
import { table } from './table.ts'
import { printedTexts } from './texts.ts'
import { createPage } from './typeset.ts'

export async function renderPdf(printed: Printed): Promise<Buffer> {
  const { snapshot, number, language, issuedAt } = printed
  const texts = printedTexts[language]
  const title = `${texts.kinds[snapshot.kind]} ${number}`
  const page = createPage({ title, author: snapshot.seller.name, language, created: issuedAt })
  const paper = { page, printed, texts, right: page.width - margin }
  let y = header(paper)
  y = parties(paper, y + 26)
  y = table(paper, y + 24)
  y = sums(paper, y + 14)
  notes(paper, y + 24)
  footer(paper)
  page.attach({
    name: 'factur-x.xml',
    content: printed.cii,
    type: 'text/xml',
    description: 'EN 16931',
    created: issuedAt,
  })
  page.describe(facturX)
  return page.end()
}

function header({ page, printed, texts, right }: Paper): number {
  const { snapshot, number, language } = printed
  page.lantern(margin, margin - 4, 34)
  page.text(snapshot.seller.name, margin + 44, margin + 2, { size: 13, weight: 700, width: 220 })
  const column = { width: 260, align: 'right' as const }
  page.text(texts.kinds[snapshot.kind], right - 260, margin - 4, { ...column, size: 20, weight: 700 })
  page.text(`${texts.number} ${number}`, right - 260, margin + 24, {
    ...column,
    size: 11,
    weight: 600,
    color: colours.accent,
  })
  let y = margin + 62
  if (snapshot.sample) page.text(texts.sample, margin, y, { size: 9, weight: 600, color: '#b42318' })
  const dates: [string, string][] = [
    [texts.issued, dayOf(snapshot.issued_on, language)],
    [texts.sold, dayOf(snapshot.sold_on, language)],
  ]
  for (const [name, value] of dates) {
    page.text(name, right - 260, y, { size: 9, color: colours.soft, width: 140, align: 'right' })
    page.text(value, right - 112, y, { size: 9, width: 112, align: 'right' })
    y += 14
  }
  return y
}

function parties({ page, printed, texts, right }: Paper, y: number): number {
  const { seller, buyer } = printed.snapshot
  const width = (right - margin - 24) / 2
  const block = (x: number, heading: string, name: string, rows: string[]) => {
    let down = y
    down += page.text(heading, x, down, { size: 8.5, weight: 600, color: colours.accent }) + 3
    down += page.text(name, x, down, { size: 11, weight: 600, width }) + 2
    for (const row of rows) down += page.text(row, x, down, { size: 9.5, width }) + 0.5
    return down
  }
  const address = (party: { address: string; postal_code: string; city: string; country: string }) => [
    party.address,
    `${party.postal_code} ${party.city}`,
    countryName(party.country, printed.language),
  ]
  const left = block(margin, texts.seller, seller.name, [
    ...address(seller),
    `${texts.vatId}: ${seller.vat_id}`,
    ...(seller.registration === null ? [] : [seller.registration]),
    ...(seller.email === null ? [] : [seller.email]),
  ])
  const middle = margin + width + 24
  const other =
    buyer.kind === 'unnamed'
      ? block(middle, texts.buyer, `${texts.unnamedBuyer} ${buyer.name}`, [
          countryName(buyer.country, printed.language),
        ])
      : block(middle, texts.buyer, buyer.name, [
          ...address(buyer),
          ...(buyer.nip !== null
            ? [`NIP: ${buyer.nip}`]
            : buyer.tax_id !== null
              ? [`${printed.snapshot.tax.treatment === 'outside' ? texts.taxNumber : texts.vatId}: ${buyer.tax_id}`]
              : []),
        ])
  return Math.max(left, other)
}

const countryName = (code: string, language: Language) =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code

/** Sums, and the register's code on their left. @returns where the lower of both ends. */
function sums(paper: Paper, wanted: number): number {
  const height = 84 + 33 * paper.printed.snapshot.rates.length
  const from = roomFor(paper, wanted, Math.max(height, 130))
  return Math.max(totals(paper, from), verification(paper, from))
}

function totals(paper: Paper, from: number): number {
  const { page, printed, texts, right } = paper
  const { snapshot, language } = printed
  const money = moneyOf(printed)
  const labelAt = right - 260
  let y = from
  const row = (
    label: string,
    value: string,
    style: { size?: number; weight?: 400 | 600 | 700; color?: string } = {},
  ) => {
    const size = style.size ?? 9.5
    page.text(label, labelAt, y, { size, color: colours.soft, ...style, width: 150 })
    page.text(value, right - 128, y, { size, ...style, width: 120, align: 'right' })
    y += size * 1.4 + 3
  }
  for (const { rate, net, vat } of snapshot.rates) {
    const name = isTaxed(snapshot) ? percentOf(rate, language) : texts.notTaxed
    row(`${texts.net} (${name})`, money(net))
    if (isTaxed(snapshot)) row(`${texts.vat} (${name})`, money(vat))
  }
  y += 2
  page.line(labelAt, y, right, colours.text, 1)
  y += 8
  row(texts.total, money(snapshot.totals.gross), { size: 14, weight: 700, color: colours.text })
  row(snapshot.totals.gross < 0 ? texts.refundedAmount : texts.paidAmount, money(Math.abs(snapshot.totals.gross)), {
    weight: 600,
    color: colours.text,
  })
  const { exchange } = snapshot
  if (exchange !== null && exchange.vat !== 0)
    row(
      texts.homeVat.replace('{currency}', exchange.currency),
      formatMoney({ amount: exchange.vat, currency: exchange.currency }, language),
    )
  return y
}

function notes(paper: Paper, wanted: number): void {
  const { page, printed, texts, right } = paper
  const from = roomFor(paper, wanted, 100)
  const { snapshot, language } = printed
  const { exchange, tax, corrects, payment } = snapshot
  const rows: string[] = []
  if (snapshot.kind === 'credit_note') {
    rows.push(
      corrects === null
        ? texts.correctsNone
        : `${texts.corrects} ${corrects.number} ${texts.correctedOf} ${dayOf(corrects.issued_on, language)}.`,
      `${texts.correctionReason}: ${reasonIn(snapshot)[language]}`,
    )
  }
  rows.push(
    `${texts.payment}: ${gatewayOf(snapshot) ?? texts.wallet}, ${dayOf(snapshot.sold_on, language)}. ${texts.transaction} ${payment.transaction_id}`,
  )
  if (texts.notes[tax.treatment] !== '') rows.push(texts.notes[tax.treatment])
  if (tax.treatment === 'reverse_charge' && tax.check?.checked_at != null) {
    const consultation = tax.check.consultation_number === null ? '' : ` (${tax.check.consultation_number})`
    rows.push(`${texts.checked.replace('{day}', dayOf(tax.check.checked_at.slice(0, 10), language))}${consultation}.`)
  }
  if (exchange !== null && exchange.vat !== 0)
    rows.push(
      texts.exchangeNote
        .replace('{table}', exchange.table)
        .replace('{day}', dayOf(exchange.day, language))
        .replace('{from}', snapshot.currency)
        .replace(
          '{rate}',
          new Intl.NumberFormat(language, { minimumFractionDigits: 4, maximumFractionDigits: 8 }).format(
            Number(exchange.rate),
          ),
        )
        .replace('{to}', exchange.currency),
    )
  let y = from
  for (const row of rows) y += page.text(row, margin, y, { size: 9, color: colours.soft, width: right - margin }) + 3
}

/** A code that leads to the register, with what stands under it: the register's number, or that it has none yet. */
function verification(paper: Paper, top: number): number {
  const { page, printed, texts } = paper
  const { ksef } = printed
  if (ksef === null) return top
  const { data, size } = encode(ksef.url, { ecc: 'M', border: 0 })
  const side = 96
  const dot = side / size
  data.forEach((row, down) =>
    row.forEach((dark, across) => {
      if (dark) page.box(margin + across * dot, top + down * dot, dot + 0.05, dot + 0.05, colours.text)
    }),
  )
  const label = ksef.number ?? texts.ksefOffline
  page.text(texts.ksef, margin, top + side + 6, { size: 8, color: colours.soft })
  page.text(label, margin, top + side + 17, { size: 8.5, weight: 600 })
  return top + side + 30
}
