import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { generateVouchers, redeemOnService } from '@wakestone/contract/sales/vouchers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { confirmWithdrawal, declareWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { handleServiceClock } from '#src/features/sales/renewals/service-clock.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { renewService } from '#src/features/sales/renewals/service.ts'
import {
  confirmWithdrawal as confirmAt,
  declareWithdrawal as declareAt,
} from '#src/features/sales/withdrawals/service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const hour = 3_600_000
/** 720 h, with 23 % of VAT. */
const grass = 1844
const amethyst = 5534
const gibibyte = 1024 ** 3

let api: TestApi
let owner: Caller
let walletId: string
let server: Server

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 100_000)
  server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
})

const params = () => ({ id: server.service_id })
const service = () => owner.call(billings.getService, { params: params() })
const quote = () => owner.call(billings.getServiceUpgrade, { params: params() })
const targetOf = async (product: string) => {
  const target = (await quote()).upgrade_targets.find((one) => one.product.id === product)
  if (target === undefined) throw new Error(`no ${product}`)
  return target
}
const wallet = () => owner.call(getWallet, { params: { id: walletId } })
const balance = async () => (await wallet()).balance.amount
type Body = Partial<(typeof billings.upgradeService)['body']['_zod']['input']>
const change = (product_id: string, more: Body = {}, key?: string) =>
  owner.call(billings.upgradeService, {
    params: params(),
    body: { product_id, wallet_id: walletId, ...more },
    ...(key === undefined ? {} : { idempotencyKey: key }),
  })
const add = (product_id: string, key?: string) =>
  owner.call(billings.addServiceAddOn, {
    params: params(),
    body: { product_id, wallet_id: walletId },
    ...(key === undefined ? {} : { idempotencyKey: key }),
  })
const remove = (addOnId: string) => owner.call(billings.removeServiceAddOn, { params: { ...params(), addOnId } })
/** As if `hours` of what was bought had passed. */
async function letPass(hours: number) {
  const { db } = api.context
  const ids = (await db.selectFrom('services').select(['id', 'expires', 'value_held']).execute()).filter(
    ({ expires }) => expires !== null,
  )
  for (const { id, expires, value_held } of ids) {
    const spans = (value_held as { from: number; until: number }[]).map((span) => ({
      ...span,
      from: span.from - hours * hour,
      until: span.until - hours * hour,
    }))
    await db
      .updateTable('services')
      .set({ expires: new Date((expires as Date).getTime() - hours * hour), value_held: JSON.stringify(spans) })
      .where('id', '=', id)
      .execute()
  }
}
/** As if the last downgrade had been a day ago. */
async function forgetDowngrades() {
  // The table takes no changes: its owner has to let them.
  await api.context.database.pool.query(
    `alter table service_changes disable trigger user; update service_changes set at = at - interval '25 hours'; alter table service_changes enable trigger user`,
  )
}

/** What its owner was told last of a kind. */
async function toldOf(kind: string) {
  const { db } = api.context
  const rows = await db
    .selectFrom('notifications')
    .select('fields')
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .execute()
  return rows[0]?.fields
}

