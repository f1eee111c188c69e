/**
 * The same cents everywhere: in the cart, on the confirmation, in the wallet, in the ledger, in the document and on its
 * page, for all that is sold. Through the front door, with the clock stopped, so that hours left cost what they did.
 * `npm run test:money` takes every combination (`MONEY_FULL`); `npm test` each country once, and of all else every two
 * values together.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ApiClient } from '@wakestone/contract/client'
import * as billings from '@wakestone/contract/routes/billings'
import { createServer } from '@wakestone/contract/routes/servers'
import { listUserInvoices } from '@wakestone/contract/routes/invoices'
import { generateVouchers } from '@wakestone/contract/routes/vouchers'
import { listWalletLogs } from '@wakestone/contract/routes/wallets'
import type { GenerateVouchersBody } from '@wakestone/contract/voucher'
import { formatMoney } from '@wakestone/kit/money'
import { type NbpSimulator, startNbpSimulator } from '@wakestone/simulators/nbp'
import { issueDueDocuments } from '../apps/server/src/features/invoices/issue.ts'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { findLedgerFaults } from './support/ledger.ts'
import { fill, findSale, moveBuyer, soldAddOns, soldIn } from './support/money/sales.ts'
import { coverPairs, everyCombination } from './support/pairs.ts'
import { readPdfText } from './support/pdf-text.ts'
import { order } from './support/servers.ts'
import { manyVouchers } from './support/vouchers.ts'

const isFull = process.env['MONEY_FULL'] === '1'
/** One page in so many is looked at: a page takes ten times as long as a sale. */
const pagesEvery = isFull ? 25 : 20
vi.setConfig({ testTimeout: isFull ? 3_600_000 : 240_000, hookTimeout: 120_000 })

