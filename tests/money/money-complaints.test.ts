/**
 * What customers of other billing systems complain about, each as a test through the front door. The names in brackets
 * say where it was reported.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { generateVouchers, redeemOnService } from '@wakestone/contract/sales/vouchers-routes'
import { getWallet, listWalletLogs, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import type { generateVouchersBody } from '@wakestone/contract/sales/voucher'
import { handleServiceClock } from '../../apps/server/src/features/sales/renewals/service-clock.ts'
import type { Caller } from '../support/api.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { day, hour, periods, priceOf } from '../support/money/rules.ts'
import { startPaymentWorld, type World } from '../support/payment-world.ts'
import { order, topUp } from '../support/servers.ts'
import { outcomeOf } from '../support/outcome.ts'

const month = priceOf('GRASS', '720h', 'PLN')
let api: World
let admin: Caller
let owner: Caller
let walletId: string

beforeAll(async () => {
  api = await startPaymentWorld()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())
beforeEach(async () => {
  owner = await api.signUp()
  walletId = owner.user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
})
afterEach(async () => {
  const faults = await findLedgerFaults(api.context.database.pool)
  if (Object.keys(faults).length > 0) throw new Error(`the ledger is broken: ${JSON.stringify(faults)}`)
})

const fund = (amount: number) => topUp(api.context, owner, amount)
const balance = async () => (await owner.call(getWallet, { params: { id: walletId } })).balance.amount
const transactions = async () => (await owner.call(listWalletTransactions, { params: { id: walletId } })).data
const beginTopUp = (amount: number) =>
  owner.call(createTransaction, {
    body: { action: 'DEPOSIT', provider: 'payu', wallet_id: walletId, amount, currency: 'PLN' },
    idempotencyKey: randomUUID(),
  })
const until = async (isSo: () => Promise<boolean>) => {
  for (const deadline = Date.now() + 30_000; !(await isSo()); await delay(30))
    if (Date.now() > deadline) throw new Error('not in time')
}
type Order = Parameters<typeof order>[2]
const rent = (more: Order = {}) => owner.call(createServer, { body: order(walletId, '1.21.4', more) })
const show = (id: string) => owner.call(billings.getService, { params: { id } })
const endOf = async (id: string) => Date.parse((await show(id)).expires ?? '')
const renew = (id: string, more: object = {}) =>
  owner.call(billings.renewService, {
    params: { id },
    body: { billing_period: '720h', wallet_id: walletId, ...more },
    idempotencyKey: randomUUID(),
  })
const setAuto = (id: string) => owner.call(billings.changeService, { params: { id }, body: { auto_renew: true } })
const pass = (time: number) => handleServiceClock(api.context, new Date(time))
const setEnd = (id: string, time: number) =>
  api.context.db
    .updateTable('services')
    .set({ expires: new Date(time) })
    .where('id', '=', id)
    .execute()
async function makeVoucher(data: (typeof generateVouchersBody)['_zod']['input']['data']) {
  const { vouchers } = await admin.call(generateVouchers, { body: { quantity: 1, data } })
  return vouchers[0]?.code ?? ''
}
const reminders = async () => {
  const rows = await api.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', owner.user.id)
    .where('kind', 'in', ['SERVER_EXPIRES_WARNING', 'SERVER_EXPIRED', 'AUTO_RENEW_FAILED'])
    .execute()
  return rows.length
}

describe('wallets', () => {
  test('a top-up is credited once, however often and by whomever it is told (BoxBilling #426)', async () => {
    const { id } = await beginTopUp(5000)
    api.payu.setFaults({ order: id, faults: { duplicate: 5, reorder: true } })
    api.payu.pay(api.orderOf(id).orderId)
    await until(async () => {
      await owner.call(getTransaction, { params: { id } }) // the payer's page, which has PayU asked too
      return api.payu.waiting().length === 0 && (await balance()) > 0
    })
    await api.tidy()
    const { data } = await owner.call(listWalletLogs, { params: { id: walletId } })
    expect(data.map(({ amount }) => amount.amount)).toEqual([5000])
  })

  test('what runs by itself credits no top-up that nobody paid (BoxBilling #479)', async () => {
    const { id } = await beginTopUp(5000)
    api.payu.forge(api.orderOf(id).orderId, 'signature')
    api.payu.forge(api.orderOf(id).orderId, 'amount')
    await until(async () => api.payu.waiting().length === 0)
    for (let round = 0; round < 3; round++) {
      await api.tidy()
      await pass(Date.now() + round * 30 * day)
    }
    expect(await balance()).toBe(0)
    // And it does not stay open either (Paymenter #827).
    expect(await owner.call(getTransaction, { params: { id } })).toMatchObject({
      status: 'CANCELLED',
      redirect_url: null,
    })
  })

  test.runIf(isLong)('a top-up stays in the wallet until its owner spends it (FOSSBilling #2988)', async () => {
    await fund(month)
    const { service_id } = await rent()
    await setEnd(service_id, Date.now() - hour)
    await fund(5000)
    await pass(Date.now())
    await pass(Date.now() + 2 * hour)
    expect(await balance()).toBe(5000)
  })

  test.runIf(isLong)('a renewal that is paid is a renewal, and no credit (FOSSBilling #950)', async () => {
    await fund(3 * month)
    const { service_id } = await rent()
    const end = await endOf(service_id)
    await renew(service_id)
    expect(await balance()).toBe(month)
    expect(await endOf(service_id)).toBe(end + 720 * hour)
    expect((await transactions()).map(({ action, amount }) => [action, amount])).toEqual([
      ['RENEW_SERVICE', month],
      ['ADD_SERVICE', month],
    ])
  })

  test('no discount drives a balance below zero, or pays anything out (FOSSBilling #1238)', async () => {
    await fund(month + 100)
    const { service_id } = await rent()
    const voucher = await makeVoucher({
      product_id: ['GRASS'],
      coupon: { name: 'More than it costs', expression: 'price - 1000000', uses_left: 2 },
    })
    await owner.call(redeemOnService, { params: { id: service_id }, body: { voucher } })
    await renew(service_id)
    await renew(service_id)
    expect(await balance()).toBe(100)
    expect((await transactions()).slice(0, 2).map(({ amount }) => amount)).toEqual([0, 0])
    expect(await outcomeOf(renew(service_id))).toBe('wallet_has_not_funds')
  })

  test('what runs by itself and its owner do not spend the same money (Paymenter, CronJob.php)', async () => {
    await fund(month)
    const { service_id } = await rent()
    await setAuto(service_id)
    for (let round = 0; round < 10; round++) {
      const end = await endOf(service_id)
      await fund(month)
      const [outcome] = await Promise.all([outcomeOf(renew(service_id)), pass(end - day), pass(end - day)])
      expect(['success', 'wallet_has_not_funds']).toContain(outcome)
      expect(await balance()).toBe(0)
      expect(await endOf(service_id)).toBe(end + 720 * hour)
    }
  })
})

describe('what is written down', () => {
  test('the cart, the charge and the transaction are one amount (FOSSBilling #2374)', async () => {
    for (const product of ['GRASS', 'AMETHYST']) {
      const costs = await owner.call(billings.getProductCost, {
        params: { id: product },
        query: { cluster_id: 'local' },
      })
      expect(costs.map(({ period }) => period).toSorted()).toEqual([...periods].toSorted())
      for (const cost of costs) {
        const price = cost.gross_price.amount
        expect(price).toBe(cost.product_price.amount + cost.tax.amount)
        expect(price).toBe(priceOf(product, cost.period as (typeof periods)[number], 'PLN'))
        await fund(price)
        const { service_id } = await rent({ requested_billing_services: [product], billing_period: cost.period })
        expect(await balance()).toBe(0)
        const [written] = await transactions()
        expect(written).toMatchObject({ amount: price, country_tax_rate: cost.country_tax_rate })
        expect(written?.positions.map(({ total_price_gross }) => total_price_gross)).toEqual([price])
        expect((await show(service_id)).gross_cost.amount).toBe(price)
        const { rows } = await api.context.database.pool.query<{ code: string; amount: string }>(
          `select a.code, e.amount::text from transactions t join ledger_entries e on e.transaction_id = t.ledger_transaction_id
           join ledger_accounts a on a.id = e.account_id where t.id = $1 order by a.code`,
          [written?.id],
        )
        expect(Object.fromEntries(rows.map(({ code, amount }) => [code, Number(amount)]))).toEqual({
          'revenue:PLN': cost.product_price.amount,
          'vat:PL:PLN': cost.tax.amount,
          [`wallet:${walletId}`]: -price,
        })
      }
    }
  })

  test.runIf(isLong)('a renewal is one line (FOSSBilling #1969)', async () => {
    await fund(2 * month)
    const { service_id } = await rent()
    const key = randomUUID()
    const again = () =>
      owner.call(billings.renewService, {
        params: { id: service_id },
        body: { billing_period: '720h', wallet_id: walletId },
        idempotencyKey: key,
      })
    await Promise.all([again(), again(), again()])
    const renewals = (await transactions()).filter(({ action }) => action === 'RENEW_SERVICE')
    expect(renewals.map(({ positions }) => positions.length)).toEqual([1])
  })

  test('an order with a price of its own is charged that price (FOSSBilling #3867)', async () => {
    const voucher = await makeVoucher({ product_id: ['GRASS'], new_cost: [{ amount: 1000, currency: 'PLN' }] })
    await fund(month)
    const { service_id } = await rent({ vouchers: [voucher] })
    expect(await balance()).toBe(month - 1230)
    expect((await transactions())[0]).toMatchObject({ amount: 1230 })
    // The next period costs what it costs everybody.
    const costs = await owner.call(billings.getServiceCost, { params: { id: service_id } })
    expect(costs.find(({ period }) => period === '720h')?.gross_price.amount).toBe(month)
  })

  test('what was paid stays as it was written when prices and customers change (Katamaze)', async () => {
    await fund(2 * month)
    const { service_id } = await rent()
    const [before] = await transactions()
    const setPrice = (amount: number) =>
      api.context.database.pool.query(
        `update prices set amount = $1 where product_id = 'GRASS' and currency = 'PLN' and period = '720h'`,
        [amount],
      )
    await setPrice(1999)
    try {
      await api.context.db.updateTable('users').set({ country_code: 'DE' }).where('id', '=', owner.user.id).execute()
      expect((await transactions())[0]).toEqual(before)
      expect((await show(service_id)).gross_cost.amount).toBe(month)
      // What comes after goes by what is then.
      const costs = await owner.call(billings.getServiceCost, { params: { id: service_id } })
      const price = costs.find(({ period }) => period === '720h')
      expect(price).toMatchObject({ product_price: { amount: 1999 }, country_tax_rate: { country_code: 'DE' } })
      await fund(price?.gross_price.amount ?? 0)
      await renew(service_id)
      expect(await balance()).toBe(month)
      expect((await transactions()).at(-1)).toEqual(before)
    } finally {
      await setPrice(1499)
    }
  })
})

describe('the life of a service', () => {
  test('whoever pays gets it back at once (Paymenter #854)', async () => {
    await fund(2 * month)
    const server = await rent()
    const isExpired = async () => (await owner.call(getServerStatus, { params: { id: server.id } })).expired
    await setEnd(server.service_id, Date.now() - hour)
    await pass(Date.now())
    expect(await isExpired()).toBe(true)
    await renew(server.service_id)
    expect(await isExpired()).toBe(false)
  })

  test.runIf(isLong)(
    'nothing is stopped before the time that was paid for, nor without a word (FOSSBilling #3425)',
    async () => {
      await fund(month)
      const server = await rent()
      const end = await endOf(server.service_id)
      for (let left = 8 * day; left > 0; left -= 6 * hour) await pass(end - left)
      await pass(end - 1)
      expect(await reminders()).toBe(3)
      expect((await owner.call(getServerStatus, { params: { id: server.id } })).expired).toBe(false)
      await pass(end)
      expect(await reminders()).toBe(4)
    },
  )

  test.runIf(isLong)('nobody is reminded of what is paid (FOSSBilling #3726)', async () => {
    await fund(2 * month)
    const { service_id } = await rent()
    const end = await endOf(service_id)
    await renew(service_id)
    for (let left = 8 * day; left > -2 * day; left -= 6 * hour) await pass(end - left)
    expect(await reminders()).toBe(0)
  })
})