describe('an upgrade', () => {
  test('is quoted, charged as quoted for the hours left, and keeps the end', async () => {
    await letPass(240)
    const before = await service()
    const funds = await balance()
    const target = await targetOf('AMETHYST')
    expect(target).toMatchObject({ direction: 'up', obstacle: null, create_transaction: true, credit: { amount: 0 } })
    // Two thirds of 55.34 − 18.44, whole minor units up.
    expect(target.upgrade_price?.amount).toBeGreaterThanOrEqual(2459)
    expect(target.upgrade_price?.amount).toBeLessThanOrEqual(2462)
    const done = await change('AMETHYST')
    expect(Math.abs(done.amount.amount - (target.upgrade_price?.amount ?? 0))).toBeLessThanOrEqual(1)
    expect(await balance()).toBe(funds - done.amount.amount)
    const after = await service()
    expect(after).toMatchObject({
      expires: before.expires,
      product: { id: 'AMETHYST' },
      gross_cost: { amount: amethyst },
    })
    const { parameters } = await owner.call(getServer, { params: { id: server.id } })
    expect(parameters.limits).toMatchObject({ memory: 6 * gibibyte, cpu: 3, storage: 30 * gibibyte, players: null })
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data[0]).toMatchObject({ action: 'UPGRADE_SERVICE', amount: done.amount.amount, status: 'COMPLETED' })
    const events = await owner.call(listServerEvents, { params: { id: server.id } })
    expect(events.data[0]).toMatchObject({
      action: 'SERVICE_UPGRADE',
      data: { old_product: 'GRASS', new_product: 'AMETHYST' },
    })
    expect(await toldOf('PLAN_CHANGED')).toMatchObject({
      server: server.name,
      before: 'GRASS',
      product: 'AMETHYST',
      amount: done.amount,
      tax: { amount: expect.closeTo((done.amount.amount * 23) / 123, 0), currency: 'PLN' },
      method: 'wallet',
      expires: done.expires,
      transaction: data[0]?.id,
    })
  })

  test('is charged once per key, however often and at once it is asked for', async () => {
    const key = randomUUID()
    const funds = await balance()
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => change('AMETHYST', {}, key)))
    expect(new Set(outcomes.map(({ amount }) => amount.amount)).size).toBe(1)
    expect(await balance()).toBe(funds - (outcomes[0]?.amount.amount ?? 0))
    expect(await outcomeOf(change('GRASS', {}, key))).toBe('idempotency_key_reused')
  })

  test.runIf(isLong)('without a key, at once and often: one of them', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(change('AMETHYST'))))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'service_cannot_be_upgraded']))
  })

  test.runIf(isLong)(
    'from what is free costs the plan for the hours left; a second one is counted from what was put in',
    async () => {
      server = await owner.call(createServer, {
        body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'], name: 'Free' }),
      })
      const first = await change('GRASS')
      expect(first.amount.amount).toBe(grass)
      const second = await change('AMETHYST')
      expect(first.amount.amount + second.amount.amount).toBeGreaterThanOrEqual(amethyst - 1)
      expect(first.amount.amount + second.amount.amount).toBeLessThanOrEqual(amethyst + 1)
    },
  )

  test.runIf(isLong)('with a new period: what was to end with its paid time ends with that one', async () => {
    await owner.call(billings.changeService, { params: params(), body: { cancel_at_end: true } })
    const { expires } = await change('AMETHYST', { billing_period: '2160h' })
    expect((await service()).scheduled_actions).toMatchObject([{ action: 'CANCEL_SERVICE', date: expires }])
  })

  test.runIf(isLong)('with a new period counts what is paid and not used up, and begins it now', async () => {
    await letPass(360)
    const asked = Date.now()
    const period = (await targetOf('AMETHYST')).billing_periods.find((one) => one.period === '2160h')
    const done = await change('AMETHYST', { billing_period: '2160h' })
    expect(Math.abs(done.amount.amount - (period?.upgrade_price?.amount ?? 0))).toBeLessThanOrEqual(1)
    expect(Math.abs(done.amount.amount - ((period?.price.amount ?? 0) - grass / 2))).toBeLessThanOrEqual(1)
    expect(new Date(done.expires ?? 0).getTime() - asked).toBeGreaterThanOrEqual(2160 * hour)
    expect(new Date(done.expires ?? 0).getTime() - asked).toBeLessThan(2161 * hour)
    expect((await service()).billing_period).toBe('2160h')
  })

  test('is refused without funds, for other people, and after the end', async () => {
    const other = await api.signUp()
    const foreign = await topUp(api.context, other, 10_000)
    expect(await outcomeOf(change('AMETHYST', { wallet_id: foreign }))).toBe('wallet_not_found')
    const euros = owner.user.wallets.find(({ currency }) => currency === 'EUR')?.id ?? ''
    expect(await outcomeOf(change('AMETHYST', { wallet_id: euros }))).toBe('wallet_has_other_currency')
    const admin = await api.signUp({ admin: true })
    const attempt = admin.call(billings.upgradeService, {
      params: params(),
      body: { product_id: 'AMETHYST', wallet_id: walletId },
    })
    expect(await outcomeOf(attempt)).toBe('access_denied')
    expect(await outcomeOf(change('EXTRA_MEMORY_2G'))).toBe('service_cannot_be_upgraded')
    expect(await outcomeOf(change('FREE'))).toBe('service_cannot_be_upgraded')
    const poor = await api.signUp()
    const purse = await topUp(api.context, poor, grass)
    const hut = await poor.call(createServer, { body: order(purse, '1.21.4') })
    const upgrade = poor.call(billings.upgradeService, {
      params: { id: hut.service_id },
      body: { product_id: 'AMETHYST', wallet_id: purse },
    })
    expect(await outcomeOf(upgrade)).toBe('wallet_has_not_funds')
    const { product } = await poor.call(billings.getService, { params: { id: hut.service_id } })
    expect(product.id).toBe('GRASS')
    await letPass(721)
    expect(await outcomeOf(change('AMETHYST'))).toBe('server_is_expired')
  })
})

