/** Top-ups that are taxed when they are paid in, through the front door: documents, reports and ledger say the same. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import * as returns from '@wakestone/contract/money/payment-returns-routes'
import * as reports from '@wakestone/contract/invoicing/reports-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getTransaction } from '@wakestone/contract/money/transactions-routes'
import { topUpWallet } from '@wakestone/contract/money/wallets-routes'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { deposit, settled, walletOf, type World } from '../../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { startTaxedWorld, type TaxedWorld } from '../../../../../../tests/support/taxed-world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** GRASS for 720 h, with 23 % of VAT. */
const month = 1844

let taxed: TaxedWorld
let world: World
let boss: Caller
beforeAll(async () => {
  taxed = await startTaxedWorld()
  ;({ world, boss } = taxed)
})
afterEach(async () => {
  await taxed.taxAt('deposit')
  await taxed.verify()
})
afterAll(() => taxed.close())

const taxAt = (point: 'purchase' | 'deposit') => taxed.taxAt(point)
const documentsOf = (payer: Caller) => taxed.documentsOf(payer)
const left = (payer: Caller) => taxed.left(payer)
const withdraw = (payer: Caller, serviceId: string) => taxed.withdraw(payer, serviceId)
const balanceOf = async (payer: Caller) => (await taxed.balanceOf(payer))[0]

async function paid(amount: number, caller?: Caller) {
  const payer = caller ?? (await world.api.signUp())
  const { id } = await deposit(payer, { provider: 'payu', amount })
  world.payu.pay(world.orderOf(id).orderId)
  await world.poll(id)
  expect((await settled(payer, id)).status).toBe('COMPLETED')
  return { payer, id }
}
const rent = (payer: Caller, immediate = false) =>
  payer.call(createServer, { body: order(walletOf(payer), '1.21.4', { immediate }) })
const sold = async () => {
  // Days of the books are those of the seller, whose begins an hour or two before that of UTC.
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: world.api.context.settings.SELLER_TIME_ZONE })
  const query = { from: today, to: today, currency: 'PLN' as const }
  const [tax, revenue] = [
    await boss.call(reports.getTaxReport, { query }),
    await boss.call(reports.getRevenueReport, { query }),
  ]
  const sum = (name: 'net' | 'vat' | 'gross') => tax.rows.reduce((total, row) => total + row[name], 0)
  const { net, vat, gross } = revenue.total
  expect([sum('net'), sum('vat'), sum('gross')]).toEqual([net, vat, gross])
  return gross
}

test('a top-up has the document; what is bought with it has none, comes back without one, and leaves with a credit note', async () => {
  const before = await sold()
  const { payer, id } = await paid(5000)
  expect(await documentsOf(payer)).toEqual([['receipt', 5000]])
  const { data } = await payer.call(listUserInvoices, { params: { id: payer.user.id } })
  expect(data[0]).toMatchObject({ net: 4065, vat: 935, treatment: 'domestic' })
  expect((await payer.call(getTransaction, { params: { id } })).invoiceid).toBe(data[0]?.invoice_id)
  const ofPayment = (transaction_id: string) =>
    payer.call(listUserInvoices, { params: { id: payer.user.id }, query: { transaction_id } })
  expect(await ofPayment(id)).toMatchObject({ count: 1, data: [{ id: data[0]?.id }] })
  expect(await ofPayment(payer.user.id)).toEqual({ count: 0, data: [] })
  expect((await sold()) - before).toBe(5000)
  const xml = async (format: 'ubl' | 'ksef') => {
    const { origin } = world.api
    const headers = { cookie: payer.cookie() }
    return (await fetch(`${origin}/api/v1/invoices/${data[0]?.id}/xml?format=${format}`, { headers })).text()
  }
  expect(await xml('ksef')).toMatch(/<P_14_1>9.35<.*<P_15>50.00<.*Doładowanie portfela.*<OpisPlatnosci>PayU</s)
  expect(await xml('ubl')).toMatch(/TaxAmount[^>]*>9.35<.*PayableAmount/s)

  const server = await rent(payer)
  expect(await balanceOf(payer)).toBe(5000 - month)
  expect(await left(payer)).toEqual([[5000 - month, 0, 0]])
  await withdraw(payer, server.service_id)
  expect(await balanceOf(payer)).toBe(5000)
  expect(await documentsOf(payer)).toEqual([['receipt', 5000]])
  expect((await sold()) - before).toBe(5000)

  const refund = (amount: number) =>
    boss.call(returns.refundTransaction, {
      params: { id },
      body: { amount, reason: 'asked for it' },
      idempotencyKey: randomUUID(),
    })
  for (const amount of [1, 1666, 3333]) await refund(amount)
  expect(await documentsOf(payer)).toEqual([
    ['receipt', 5000],
    ['credit_note', -1],
    ['credit_note', -1666],
    ['credit_note', -3333],
  ])
  expect(await left(payer)).toEqual([[0, 0, 5000]])
  expect(await sold()).toBe(before)
})

