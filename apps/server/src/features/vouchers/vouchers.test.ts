/** Vouchers through the front door: made by administrators, refused where they do not fit, limited. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import * as billings from '@wakestone/contract/routes/billings'
import { createServer, createServerByVoucher } from '@wakestone/contract/routes/servers'
import { listUserEvents, verify } from '@wakestone/contract/routes/users'
import * as vouchers from '@wakestone/contract/routes/vouchers'
import { getWallet, listWalletLogs, listWalletTransactions } from '@wakestone/contract/routes/wallets'
import type { generateVouchersBody } from '@wakestone/contract/voucher'
import { type Caller, startTestApi, type TestApi } from '../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../tests/support/ledger.ts'
import { order, topUp } from '../../../../../tests/support/servers.ts'
import { heedServiceClock } from '../renewals/service-clock.ts'

const hour = 3_600_000
/** GRASS, 720 h, with 23 % of VAT. */
const month = 1844

let api: TestApi
let boss: Caller
beforeAll(async () => {
  api = await startTestApi({
    LIMIT_VOUCHERS: '0',
    LIMIT_VOUCHER_FAILURES: '0',
    LIMIT_VOUCHER_FAILURES_PER_ADDRESS: '0',
    VOUCHER_DAILY_CODES: '5000',
    VOUCHER_DAILY_HOURS: '100000',
    VOUCHER_DAILY_VALUE: '100000000',
  })
  boss = await api.signUp({ admin: true })
})
afterAll(() => api.close())

type Body = (typeof generateVouchersBody)['_zod']['input']
type Data = Body['data']
const make = async (data: Data, body: Partial<Body> = {}, maker = boss) => {
  const made = await maker.call(vouchers.generateVouchers, { body: { quantity: 1, ...body, data } })
  return made.vouchers
}
const makeCode = async (data: Data, body: Partial<Body> = {}) => (await make(data, body))[0]?.code ?? ''
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error as ApiError).body.error,
  )
const pln = (amount: number) => [{ amount, currency: 'PLN' as const }]
const coupon = { name: 'A fifth off', expression: 'price * 80 / 100', uses_left: 2 }

async function rent(more: Parameters<typeof order>[2] = {}, amount = month) {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, amount)
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4', more) })
  const params = { id: server.service_id }
  return {
    owner,
    walletId,
    server,
    params,
    show: () => owner.call(billings.getService, { params }),
    balance: async () => (await owner.call(getWallet, { params: { id: walletId } })).balance.amount,
    redeem: (voucher: string, idempotencyKey?: string) =>
      owner.call(vouchers.redeemOnService, { params, body: { voucher }, ...(idempotencyKey && { idempotencyKey }) }),
  }
}
const milliseconds = (time: string | null) => new Date(time ?? 0).getTime()