describe('a downgrade', () => {
  test('gives back what the upgrade cost and no more, as credit that is never paid out, once a day', async () => {
    const funds = await balance()
    const up = await change('AMETHYST')
    const down = await change('GRASS')
    expect(down.amount.amount).toBeLessThanOrEqual(0)
    expect(up.amount.amount + down.amount.amount).toBeGreaterThanOrEqual(0)
    expect(up.amount.amount + down.amount.amount).toBeLessThanOrEqual(2)
    const after = await wallet()
    expect(after.balance.amount).toBe(funds - up.amount.amount - down.amount.amount)
    expect(after.non_refundable.amount).toBe(0 - down.amount.amount)
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data[0]).toMatchObject({
      action: 'UPGRADE_SERVICE',
      amount: down.amount.amount,
      plan_change: { from: 'AMETHYST', to: 'GRASS' },
    })
    expect(await toldOf('PLAN_CHANGED')).toMatchObject({
      before: 'AMETHYST',
      product: 'GRASS',
      credited: { amount: 0 - down.amount.amount, currency: 'PLN' },
      transaction: data[0]?.id,
    })
    await change('AMETHYST')
    expect(await outcomeOf(change('GRASS'))).toBe('too_many_requests')
    expect((await quote()).downgrade_from).not.toBeNull()
    expect(await targetOf('GRASS')).toMatchObject({ direction: 'down', obstacle: 'downgraded_lately' })
  })

  test.runIf(isLong)('and up again, day after day, is no way to money', async () => {
    const funds = await balance()
    for (let day = 0; day < 5; day++) {
      await change('AMETHYST')
      await change('GRASS')
      await forgetDowngrades()
    }
    expect(await balance()).toBeLessThanOrEqual(funds)
    expect(await balance()).toBeGreaterThanOrEqual(funds - 10)
  })

  test('raced from both sides: one, and never for more than was paid', async () => {
    const funds = await balance()
    const up = await change('AMETHYST')
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(change('GRASS'))))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(await balance()).toBeLessThanOrEqual(funds)
    expect(await balance()).toBeGreaterThanOrEqual(funds - up.amount.amount)
  })

  test.runIf(isLong)('is refused where the files would not fit', async () => {
    await change('AMETHYST')
    const { db } = api.context
    const tell = (bytes: number | null) =>
      db
        .updateTable('servers')
        .set({ disk_bytes: bytes, prepared_at: new Date() })
        .where('id', '=', server.id)
        .execute()
    await tell(5 * 1024 * 1024)
    const grassRow = await db
      .selectFrom('products')
      .select('parameters')
      .where('id', '=', 'GRASS')
      .executeTakeFirstOrThrow()
    const write = (parameters: unknown) =>
      db
        .updateTable('products')
        .set({ parameters: JSON.stringify(parameters) })
        .where('id', '=', 'GRASS')
        .execute()
    await write({ ...(grassRow.parameters as object), storage: 1024 * 1024 })
    try {
      expect(await targetOf('GRASS')).toMatchObject({ obstacle: 'storage_in_use' })
      expect(await outcomeOf(change('GRASS'))).toBe('insufficient_storage')
      // Prepared, and never measured since: nobody knows whether they would fit.
      await tell(null)
      expect(await outcomeOf(change('GRASS'))).toBe('service_unavailable')
      await tell(5 * 1024 * 1024)
    } finally {
      await write(grassRow.parameters)
    }
    expect(await outcomeOf(change('GRASS'))).toBe('success')
  })

  test.runIf(isLong)('gives nothing back for time that nobody has paid for', async () => {
    const { db } = api.context
    // A year, as a gift: nothing was written down of it.
    await db
      .updateTable('services')
      .set({ expires: new Date(Date.now() + 8760 * hour), product_id: 'AMETHYST', value_held: '[]' })
      .where('id', '=', server.service_id)
      .execute()
    const funds = await balance()
    expect((await quote()).remaining_price.amount).toBe(0)
    expect((await change('GRASS')).amount.amount).toBe(0)
    expect(await balance()).toBe(funds)
  })
})

