/** Documents of sale through the front door: numbers, amounts, what stays as it was, and who may read them. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  getInvoice,
  getInvoicePdf,
  getInvoiceXml,
  listInvoices,
  listUserInvoices,
} from '@wakestone/contract/invoicing/invoices-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { getTransaction } from '@wakestone/contract/money/transactions-routes'
import { formatMoney, money, priceFromGross } from '@wakestone/kit/money'
import { type NbpSimulator, simulatedRate, startNbpSimulator } from '@wakestone/simulators/nbp'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { readPdfText } from '../../../../../../tests/support/pdf-text.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { accounts, postToLedger } from '#src/features/money/ledger/service.ts'
import { quoteCosts, taxOn } from '#src/features/sales/products/service.ts'
import { chargeWallet, creditWallet } from '#src/features/money/wallets/service.ts'
import { convert, splitPositions } from './amounts.ts'
import { issueDueDocuments } from './issue.ts'
import type { Snapshot } from './snapshot.ts'

// The first PDF loads fonts, and a large schema.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let nbp: NbpSimulator
let api: TestApi
beforeAll(async () => {
  nbp = await startNbpSimulator()
  api = await startTestApi({ NBP_URL: nbp.url })
})
afterAll(async () => {
  await api.close()
  await nbp.close()
})

const issue = (now = new Date()) => issueDueDocuments(api.context, now, { limit: 1000 })
const documents = () => api.context.db.selectFrom('documents').selectAll().orderBy('id').execute()
const bare = (text: string) => text.replace(/\s/g, '')
const textOf = async ({ cookie }: Caller, id: string, language = 'en') => {
  const response = await fetch(`${api.origin}/api/v1/invoices/${id}/pdf?language=${language}`, {
    headers: { cookie: cookie() },
  })
  expect(response.status).toBe(200)
  return bare(readPdfText(Buffer.from(await response.arrayBuffer())))
}

const company = {
  kind: 'company' as const,
  name: 'Zażółć Gęślą Sp. z o.o.',
  nip: '5260001246',
  address: 'ul. Długa 1',
  postal_code: '80-001',
  city: 'Gdańsk',
  country: 'PL',
  language: 'pl' as const,
}

/** The accountant's file, as far as it is about one buyer. */
async function linesOf({ user }: Caller, filter: { from?: string; to?: string } = {}) {
  const admin = await api.signUp({ admin: true })
  const query = new URLSearchParams(filter).toString()
  const file = await fetch(`${api.origin}/api/v1/admin/invoices.csv?${query}`, { headers: { cookie: admin.cookie() } })
  const [head = [], ...rows] = (await file.text()).split('\r\n').map((line) => line.split(','))
  const numbers = (await documents()).filter(({ user_id }) => user_id === user.id).map(({ label }) => label)
  return rows
    .filter(([number = '']) => numbers.includes(number))
    .map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])))
}

async function fund({ user }: Caller, currency: string, amount: number): Promise<string> {
  const wallet = user.wallets.find((one) => one.currency === currency)
  if (wallet === undefined) throw new Error(`no wallet in ${currency}`)
  const entries = [
    { code: accounts.gateway('test', currency), currency, amount: -amount },
    { code: accounts.wallet(wallet.id), currency, amount },
  ]
  await inTransaction(api.context.db, (trx) =>
    postToLedger(trx, { scope: 'test', key: randomUUID(), kind: 'DEPOSIT', entries }),
  )
  return wallet.id
}

async function buy(
  buyer: Caller,
  walletId: string,
  { currency = 'PLN', serviceId = randomUUID() } = {},
): Promise<string> {
  const { db } = api.context
  const [cost] = await quoteCosts(db, {
    productId: 'GRASS',
    buyer: { userId: buyer.user.id },
    currency: currency as 'PLN',
    period: '720h',
  })
  if (cost === undefined) throw new Error('no price')
  return inTransaction(db, (trx) =>
    chargeWallet(trx, {
      userId: buyer.user.id,
      walletId,
      currency,
      amount: cost.gross_price.amount,
      tax: cost.tax.amount,
      countryTaxRate: cost.country_tax_rate,
      name: 'GRASS',
      key: randomUUID(),
      details: { service_id: serviceId, product_id: 'GRASS', billing_period: '720h' },
    }),
  )
}