describe('making vouchers', () => {
  test('gives codes that nobody can guess, behind a prefix, for a year, and an event', async () => {
    const made = await make({ add_hours: 24 }, { quantity: 50, prefix: 'may-', group_id: 'may' })
    const codes = made.map(({ code }) => code)
    expect(new Set(codes).size).toBe(50)
    for (const code of codes) expect(code).toMatch(/^MAY-[A-Z0-9]{8}$/)
    expect(made[0]).toMatchObject({ group_id: 'may', uses: 1, uses_left: 1, per_user: 1, last_use_id: null })
    expect(milliseconds(made[0]?.expires ?? null) - Date.now()).toBeGreaterThan(364 * 24 * hour)
    const events = await boss.call(listUserEvents, {
      params: { id: boss.user.id },
      query: { action: 'USER_GENERATE_VOUCHERS', limit: 1 },
    })
    expect(events.data[0]?.data).toMatchObject({ quantity: 50, hours: 1200, group: 'may', prefix: 'MAY-', value: {} })
    const { data } = await boss.call(vouchers.listVoucherGroups, { query: { limit: 1 } })
    expect(data[0]).toMatchObject({ group_id: 'may', codes: 50, uses: 50, used: 0, last_used_at: null })
    expect(data[0]?.created_by?.id).toBe(boss.user.id)
    const again = await boss.call(vouchers.listVouchersOfGroup, { params: { id: data[0]?.id ?? '' } })
    expect(again.vouchers.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })

  test.each<[string, Partial<Body>, string]>([
    ['nothing', { data: {} }, 'invalid_request'],
    ['no code', { quantity: 0, data: { add_hours: 1 } }, 'voucher_invalid_quantity'],
    ['a negative number', { quantity: -1, data: { add_hours: 1 } }, 'voucher_invalid_quantity'],
    ['money and hours at once', { data: { add_hours: 1, wallet_tx: pln(1) } }, 'invalid_request'],
    ['no money', { data: { wallet_tx: pln(0) } }, 'invalid_request'],
    ['a currency twice', { data: { wallet_tx: [...pln(1), ...pln(2)] } }, 'invalid_request'],
    ['a price of whatever', { data: { new_cost: pln(1) } }, 'invalid_request'],
    [
      'a server without hours',
      { data: { new_server: true, product_id: ['GRASS'], new_cost: pln(1) } },
      'invalid_request',
    ],
    [
      'an expression that is none',
      { data: { product_id: ['GRASS'], coupon: { name: 'x', expression: 'alert(1)' } } },
      'invalid_request',
    ],
    ['a product that is none', { data: { product_id: ['GRAS'], add_hours: 1 } }, 'product_not_found'],
    ['a plan as an add-on', { data: { add_product: 'GRASS' } }, 'product_not_available'],
    ['an add-on that is none', { data: { add_product: 'GRAS' } }, 'product_not_found'],
    ['an add-on with something else', { data: { add_product: 'EXTRA_MEMORY_2G', add_hours: 1 } }, 'invalid_request'],
    ['an end that is past', { expires: '2020-01-01T00:00:00Z', data: { add_hours: 1 } }, 'invalid_request'],
  ])('refuses %s', async (_what, body, code) => {
    expect(await codeOf(boss.call(vouchers.generateVouchers, { body: { quantity: 1, data: {}, ...body } }))).toBe(code)
  })
})

describe('what an administrator makes in a day', () => {
  let small: TestApi
  beforeAll(async () => {
    small = await startTestApi()
  })
  afterAll(() => small.close())
  const attempt = (maker: Caller, data: Data, body: Partial<Body> = {}) => codeOf(make(data, body, maker))

  test('is 200 codes, also where many ask at once', async () => {
    const maker = await small.signUp({ admin: true })
    expect(await attempt(maker, { add_hours: 1 }, { quantity: 201 })).toBe('voucher_invalid_quantity')
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => attempt(maker, { add_hours: 1 }, { quantity: 50 })),
    )
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(4)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'voucher_daily_limit_reached']))
    expect(await attempt(await small.signUp({ admin: true }), { add_hours: 1 })).toBe('done')
    await small.context.database.pool.query('alter table voucher_batches disable trigger user')
    await small.context.database.pool.query(`update voucher_batches set created_at = now() - interval '25 hours'`)
    expect(await attempt(maker, { add_hours: 1 }, { quantity: 200 })).toBe('done')
  })

  test('is 5 000 hours, those of coupons and of every use included', async () => {
    const maker = await small.signUp({ admin: true })
    const limit = 'voucher_daily_hours_limit_reached'
    expect(await attempt(maker, { add_hours: 720 }, { quantity: 7 })).toBe(limit)
    expect(await attempt(maker, { add_hours: 2500 }, { uses_left: 3 })).toBe(limit)
    const twice = { name: 'twice', add_hours_on_renewal: 1000, uses_left: 2 }
    expect(await attempt(maker, { coupon: twice }, { quantity: 2 })).toBe('done')
    expect(await attempt(maker, { add_hours: 1001 })).toBe(limit)
    expect(await attempt(maker, { add_hours: 1000 })).toBe('done')
    expect(await attempt(maker, { add_hours: 1 })).toBe(limit)
  })

  test('is 1 000.00 of money in each currency, prices made cheaper included', async () => {
    const maker = await small.signUp({ admin: true })
    const limit = 'voucher_daily_value_limit_reached'
    expect(await attempt(maker, { wallet_tx: pln(50_001) }, { quantity: 2 })).toBe(limit)
    expect(await attempt(maker, { wallet_tx: pln(90_000) })).toBe('done')
    expect(await attempt(maker, { wallet_tx: [{ amount: 100_000, currency: 'EUR' }] })).toBe('done')
    const free = { product_id: ['AMETHYST'], billing_period: ['720h' as const], new_cost: pln(0) }
    expect(await attempt(maker, free, { quantity: 3 })).toBe(limit) // 3 × 44.99
    expect(await attempt(maker, free, { quantity: 2 })).toBe('done')
    const half = { name: 'half', expression: 'price / 2', uses_left: 1 }
    expect(await attempt(maker, { ...free, new_cost: null, coupon: half })).toBe(limit) // 10.02 are left
    expect(await attempt(maker, { wallet_tx: pln(1002) })).toBe('done')
    expect(await attempt(maker, { wallet_tx: pln(1) })).toBe(limit)
  })
})

