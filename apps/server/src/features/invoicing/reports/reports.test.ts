/** Reports of revenue and tax through the front door, and what an administrator puts into a wallet. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import * as reports from '@wakestone/contract/invoicing/reports-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import * as wallets from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { accounts, postToLedger } from '#src/features/money/ledger/service.ts'
import { recordPurchase } from '#src/features/money/statements/service.ts'
import { creditWallet } from '#src/features/money/wallets/service.ts'

let api: TestApi
let boss: Caller
let owner: Caller
let walletId: string
beforeAll(async () => {
  api = await startTestApi()
  boss = await api.signUp({ admin: true })
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 10_000)
  await owner.call(servers.createServer, { body: order(walletId, '1.21.4') })
})
afterAll(async () => {
  const faults = await findLedgerFaults(api.context.database.pool)
  await api.close()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

/** In the seller's time zone. */
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Warsaw' }).format(new Date())
const period = (more: object = {}) => ({ from: today(), to: today(), currency: 'PLN' as const, ...more })
const grass = { net: 1499, vat: 345, gross: 1844 }

test('revenue is told by day, product and gateway; what is given back is taken off', async () => {
  const before = await boss.call(reports.getRevenueReport, { query: period() })
  expect(before).toMatchObject({
    total: { ...grass, topped_up: 10_000, given_away: 0, credited: 0 },
    step: 'day',
    steps: [{ start: today(), ...grass, topped_up: 10_000 }],
    products: [{ name: 'GRASS', count: 1, gross: 1844 }],
    gateways: [{ gateway: 'test', amount: 10_000, count: 1, parts: [{ kind: 'top_up', amount: 10_000, count: 1 }] }],
  })
  const post = (kind: 'REFUND' | 'ITEMSHOP_SELL', code: string, amount: number) =>
    inTransaction(api.context.db, (trx) =>
      postToLedger(trx, {
        scope: 'test',
        key: randomUUID(),
        kind,
        entries: [
          { code, currency: 'PLN', amount },
          { code: accounts.adjustment('PLN'), currency: 'PLN', amount: -amount },
        ],
        meta: {},
      }),
    )
  // A refund that is asked for and fails is no payment.
  for (const amount of [400, -400]) await post('REFUND', accounts.refunds('test', 'PLN'), amount)
  const { gateways } = await boss.call(reports.getRevenueReport, { query: period() })
  expect(gateways).toEqual(before.gateways)
  // What players pay in the shops of servers stands apart, and what goes back.
  await post('ITEMSHOP_SELL', accounts.gateway('test', 'PLN'), -700)
  await post('REFUND', accounts.gateway('test', 'PLN'), 700)
  const { gateways: mixed } = await boss.call(reports.getRevenueReport, { query: period() })
  expect(mixed).toMatchObject([
    {
      amount: 10_000,
      count: 2,
      parts: [
        { kind: 'top_up', amount: 10_000, count: 1 },
        { kind: 'shop_sale', amount: 700, count: 1 },
        { kind: 'return', amount: -700 },
      ],
    },
  ])
  const back = { userId: owner.user.id, walletId, currency: 'PLN', refundable: true, details: {} }
  await inTransaction(api.context.db, (trx) =>
    creditWallet(trx, {
      ...back,
      amount: 844,
      tax: 158,
      source: 'purchase',
      cause: 'REFUND',
      action: 'ADD_SERVICE',
      name: 'GRASS',
      scope: 'refund',
      key: randomUUID(),
    }),
  )
  await inTransaction(api.context.db, (trx) =>
    creditWallet(trx, {
      ...back,
      amount: 500,
      tax: 0,
      source: 'promotion',
      cause: 'VOUCHER_USE',
      action: 'VOUCHER_USE',
      scope: 'voucher',
      key: randomUUID(),
    }),
  )
  const after = await boss.call(reports.getRevenueReport, { query: period() })
  expect(after.total).toEqual({ net: 813, vat: 187, gross: 1000, topped_up: 10_000, given_away: 500, credited: 0 })
  // Sold once, however much of it was given back.
  expect(after.products).toEqual([{ name: 'GRASS', count: 1, gross: 1000 }])
  const tax = await boss.call(reports.getTaxReport, { query: period() })
  expect(tax.rows).toEqual([{ country_code: 'PL', vat_rate: 0.23, net: 813, vat: 187, gross: 1000, count: 2 }])
})

