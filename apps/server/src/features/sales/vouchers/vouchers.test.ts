/** Vouchers through the front door: made by administrators, within limits, looked at, used up, taken back. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import {
  type Body,
  type Data,
  hour,
  milliseconds,
  pln,
  startVoucherWorld,
  type VoucherWorld,
} from '../../../../../../tests/support/vouchers.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
let boss: Caller
let make: VoucherWorld['make']
let makeCode: VoucherWorld['makeCode']
let rent: VoucherWorld['rent']
beforeAll(async () => {
  ;({ api, boss, make, makeCode, rent } = await startVoucherWorld())
})
afterAll(() => api.close())

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
    expect(await outcomeOf(boss.call(vouchers.generateVouchers, { body: { quantity: 1, data: {}, ...body } }))).toBe(
      code,
    )
  })
})

describe('what an administrator makes in a day', () => {
  let small: TestApi
  beforeAll(async () => {
    small = await startTestApi()
  })
  afterAll(() => small.close())
  const attempt = (maker: Caller, data: Data, body: Partial<Body> = {}) => outcomeOf(make(data, body, maker))

  test.runIf(isLong)('is 200 codes, also where many ask at once', async () => {
    const maker = await small.signUp({ admin: true })
    expect(await attempt(maker, { add_hours: 1 }, { quantity: 201 })).toBe('voucher_invalid_quantity')
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => attempt(maker, { add_hours: 1 }, { quantity: 50 })),
    )
    expect(outcomes.filter((one) => one === 'success')).toHaveLength(4)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'voucher_daily_limit_reached']))
    expect(await attempt(await small.signUp({ admin: true }), { add_hours: 1 })).toBe('success')
    await small.context.database.pool.query('alter table voucher_batches disable trigger user')
    await small.context.database.pool.query(`update voucher_batches set created_at = now() - interval '25 hours'`)
    expect(await attempt(maker, { add_hours: 1 }, { quantity: 200 })).toBe('success')
  })

  test('is 5 000 hours, those of coupons and of every use included', async () => {
    const maker = await small.signUp({ admin: true })
    const limit = 'voucher_daily_hours_limit_reached'
    expect(await attempt(maker, { add_hours: 720 }, { quantity: 7 })).toBe(limit)
    expect(await attempt(maker, { add_hours: 2500 }, { uses_left: 3 })).toBe(limit)
    const twice = { name: 'twice', add_hours_on_renewal: 1000, uses_left: 2 }
    expect(await attempt(maker, { coupon: twice }, { quantity: 2 })).toBe('success')
    expect(await attempt(maker, { add_hours: 1001 })).toBe(limit)
    expect(await attempt(maker, { add_hours: 1000 })).toBe('success')
    expect(await attempt(maker, { add_hours: 1 })).toBe(limit)
  })

  test('is 1 000.00 of money in each currency, prices made cheaper included', async () => {
    const maker = await small.signUp({ admin: true })
    const limit = 'voucher_daily_value_limit_reached'
    expect(await attempt(maker, { wallet_tx: pln(50_001) }, { quantity: 2 })).toBe(limit)
    expect(await attempt(maker, { wallet_tx: pln(90_000) })).toBe('success')
    expect(await attempt(maker, { wallet_tx: [{ amount: 100_000, currency: 'EUR' }] })).toBe('success')
    const free = { product_id: ['AMETHYST'], billing_period: ['720h' as const], new_cost: pln(0) }
    expect(await attempt(maker, free, { quantity: 3 })).toBe(limit) // 3 × 44.99
    expect(await attempt(maker, free, { quantity: 2 })).toBe('success')
    const half = { name: 'half', expression: 'price / 2', uses_left: 1 }
    expect(await attempt(maker, { ...free, new_cost: null, coupon: half })).toBe(limit) // 10.02 are left
    expect(await attempt(maker, { wallet_tx: pln(1002) })).toBe('success')
    expect(await attempt(maker, { wallet_tx: pln(1) })).toBe(limit)
  })
})

test.runIf(isLong)('a coupon counts with what each of its renewals saves, however late that is', async () => {
  const small = await startTestApi()
  try {
    const maker = await small.signUp({ admin: true })
    const limit = 'voucher_daily_value_limit_reached'
    const give = (expression: string, uses_left: number | null, more: Data = {}) =>
      outcomeOf(
        make({ product_id: ['AMETHYST'], coupon: { name: 'later', expression, uses_left }, ...more }, {}, maker),
      )
    // 44.99 a month: 23 renewals for nothing, hidden behind a dear one.
    const month = { billing_period: ['720h' as const] }
    expect(await give('if(used == 0, price, 0)', 24, month)).toBe(limit)
    expect(await give('if(used < 12, price, 0)', null)).toBe(limit)
    // A longer period is dearer, and may be chosen for any of them.
    expect(await give('if(used == 1 and hours == 8760, 0, price)', 100)).toBe('success')
    const [made] = await small.context.db.selectFrom('voucher_batches').select('value').execute()
    expect(made?.value).toMatchObject({ PLN: 46_527 })
    expect(await give('price - min(used, 1)', 1000, month)).toBe('success')
  } finally {
    await small.close()
  }
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
    const look = (code: string) => outcomeOf(owner.call(vouchers.getVoucher, { params: { code } }))
    expect(await look('NOSUCHCODE')).toBe('voucher_not_found')

    const past = await makeCode({ add_hours: 1 })
    const { pool } = api.context.database
    await pool.query('alter table voucher_batches disable trigger user')
    await pool.query(
      `update voucher_batches set expires = now() where id = (select batch_id from vouchers where code = $1)`,
      [past],
    )
    await pool.query('alter table voucher_batches enable trigger user')
    expect([await look(past), await outcomeOf(redeem(past))]).toEqual(['voucher_expired', 'voucher_expired'])

    const once = await makeCode({ add_hours: 1 })
    await redeem(once)
    expect([await look(once), await outcomeOf(redeem(once))]).toEqual(['voucher_already_used', 'voucher_already_used'])

    const mine = await makeCode({ add_hours: 1 }, { uses_left: 10, per_user: 2 })
    await redeem(mine)
    await redeem(mine)
    expect(await outcomeOf(redeem(mine))).toBe('voucher_already_used')

    const [first, second] = await make({ add_hours: 1 }, { quantity: 2, group_id: 'gifts' })
    await redeem(first?.code ?? '')
    expect(await outcomeOf(redeem(second?.code ?? ''))).toBe('voucher_already_used')
    expect(await outcomeOf((await rent()).redeem(second?.code ?? ''))).toBe('success')
  })

  test('is used as often as it can be and no oftener, whoever comes at once', async () => {
    const code = await makeCode({ wallet_tx: pln(100) }, { uses_left: 10 })
    const users = await Promise.all(Array.from({ length: isLong ? 40 : 20 }, () => api.signUp()))
    const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
    const attempts = Array.from({ length: isLong ? 1000 : 200 }, (_, index) => users[index % users.length] as Caller)
    // Told that there is no room just now, callers come again with the same request.
    const redeem = async (user: Caller, idempotencyKey: string): Promise<string> => {
      const call = { params: { id: walletOf(user) }, body: { voucher: code }, idempotencyKey }
      const outcome = await outcomeOf(user.call(vouchers.redeemIntoWallet, call))
      return outcome === 'service_unavailable' ? redeem(user, idempotencyKey) : outcome
    }
    const outcomes = await Promise.all(attempts.map((user) => redeem(user, randomUUID())))
    expect(outcomes.filter((one) => one === 'success')).toHaveLength(10)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'voucher_already_used']))
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
    expect(await outcomeOf(redeem(first?.code))).toBe('voucher_revoked')
    expect(await outcomeOf(owner.call(vouchers.getVoucher, { params: { code: first!.code } }))).toBe('voucher_revoked')
    await redeem(second?.code)

    await revoke(id)
    expect(await outcomeOf(redeem(third?.code))).toBe('voucher_revoked')
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
        outcomeOf(owner.call(vouchers.redeemIntoWallet, { params: wallet, body: { voucher: code } })),
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
    expect(await outcomeOf(stranger.call(vouchers.revokeVouchers, { params: { id }, body: {} }))).toBe(
      'insufficient_capabilities',
    )
    expect(await outcomeOf(revoke(randomUUID()))).toBe('voucher_not_found')
  })
})