describe('a code', () => {
  test('is shown to who holds it, however it is typed, without what administrators noted', async () => {
    const owner = await api.signUp()
    const code = await makeCode({ add_hours: 5, comment: 'for the fair' }, { prefix: 'FAIR-' })
    const typed = ` ${code.toLowerCase().slice(0, 7)} ${code.slice(7)}`
    const shown = await owner.call(vouchers.getVoucher, { params: { code: typed } })
    expect(shown).toMatchObject({ code, data: { add_hours: 5 } })
    expect(shown.data).not.toHaveProperty('comment')
  })

  test('that is none, is past, is used up, or was of a group that its user has had', async () => {
    const { owner, redeem } = await rent()
    const look = (code: string) => codeOf(owner.call(vouchers.getVoucher, { params: { code } }))
    expect(await look('NOSUCHCODE')).toBe('voucher_not_found')

    const past = await makeCode({ add_hours: 1 })
    const { pool } = api.context.database
    await pool.query('alter table voucher_batches disable trigger user')
    await pool.query(
      `update voucher_batches set expires = now() where id = (select batch_id from vouchers where code = $1)`,
      [past],
    )
    await pool.query('alter table voucher_batches enable trigger user')
    expect([await look(past), await codeOf(redeem(past))]).toEqual(['voucher_expired', 'voucher_expired'])

    const once = await makeCode({ add_hours: 1 })
    await redeem(once)
    expect([await look(once), await codeOf(redeem(once))]).toEqual(['voucher_already_used', 'voucher_already_used'])

    const mine = await makeCode({ add_hours: 1 }, { uses_left: 10, per_user: 2 })
    await redeem(mine)
    await redeem(mine)
    expect(await codeOf(redeem(mine))).toBe('voucher_already_used')

    const [first, second] = await make({ add_hours: 1 }, { quantity: 2, group_id: 'gifts' })
    await redeem(first?.code ?? '')
    expect(await codeOf(redeem(second?.code ?? ''))).toBe('voucher_already_used')
    expect(await codeOf((await rent()).redeem(second?.code ?? ''))).toBe('done')
  })

  test('is used as often as it can be and no oftener, whoever comes at once', async () => {
    const code = await makeCode({ wallet_tx: pln(100) }, { uses_left: 10 })
    const users = await Promise.all(Array.from({ length: 40 }, () => api.signUp()))
    const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
    const attempts = Array.from({ length: 1000 }, (_, index) => users[index % users.length] as Caller)
    const outcomes = await Promise.all(
      attempts.map((user) =>
        codeOf(
          user.call(vouchers.redeemIntoWallet, {
            params: { id: walletOf(user) },
            body: { voucher: code },
            idempotencyKey: randomUUID(),
          }),
        ),
      ),
    )
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(10)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'voucher_already_used']))
    const { rows } = await api.context.database.pool.query<{
      uses: number
      users: number
      left: number
      money: number
    }>(
      `select count(*)::int as uses, count(distinct use.user_id)::int as users, min(vouchers.uses_left) as left,
         (select sum(amount)::int from transactions where details ->> 'voucher_use_id' = any (array_agg(use.id::text))) as money
       from voucher_uses use join vouchers on vouchers.id = use.voucher_id where code = $1`,
      [code],
    )
    expect(rows[0]).toEqual({ uses: 10, users: 10, left: 0, money: 1000 })
    expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
  }, 120_000)
})