describe('amounts', () => {
  test('net and VAT of a line are found again in its gross, for any price and rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: 0, max: 2700 }),
        fc.boolean(),
        (net, rate, isGivenBack) => {
          const vat = taxOn(net, rate / 10_000)
          const sign = isGivenBack ? -1 : 1
          const [line] = splitPositions(
            [{ name: 'GRASS', quantity: 1, tax: rate / 10_000, total_price_gross: sign * (net + vat) }],
            { currency: 'PLN', revenue: sign * net, vat: sign * vat },
          )
          expect([line?.net, line?.vat]).toEqual([sign * net + 0, sign * vat + 0]) // no zero below zero
          expect(priceFromGross(money(net + vat, 'PLN'), rate / 10_000).net.amount).toBe(net)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('of several lines sum up to what the ledger moved, however that was rounded', () => {
    const lines = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(lines, (grosses) => {
        const gross = grosses.reduce((sum, one) => sum + one, 0)
        const { net, tax } = priceFromGross(money(gross, 'PLN'), 0.23)
        const split = splitPositions(
          grosses.map((total_price_gross) => ({ name: 'GRASS', quantity: 1, tax: 0.23, total_price_gross })),
          { currency: 'PLN', revenue: net.amount, vat: tax.amount },
        )
        expect(split.reduce((sum, line) => sum + line.net, 0)).toBe(net.amount)
        for (const line of split) expect(line.net + line.vat).toBe(line.gross)
      }),
      { numRuns: 300 },
    )
  })

  test('that differ from the ledger’s are refused', () => {
    const position = { name: 'GRASS', quantity: 1, tax: 0.23, total_price_gross: 1844 }
    expect(() => splitPositions([position], { currency: 'PLN', revenue: 1499, vat: 344 })).toThrow('posted')
    expect(() => splitPositions([position], { currency: 'PLN', revenue: 1400, vat: 444 })).toThrow('posted')
    expect(() => splitPositions([{ ...position, tax: 0 }], { currency: 'PLN', revenue: 1843, vat: 1 })).toThrow(
      'posted',
    )
  })

  test('are converted to the grosz, a half away from zero', () => {
    expect([convert(70, '4.2512'), convert(-70, '4.2512'), convert(50, '0.01'), convert(149, '1')]).toEqual([
      298, -298, 1, 149,
    ])
  })
})

describe('a purchase', () => {
  test('in the panel becomes an invoice of the same amounts, in the list, as PDF and as XML', async () => {
    const buyer = await api.signUp()
    await buyer.call(setTaxData, { params: { id: buyer.user.id }, body: company })
    const walletId = await topUp(api.context, buyer, 10_000)
    await buyer.call(createServer, { body: order(walletId, '1.21.4') })
    await issue()
    const { data, count } = await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })
    expect(count).toBe(1)
    expect(data[0]).toMatchObject({
      kind: 'invoice',
      net: 1499,
      vat: 345,
      gross: 1844,
      buyer_name: company.name,
      treatment: 'domestic',
      home_currency: 'PLN',
      vat_home: 345,
    })
    const [invoice] = data as [(typeof data)[0]]
    expect(invoice.number).toMatch(/^INV\/20\d\d\/\d{6}$/)
    const transaction = await buyer.call(getTransaction, { params: { id: invoice.transaction_id } })
    expect(transaction).toMatchObject({ invoiceid: invoice.invoice_id, amount: 1844 })

    for (const [language, words] of [
      ['pl', ['Faktura', 'Nabywca']],
      ['en', ['Invoice', 'Buyer']],
      ['de', ['Rechnung', 'Käufer']],
    ] as const) {
      const text = await textOf(buyer, invoice.id, language)
      for (const word of [...words, invoice.number, company.name, 'NIP: 5260001246']) expect(text).toContain(bare(word))
      for (const amount of [1499, 345, 1844])
        expect(text).toContain(bare(formatMoney({ amount, currency: 'PLN' }, language)))
    }
    const xml = await fetch(`${api.origin}/api/v1/invoices/${invoice.id}/xml?format=ksef`, {
      headers: { cookie: buyer.cookie() },
    })
    const fa3 = await xml.text()
    expect(fa3).toContain('<P_13_1>14.99</P_13_1><P_14_1>3.45</P_14_1><P_15>18.44</P_15>')
    expect(fa3).toContain('<NIP>5260001246</NIP><Nazwa>Zażółć Gęślą Sp. z o.o.</Nazwa>')
    const ubl = await (
      await fetch(`${api.origin}/api/v1/invoices/${invoice.id}/xml`, { headers: { cookie: buyer.cookie() } })
    ).text()
    expect(ubl).toContain('<cbc:PayableAmount currencyID="PLN">0.00</cbc:PayableAmount>')
    expect(ubl).toContain('<cbc:TaxInclusiveAmount currencyID="PLN">18.44</cbc:TaxInclusiveAmount>')
  })

  test('of who gave no invoice data becomes a receipt; others do not learn that it exists', async () => {
    const [buyer, other, admin] = [await api.signUp(), await api.signUp(), await api.signUp({ admin: true })]
    await buy(buyer, await topUp(api.context, buyer, 10_000))
    await issue()
    const [receipt] = (await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).data
    expect(receipt).toMatchObject({
      kind: 'receipt',
      buyer_name: buyer.user.username,
      positions: [{ en: 'Game server hosting, plan Grass, 30 days', pl: 'Hosting serwera gier, plan Grass, 30 dni' }],
    })
    const params = { id: receipt?.id ?? '' }
    for (const route of [getInvoice, getInvoicePdf, getInvoiceXml])
      await expect(other.call(route, { params })).rejects.toThrow('invoice_not_found')
    expect(await admin.call(getInvoice, { params })).toMatchObject({ number: receipt?.number })
    expect((await admin.call(listInvoices, {})).data.map(({ id }) => id)).toContain(receipt?.id)
  })

  test.runIf(isLong)('given back becomes a credit note that names what it corrects, once that exists', async () => {
    const buyer = await api.signUp()
    await buyer.call(setTaxData, { params: { id: buyer.user.id }, body: company })
    const walletId = await topUp(api.context, buyer, 10_000)
    const bought = await buy(buyer, walletId)
    const credit = {
      userId: buyer.user.id,
      walletId,
      currency: 'PLN',
      source: 'purchase',
      refundable: true,
      cause: 'PAYMENT',
      scope: 'test',
    } as const
    await inTransaction(api.context.db, (trx) =>
      creditWallet(trx, {
        ...credit,
        amount: 922,
        tax: 172,
        key: randomUUID(),
        name: 'GRASS',
        details: { reverses: bought },
      }),
    )
    // The credit note's turn comes first: it waits.
    const due = await api.context.db.selectFrom('documents_due').select('transaction_id').execute()
    expect(due).toHaveLength(2)
    await issue()
    await issue(new Date(Date.now() + 3_600_000))
    const { data } = await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })
    const [note, invoice] = data
    expect(note).toMatchObject({
      kind: 'credit_note',
      net: -750,
      vat: -172,
      gross: -922,
      corrects: { number: invoice?.number },
    })
    const text = await textOf(buyer, note?.id ?? '', 'pl')
    for (const words of ['Faktura korygująca', invoice?.number ?? '', company.name]) expect(text).toContain(bare(words))
    const kept = await api.context.db
      .selectFrom('e_invoices')
      .select('xml')
      .where('document_id', '=', note?.id ?? '')
      .executeTakeFirst()
    expect(kept?.xml).toContain('<RodzajFaktury>KOR</RodzajFaktury>')
    expect(kept?.xml).toContain(`<NrFaKorygowanej>${invoice?.number}</NrFaKorygowanej>`)
    expect(kept?.xml).toContain('<PrzyczynaKorekty>Zwrot części lub całości zapłaty</PrzyczynaKorekty>')
    expect(text).toContain(bare('Przyczyna: zwrot części lub całości zapłaty'))
    // The accountant's file: amounts are numbers, those below zero too.
    expect(await linesOf(buyer)).toMatchObject([
      { kind: 'invoice', rate: '0.23', net: '14.99', vat: '3.45', gross: '18.44', vat_home: '3.45' },
      { kind: 'credit_note', rate: '0.23', net: '-7.5', vat: '-1.72', gross: '-9.22', vat_home: '-1.72' },
    ])
  })

  test.runIf(isLong)('stands in the accountant’s file on its day of sale, whenever it was issued', async () => {
    const buyer = await api.signUp()
    await buy(buyer, await topUp(api.context, buyer, 10_000))
    await issue(new Date(Date.now() + 40 * 86_400_000))
    const [line] = await linesOf(buyer)
    expect(line?.['issued_on']).not.toBe(line?.['sold_on'])
    const on = (day = '') => linesOf(buyer, { from: day, to: day })
    expect(await on(line?.['sold_on'])).toHaveLength(1)
    expect(await on(line?.['issued_on'])).toEqual([])
  })

  test('in another currency states VAT in złoty by the rate of the last table before the day, over holidays too', async () => {
    const buyer = await api.signUp()
    await buy(buyer, await fund(buyer, 'EUR', 10_000), { currency: 'EUR' })
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Warsaw' }).format(new Date())
    const days = [1, 2, 3, 4, 5, 6, 7].map((back) =>
      new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10),
    )
    const business = days.filter((day) => new Date(day).getUTCDay() % 6 !== 0)
    const [holiday = '', expected = ''] = business
    nbp.holidays.add(holiday)
    nbp.trouble = 'down'
    await issue()
    expect((await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).count).toBe(0)
    const [waiting] = await api.context.db.selectFrom('documents_due').selectAll().execute()
    expect(waiting).toMatchObject({ tries: 1, last_error: 'NBP answered with 503' })
    nbp.trouble = undefined
    await issue(new Date(Date.now() + 60_000))
    const [receipt] = (await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).data
    const rate = simulatedRate(nbp.rates, 'EUR', expected)
    expect(receipt).toMatchObject({ vat: 80, vat_home: convert(80, String(rate)) })
    const row = await api.context.db
      .selectFrom('documents')
      .select('snapshot')
      .where('id', '=', receipt?.id ?? '')
      .executeTakeFirstOrThrow()
    const { exchange } = row.snapshot as unknown as Snapshot
    expect(exchange).toMatchObject({ day: expected, rate: String(rate) })
    nbp.holidays.clear()
  })

  test.runIf(isLong)(
    'in another currency, given back in parts, takes back the złoty it was converted to, at its rate',
    async () => {
      const buyer = await api.signUp()
      const walletId = await fund(buyer, 'EUR', 10_000)
      const bought = await buy(buyer, walletId, { currency: 'EUR' })
      await issue()
      // Days later, when another rate holds: it is not asked for.
      nbp.trouble = 'down'
      const postedAt = (moment: string) =>
        sql`alter table ledger_transactions alter at set default ${sql.raw(moment)}`.execute(api.context.db)
      await postedAt("now() + interval '9 days'")
      for (const [part, tax] of [
        [100, 19],
        [133, 25],
        [196, 36],
      ] as const)
        await inTransaction(api.context.db, (trx) =>
          creditWallet(trx, {
            userId: buyer.user.id,
            walletId,
            currency: 'EUR',
            source: 'purchase',
            refundable: true,
            cause: 'PAYMENT',
            scope: 'test',
            amount: part,
            tax,
            key: randomUUID(),
            name: 'GRASS',
            details: { reverses: bought },
          }),
        )
      await postedAt('now()')
      await issue(new Date(Date.now() + 40 * 86_400_000))
      nbp.trouble = undefined
      const { data } = await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })
      expect(data.map(({ kind, vat }) => [kind, vat])).toEqual([
        ['credit_note', -36],
        ['credit_note', -25],
        ['credit_note', -19],
        ['receipt', 80],
      ])
      const notes = (await documents()).filter(({ user_id }) => user_id === buyer.user.id)
      const [{ exchange }, ...others] = notes.map(({ snapshot }) => snapshot as unknown as Snapshot) as [Snapshot]
      const { table, day, rate } = exchange ?? {}
      for (const note of others as Snapshot[]) expect(note.exchange).toMatchObject({ table, day, rate })
      const sum = (name: 'gross' | 'vat' | 'vat_home') => data.reduce((total, row) => total + (row[name] ?? NaN), 0)
      expect([sum('gross'), sum('vat'), sum('vat_home')]).toEqual([0, 0, 0])
    },
  )
})