let nbp: NbpSimulator
let api: TestApi
let buyer: Caller
let call: ApiClient
let boss: Caller
beforeAll(async () => {
  nbp = await startNbpSimulator()
  api = await startTestApi({
    NBP_URL: nbp.url,
    LIMIT_PRINTS: '0',
    ...manyVouchers,
  })
  buyer = await api.signUp()
  boss = await api.signUp({ admin: true })
  call = buyer.call
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterAll(async () => {
  await api.close()
  await nbp.close()
})

type Data = GenerateVouchersBody['data']
type Kind = 'none' | 'price' | 'coupon' | 'hours' | 'both'
const cheap = [
  { amount: 777, currency: 'PLN' as const },
  { amount: 181, currency: 'EUR' as const },
  { amount: 199, currency: 'USD' as const },
]
const coupon = { name: 'A third off', expression: 'price * 2 / 3', uses_left: 5 }
/** What a code gives that is used in a purchase: a price, hours, and what later renewals cost. */
const kinds: Record<Kind, (product: string) => Partial<Data> | undefined> = {
  none: () => undefined,
  price: (product) => ({ new_cost: cheap, product_id: [product] }),
  coupon: (product) => ({ coupon: coupon as Data['coupon'], product_id: [product] }),
  hours: () => ({ add_hours: 31 }),
  both: (product) => ({ new_cost: cheap, add_hours: 7, coupon: coupon as Data['coupon'], product_id: [product] }),
}

type Money = { net: number; vat: number; gross: number }
type Sale = Money & { transactionId: string; country: string; currency: 'PLN' | 'EUR' | 'USD' }

const walletOf = (currency: string) => buyer.user.wallets.find((one) => one.currency === currency)?.id ?? ''

/** What a purchase took, by the wallet, its transaction and the ledger; `quoted` is what was said before. */
async function sell(country: string, currency: Sale['currency'], quoted: Money, buy: () => Promise<string>) {
  const serviceId = await buy()
  const [written] = (await call(billings.listServiceTransactions, { params: { id: serviceId }, query: { limit: 1 } }))
    .data
  if (written === undefined) throw new Error('nothing was written down')
  expect([written.amount, written.currency, written.country_tax_rate.country_code]).toEqual([
    quoted.gross,
    currency,
    country,
  ])
  expect(written.positions.reduce((sum, { total_price_gross }) => sum + total_price_gross, 0)).toBe(quoted.gross)
  if (quoted.gross > 0) {
    const [log] = (await call(listWalletLogs, { params: { id: walletOf(currency) }, query: { limit: 1 } })).data
    expect(log?.amount).toEqual({ amount: -quoted.gross, currency })
  }
  expect(await findSale(api.context.database.pool, written.id)).toEqual({ ...quoted, country, currency })
  return { ...quoted, transactionId: written.id, country, currency }
}

const moneyOf = (cost: {
  product_price: { amount: number }
  tax: { amount: number }
  gross_price: { amount: number }
}) => ({ net: cost.product_price.amount, vat: cost.tax.amount, gross: cost.gross_price.amount })

/** Rents, adds all that can be added, and renews: each is a sale. */
async function sellAll(
  sales: Sale[],
  { product, period, country, currency, kind }: Combination,
  withAddOns: boolean,
): Promise<void> {
  const wallet_id = walletOf(currency)
  const effect = kinds[kind](product)
  const vouchers: string[] = []
  if (effect !== undefined) {
    const made = await boss.call(generateVouchers, { body: { quantity: 1, data: effect } })
    vouchers.push(made.vouchers[0]?.code ?? '')
  }
  const [cart] = await call(billings.getProductCost, {
    params: { id: product },
    query: { currency, period, ...(vouchers.length > 0 && { vouchers: vouchers.join(',') }) },
  })
  if (cart === undefined) throw new Error('not for sale')
  if (effect?.new_cost != null) expect(cart.product_price).toEqual(cheap.find((one) => one.currency === currency))
  let serviceId = ''
  const rent = async () => {
    const body = order(wallet_id, '1.21.4', {
      requested_billing_services: [product],
      billing_period: period,
      currency,
      ...(vouchers.length > 0 && { vouchers }),
    })
    serviceId = (await call(createServer, { body, idempotencyKey: randomUUID() })).service_id
    const shown = await call(billings.getService, { params: { id: serviceId } })
    expect([shown.cost.amount, shown.gross_cost.amount]).toEqual([cart.product_price.amount, cart.gross_price.amount])
    return serviceId
  }
  sales.push(await sell(country, currency, moneyOf(cart), rent))
  const params = { id: serviceId }

  if (withAddOns) {
    const { options } = await call(billings.listServiceAddOns, { params })
    const priced = options.filter((one) => one.price_now !== null)
    expect(priced.map((one) => one.product.id).toSorted()).toEqual(
      (await soldAddOns(api.context.db, currency)).toSorted(),
    )
    for (const { product: added } of priced) {
      const { options: now } = await call(billings.listServiceAddOns, { params })
      const gross = now.find((one) => one.product.id === added.id)?.price_now?.amount ?? 0
      const rate = cart.country_tax_rate.vat_rate
      const net = Math.round((gross * 10_000) / (10_000 + Math.round(rate * 10_000)))
      const add = () =>
        call(billings.addServiceAddOn, { params, body: { product_id: added.id, wallet_id } }).then(() => serviceId)
      sales.push(await sell(country, currency, { net, vat: gross - net, gross }, add))
    }
  }

  const said = (await call(billings.getServiceCost, { params, query: { currency } })).find(
    (one) => one.period === period,
  )
  if (said === undefined) throw new Error('no renewal')
  const renew = () =>
    call(billings.renewService, { params, body: { billing_period: period, wallet_id } }).then(() => serviceId)
  sales.push(await sell(country, currency, moneyOf(said), renew))
}

type Combination = {
  product: string
  period: '720h' | '2160h' | '8760h'
  country: string
  currency: Sale['currency']
  kind: Kind
}

test('for every product, currency, period, country and kind of voucher', async () => {
  const { db } = api.context
  const { plans, periods, currencies, countries } = await soldIn(db)
  // Wherever a rate is known; outside of the EU there is none; and a company in the EU, which owes the tax itself.
  const places = [...countries, 'US', 'DE company']
  expect(countries).toHaveLength(27)
  const given = { product: plans, period: periods, currency: currencies, kind: Object.keys(kinds) }
  const pairs = coverPairs(given)
  const combinations = (
    isFull
      ? everyCombination({ ...given, country: places })
      : places.map((country, index) => ({ ...pairs[index % pairs.length], country }))
  ) as Combination[]
  expect(pairs.length).toBeLessThanOrEqual(places.length)
  for (const currency of currencies) await fill(api.context, walletOf(currency), currency, 2_000_000_000)
  const sales: Sale[] = []
  let at = ''
  let number = 0
  for (const combination of combinations.toSorted((one, other) => one.country.localeCompare(other.country))) {
    if (combination.country !== at) await moveBuyer(db, buyer.user.id, (at = combination.country))
    const country = at.slice(0, 2)
    // Everything that can be added, in all of them and in a few of the few.
    const withAddOns = isFull ? combination.kind === 'none' : number++ % 12 === 0
    await sellAll(sales, { ...combination, country }, withAddOns)
  }

  vi.useRealTimers()
  while ((await issueDueDocuments(api.context, new Date(), { limit: 500 })) > 0);
  const charged = sales.filter(({ gross }) => gross > 0)
  const documents = await db.selectFrom('documents').selectAll().execute()
  expect(documents.length).toBe(charged.length)
  const of = new Map(documents.map((row) => [row.transaction_id, row]))
  let pages = 0
  for (const [index, sale] of charged.entries()) {
    const row = of.get(sale.transactionId)
    if (row === undefined) throw new Error('a sale without a document')
    const { net, vat, gross, currency } = sale
    expect([row.net, row.vat, row.gross, row.currency, row.country_code]).toEqual([
      net,
      vat,
      gross,
      currency,
      sale.country,
    ])
    const { lines, rates, totals } = row.snapshot as unknown as Record<'lines' | 'rates', Money[]> & { totals: Money }
    expect([totals.net, totals.vat, totals.gross]).toEqual([net, vat, gross])
    for (const parts of [lines, rates]) {
      expect(parts.reduce((sum, part) => sum + part.net, 0)).toBe(net)
      expect(parts.reduce((sum, part) => sum + part.vat, 0)).toBe(vat)
    }
    if (index % pagesEvery !== 0) continue
    pages++
    const answer = await fetch(`${api.origin}/api/v1/invoices/${row.id}/pdf?language=en`, {
      headers: { cookie: buyer.cookie() },
    })
    if (answer.status !== 200) throw new Error(`no page: ${await answer.text()}`)
    const text = readPdfText(Buffer.from(await answer.arrayBuffer())).replace(/\s/g, '')
    for (const amount of vat === 0 ? [net, gross] : [net, vat, gross])
      expect(text).toContain(formatMoney({ amount, currency }, 'en').replace(/\s/g, ''))
  }
  const listed = await call(listUserInvoices, { params: { id: buyer.user.id }, query: { limit: 1 } })
  expect(listed.count).toBe(charged.length)
  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
  console.log({ combinations: combinations.length, sales: sales.length, charged: charged.length, pages })
})
