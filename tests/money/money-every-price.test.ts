/**
 * The same cents everywhere: in the cart, on the confirmation, in the wallet, in the ledger, in the document and on its
 * page, for all that is sold. Through the front door, by customers who shop side by side, with the clock stopped while
 * they do, so that hours left cost what they did.
 * `npm run test:money` takes every combination (`MONEY_FULL`); `npm test` a third of those that have each country once,
 * and of all else every two values together: which third is by chance (`PRICE_SEED`).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generateVouchers } from '@wakestone/contract/sales/vouchers-routes'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { formatMoney } from '@wakestone/kit/money'
import { type Language, languages } from '@wakestone/contract/values'
import { type NbpSimulator, startNbpSimulator } from '@wakestone/simulators/nbp'
import { issueDueDocuments } from '../../apps/server/src/features/invoicing/invoices/issue.ts'
import { printedTexts } from '../../apps/server/src/features/invoicing/invoices/pdf/texts.ts'
import type { Snapshot } from '../../apps/server/src/features/invoicing/invoices/snapshot.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { soldIn } from '../support/money/sales.ts'
import { type Combination, createShopper, kinds, type Sale, sellAll, type Shopper } from '../support/money/shopping.ts'
import { coverPairs, everyCombination } from '../support/pairs.ts'
import { readPdfText } from '../support/pdf-text.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { manyVouchers } from '../support/vouchers.ts'

const isFull = process.env['MONEY_FULL'] === '1'
/** Of those who shop, and of pages that are asked for at a time. */
const sideBySide = 4
/** Combinations that are sold before their documents are looked at. */
const atOnce = 100
vi.setConfig({ testTimeout: isFull ? 7_200_000 : 240_000, hookTimeout: 120_000 })

let nbp: NbpSimulator
let api: TestApi
beforeAll(async () => {
  nbp = await startNbpSimulator()
  api = await startTestApi({ NBP_URL: nbp.url, LIMIT_PRINTS: '0', ...manyVouchers })
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
  await nbp.close()
})

/** All that is sold, to whoever it is sold to. */
async function findCombinations(): Promise<Combination[]> {
  const { plans, periods, currencies, countries } = await soldIn(api.context.db)
  // Wherever a rate is known; outside of the EU there is none; and a company in the EU, which owes the tax itself.
  const places = [...countries, 'US', 'DE company']
  expect(countries).toHaveLength(27)
  const given = { product: plans, period: periods, currency: currencies, kind: Object.keys(kinds) }
  const pairs = coverPairs(given)
  expect(pairs.length).toBeLessThanOrEqual(places.length)
  const third = createRandom(seedOf('PRICE_SEED')).below(3)
  const all = isFull
    ? everyCombination({ ...given, place: places })
    : places
        .map((place, index) => ({ ...pairs[index % pairs.length], place }))
        .filter((_, index) => index % 3 === third)
  return (all as Combination[]).toSorted((one, other) => one.place.localeCompare(other.place))
}

/** A code for each combination that has one. */
type Codes = ReadonlyMap<Combination, string>
async function makeCodes(combinations: readonly Combination[]): Promise<Codes> {
  const boss = await api.signUp({ admin: true })
  const groups = Map.groupBy(combinations, ({ kind, product }) => `${kind} ${product}`)
  const codes = new Map<Combination, string>()
  for (const group of groups.values()) {
    const data = group[0] && kinds[group[0].kind](group[0].product)
    if (data === undefined) continue
    const { vouchers } = await boss.call(generateVouchers, { body: { quantity: group.length, data } })
    for (const [index, combination] of group.entries()) codes.set(combination, vouchers[index]?.code ?? '')
  }
  return codes
}

/** Has each shopper buy one combination after the other, all of them at a time. */
async function sell(shoppers: readonly Shopper[], combinations: readonly Combination[], codes: Codes): Promise<Sale[]> {
  const sales: Sale[] = []
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let from = 0; from < combinations.length; from += shoppers.length) {
    vi.setSystemTime(performance.timeOrigin + performance.now())
    const made = shoppers.map((shopper, index) => {
      const combination = combinations[from + index]
      if (combination === undefined) return []
      // Everything that can be added, in all of them and in a few of the few.
      const withAddOns = isFull ? combination.kind === 'none' : (from + index) % 12 === 0
      return sellAll(api, shopper, combination, { code: codes.get(combination), withAddOns })
    })
    sales.push(...(await Promise.all(made)).flat())
  }
  vi.useRealTimers()
  return sales
}

