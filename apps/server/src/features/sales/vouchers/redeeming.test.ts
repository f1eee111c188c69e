/** Vouchers on services: redeemed, kept as coupons, and in renewals. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { listUserEvents, verify } from '@wakestone/contract/accounts/users-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import { listWalletLogs, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import type { Caller, TestApi } from '../../../../../../tests/support/api.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import {
  coupon,
  type Data,
  hour,
  milliseconds,
  month,
  pln,
  startVoucherWorld,
  type VoucherWorld,
} from '../../../../../../tests/support/vouchers.ts'
import { readCode } from './use.ts'
import { outcomeOf, refusalOf } from '../../../../../../tests/support/outcome.ts'
import { handleServiceClock } from '#src/features/sales/renewals/service-clock.ts'

let api: TestApi
let boss: Caller
let makeCode: VoucherWorld['makeCode']
let rent: VoucherWorld['rent']
beforeAll(async () => {
  ;({ api, boss, makeCode, rent } = await startVoucherWorld())
})
afterAll(() => api.close())

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
    expect(await outcomeOf(redeem('ANOTHER1', key))).toBe('idempotency_key_reused')
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
    expect(await outcomeOf(redeem(second))).toBe('voucher_not_for_current_config')
    expect(await owner.call(vouchers.getVoucher, { params: { code: second } })).toMatchObject({ uses_left: 1 })
    const own = { id: given.added_service_id ?? '' }
    const body = { voucher: await makeCode({ add_hours: 1 }) }
    expect(await outcomeOf(owner.call(vouchers.redeemOnService, { params: own, body }))).toBe('voucher_not_for_service')
    expect(await outcomeOf(owner.call(billings.getServiceCost, { params, query: { vouchers: second } }))).toBe(
      'voucher_not_for_service',
    )
  })

  test.runIf(isLong)('a code for an add-on adds it again once it was removed, as often as it may be used', async () => {
    const { owner, params, redeem, show } = await rent()
    const code = await makeCode({ add_product: 'EXTRA_MEMORY_2G' }, { uses_left: 5, per_user: 2 })
    const first = await redeem(code)
    await owner.call(billings.removeServiceAddOn, { params: { ...params, addOnId: first.added_service_id ?? '' } })
    expect((await show()).add_ons).toEqual([])
    const key = randomUUID()
    const again = await redeem(code, key)
    expect(again.added_service_id).not.toBe(first.added_service_id)
    expect(await redeem(code, key)).toEqual(again)
    expect((await show()).add_ons).toHaveLength(1)
    expect(await outcomeOf(redeem(code))).toBe('voucher_already_used')
  })

  test.runIf(isLong)('hours begin now where the end has passed', async () => {
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

  test.each<[string, Data, string]>(
    someOf(
      [
        ['another product', { add_hours: 1, product_id: ['AMETHYST'] }, 'voucher_not_for_product'],
        ['another cluster', { add_hours: 1, cluster_id: ['frankfurt'] }, 'voucher_not_for_cluster'],
        ['another period', { add_hours: 1, billing_period: ['8760h'] }, 'voucher_not_for_billing'],
        ['another engine', { add_hours: 1, user_parameters: { engine: ['paper'] } }, 'voucher_not_for_current_config'],
        ['another currency', { wallet_tx: [{ amount: 1, currency: 'USD' }] }, 'voucher_has_not_supporting_currency'],
        ['a new server', { add_hours: 1, new_server: true, product_id: ['GRASS'] }, 'voucher_not_for_service'],
        ['a price', { new_cost: pln(1), product_id: ['GRASS'] }, 'voucher_not_for_service'],
      ],
      2,
    ),
  )('one for %s is refused, and stays unused', async (_what, data, code) => {
    const { redeem, owner } = await rent()
    const voucher = await makeCode(data)
    expect(await outcomeOf(redeem(voucher))).toBe(code)
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })

  test('of somebody else nobody redeems anything', async () => {
    const { params, walletId } = await rent()
    const other = await api.signUp()
    const body = { voucher: await makeCode({ wallet_tx: pln(100) }) }
    expect(await outcomeOf(other.call(vouchers.redeemOnService, { params, body }))).toBe('resource_not_found')
    expect(await outcomeOf(other.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body }))).toBe(
      'wallet_not_found',
    )
    expect(await outcomeOf(boss.call(vouchers.redeemOnService, { params, body }))).toBe('access_denied')
    expect(await outcomeOf(boss.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body }))).toBe(
      'wallet_not_found',
    )
  })

  test('into a wallet goes what holds money of its currency', async () => {
    const { owner, walletId } = await rent()
    const redeem = (voucher: string) =>
      outcomeOf(owner.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body: { voucher } }))
    expect(await redeem(await makeCode({ add_hours: 1 }))).toBe('voucher_not_for_billing')
    expect(await redeem(await makeCode({ wallet_tx: [{ amount: 1, currency: 'EUR' }] }))).toBe(
      'voucher_has_not_supporting_currency',
    )
    expect(await redeem(await makeCode({ wallet_tx: pln(1) }))).toBe('success')
  })
})

describe('a coupon', () => {
  test.runIf(isLong)(
    'makes so many renewals cheaper, those that happen by themselves too, and one waits at most',
    async () => {
      const { owner, params, walletId, balance, show, redeem } = await rent({}, month + 10_000)
      const code = await makeCode({ coupon, product_id: ['GRASS'] })
      expect(await redeem(code)).toMatchObject({ coupon: true, add_hours: 0 })
      expect(await outcomeOf(redeem(await makeCode({ coupon, product_id: ['GRASS'] })))).toBe(
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
      await handleServiceClock(api.context, new Date(end.getTime() - hour))
      expect(await balance()).toBe(10_000 - 2 * 1475)
      const [used] = await owner.call(vouchers.listServiceCoupons, { params })
      expect(used).toMatchObject({ uses_left: 0, active: false })
      expect(await owner.call(vouchers.getServiceCoupon, { params: { ...params, couponId: used?.id ?? '' } })).toEqual(
        used,
      )
      expect(
        await outcomeOf(owner.call(vouchers.getServiceCoupon, { params: { ...params, couponId: randomUUID() } })),
      ).toBe('voucher_not_found')
      expect((await show()).coupons).toEqual([])
      await owner.call(billings.renewService, { params, body })
      expect(await balance()).toBe(10_000 - 2 * 1475 - month)
    },
  )

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
    expect(await outcomeOf(redeem(await makeCode({ coupon, product_id: ['GRASS'] })))).toBe('success')
  })

  test('whose time is over before it is used makes its code worth nothing, and is not made', async () => {
    const until = (time: number) => ({ ...coupon, end_time: new Date(time).toISOString() })
    const data = { product_id: ['GRASS' as const], coupon: until(Date.now() - 1) }
    expect(await refusalOf(boss.call(vouchers.generateVouchers, { body: { quantity: 1, data } }))).toEqual({
      error: 'invalid_request',
      fields: { 'data.coupon.end_time': 'invalid' },
    })
    const code = await makeCode({ ...data, coupon: until(Date.now() + hour) })
    const { db, settings } = api.context
    const look = (now: Date) => readCode(db, code, { userId: undefined, settings, now })
    expect((await look(new Date())).code).toBe(code)
    await expect(look(new Date(Date.now() + 2 * hour))).rejects.toThrow('voucher_expired')
  })

  test.runIf(isLong)(
    'serves what its voucher is for, and is kept where a renewal buys another plan or period',
    async () => {
      const { owner, params, walletId, show, redeem } = await rent({}, month + 20_000)
      const longer = { ...coupon, add_hours_on_renewal: 24 }
      await redeem(await makeCode({ coupon: longer, product_id: ['GRASS'], billing_period: ['720h'] }))
      const costs = async () => {
        const all = await owner.call(billings.getServiceCost, { params })
        return Object.fromEntries(all.map((cost) => [cost.period, [cost.full_gross_price !== null, cost.add_hours]]))
      }
      expect(await costs()).toEqual({ '720h': [true, 24], '2160h': [false, 0], '8760h': [false, 0] })
      const renew = (billing_period: '720h' | '2160h') =>
        owner.call(billings.renewService, { params, body: { billing_period, wallet_id: walletId } })
      await renew('2160h')
      expect((await show()).coupons).toMatchObject([{ uses_left: 2 }])
      const plan = { product_id: 'AMETHYST', wallet_id: walletId, when: 'period_end' as const }
      await owner.call(billings.upgradeService, { params, body: plan })
      expect(await costs()).toMatchObject({ '720h': [false, 0] })
      await owner.call(billings.cancelServiceUpgrade, { params })
      await renew('720h')
      expect((await show()).coupons).toMatchObject([{ uses_left: 1 }])
    },
  )
})

describe('a renewal with vouchers', () => {
  test.runIf(isLong)(
    'costs and lasts as they say, shows both prices, and a coupon that comes with it serves it already',
    async () => {
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
    },
  )

  test.each<[string, Data, string]>(
    someOf(
      [
        ['another product', { add_hours: 1, product_id: ['AMETHYST'] }, 'voucher_not_for_product'],
        ['another period', { add_hours: 1, billing_period: ['8760h'] }, 'invalid_voucher_for_billing_period'],
        ['another cluster', { add_hours: 1, cluster_id: ['frankfurt'] }, 'voucher_not_for_cluster'],
        [
          'another currency',
          { product_id: ['GRASS'], new_cost: [{ amount: 1, currency: 'EUR' }] },
          'voucher_has_not_supporting_currency',
        ],
        ['the wallet', { wallet_tx: pln(100) }, 'voucher_not_for_service'],
      ],
      2,
    ),
  )('for %s is refused; nothing is charged and nothing used', async (_what, data, code) => {
    const { owner, params, walletId, balance } = await rent({}, month + 10_000)
    const voucher = await makeCode(data)
    const body = { billing_period: '720h' as const, wallet_id: walletId, vouchers: [voucher] }
    expect(await outcomeOf(owner.call(billings.renewService, { params, body }))).toBe(code)
    expect(await balance()).toBe(10_000)
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })
})