describe('on a service', () => {
  test('hours move the end, are told, and the same key gives the same answer', async () => {
    const { owner, show, redeem, server } = await rent()
    const end = milliseconds((await show()).expires)
    const code = await makeCode({ add_hours: 48 })
    const key = randomUUID()
    const given = await redeem(code, key)
    expect(given).toMatchObject({ add_hours: 48, coupon: false, amount: null })
    expect(milliseconds((await show()).expires)).toBe(end + 48 * hour)
    expect(await redeem(code, key)).toEqual(given)
    expect(milliseconds((await show()).expires)).toBe(end + 48 * hour)
    expect(await codeOf(redeem('ANOTHER1', key))).toBe('idempotency_key_reused')
    const { voucher_uses } = await owner.call(verify, {})
    expect(voucher_uses).toMatchObject([{ id: given.use_id, user_id: owner.user.id, voucher: { group_id: null } }])
    const events = await owner.call(listUserEvents, {
      params: { id: owner.user.id },
      query: { action: 'USER_USE_VOUCHER' },
    })
    expect(events.data[0]?.data).toMatchObject({ service_id: server.service_id })
    const uses = await boss.call(vouchers.listAdminVoucherUses, { params: { id: owner.user.id } })
    expect(uses).toMatchObject({ count: 1, data: [{ id: given.use_id }] })
  })

  test('an add-on is there until its end, which hours move too; a second one of it is not', async () => {
    const { owner, params, redeem, show, balance } = await rent()
    const before = (await show()).parameters as { memory: number }
    const add = () => makeCode({ add_product: 'SPEEDRUN_PROMO_EXTRA_MEMORY_4G' })
    const given = await redeem(await add())
    expect((await show()).parameters).toMatchObject({ memory: before.memory + 4 * 2 ** 30 })
    expect(await balance()).toBe(0)
    const addOn = async () =>
      (
        await api.context.db
          .selectFrom('services')
          .selectAll()
          .where('id', '=', given.added_service_id ?? '')
          .executeTakeFirstOrThrow()
      ).expires?.toISOString()
    expect(await addOn()).toBe((await show()).expires)
    await redeem(await makeCode({ add_hours: 48 }))
    expect(await addOn()).toBe((await show()).expires)
    const second = await add()
    expect(await codeOf(redeem(second))).toBe('voucher_not_for_current_config')
    expect(await owner.call(vouchers.getVoucher, { params: { code: second } })).toMatchObject({ uses_left: 1 })
    const own = { id: given.added_service_id ?? '' }
    const body = { voucher: await makeCode({ add_hours: 1 }) }
    expect(await codeOf(owner.call(vouchers.redeemOnService, { params: own, body }))).toBe('voucher_not_for_service')
    expect(await codeOf(owner.call(billings.getServiceCost, { params, query: { vouchers: second } }))).toBe(
      'voucher_not_for_service',
    )
  })

  test('hours begin now where the end has passed', async () => {
    const { show, redeem, params } = await rent()
    await api.context.db
      .updateTable('services')
      .set({ expires: new Date(Date.now() - 5 * hour) })
      .where('id', '=', params.id)
      .execute()
    await redeem(await makeCode({ add_hours: 2 }))
    expect(Math.abs(milliseconds((await show()).expires) - Date.now() - 2 * hour)).toBeLessThan(60_000)
  })

  test('money goes into its wallet, and stays there until it is spent', async () => {
    const { owner, walletId, balance, redeem } = await rent()
    const given = await redeem(await makeCode({ wallet_tx: [...pln(2500), { amount: 600, currency: 'EUR' }] }))
    expect(given).toMatchObject({ wallet_id: walletId, amount: { amount: 2500, currency: 'PLN' } })
    expect(await balance()).toBe(2500)
    const { data } = await owner.call(listWalletLogs, { params: { id: walletId } })
    expect(data[0]).toMatchObject({ cause: 'VOUCHER_USE', amount: { amount: 2500 } })
    expect(data[0]?.details).toMatchObject({ non_refundable: 2500 })
    const paid = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(paid.data[0]).toMatchObject({ action: 'VOUCHER_USE', amount: 2500, status: 'COMPLETED' })
  })

  test.each<[string, Data, string]>([
    ['another product', { add_hours: 1, product_id: ['AMETHYST'] }, 'voucher_not_for_product'],
    ['another cluster', { add_hours: 1, cluster_id: ['frankfurt'] }, 'voucher_not_for_cluster'],
    ['another period', { add_hours: 1, billing_period: ['8760h'] }, 'voucher_not_for_billing'],
    ['another engine', { add_hours: 1, user_parameters: { engine: ['paper'] } }, 'voucher_not_for_current_config'],
    ['another currency', { wallet_tx: [{ amount: 1, currency: 'USD' }] }, 'voucher_has_not_supporting_currency'],
    ['a new server', { add_hours: 1, new_server: true, product_id: ['GRASS'] }, 'voucher_not_for_service'],
    ['a price', { new_cost: pln(1), product_id: ['GRASS'] }, 'voucher_not_for_service'],
  ])('one for %s is refused, and stays unused', async (_what, data, code) => {
    const { redeem, owner } = await rent()
    const voucher = await makeCode(data)
    expect(await codeOf(redeem(voucher))).toBe(code)
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })

  test('of somebody else nobody redeems anything', async () => {
    const { params, walletId } = await rent()
    const other = await api.signUp()
    const body = { voucher: await makeCode({ wallet_tx: pln(100) }) }
    expect(await codeOf(other.call(vouchers.redeemOnService, { params, body }))).toBe('resource_not_found')
    expect(await codeOf(other.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body }))).toBe(
      'wallet_not_found',
    )
    expect(await codeOf(boss.call(vouchers.redeemOnService, { params, body }))).toBe('access_denied')
    expect(await codeOf(boss.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body }))).toBe(
      'wallet_not_found',
    )
  })

  test('into a wallet goes what holds money of its currency', async () => {
    const { owner, walletId } = await rent()
    const redeem = (voucher: string) =>
      codeOf(owner.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body: { voucher } }))
    expect(await redeem(await makeCode({ add_hours: 1 }))).toBe('voucher_not_for_billing')
    expect(await redeem(await makeCode({ wallet_tx: [{ amount: 1, currency: 'EUR' }] }))).toBe(
      'voucher_has_not_supporting_currency',
    )
    expect(await redeem(await makeCode({ wallet_tx: pln(1) }))).toBe('done')
  })
})

