/** Vouchers in orders, and instead of them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, createServerByVoucher } from '@wakestone/contract/servers/servers-routes'
import { verify } from '@wakestone/contract/accounts/users-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import type { TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
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
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
let makeCode: VoucherWorld['makeCode']
let rent: VoucherWorld['rent']
beforeAll(async () => {
  ;({ api, makeCode, rent } = await startVoucherWorld())
})
afterAll(() => api.close())

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
    expect(await outcomeOf(owner.call(createServer, { body }))).toBe(code)
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
    expect(await outcomeOf(attempt)).toBe('wallet_has_not_funds')
    expect(await owner.call(vouchers.getVoucher, { params: { code: voucher } })).toMatchObject({ uses_left: 1 })
  })

  test('takes no two prices, no two coupons, and no code twice', async () => {
    const owner = await api.signUp()
    const quote = (...codes: string[]) =>
      outcomeOf(owner.call(billings.getProductCost, { params: { id: 'GRASS' }, query: { vouchers: codes.join(',') } }))
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
    expect(
      await outcomeOf(owner.call(createServerByVoucher, { body: { ...order(walletId, '1.21.4'), voucher } })),
    ).toBe('voucher_already_used')
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
      outcomeOf(
        owner.call(createServerByVoucher, { body: { ...order(walletId, '1.21.4'), voucher: await makeCode(data) } }),
      )
    expect(await attempt({ add_hours: 24 })).toBe('voucher_not_for_billing')
    expect(await attempt({ new_server: true, add_hours: 24, product_id: ['AMETHYST'] })).toBe(
      'invalid_voucher_for_product',
    )
  })
})