/** Does all of it, so many at a time. */
async function forEach<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>) {
  const left = items.entries()
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (const [index, item] of left) await work(item, index)
    }),
  )
}

async function readPage(documentId: string, { shopper }: Sale, language: Language): Promise<string> {
  const answer = await fetch(`${api.origin}/api/v1/invoices/${documentId}/pdf?language=${language}`, {
    headers: { cookie: shopper.cookie },
  })
  if (answer.status !== 200) throw new Error(`no page: ${await answer.text()}`)
  return readPdfText(Buffer.from(await answer.arrayBuffer())).replace(/\s/g, '')
}

/** The sums of a document as its page puts them, without spaces. */
function totalsOn({ rates, totals, tax, currency }: Snapshot, language: Language): string {
  const texts = printedTexts[language]
  const money = (amount: number) => formatMoney({ amount, currency }, language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
  const isTaxed = tax.treatment !== 'reverse_charge' && tax.treatment !== 'outside'
  const ofRates = rates.map(({ rate, net, vat }) => {
    const name = isTaxed ? percent.format(rate) : texts.notTaxed
    return `${texts.net} (${name}) ${money(net)} ${isTaxed ? `${texts.vat} (${name}) ${money(vat)}` : ''}`
  })
  const gross = money(totals.gross)
  return `${ofRates.join('')} ${texts.total} ${gross} ${texts.paidAmount} ${gross}`.replace(/\s/g, '')
}

/** Has the documents of sales issued, and holds each and its page against what was paid. @returns how many there are. */
async function checkDocuments(sales: readonly Sale[]): Promise<number> {
  while ((await issueDueDocuments(api.context, new Date())) > 0);
  const charged = sales.filter(({ gross }) => gross > 0)
  const ids = charged.map(({ transactionId }) => transactionId)
  const documents = await api.context.db
    .selectFrom('documents')
    .selectAll()
    .where('transaction_id', 'in', ids)
    .execute()
  expect(documents.length).toBe(charged.length)
  const of = new Map(documents.map((row) => [row.transaction_id, row]))
  await forEach(charged, async (sale, index) => {
    const row = of.get(sale.transactionId)
    if (row === undefined) throw new Error('a sale without a document')
    const { net, vat, gross, currency } = sale
    expect(row).toMatchObject({ net, vat, gross, currency, country_code: sale.country })
    const { lines, rates, totals } = row.snapshot as Snapshot
    expect(totals).toEqual({ net, vat, gross })
    for (const parts of [lines, rates]) {
      expect(parts.reduce((sum, part) => sum + part.net, 0)).toBe(net)
      expect(parts.reduce((sum, part) => sum + part.vat, 0)).toBe(vat)
    }
    const language = languages[index % languages.length] ?? 'en'
    expect(await readPage(row.id, sale, language)).toContain(totalsOn(row.snapshot as Snapshot, language))
  })
  return charged.length
}

test('for every product, currency, period, country and kind of voucher', async () => {
  const combinations = await findCombinations()
  const codes = await makeCodes(combinations)
  const shoppers: Shopper[] = []
  while (shoppers.length < sideBySide) shoppers.push(await createShopper(api))
  const done = { combinations: 0, sales: 0, documents: 0 }
  for (let from = 0; from < combinations.length; from += atOnce) {
    const some = combinations.slice(from, from + atOnce)
    const sales = await sell(shoppers, some, codes)
    done.documents += await checkDocuments(sales)
    done.sales += sales.length
    done.combinations += some.length
    console.log(done, `of ${combinations.length}`, some.at(-1)?.place)
  }
  const listed = await Promise.all(
    shoppers.map(({ call, user }) => call(listUserInvoices, { params: { id: user.id }, query: { limit: 1 } })),
  )
  expect(listed.reduce((sum, { count }) => sum + count, 0)).toBe(done.documents)
  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
})
