import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { formatMoney } from '@wakestone/kit/money'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { renewService } from './service.ts'
import { handleServiceClock } from './service-clock.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const hour = 3_600_000
const day = 24 * hour
/** GRASS, 720 h, with 23 % of VAT. */
const month = 1844

let api: TestApi
let owner: Caller
let walletId: string
let server: Server

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

/** Each test rents a server of its own, with nothing left in the wallet. */
beforeEach(async () => {
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, month)
  server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
})

const params = () => ({ id: server.service_id })
const show = () => owner.call(billings.getService, { params: params() })
const expires = async () => new Date((await show()).expires ?? 0)
const balance = async () => (await owner.call(getWallet, { params: { id: walletId } })).balance.amount
const renew = (key?: string, period: '720h' | '2160h' = '720h', caller = owner) =>
  caller.call(billings.renewService, {
    params: params(),
    body: { billing_period: period, wallet_id: walletId },
    ...(key === undefined ? {} : { idempotencyKey: key }),
  })
const kinds = async () => {
  const rows = await api.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', owner.user.id)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ kind }) => kind).filter((kind) => /EXPIRE|RENEW/.test(kind))
}
const passAt = (time: Date) => handleServiceClock(api.context, time)
const before = (end: Date, milliseconds: number) => new Date(end.getTime() - milliseconds)

describe('a renewal', () => {
  test('costs what it said, adds its period to the end, and is told', async () => {
    await topUp(api.context, owner, 10_000)
    const end = await expires()
    const costs = await owner.call(billings.getServiceCost, { params: params() })
    const quarter = costs.find(({ period }) => period === '2160h')
    const renewed = await renew(undefined, '2160h')
    expect(new Date(renewed.expires ?? 0).getTime() - end.getTime()).toBe(2160 * hour)
    expect(renewed).toMatchObject({ billing_period: '2160h', gross_cost: quarter?.gross_price })
    expect(await balance()).toBe(10_000 - (quarter?.gross_price.amount ?? 0))
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data[0]).toMatchObject({ action: 'RENEW_SERVICE', amount: quarter?.gross_price.amount, status: 'COMPLETED' })
    const events = await owner.call(listServerEvents, { params: { id: server.id } })
    expect(events.data.map(({ action }) => action)).toContain('SERVER_RENEWED')
    expect(await kinds()).toEqual(['SERVER_RENEWED'])
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id }, query: {} })
    expect(notifications[0]?.text).toContain(formatMoney(renewed.gross_cost, 'en'))
    expect(notifications[0]?.fields).toMatchObject({
      tax: quarter?.tax,
      expires: renewed.expires,
      method: 'wallet',
      withdraw_until: expect.any(String),
      transaction: data[0]?.id,
    })
  })

  test.runIf(isLong)('begins now where the end has passed', async () => {
    await topUp(api.context, owner, month)
    await api.context.db
      .updateTable('services')
      .set({ expires: new Date(Date.now() - 2 * day) })
      .where('id', '=', server.service_id)
      .execute()
    const asked = Date.now()
    await renew()
    expect((await expires()).getTime() - asked).toBeGreaterThanOrEqual(720 * hour)
  })

  test('is charged once per key, however often and at once it is asked for', async () => {
    await topUp(api.context, owner, 5 * month)
    const end = await expires()
    const key = randomUUID()
    expect(new Set(await Promise.all(Array.from({ length: 40 }, () => outcomeOf(renew(key)))))).toEqual(
      new Set(['success']),
    )
    expect(await balance()).toBe(4 * month)
    expect((await expires()).getTime()).toBe(end.getTime() + 720 * hour)
    expect(await outcomeOf(renew(key, '2160h'))).toBe('idempotency_key_reused')
  })

  test.runIf(isLong)('with keys of their own: as many as there are funds for', async () => {
    await topUp(api.context, owner, 2 * month)
    const end = await expires()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(renew())))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(2)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'wallet_has_not_funds']))
    expect(await balance()).toBe(0)
    expect((await expires()).getTime()).toBe(end.getTime() + 2 * 720 * hour)
  })

  test('is the owner’s: nobody else’s service, nobody else’s wallet', async () => {
    const other = await api.signUp()
    const admin = await api.signUp({ admin: true })
    expect(await outcomeOf(renew(undefined, '720h', other))).toBe('resource_not_found')
    expect(await outcomeOf(renew(undefined, '720h', admin))).toBe('access_denied')
    const foreign = await topUp(api.context, other, 10_000)
    const attempt = owner.call(billings.renewService, {
      params: params(),
      body: { billing_period: '720h', wallet_id: foreign },
    })
    expect(await outcomeOf(attempt)).toBe('wallet_not_found')
  })
})

test.runIf(isLong)('a free server is kept on in its last seven days, from then on', async () => {
  const free = await owner.call(createServer, {
    body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'] }),
  })
  const id = { id: free.service_id }
  const keep = () => owner.call(billings.renewFreeService, { params: id })
  expect(await outcomeOf(keep())).toBe('too_many_requests')
  const setEnd = (end: Date) =>
    api.context.db.updateTable('services').set({ expires: end }).where('id', '=', free.service_id).execute()
  await setEnd(new Date(Date.now() + 6 * day))
  const asked = Date.now()
  const kept = await keep()
  expect(new Date(kept.expires ?? 0).getTime() - asked).toBeLessThan(721 * hour)
  expect(await outcomeOf(owner.call(billings.changeService, { params: id, body: { auto_renew: true } }))).toBe(
    'product_not_available',
  )
  server = free
  expect(await outcomeOf(renew())).toBe('product_not_available')
})