describe('a coupon', () => {
  test('makes so many renewals cheaper, those that happen by themselves too, and one waits at most', async () => {
    const { owner, params, walletId, balance, show, redeem } = await rent({}, month + 10_000)
    const code = await makeCode({ coupon, product_id: ['GRASS'] })
    expect(await redeem(code)).toMatchObject({ coupon: true, add_hours: 0 })
    expect(await codeOf(redeem(await makeCode({ coupon, product_id: ['GRASS'] })))).toBe(
      'billing_service_already_has_coupon',
    )
    expect((await show()).coupons).toMatchObject([{ name: 'A fifth off', uses_left: 2, active: true }])
    const costs = await owner.call(billings.getServiceCost, { params })
    const cost = costs.find(({ period }) => period === '720h')
    // 14.99 × 80 % = 11.99 net, 14.75 with VAT.
    expect(cost).toMatchObject({
      product_price: { amount: 1199 },
      gross_price: { amount: 1475 },
      full_gross_price: { amount: month },
    })
    const body = { billing_period: '720h' as const, wallet_id: walletId }
    expect(await owner.call(billings.renewService, { params, body })).toMatchObject({ gross_cost: { amount: 1475 } })
    expect(await balance()).toBe(10_000 - 1475)
    await owner.call(billings.changeService, { params, body: { auto_renew: true } })
    const end = new Date((await show()).expires ?? 0)
    await heedServiceClock(api.context, new Date(end.getTime() - hour))
    expect(await balance()).toBe(10_000 - 2 * 1475)
    const [used] = await owner.call(vouchers.listServiceCoupons, { params })
    expect(used).toMatchObject({ uses_left: 0, active: false })
    expect(await owner.call(vouchers.getServiceCoupon, { params: { ...params, couponId: used?.id ?? '' } })).toEqual(
      used,
    )
    expect(await codeOf(owner.call(vouchers.getServiceCoupon, { params: { ...params, couponId: randomUUID() } }))).toBe(
      'voucher_not_found',
    )
    expect((await show()).coupons).toEqual([])
    await owner.call(billings.renewService, { params, body })
    expect(await balance()).toBe(10_000 - 2 * 1475 - month)
  })

  test('adds hours to a renewal, until its time is over', async () => {
    const { owner, params, walletId, show, redeem } = await rent({}, month + 10_000)
    const until = {
      name: 'Longer',
      add_hours_on_renewal: 24,
      uses_left: 5,
      end_time: new Date(Date.now() + hour).toISOString(),
    }
    await redeem(await makeCode({ coupon: until }))
    const before = milliseconds((await show()).expires)
    const body = { billing_period: '720h' as const, wallet_id: walletId }
    await owner.call(billings.renewService, { params, body })
    expect(milliseconds((await show()).expires) - before).toBe(744 * hour)
    await api.context.db
      .updateTable('service_coupons')
      .set({ end_time: new Date() })
      .where('service_id', '=', params.id)
      .execute()
    await owner.call(billings.renewService, { params, body })
    expect(milliseconds((await show()).expires) - before).toBe(1464 * hour)
    expect(await codeOf(redeem(await makeCode({ coupon, product_id: ['GRASS'] })))).toBe('done')
  })
})