test('no step is left out, long periods are told by month, and other days and currencies have their own', async () => {
  const month = await boss.call(reports.getRevenueReport, { query: period({ from: '2024-02-01', to: '2024-02-29' }) })
  expect(month.steps).toHaveLength(29)
  expect(month.total.gross).toBe(0)
  const year = await boss.call(reports.getRevenueReport, { query: period({ from: '2024-01-15', to: '2024-12-02' }) })
  expect(year.step).toBe('month')
  expect(year.steps.map(({ start }) => start)).toEqual(
    Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, '0')}-01`),
  )
  expect((await boss.call(reports.getRevenueReport, { query: period({ currency: 'EUR' }) })).total.gross).toBe(0)
  await expect(boss.call(reports.getRevenueReport, { query: period({ to: '2020-01-01' }) })).rejects.toMatchObject({
    body: { error: 'invalid_request' },
  })
})

test('reports are saved as CSV, amounts as decimals', async () => {
  const lines = async (path: string) => {
    const answer = await fetch(`${api.origin}/api/v1${path}?${new URLSearchParams(period()).toString()}`, {
      headers: { cookie: boss.cookie() },
    })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toContain(today())
    return (await answer.text()).trim().split('\r\n')
  }
  expect(await lines('/admin/reports/revenue.csv')).toEqual([
    'start,currency,net,vat,gross,topped_up',
    `${today()},PLN,8.13,1.87,10,100`,
  ])
  expect(await lines('/admin/reports/tax.csv')).toEqual([
    'country,rate,currency,net,vat,gross,count',
    'PL,0.23,PLN,8.13,1.87,10,2',
  ])
})

test('an administrator tops a wallet up by hand, once per key, and its owner reads why', async () => {
  const customer = await api.signUp()
  const wallet = customer.user.wallets.find(({ currency }) => currency === 'PLN')!
  const key = randomUUID()
  const call = (body: object, by = boss) =>
    by.call(wallets.topUpWallet, {
      params: { id: wallet.id },
      body: { amount: 2500, reason: 'Sorry for the outage', ...body },
      idempotencyKey: key,
    })
  const made = await call({})
  expect(made).toMatchObject({ status: 'ADMIN_ACTION', action: 'DEPOSIT', amount: 2500, provider: 'wallet' })
  expect((await call({})).id).toBe(made.id)
  await expect(call({ amount: 2501 })).rejects.toMatchObject({ body: { error: 'idempotency_key_reused' } })
  await expect(call({}, owner)).rejects.toMatchObject({ body: { error: 'insufficient_capabilities' } })
  // At once for two wallets, one of them has the key.
  const others = customer.user.wallets.filter(({ currency }) => currency !== 'PLN')
  const twice = randomUUID()
  const rivals = await Promise.all(
    others.map(({ id }) =>
      boss
        .call(wallets.topUpWallet, { params: { id }, body: { amount: 1, reason: 'A gift' }, idempotencyKey: twice })
        .then(
          ({ id: done }) => done,
          ({ body }: ApiError) => body.error,
        ),
    ),
  )
  expect(rivals.filter((one) => one === 'idempotency_key_reused')).toHaveLength(1)
  expect(await customer.call(wallets.getWallet, { params: { id: wallet.id } })).toMatchObject({
    balance: { amount: 2500 },
    non_refundable: { amount: 2500 },
  })
  const { data } = await customer.call(users.listUserEvents, { params: { id: customer.user.id } })
  expect(data.map(({ action }) => action)).toContain('USER_WALLET_TOP_UP')
  // Told as what it is, with the reason; not thanked for as a payment.
  const { notifications } = await customer.call(listNotifications, { params: { id: customer.user.id }, query: {} })
  const told = notifications.filter(({ type }) => /PAYMENT|CREDIT/.test(type))
  expect(new Set(told.map(({ type }) => type))).toEqual(new Set(['SUPPORT_CREDIT']))
  expect(told.at(-1)?.title).toMatch(/^Credit from support: PLN.25\.00$/)
  expect(told.at(-1)?.text).toContain('Sorry for the outage')
  const logs = await customer.call(wallets.listWalletLogs, { params: { id: wallet.id }, query: {} })
  expect(logs.data).toMatchObject([{ cause: 'ADJUSTMENT', details: { reason: 'Sorry for the outage' } }])
  const { total } = await boss.call(reports.getRevenueReport, { query: period() })
  expect(total).toMatchObject({ credited: 2500, topped_up: 10_000, given_away: 500 })
})

test.each([
  ['2024-05-31T21:59:59Z', '2024-05-31'],
  ['2024-05-31T22:00:00Z', '2024-06-01'],
  ['2024-11-30T22:59:59Z', '2024-11-30'],
  ['2024-11-30T23:00:00Z', '2024-12-01'],
])('what is sold at %s is of %s: days are the seller’s', async (at, day) => {
  const { db } = api.context
  const buyer = await api.signUp()
  const wallet = await topUp(api.context, buyer, 10_000)
  const entries = [
    ['revenue:PLN', 1499],
    ['vat:PL:PLN', 345],
    [`wallet:${wallet}`, -1844],
  ].map(([code, amount]) => ({ code, amount, currency: 'PLN' }))
  const { rows } = await sql<{ id: string }>`
    select ledger_post(uuidv7(make_interval(secs => extract(epoch from ${at}::timestamptz - clock_timestamp())::float8)), 'purchase', ${randomUUID()}, 'PAYMENT',
      ${JSON.stringify(entries)}::jsonb, '{}', null, null) as id`.execute(db)
  await inTransaction(db, (trx) =>
    recordPurchase(trx, {
      userId: buyer.user.id,
      walletId: wallet,
      currency: 'PLN',
      action: 'RENEW_SERVICE',
      provider: 'wallet',
      amount: 1844,
      countryTaxRate: { country_code: 'PL', vat_rate: 0.23 },
      positions: [{ name: 'GRASS', quantity: 1, tax: 0.23, total_price_gross: 1844 }],
      details: {},
      ledgerTransactionId: rows[0]?.id ?? '',
    }),
  )
  const query = period({ from: day, to: day })
  expect((await boss.call(reports.getTaxReport, { query })).rows).toMatchObject([{ ...grass, count: 1 }])
  expect((await boss.call(reports.getRevenueReport, { query })).steps).toEqual([{ start: day, ...grass, topped_up: 0 }])
  const year = await boss.call(reports.getRevenueReport, { query: period({ from: '2024-01-01', to: '2024-12-31' }) })
  expect(year.steps.find(({ start }) => start.slice(0, 7) === day.slice(0, 7))).toMatchObject(grass)
})