describe('add-ons', () => {
  test('cost the hours that their server has left, give what they say, and end and are renewed with it', async () => {
    await letPass(360)
    const funds = await balance()
    const { options } = await owner.call(billings.listServiceAddOns, { params: params() })
    expect(options.map(({ product }) => product.id)).not.toContain('SPEEDRUN_PROMO_EXTRA_MEMORY_4G')
    const offered = options.find(({ product }) => product.id === 'EXTRA_MEMORY_4G')
    const memory = await add('EXTRA_MEMORY_4G')
    const charged = funds - (await balance())
    expect(Math.abs(charged - (offered?.price_now?.amount ?? 0))).toBeLessThanOrEqual(1)
    expect(Math.abs(charged - Math.ceil(2091 / 2))).toBeLessThanOrEqual(1)
    expect(await toldOf('ADD_ON_ADDED')).toMatchObject({
      server: server.name,
      product: 'EXTRA_MEMORY_4G',
      amount: { amount: charged, currency: 'PLN' },
      expires: memory.expires,
    })
    const storage = await add('EXTRA_STORAGE_10G')
    const held = await service()
    expect(memory.expires).toBe(held.expires)
    expect(storage.expires).toBe(held.expires)
    expect(held.add_ons.map(({ product }) => product)).toEqual(['EXTRA_MEMORY_4G', 'EXTRA_STORAGE_10G'])
    // Plans are compared with what was added: it stays beside each of them.
    const { added } = await quote()
    expect(added).toMatchObject({
      products: ['EXTRA_MEMORY_4G', 'EXTRA_STORAGE_10G'],
      memory: 4 * gibibyte,
      cpu: 0,
      storage: 10 * gibibyte,
      price: { amount: held.add_ons.reduce((all, { gross_cost }) => all + gross_cost.amount, 0), currency: 'PLN' },
    })
    const { parameters } = await owner.call(getServer, { params: { id: server.id } })
    expect(parameters.limits).toMatchObject({ memory: 6 * gibibyte, storage: 20 * gibibyte, cpu: 1 })

    const [month] = (await owner.call(billings.getServiceCost, { params: params() })).filter(
      ({ period }) => period === '720h',
    )
    expect(month?.positions?.map(({ product }) => product)).toEqual(['GRASS', 'EXTRA_MEMORY_4G', 'EXTRA_STORAGE_10G'])
    expect(month?.gross_price.amount).toBe(grass + 2091 + 615)
    const before = await balance()
    const renewed = await owner.call(billings.renewService, {
      params: params(),
      body: { billing_period: '720h', wallet_id: walletId },
    })
    expect(await balance()).toBe(before - grass - 2091 - 615)
    expect(new Set(renewed.add_ons.map(({ expires }) => expires))).toEqual(new Set([renewed.expires]))
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data[0]?.positions.map(({ name }) => name)).toEqual(['GRASS', 'EXTRA_MEMORY_4G', 'EXTRA_STORAGE_10G'])
    expect(await toldOf('SERVER_RENEWED')).toMatchObject({
      amount: { amount: grass + 2091 + 615 },
      items: [
        { product: 'GRASS', price: { amount: grass } },
        { product: 'EXTRA_MEMORY_4G', price: { amount: 2091 } },
        { product: 'EXTRA_STORAGE_10G', price: { amount: 615 } },
      ],
    })
  })

  test.runIf(isLong)(
    'are in the price that the next renewal is shown with, which is what renewing itself charges',
    async () => {
      await change('AMETHYST')
      await add('EXTRA_STORAGE_10G')
      const off = await service()
      expect(off.renewal).toMatchObject({
        automatic_at: null,
        cost: {
          gross_price: { amount: amethyst + 615 },
          positions: [
            { product: 'AMETHYST', gross_price: { amount: amethyst } },
            { product: 'EXTRA_STORAGE_10G', gross_price: { amount: 615 } },
          ],
        },
      })
      const costs = await owner.call(billings.getServiceCost, { params: params() })
      expect(costs.find(({ period }) => period === '720h')).toEqual(off.renewal?.cost)
      await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
      const shown = (await service()).renewal
      const at = new Date(shown?.automatic_at ?? 0)
      expect(at.getTime()).toBe(new Date(off.expires ?? 0).getTime() - 24 * hour)
      const before = await balance()
      await handleServiceClock(api.context, new Date(at.getTime() - 1))
      expect(await balance()).toBe(before)
      await handleServiceClock(api.context, at)
      expect(await balance()).toBe(before - (shown?.cost.gross_price.amount ?? 0))
    },
  )

  test('one of each, once per key, only those on sale and only beside a plan they go with', async () => {
    const key = randomUUID()
    const made = await Promise.all(Array.from({ length: 10 }, () => add('EXTRA_MEMORY_2G', key)))
    expect(new Set(made.map(({ service_id }) => service_id)).size).toBe(1)
    expect(await outcomeOf(add('EXTRA_MEMORY_2G'))).toBe('service_cannot_be_upgraded')
    expect(await outcomeOf(add('SPEEDRUN_PROMO_EXTRA_MEMORY_4G'))).toBe('product_not_available')
    expect(await outcomeOf(add('BACKUP_PLUS'))).toBe('product_not_available')
    expect(await outcomeOf(add('AMETHYST'))).toBe('product_not_available')
    server = await owner.call(createServer, {
      body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'], name: 'Free' }),
    })
    expect(await outcomeOf(add('EXTRA_MEMORY_2G'))).toBe('product_not_available')
  })

  test.runIf(isLong)('removed give back what is not used up; counted as a downgrade', async () => {
    const funds = await balance()
    const memory = await add('EXTRA_MEMORY_2G')
    const storage = await add('EXTRA_STORAGE_10G')
    const left = await remove(memory.service_id)
    expect(left.add_ons.map(({ product }) => product)).toEqual(['EXTRA_STORAGE_10G'])
    expect((await balance()) + 615).toBeLessThanOrEqual(funds)
    expect((await balance()) + 615).toBeGreaterThanOrEqual(funds - 2)
    const { parameters } = await owner.call(getServer, { params: { id: server.id } })
    expect(parameters.limits.memory).toBe(2 * gibibyte)
    expect(await outcomeOf(remove(storage.service_id))).toBe('too_many_requests')
    expect(await outcomeOf(remove(memory.service_id))).toBe('resource_not_found')
  })

  test.runIf(isLong)('are part of a new period, and do not change what an upgrade costs', async () => {
    const bare = (await targetOf('AMETHYST')).upgrade_price?.amount ?? 0
    await add('EXTRA_MEMORY_4G')
    const beside = await targetOf('AMETHYST')
    expect(Math.abs((beside.upgrade_price?.amount ?? 0) - bare)).toBeLessThanOrEqual(1)
    const month = beside.billing_periods.find(({ period }) => period === '720h')
    expect(Math.abs((month?.upgrade_price?.amount ?? 0) - (amethyst - grass))).toBeLessThanOrEqual(2)
    const done = await change('AMETHYST', { billing_period: '720h' })
    const { add_ons, expires } = await service()
    expect(expires).toBe(done.expires)
    expect(add_ons[0]?.expires).toBe(done.expires)
  })
})