test('an invoice says tomorrow what it said today, whatever its buyer changes; the database refuses to change it', async () => {
  const buyer = await api.signUp()
  await buyer.call(setTaxData, { params: { id: buyer.user.id }, body: company })
  const walletId = await topUp(api.context, buyer, 10_000)
  await buy(buyer, walletId)
  // Changed before it is issued: what counts is the moment of the sale.
  await buyer.call(setTaxData, {
    params: { id: buyer.user.id },
    body: { ...company, name: 'Inna Firma', city: 'Kraków' },
  })
  await issue()
  const [invoice] = (await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).data
  const before = await textOf(buyer, invoice?.id ?? '')
  expect(before).toContain(bare(company.name))
  await buyer.call(setTaxData, {
    params: { id: buyer.user.id },
    body: { ...company, name: 'Trzecia Firma', country: 'PL' },
  })
  expect(await textOf(buyer, invoice?.id ?? '')).toBe(before)
  const { db } = api.context
  await expect(db.updateTable('documents').set({ buyer_name: 'x' }).execute()).rejects.toThrow('append-only')
  await expect(db.deleteFrom('documents').execute()).rejects.toThrow('append-only')
  await expect(db.updateTable('document_series').set({ last: 1 }).execute()).rejects.toThrow('counts by one')
  await expect(db.updateTable('e_invoices').set({ xml: '' }).execute()).rejects.toThrow('never changes')
})

