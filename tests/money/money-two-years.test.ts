/**
 * One service through two years: renewed by hand and by itself, made dearer, unpaid, brought back, ended, brought back
 * again, ended and deleted. `npm test` plays its first months. What is charged, told, mailed and written down is compared, with its moment, with the list
 * that the rules give.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeService, getService, renewService } from '@wakestone/contract/sales/billings-routes'
import { createServer, getServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { handleServiceClock } from '../../apps/server/src/features/sales/renewals/service-clock.ts'
import { signInForYears, startTestApi, type TestApi } from '../support/api.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { day, hour, type Period, priceOf, withTax } from '../support/money/rules.ts'
import { outcomeOf } from '../support/money/model.ts'
import { order, startTestWorker, topUp } from '../support/servers.ts'

const step = 12 * hour
const month = priceOf('GRASS', '720h', 'PLN')
const quarter = priceOf('GRASS', '2160h', 'PLN')
const dearer = Number(withTax(5000n))
/** 30 days after its last end; after the first renewal by itself. */
const lastDay = isLong ? 795 : 155

let api: TestApi
let start: number

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

const volumeOf = (serverId: string) => join(api.dataDir, 'servers', serverId, 'volume')
/** A worker does what is left to do for the server, until its files are gone. */
async function removeVolume(serverId: string): Promise<void> {
  expect(existsSync(volumeOf(serverId))).toBe(true)
  const worker = await startTestWorker(api)
  try {
    for (let looks = 0; looks < 600; looks++) {
      const { rows } = await api.context.database.pool.query(
        'select 1 from servers where id = $1 and volume_removed_at is not null',
        [serverId],
      )
      if (rows.length > 0) break
      await delay(50)
    }
    expect(existsSync(volumeOf(serverId))).toBe(false)
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
}

test('what happens to a service in two years is what the rules say, on the day they say it', async () => {
  const owner = await api.signUp()
  const call = await signInForYears(api, owner)
  start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  const walletId = await topUp(api.context, owner, 2 * month + 2 * quarter)
  const server = await call(createServer, { body: order(walletId, '1.21.4') })
  const params = { id: server.service_id }
  const pool = api.context.database.pool
  mkdirSync(join(volumeOf(server.id), 'world'), { recursive: true })
  writeFileSync(join(volumeOf(server.id), 'world', 'level.dat'), 'blocks')

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
    // Nearly deleted, and paid for again.
    [735, () => pay(month)],
    [735, () => renew('720h')],
    // Too late: nothing is charged for what is gone.
    [780, () => pay(month)],
    [780, async () => expect(await outcomeOf(renew('720h'))).toBe('server_is_expired')],
    [781, () => removeVolume(server.id)],
  ]

  const told: string[] = []
  let seen = { notifications: 0, events: 0, balance: 0, expires: new Date(start) }
  /** Writes down what is new; most times one question says that nothing is. */
  const look = async (at: number) => {
    const { rows: found } = await pool.query<typeof seen>(
      `select (select count(*) from notifications where user_id = $1 and kind <> 'NEW_DEVICE')::int as notifications,
         (select count(*) from audit_events where resource_id = $2)::int as events,
         (select posted - held from ledger_accounts where code = 'wallet:' || $3)::int as balance,
         (select expires from services where id = $4) as expires`,
      [owner.user.id, server.id, walletId, server.service_id],
    )
    const now = found[0] as typeof seen
    if (now.notifications > seen.notifications) {
      const { rows } = await pool.query<{ kind: string; mailed: boolean; days: string | null }>(
        `select n.kind, n.fields ->> 'days' as days, exists (
           select 1 from notification_deliveries d where d.notification_id = n.id and d.channel = 'mail') as mailed
         from notifications n where n.user_id = $1 and n.kind <> 'NEW_DEVICE' order by n.id offset $2`,
        [owner.user.id, seen.notifications],
      )
      for (const { kind, mailed, days } of rows)
        told.push(`${at} ${kind}${days === null ? '' : ` ${days}`}${mailed ? ', mailed' : ''}`)
    }
    if (now.events > seen.events) {
      const { rows } = await pool.query<{ action: string }>(
        `select action from audit_events where resource_id = $1 order by id offset $2`,
        [server.id, seen.events],
      )
      for (const { action } of rows) told.push(`${at} event ${action}`)
    }
    if (now.balance < seen.balance) {
      told.push(`${at} charged ${seen.balance - now.balance}`)
      expect((await call(getWallet, { params: { id: walletId } })).balance.amount).toBe(now.balance)
    }
    seen = now
  }
  /** What its page says: whether it is over, and whether its files are there. */
  const check = async (at: number) => {
    if (at >= lastDay) return
    const { files_deleted_at } = await call(getServer, { params: { id: server.id } })
    expect(files_deleted_at !== null, `files on day ${at}`).toBe(at >= 779)
    const expires = Date.parse((await call(getService, { params })).expires ?? '')
    expect((await call(getServerStatus, { params: { id: server.id } })).expired, `day ${at}`).toBe(
      expires <= Date.now(),
    )
  }

  await look(0)
  for (let at = step / day; at <= lastDay; at += step / day) {
    // Half a day is a moment of its own only where something ends then, or is done then.
    const isWhole = at % 1 === 0 || (seen.expires.getTime() - start) % day !== 0 || deeds.some(([when]) => when === at)
    if (!isWhole) continue
    vi.setSystemTime(start + at * day)
    for (const [, deed] of deeds.filter(([when]) => when === at)) {
      await deed()
      await look(at)
    }
    await handleServiceClock(api.context, new Date())
    const before = told.length
    await look(at)
    if (told.length > before || at % 10 === 0) await check(at)
  }

  const renewed = (at: number, price: number) => [
    `${at} SERVER_RENEWED, mailed`,
    `${at} event SERVER_RENEWED`,
    `${at} charged ${price}`,
  ]
  const warned = (end: number) => [7, 3, 1].map((days) => `${end - days} SERVER_EXPIRES_WARNING ${days}, mailed`)
  const ended = (at: number) => [`${at} SERVER_EXPIRED, mailed`, `${at} event SERVER_EXPIRED`]
  const toBeTold = [
    '0 SERVER_CREATED, mailed',
    '0 event SERVER_PREPARE',
    // Bought for 30 days.
    ...warned(30),
    ...renewed(29.5, month),
    ...renewed(29.5, quarter),
    // To day 150, and by itself a day before: whoever renews that way and has the money is not warned.
    ...renewed(149, quarter),
    // To day 240; dearer by now.
    ...renewed(239, dearer),
    // To day 330, and nothing in the wallet, which is told beforehand. Money that comes after a day and a half brings it back from then on.
    '323 AUTO_RENEW_WARNING 7, mailed',
    '327 AUTO_RENEW_WARNING 3, mailed',
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
    // Its files would be deleted on day 14 after the end, which is told three days before; the payment keeps them.
    '734 SERVER_CLEANUP_WARNING 3, mailed',
    ...renewed(735, month),
    ...warned(765),
    ...ended(765),
    '776 SERVER_CLEANUP_WARNING 3, mailed',
    '779 SERVER_CLEANED_UP, mailed',
    '781 event SERVER_POD_DELETED',
    // And the address is given up on day 30.
    '792 SERVER_ADDRESS_WARNING 3, mailed',
  ]
  expect(told).toEqual(toBeTold.filter((line) => Number.parseFloat(line) <= lastDay))
  expect(await findLedgerFaults(pool)).toEqual({})
  if (!isLong) return
  expect(seen.balance).toBe(month)
  expect(await outcomeOf(call(getServer, { params: { id: server.id } }))).toBe('server_id_not_found')
  expect(await outcomeOf(call(getService, { params }))).toBe('resource_not_found')
}, 600_000)