describe('a renewal with vouchers', () => {
  test('costs and lasts as they say, shows both prices, and a coupon that comes with it serves it already', async () => {
    const { owner, params, walletId, balance, show } = await rent({}, month + 10_000)
    const cheap = await makeCode({ product_id: ['GRASS'], new_cost: pln(1000), add_hours: 10 })
    const query = { vouchers: cheap }
    const [cost] = (await owner.call(billings.getServiceCost, { params, query })).filter(
      ({ period }) => period === '720h',
    )
    expect(cost).toMatchObject({ gross_price: { amount: 1230 }, full_gross_price: { amount: month }, add_hours: 10 })
    const before = milliseconds((await show()).expires)
    const renew = (...codes: string[]) =>
      owner.call(billings.renewService, {
        params,
        body: { billing_period: '720h', wallet_id: walletId, vouchers: codes },
      })
    await renew(cheap)
    expect(await balance()).toBe(10_000 - 1230)
    expect(milliseconds((await show()).expires) - before).toBe(730 * hour)
    await renew(await makeCode({ coupon, product_id: ['GRASS'] }))
    expect(await balance()).toBe(10_000 - 1230 - 1475)
    expect((await show()).coupons).toMatchObject([{ uses_left: 1 }])
  })

  test.each<[string, Data, string]>([
    ['another product', { add_hours: 1, product_id: ['AMETHYST'] }, 'voucher_not_for_product'],
    ['another period', { add_hours: 1, billing_period: ['8760h'] }, 'invalid_voucher_for_billing_period'],
    ['another cluster', { add_hours: 1, cluster_id: ['frankfurt'] }, 'voucher_not_for_cluster'],
    [
      'another currency',
      { product_id: ['GRASS'], new_cost: [{ amount: 1, currency: 'EUR' }] },
      'voucher_has_not_supporting_currency',
    ],
    ['the wallet', { wallet_tx: pln(100) }, 'voucher_not_for_service'],
  ])('for %s is refused; nothing is charged and nothing used', async (_what, data, code) => {
    const { owner, params, walletId, balance } = await rent({}, month + 10_000)
    const voucher = await makeCode(data)
    const body = { billing_period: '720h' as const, wallet_id: walletId, vouchers: [voucher] }
    expect(await codeOf(owner.call(billings.renewService, { params, body }))).toBe(code)
    expect(await balance()).toBe(10_000)
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })
})