test.runIf(isLong)('numbers have no gaps: many issue at once, and some die in the middle', async () => {
  const buyer = await api.signUp()
  const walletId = await topUp(api.context, buyer, 200_000)
  for (let n = 0; n < 50; n++) await buy(buyer, walletId)
  const { db } = api.context
  // Each dies after its number was taken, before it was committed.
  let deaths = 0
  const dying = {
    ...api.context,
    settings: new Proxy(api.context.settings, {
      get(settings, name) {
        if (name === 'KSEF_URL' && deaths++ < 10) throw new Error('killed')
        return settings[name as keyof typeof settings]
      },
    }),
  }
  await Promise.all([1, 2, 3, 4, 5].map(() => issueDueDocuments(dying, new Date(), { limit: 50 })))
  expect(deaths).toBeGreaterThanOrEqual(10)
  for (let hour = 1; hour < 4; hour++) await issue(new Date(Date.now() + hour * 3_600_000))
  expect(await db.selectFrom('documents_due').selectAll().execute()).toEqual([])
  expect((await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).count).toBe(50)
  const series = Map.groupBy(await documents(), ({ kind, year }) => `${kind} ${year}`)
  for (const [name, rows] of series) {
    const numbers = rows.map(({ number }) => number).toSorted((one, other) => one - other)
    expect(numbers, name).toEqual(rows.map((_, index) => index + 1))
  }
})
