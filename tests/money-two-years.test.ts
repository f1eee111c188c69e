/**
 * One service through two years: renewed by hand and by itself, made dearer, unpaid, brought back, ended. What is
 * charged, told, mailed and written down is compared, with its moment, with the list that the rules give.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeService, getService, renewService } from '@wakestone/contract/routes/billings'
import { createServer, getServerStatus } from '@wakestone/contract/routes/servers'
import { getWallet } from '@wakestone/contract/routes/wallets'
import { heedServiceClock } from '../apps/server/src/features/renewals/service-clock.ts'
import { signInForYears, startTestApi, type TestApi } from './support/api.ts'
import { findLedgerFaults } from './support/ledger.ts'
import { day, hour, type Period, priceOf, withTax } from './support/money/rules.ts'
import { order, topUp } from './support/servers.ts'

const step = 12 * hour
const month = priceOf('GRASS', '720h', 'PLN')
const quarter = priceOf('GRASS', '2160h', 'PLN')
const dearer = Number(withTax(5000n))

let api: TestApi
let start: number

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

test('what happens to a service in two years is what the rules say, on the day they say it', async () => {
  const owner = await api.signUp()
  const call = await signInForYears(api, owner)
  start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  const walletId = await topUp(api.context, owner, 2 * month + 2 * quarter)
  const server = await call(createServer, { body: order(walletId, '1.21.4') })
  const params = { id: server.service_id }
  const pool = api.context.database.pool

  const renew = (billing_period: Period) =>
    call(renewService, { params, body: { billing_period, wallet_id: walletId } }).then(() => undefined)
  const setAuto = (auto_renew: boolean) => call(changeService, { params, body: { auto_renew } }).then(() => undefined)
  const pay = (amount: number) => topUp(api.context, owner, amount).then(() => undefined)
  const deeds: [number, () => Promise<unknown>][] = [
    [29.5, () => renew('720h')],
    [29.5, () => renew('2160h')],
    [100, () => setAuto(true)],
    [
      200,
      () =>
        pool.query(
          `update prices set amount = 5000 where product_id = 'GRASS' and period = '2160h' and currency = 'PLN'`,
        ),
    ],
    [201, () => pay(dearer)],
    [331.5, () => pay(dearer)],
    [400, () => pay(3 * dearer)],
    [620, () => setAuto(false)],
    [693, () => pay(month)],
    [693, () => renew('720h')],
  ]

  const told: string[] = []
  const seen = new Set<string>()
  let balance = (await call(getWallet, { params: { id: walletId } })).balance.amount
  const look = async (at: number) => {
    const { rows } = await pool.query<{ id: string; kind: string; mailed: boolean; days: string | null }>(
      `select n.id, n.kind, n.fields ->> 'days' as days, exists (
         select 1 from notification_deliveries d where d.notification_id = n.id and d.channel = 'mail') as mailed
       from notifications n where n.user_id = $1 and n.kind <> 'NEW_DEVICE' order by n.id`,
      [owner.user.id],
    )
    for (const { id, kind, mailed, days } of rows.filter((row) => !seen.has(row.id))) {
      seen.add(id)
      told.push(`${at} ${kind}${days === null ? '' : ` ${days}`}${mailed ? ', mailed' : ''}`)
    }
    const { rows: events } = await pool.query<{ id: string; action: string }>(
      `select id, action from audit_events where resource_id = $1 and action in ('SERVER_RENEWED', 'SERVER_EXPIRED') order by id`,
      [server.id],
    )
    for (const { id, action } of events.filter((row) => !seen.has(row.id))) {
      seen.add(id)
      told.push(`${at} event ${action}`)
    }
    const now = (await call(getWallet, { params: { id: walletId } })).balance.amount
    if (now < balance) told.push(`${at} charged ${balance - now}`)
    balance = now
  }

  await look(0)
  for (let at = step / day; at <= 726; at += step / day) {
    vi.setSystemTime(start + at * day)
    for (const [, deed] of deeds.filter(([when]) => when === at)) {
      await deed()
      await look(at)
    }
    await heedServiceClock(api.context, new Date())
    const expires = Date.parse((await call(getService, { params })).expires ?? '')
    expect((await call(getServerStatus, { params: { id: server.id } })).expired, `day ${at}`).toBe(
      expires <= Date.now(),
    )
    await look(at)
  }

  const renewed = (at: number, price: number) => [
    `${at} SERVER_RENEWED, mailed`,
    `${at} event SERVER_RENEWED`,
    `${at} charged ${price}`,
  ]
  const warned = (end: number) => [7, 3, 1].map((days) => `${end - days} SERVER_EXPIRES_WARNING ${days}, mailed`)
  const ended = (at: number) => [`${at} SERVER_EXPIRED, mailed`, `${at} event SERVER_EXPIRED`]
  expect(told).toEqual([
    '0 SERVER_CREATED, mailed',
    // Bought for 30 days.
    ...warned(30),
    ...renewed(29.5, month),
    ...renewed(29.5, quarter),
    // To day 150, and by itself a day before: whoever renews that way is not warned.
    ...renewed(149, quarter),
    // To day 240; dearer by now.
    ...renewed(239, dearer),
    // To day 330, and nothing in the wallet. Money that comes after a day and a half brings it back from then on.
    '329 AUTO_RENEW_FAILED, mailed',
    ...ended(330),
    ...renewed(331.5, dearer),
    ...renewed(420.5, dearer),
    ...renewed(510.5, dearer),
    ...renewed(600.5, dearer),
    // To day 691.5, not by itself any more; paid by hand while its files are kept.
    ...warned(691.5),
    ...ended(691.5),
    ...renewed(693, month),
    ...warned(723),
    ...ended(723),
  ])
  expect(balance).toBe(0)
  expect(await findLedgerFaults(pool)).toEqual({})
}, 600_000)