test.runIf(isLong)(
  'of a sale that was paid with both kinds of money only the rest is documented, and only that is corrected',
  async () => {
    await taxAt('purchase')
    const { payer } = await paid(1000)
    await taxAt('deposit')
    await paid(1000, payer)
    const server = await rent(payer)
    expect(await documentsOf(payer)).toEqual([
      ['receipt', 1000],
      ['receipt', month - 1000],
    ])
    expect(await left(payer)).toEqual([[0, 0, 0]])
    await withdraw(payer, server.service_id)
    expect(await documentsOf(payer)).toEqual([
      ['receipt', 1000],
      ['receipt', month - 1000],
      ['credit_note', 1000 - month],
    ])
    expect(await left(payer)).toEqual([[1000, 0, 0]])
    // The setting is changed back: what was taxed stays taxed.
    await taxAt('purchase')
    await rent(payer, true)
    expect((await documentsOf(payer)).at(-1)).toEqual(['receipt', month - 1000])
  },
)

test('gifts are taxed when they are spent, as ever', async () => {
  const { payer } = await paid(1000)
  await boss.call(topUpWallet, {
    params: { id: walletOf(payer) },
    body: { amount: 1500, reason: 'a gift', refundable: false },
    idempotencyKey: randomUUID(),
  })
  const server = await rent(payer) // credit first
  expect(await documentsOf(payer)).toEqual([
    ['receipt', 1000],
    ['receipt', 1500],
  ])
  expect(await left(payer)).toEqual([[1000 - (month - 1500), 0, 0]])
  await withdraw(payer, server.service_id)
  expect((await documentsOf(payer)).slice(2)).toEqual([['credit_note', -1500]])
  expect(await left(payer)).toEqual([[1000, 0, 0]])
})

test.runIf(isLong)(
  'a chargeback takes the tax of what was not spent; the next top-up is taxed less what it settles; won, it is taxed again',
  async () => {
    const before = await sold()
    const { payer, id } = await paid(5000)
    await rent(payer)
    const chargeback = await boss.call(returns.enterChargeback, {
      params: { id },
      body: { amount: 5000, case_id: `CB-${id}`, reason: 'a letter of the bank' },
    })
    expect(chargeback.owed.amount).toBe(month)
    expect(await documentsOf(payer)).toEqual([
      ['receipt', 5000],
      ['credit_note', month - 5000],
    ])
    await paid(5000, payer)
    expect((await documentsOf(payer)).at(-1)).toEqual(['receipt', 5000 - month])
    // Paid in twice, taken once; bought once: all of that is taxed once.
    expect((await sold()) - before).toBe(5000)
    await boss.call(returns.settlePaymentReturn, {
      params: { id: chargeback.id },
      body: { outcome: 'RETURNED', reason: 'won' },
    })
    expect((await documentsOf(payer)).at(-1)).toEqual(['receipt', 5000 - month])
    // What settled the debt and is money again now was not taxed with this top-up: it is when it is spent.
    expect((await sold()) - before).toBe(10_000 - month)
    expect(await balanceOf(payer)).toBe(10_000 - month)
  },
)

test('told again, by message and poll, a payment is taxed once', async () => {
  const { payer, id } = await paid(2000)
  await Promise.all([world.poll(id), world.poll(id)])
  expect(await documentsOf(payer)).toEqual([['receipt', 2000]])
})