describe('the clock', () => {
  test('warns 7, 3 and 1 days before the end and tells it, each once, whoever looks', async () => {
    const end = await expires()
    for (const left of [8, 6.5, 6, 2.9, 2, 0.9, 0.1, -0.01, -1, -2]) {
      const now = before(end, left * day)
      await Promise.all([passAt(now), passAt(now)])
    }
    const [told, ...warned] = await kinds()
    expect(told).toBe('SERVER_EXPIRED')
    expect(warned).toEqual(['SERVER_EXPIRES_WARNING', 'SERVER_EXPIRES_WARNING', 'SERVER_EXPIRES_WARNING'])
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id }, query: {} })
    // Each says what it costs to go on, and leads there.
    expect(notifications.find(({ type }) => type === 'SERVER_EXPIRES_WARNING')).toMatchObject({
      fields: { amount: { amount: month, currency: 'PLN' }, period: 30 },
      actions: [{ name: 'renew_server', path: `/s/${server.domains[0]?.sub_domain}/payments/renew` }],
    })
    const events = await owner.call(listServerEvents, { params: { id: server.id } })
    expect(events.data.filter(({ action }) => action === 'SERVER_EXPIRED')).toHaveLength(1)
  })

  test('renews from the wallet a day before the end, year in, year out', async () => {
    await topUp(api.context, owner, 5 * month)
    await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
    const first = await expires()
    for (let round = 1; round <= 5; round++) {
      const end = await expires()
      await passAt(before(end, day + hour))
      expect(await expires()).toEqual(end)
      await Promise.all([passAt(before(end, day)), passAt(before(end, day))])
      expect(await balance()).toBe((5 - round) * month)
    }
    expect((await expires()).getTime()).toBe(first.getTime() + 5 * 720 * hour)
  })

  test.runIf(isLong)('warns 7 and 3 days before it renews in vain, and of nothing while there are funds', async () => {
    await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
    const end = await expires()
    const warned = async () => (await kinds()).filter((kind) => kind === 'AUTO_RENEW_WARNING').length
    await passAt(before(end, 7.1 * day))
    expect(await warned()).toBe(0)
    await topUp(api.context, owner, month - 1)
    for (const left of [6.9, 5, 3.1]) {
      const now = before(end, left * day)
      await Promise.all([passAt(now), passAt(now)])
    }
    expect(await warned()).toBe(1)
    const { rows } = await api.context.database.pool.query<{ fields: object }>(
      `select fields from notifications where user_id = $1 and kind = 'AUTO_RENEW_WARNING'`,
      [owner.user.id],
    )
    expect(rows[0]?.fields).toMatchObject({ days: 7, amount: { amount: month, currency: 'PLN' } })
    await passAt(before(end, 2.9 * day))
    expect(await warned()).toBe(2)
    await topUp(api.context, owner, 1)
    await passAt(before(end, day))
    expect(await expires()).not.toEqual(end)
    await topUp(api.context, owner, month)
    const next = await expires()
    for (const left of [6, 5, 2]) await passAt(before(next, left * day))
    expect(await warned()).toBe(2)
    expect(await kinds()).not.toContain('SERVER_EXPIRES_WARNING')
  })

  test('renews nothing that its owner has renewed, or no longer wants renewed, since it was looked at', async () => {
    await topUp(api.context, owner, 5 * month)
    const end = await expires()
    const itself = () =>
      renewService(api.context, {
        serviceId: server.service_id,
        executorId: null,
        decidedBy: end,
        body: { billing_period: '720h', wallet_id: walletId },
        key: `auto:${end.toISOString()}`,
        now: before(end, day),
      })
    await itself()
    expect(await expires()).toEqual(end)
    await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
    await renew()
    await itself()
    expect(await balance()).toBe(4 * month)
    expect((await expires()).getTime()).toBe(end.getTime() + 720 * hour)
  })

  test.runIf(isLong)(
    'warns of the one that funds do not reach to, where several are renewed from one wallet',
    async () => {
      await topUp(api.context, owner, month)
      const second = await owner.call(createServer, { body: order(walletId, '1.21.4') })
      for (const id of [server.service_id, second.service_id])
        await owner.call(billings.changeService, { params: { id }, body: { auto_renew: true } })
      await topUp(api.context, owner, month)
      await passAt(before(await expires(), 6.9 * day))
      const { rows } = await api.context.database.pool.query<{ resource_id: string }>(
        `select resource_id from notifications where user_id = $1 and kind = 'AUTO_RENEW_WARNING'`,
        [owner.user.id],
      )
      expect(rows).toEqual([{ resource_id: second.id }])
      await topUp(api.context, owner, month)
      await passAt(before(await expires(), 2.9 * day))
      expect((await kinds()).filter((kind) => kind === 'AUTO_RENEW_WARNING')).toHaveLength(1)
    },
  )

  test.runIf(isLong)('says once that funds lack, tries again each hour, and brings back what has ended', async () => {
    await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
    const end = await expires()
    for (const left of [24, 23.9, 22, 10, 0.5, -0.5]) await passAt(before(end, left * hour))
    expect(await kinds()).toEqual(['SERVER_EXPIRED', 'AUTO_RENEW_FAILED'])
    await topUp(api.context, owner, month)
    await passAt(before(end, -0.6 * hour)) // tried in vain six minutes ago
    expect(await expires()).toEqual(end)
    await passAt(before(end, -2 * hour))
    expect((await expires()).getTime()).toBe(end.getTime() + 722 * hour)
    expect(await balance()).toBe(0)
  })
})