describe('a planned change', () => {
  test('waits for the end, is what a renewal is for, and can be taken back until that', async () => {
    await change('AMETHYST')
    const planned = await change('GRASS', { when: 'period_end' })
    const { scheduled_actions, expires, product } = await service()
    expect(product.id).toBe('AMETHYST')
    expect(scheduled_actions).toMatchObject([
      { action: 'CHANGE_PRODUCT', done: false, date: expires, details: { product_id: 'GRASS' } },
    ])
    expect((await change('GRASS', { when: 'period_end' })).planned).toEqual(planned.planned)
    const costs = await owner.call(billings.getServiceCost, { params: params() })
    expect(costs.find(({ period }) => period === '720h')?.gross_price.amount).toBe(grass)
    const back = await owner.call(billings.cancelServiceUpgrade, { params: params() })
    expect(back.scheduled_actions).toEqual([])
    expect(await outcomeOf(owner.call(billings.cancelServiceUpgrade, { params: params() }))).toBe('resource_not_found')
  })

  test.runIf(isLong)('renewed at its price is there to stay', async () => {
    await change('AMETHYST')
    await change('GRASS', { when: 'period_end' })
    const funds = await balance()
    await owner.call(billings.renewService, { params: params(), body: { billing_period: '720h', wallet_id: walletId } })
    expect(await balance()).toBe(funds - grass)
    expect((await service()).product.id).toBe('AMETHYST')
    expect(await outcomeOf(owner.call(billings.cancelServiceUpgrade, { params: params() }))).toBe(
      'service_cannot_be_upgraded',
    )
    expect(await targetOf('GRASS')).toMatchObject({ obstacle: 'change_is_paid', planned_obstacle: 'change_is_paid' })
  })

  test.runIf(isLong)('waits for hours that are given meanwhile', async () => {
    await change('AMETHYST', { when: 'period_end' })
    const before = (await service()).expires
    const boss = await api.signUp({ admin: true })
    const { vouchers } = await boss.call(generateVouchers, { body: { quantity: 1, data: { add_hours: 50 } } })
    await owner.call(redeemOnService, { params: params(), body: { voucher: vouchers[0]?.code ?? '' } })
    const { scheduled_actions, expires } = await service()
    expect(Date.parse(expires ?? '')).toBe(Date.parse(before ?? '') + 50 * hour)
    expect(scheduled_actions).toMatchObject([{ date: expires, details: { product_id: 'AMETHYST' } }])
  })

  test.runIf(isLong)('can be taken back once the renewal that paid for it was withdrawn from', async () => {
    await change('AMETHYST', { when: 'period_end' })
    const before = (await service()).expires
    // When the rental itself cannot be withdrawn from any more.
    const request = { serviceId: server.service_id, executorId: owner.user.id, now: new Date(Date.now() + 360 * hour) }
    const body = { billing_period: '720h' as const, wallet_id: walletId }
    await renewService(api.context, { ...request, key: 'renewal', body })
    const { declaration_id } = await declareAt(api.context, request)
    await confirmAt(api.context, { ...request, declarationId: declaration_id ?? '' })
    const { scheduled_actions, expires } = await service()
    expect(expires).toBe(before)
    expect(scheduled_actions[0]?.details).toEqual({ product_id: 'AMETHYST' })
    expect((await owner.call(billings.cancelServiceUpgrade, { params: params() })).scheduled_actions).toEqual([])
  })

  test('waits for a free renewal: nobody gets a plan that nobody has paid for', async () => {
    server = await owner.call(createServer, {
      body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'], name: 'Free' }),
    })
    await change('AMETHYST', { when: 'period_end' })
    await letPass(720 - 6 * 24)
    const { expires: end } = await service()
    await api.context.database.pool.query(`update scheduled_actions set date = $1 where service_id = $2`, [
      end,
      server.service_id,
    ])
    await owner.call(billings.renewFreeService, { params: params() })
    await handleServiceClock(api.context, new Date(Date.parse(end ?? '') + hour))
    const kept = await service()
    expect(kept.product.id).toBe('FREE')
    expect(kept.scheduled_actions).toMatchObject([{ date: kept.expires, details: { product_id: 'AMETHYST' } }])
  })

  test.runIf(isLong)('that is due waits all the same for hours that were given after the end', async () => {
    await change('AMETHYST', { when: 'period_end' })
    const { expires } = await service()
    const late = new Date(Date.parse(expires ?? '') + 50 * hour)
    await api.context.database.pool.query(`update services set expires = $1 where id = $2`, [late, server.service_id])
    await handleServiceClock(api.context, new Date(late.getTime() - hour))
    const { product, scheduled_actions } = await service()
    expect(product.id).toBe('GRASS')
    expect(scheduled_actions).toMatchObject([{ date: late.toISOString(), done: false }])
  })

  test.runIf(isLong)(
    'is over with the contract: a renewal after a withdrawal is for the plan that there is',
    async () => {
      await change('AMETHYST')
      await change('GRASS', { when: 'period_end' })
      const { declaration_id } = await owner.call(declareWithdrawal, { params: params() })
      await owner.call(confirmWithdrawal, { params: params(), body: { declaration_id: declaration_id ?? '' } })
      expect((await service()).scheduled_actions).toEqual([])
      const costs = await owner.call(billings.getServiceCost, { params: params() })
      expect(costs.find(({ period }) => period === '720h')?.gross_price.amount).toBe(amethyst)
    },
  )

  test.runIf(isLong)('is what a voucher has to be for, in a renewal that pays for it', async () => {
    await change('AMETHYST', { when: 'period_end' })
    const boss = await api.signUp({ admin: true })
    const data = { product_id: ['GRASS'], new_cost: [{ amount: 100, currency: 'PLN' as const }] }
    const { vouchers } = await boss.call(generateVouchers, { body: { quantity: 1, data } })
    const body = { billing_period: '720h' as const, wallet_id: walletId, vouchers: [vouchers[0]?.code ?? ''] }
    expect(await outcomeOf(owner.call(billings.renewService, { params: params(), body }))).toBe(
      'voucher_not_for_product',
    )
    await owner.call(billings.cancelServiceUpgrade, { params: params() })
    expect(await outcomeOf(owner.call(billings.renewService, { params: params(), body }))).toBe('success')
  })
})
