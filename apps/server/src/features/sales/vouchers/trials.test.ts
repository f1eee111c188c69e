/** Trial servers, and how often somebody may use and try codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, createServerByVoucher, getServer } from '@wakestone/contract/servers/servers-routes'
import { verify } from '@wakestone/contract/accounts/users-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { handleServiceClock } from '#src/features/sales/renewals/service-clock.ts'
import { giveTrial } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const hour = 3_600_000
const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
const start = ({ call }: Caller, id = 'AMETHYST') => call(vouchers.startTrial, { params: { id } })
const body = (caller: Caller, voucher: string) => ({
  ...order(walletOf(caller), '1.21.4', { requested_billing_services: ['AMETHYST'] }),
  voucher,
})
const rent = (caller: Caller, voucher: string) => caller.call(createServerByVoucher, { body: body(caller, voucher) })

describe('a trial', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi()
  })
  afterAll(() => api.close())

  test('is a day of AMETHYST, once; it goes three days later unless it is bought', async () => {
    const caller = await api.signUp()
    const { code, data } = await start(caller)
    expect(code).toMatch(/^TRY-[A-Z0-9]{8}$/)
    expect(data).toMatchObject({ add_hours: 24, product_id: ['AMETHYST'], new_server: true })
    expect((await start(caller)).code).toBe(code)
    const begin = Date.now()
    const server = await rent(caller, code)
    expect(server).toMatchObject({ testing: true, product_id: 'AMETHYST' })
    const end = new Date(server.expires ?? 0).getTime()
    expect(Math.abs(end - begin - 24 * hour)).toBeLessThan(60_000)
    expect(new Date(server.cleanup_date ?? 0).getTime()).toBe(end + 72 * hour)
    const { voucher_uses } = await caller.call(verify, {})
    expect(voucher_uses[0]?.voucher.group_id).toBe('testing-server-AMETHYST')
    expect(await outcomeOf(start(caller))).toBe('voucher_already_used')

    await topUp(api.context, caller, 10_000)
    const params = { id: server.service_id }
    const renewal = { billing_period: '720h' as const, wallet_id: walletOf(caller) }
    expect(await caller.call(billings.renewService, { params, body: renewal })).toMatchObject({
      gross_cost: { amount: 5534 },
    })
    const bought = await caller.call(getServer, { params: { id: server.id } })
    expect(bought).toMatchObject({ testing: false, cleanup_date: null })
  })

  test.runIf(isLong)(
    'that is over is told of with the day its files go, three days before, however late that is',
    async () => {
      const end = async (late: number) => {
        const caller = await api.signUp()
        const { id, expires } = await rent(caller, (await start(caller)).code)
        const over = Date.parse(expires ?? '')
        await handleServiceClock(api.context, new Date(over + late))
        const { fields } = await api.context.db
          .selectFrom('notifications')
          .select('fields')
          .where('user_id', '=', caller.user.id)
          .where('kind', '=', 'SERVER_EXPIRED')
          .executeTakeFirstOrThrow()
        const goes = over + late + 72 * hour
        expect(fields).toMatchObject({ deleted_at: new Date(goes).toISOString() })
        const filesAt = async (time: number) => {
          await handleServiceClock(api.context, new Date(time))
          return (await caller.call(getServer, { params: { id } })).files_deleted_at
        }
        expect(await filesAt(goes - 1)).toBeNull()
        expect(await filesAt(goes)).not.toBeNull()
      }
      await end(0)
      await end(100 * hour)
    },
  )

  test('that is bought with another plan is a server like any other: its files are kept after the month', async () => {
    const caller = await api.signUp()
    const server = await rent(caller, (await start(caller)).code)
    const wallet_id = await topUp(api.context, caller, 10_000)
    const params = { id: server.service_id }
    const change = (more: { product_id: string; billing_period?: '720h' }) =>
      caller.call(billings.upgradeService, { params, body: { wallet_id, ...more } })
    await change({ product_id: 'GRASS' })
    const see = () => caller.call(getServer, { params: { id: server.id } })
    expect(await see()).toMatchObject({ testing: true, product_id: 'GRASS', cleanup_date: server.cleanup_date })
    expect(await change({ product_id: 'AMETHYST', billing_period: '720h' })).toMatchObject({ amount: { amount: 5534 } })
    expect(await see()).toMatchObject({ testing: false, cleanup_date: null })
    const over = Date.parse((await see()).expires ?? '')
    await handleServiceClock(api.context, new Date(over))
    await handleServiceClock(api.context, new Date(over + 10 * 24 * hour))
    expect(await see()).toMatchObject({ files_deleted_at: null, cleanup_date: null })
  })

  test('is there again after 90 days', async () => {
    const caller = await api.signUp()
    await rent(caller, (await start(caller)).code)
    const give = (days: number) =>
      giveTrial(api.context, {
        userId: caller.user.id,
        productId: 'AMETHYST',
        now: new Date(Date.now() + days * 24 * hour),
      })
    await expect(give(89)).rejects.toMatchObject({ code: 'voucher_already_used' })
    expect((await give(91)).group_id).toBe('testing-server-AMETHYST')
  })

  test('is of its owner alone, of what can be tried, and for who has confirmed their address', async () => {
    const [caller, thief, newcomer] = await Promise.all([api.signUp(), api.signUp(), api.signUp({ verified: false })])
    const { code } = await start(caller)
    expect(await outcomeOf(thief.call(vouchers.getVoucher, { params: { code } }))).toBe('voucher_not_found')
    expect(await outcomeOf(rent(thief, code))).toBe('voucher_not_found')
    expect(await outcomeOf(start(caller, 'GRASS'))).toBe('product_not_available')
    expect(await outcomeOf(start(caller, 'NOTHING'))).toBe('product_not_found')
    expect(await outcomeOf(rent(newcomer, (await start(newcomer)).code))).toBe('email_not_verified')
  })

  test('is one, however many ask at once', async () => {
    const caller = await api.signUp()
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await start(caller)).code))
    expect(new Set(codes).size).toBe(1)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(rent(caller, codes[0] ?? ''))))
    expect(outcomes.filter((one) => one === 'success')).toHaveLength(1)
    expect((await caller.call(verify, {})).services).toHaveLength(1)
  })

  test('in whatever group it was made, is one in 90 days', async () => {
    const boss = await api.signUp({ admin: true })
    const caller = await api.signUp()
    const made = await boss.call(vouchers.generateVouchers, {
      body: {
        quantity: 1,
        group_id: 'testing-server-GRASS',
        data: { new_server: true, add_hours: 10, product_id: ['AMETHYST'] },
      },
    })
    await rent(caller, (await start(caller)).code)
    expect(await outcomeOf(rent(caller, made.vouchers[0]?.code ?? ''))).toBe('voucher_already_used')
  })
})

describe('limits', () => {
  test('an account redeems five a day, at once or one by one', async () => {
    const api = await startTestApi()
    try {
      const boss = await api.signUp({ admin: true })
      const caller = await api.signUp()
      const { vouchers: made } = await boss.call(vouchers.generateVouchers, {
        body: { quantity: 12, data: { wallet_tx: [{ amount: 1, currency: 'PLN' }] } },
      })
      const params = { id: walletOf(caller) }
      const redeem = ({ code }: { code: string }) =>
        outcomeOf(caller.call(vouchers.redeemIntoWallet, { params, body: { voucher: code } }))
      const outcomes = await Promise.all(made.slice(0, 10).map(redeem))
      expect(outcomes.filter((one) => one === 'success')).toHaveLength(5)
      expect(outcomes.filter((one) => one === 'too_many_requests')).toHaveLength(5)
      const { pool } = api.context.database
      await pool.query('alter table voucher_uses disable trigger user')
      await pool.query(`update voucher_uses set ts = ts - interval '25 hours'`)
      const left = made.slice(10)
      expect(await redeem(left[0] as { code: string })).toBe('success')
    } finally {
      await api.close()
    }
  })

  test.runIf(isLong)(
    'an account tries ten codes that are none in an hour, wherever, and an address thirty',
    async () => {
      const api = await startTestApi({ LIMIT_VOUCHERS: '0' })
      try {
        const boss = await api.signUp({ admin: true })
        const { vouchers: made } = await boss.call(vouchers.generateVouchers, {
          body: { quantity: 1, uses_left: 100, per_user: 100, data: { add_hours: 1 } },
        })
        const good = made[0]?.code ?? ''
        const callers = await Promise.all(Array.from({ length: 4 }, () => api.signUp()))
        const [first, ...others] = callers as [Caller, ...Caller[]]
        const look = ({ call }: Caller, code: string) => outcomeOf(call(vouchers.getVoucher, { params: { code } }))
        // What is right, and what does not fit, is no guess.
        for (let count = 0; count < 12; count++) expect(await look(first, good)).toBe('success')
        const quote = (code: string) =>
          outcomeOf(first.call(billings.getProductCost, { params: { id: 'GRASS' }, query: { vouchers: code } }))
        const money = await boss.call(vouchers.generateVouchers, {
          body: { quantity: 1, data: { wallet_tx: [{ amount: 1, currency: 'PLN' }] } },
        })
        for (let count = 0; count < 12; count++)
          expect(await quote(money.vouchers[0]?.code ?? '')).toBe('voucher_not_for_billing')

        const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => look(first, `GUESS${index}`)))
        expect(outcomes.filter((one) => one === 'voucher_not_found')).toHaveLength(10)
        expect(outcomes.filter((one) => one === 'too_many_requests')).toHaveLength(10)
        const walletId = await topUp(api.context, first, 5000)
        expect(await look(first, good)).toBe('too_many_requests')
        expect(await quote('GUESS')).toBe('too_many_requests')
        const attempt = first.call(createServer, { body: order(walletId, '1.21.4', { vouchers: ['GUESS'] }) })
        expect(await outcomeOf(attempt)).toBe('too_many_requests')
        for (const caller of others.slice(0, 2))
          for (let count = 0; count < 10; count++) expect(await look(caller, `OTHER${count}`)).toBe('voucher_not_found')
        expect(await look(others[2] as Caller, 'MORE')).toBe('too_many_requests')
        const { pool } = api.context.database
        await pool.query(`update request_limits set empty_at = now() where subject like 'voucher:%'`)
        expect(await look(first, good)).toBe('success')
      } finally {
        await api.close()
      }
    },
  )
})