describe('an order with vouchers', () => {
  test('costs and lasts as it was said to', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 1000)
    const price = await makeCode({ product_id: ['GRASS'], billing_period: ['720h'], new_cost: pln(500) })
    const hours = await makeCode({ add_hours: 24 })
    const query = { vouchers: `${price},${hours}`, period: '720h' as const }
    const [cost] = await owner.call(billings.getProductCost, { params: { id: 'GRASS' }, query })
    expect(cost).toMatchObject({ gross_price: { amount: 615 }, full_gross_price: { amount: month }, add_hours: 24 })
    const begin = Date.now()
    const server = await owner.call(createServer, { body: order(walletId, '1.21.4', { vouchers: [price, hours] }) })
    expect((await owner.call(getWallet, { params: { id: walletId } })).balance.amount).toBe(385)
    expect(Math.abs(milliseconds(server.expires) - begin - 744 * hour)).toBeLessThan(60_000)
    expect((await owner.call(verify, {})).voucher_uses).toHaveLength(2)
  })

  test.each<[string, Data, string]>([
    ['another product', { add_hours: 1, product_id: ['AMETHYST'] }, 'invalid_voucher_for_product'],
    ['another period', { add_hours: 1, billing_period: ['8760h'] }, 'invalid_voucher_for_billing_period'],
    ['another cluster', { add_hours: 1, cluster_id: ['frankfurt'] }, 'voucher_not_for_cluster'],
    ['another engine', { add_hours: 1, user_parameters: { engine: ['paper'] } }, 'voucher_not_for_current_config'],
    [
      'another currency',
      { product_id: ['GRASS'], new_cost: [{ amount: 1, currency: 'EUR' }] },
      'voucher_has_not_supporting_currency',
    ],
    ['the wallet', { wallet_tx: pln(100) }, 'voucher_not_for_billing'],
    ['a server of its own', { add_hours: 1, new_server: true, product_id: ['GRASS'] }, 'voucher_not_for_billing'],
  ])('for %s is refused; nothing is charged, made or used', async (_what, data, code) => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 5000)
    const voucher = await makeCode(data)
    const body = order(walletId, '1.21.4', { vouchers: [voucher] })
    expect(await codeOf(owner.call(createServer, { body }))).toBe(code)
    expect((await owner.call(getWallet, { params: { id: walletId } })).balance.amount).toBe(5000)
    const user = await owner.call(verify, {})
    expect([user.services, user.voucher_uses]).toEqual([[], []])
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })

  test('without enough in the wallet leaves the voucher', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 100)
    const voucher = await makeCode({ add_hours: 1 })
    const attempt = owner.call(createServer, { body: order(walletId, '1.21.4', { vouchers: [voucher] }) })
    expect(await codeOf(attempt)).toBe('wallet_has_not_funds')
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })

  test('takes no two prices, no two coupons, and no code twice', async () => {
    const owner = await api.signUp()
    const quote = (...codes: string[]) =>
      codeOf(owner.call(billings.getProductCost, { params: { id: 'GRASS' }, query: { vouchers: codes.join(',') } }))
    const price = { product_id: ['GRASS'], new_cost: pln(1) }
    expect(await quote(await makeCode(price), await makeCode(price))).toBe('voucher_not_for_current_config')
    const fifth = { coupon, product_id: ['GRASS'] }
    expect(await quote(await makeCode(fifth), await makeCode(fifth))).toBe('voucher_not_for_current_config')
    const code = await makeCode({ add_hours: 1 })
    expect(await quote(code, code)).toBe('voucher_already_used')
  })
})

describe('a server for a voucher', () => {
  test('costs nothing, lasts as long as the voucher says, and can be renewed', async () => {
    const owner = await api.signUp()
    const walletId = owner.user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
    const voucher = await makeCode({ new_server: true, add_hours: 100, product_id: ['GRASS'] })
    const begin = Date.now()
    const key = randomUUID()
    const body = { ...order(walletId, '1.21.4'), voucher }
    const server = await owner.call(createServerByVoucher, { body, idempotencyKey: key })
    expect(Math.abs(milliseconds(server.expires) - begin - 100 * hour)).toBeLessThan(60_000)
    expect(server).toMatchObject({ testing: false, product_id: 'GRASS' })
    expect(await owner.call(createServerByVoucher, { body, idempotencyKey: key })).toMatchObject({ id: server.id })
    expect(await codeOf(owner.call(createServerByVoucher, { body: { ...order(walletId, '1.21.4'), voucher } }))).toBe(
      'voucher_already_used',
    )
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data).toMatchObject([{ action: 'VOUCHER_USE', amount: 0 }])
    await topUp(api.context, owner, month)
    const params = { id: server.service_id }
    const renewed = await owner.call(billings.renewService, {
      params,
      body: { billing_period: '720h', wallet_id: walletId },
    })
    expect(milliseconds(renewed.expires) - milliseconds(server.expires)).toBe(720 * hour)
  })

  test('asks for one that makes servers, of this plan', async () => {
    const { owner, walletId } = await rent()
    const attempt = async (data: Data) =>
      codeOf(
        owner.call(createServerByVoucher, { body: { ...order(walletId, '1.21.4'), voucher: await makeCode(data) } }),
      )
    expect(await attempt({ add_hours: 24 })).toBe('voucher_not_for_billing')
    expect(await attempt({ new_server: true, add_hours: 24, product_id: ['AMETHYST'] })).toBe(
      'invalid_voucher_for_product',
    )
  })
})

describe('taking codes back', () => {
  const revoke = (id: string, voucher_ids?: string[]) =>
    boss.call(vouchers.revokeVouchers, { params: { id }, body: voucher_ids === undefined ? {} : { voucher_ids } })
  const newest = async () => (await boss.call(vouchers.listVoucherGroups, { query: { limit: 1 } })).data[0]!
  const revocations = async () =>
    (
      await boss.call(listUserEvents, {
        params: { id: boss.user.id },
        query: { action: 'USER_REVOKE_VOUCHERS', limit: 10 },
      })
    ).data

  test('one of them, then all that are left: what was used stays, nobody uses the others, and it is written down', async () => {
    const made = await make({ wallet_tx: pln(100) }, { quantity: 4, prefix: 'back-' })
    const { id } = await newest()
    const [used, first, second, third] = made
    const owner = await api.signUp()
    const wallet = { id: owner.user.wallets.find(({ currency }) => currency === 'PLN')!.id }
    const redeem = (code = '') => owner.call(vouchers.redeemIntoWallet, { params: wallet, body: { voucher: code } })
    await redeem(used?.code)
    const before = (await revocations()).length

    const { vouchers: some } = await revoke(id, [first!.id, used!.id])
    expect(some.filter(({ revoked_at }) => revoked_at !== null).map(({ code }) => code)).toEqual([first?.code])
    expect(await codeOf(redeem(first?.code))).toBe('voucher_revoked')
    expect(await codeOf(owner.call(vouchers.getVoucher, { params: { code: first!.code } }))).toBe('voucher_revoked')
    await redeem(second?.code)

    await revoke(id)
    expect(await codeOf(redeem(third?.code))).toBe('voucher_revoked')
    // Again: nothing is left, and nothing is written.
    await revoke(id)
    expect(await newest()).toMatchObject({ codes: 4, used: 2, revoked: 2 })
    expect((await owner.call(getWallet, { params: wallet })).balance.amount).toBe(200)
    const written = (await revocations()).slice(0, -before || undefined)
    expect(written.map(({ data }) => data)).toMatchObject([
      { batch: id, quantity: 1, prefix: 'BACK-' },
      { batch: id, quantity: 1, voucher_ids: [first!.id, used!.id] },
    ])
  })

  test('at the same moment as they are used: a code gives something, or it was taken back', async () => {
    const made = await make({ wallet_tx: pln(100) }, { quantity: 8 })
    const { id } = await newest()
    const owner = await api.signUp()
    const wallet = { id: owner.user.wallets.find(({ currency }) => currency === 'PLN')!.id }
    await Promise.all([
      ...made.map(({ code }) =>
        codeOf(owner.call(vouchers.redeemIntoWallet, { params: wallet, body: { voucher: code } })),
      ),
      revoke(id),
    ])
    const { used, revoked } = await newest()
    expect(used + revoked).toBe(8)
    expect((await owner.call(getWallet, { params: wallet })).balance.amount).toBe(used * 100)
  })

  test('only by who may make them, and not what is not there', async () => {
    const { id } = await newest()
    const stranger = await api.signUp()
    expect(await codeOf(stranger.call(vouchers.revokeVouchers, { params: { id }, body: {} }))).toBe(
      'insufficient_capabilities',
    )
    expect(await codeOf(revoke(randomUUID()))).toBe('voucher_not_found')
  })
})
