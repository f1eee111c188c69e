/** Buying now and paying later, through the front door, with time passing: nobody owes more than they may. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addServiceAddOn,
  getService,
  removeServiceAddOn,
  renewService,
  upgradeService,
} from '@wakestone/contract/sales/billings-routes'
import { changeUserCapabilities } from '@wakestone/contract/admin/admin-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import * as routes from '@wakestone/contract/sales/pay-later-routes'
import { createServer, getServer, startServer } from '@wakestone/contract/servers/servers-routes'
import {
  getWallet,
  listWalletLogs,
  listWalletTransactions,
  topUpWallet,
} from '@wakestone/contract/money/wallets-routes'
import { confirmWithdrawal, declareWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { giveBack, payIn } from '../../../../../../tests/support/direct-payments.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import {
  confirmWithdrawal as confirmAt,
  declareWithdrawal as declareAt,
} from '#src/features/sales/withdrawals/service.ts'
import { handleBills } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const day = 24 * 3600_000
/** GRASS, 720 h, with 23 % of VAT. */
const month = 1844

let api: TestApi
let admin: Caller
let buyer: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
  await admin.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })
})
afterAll(() => api.close())

/** Somebody who has been here for a while, has paid in 100.00 twice, and has spent it. */
beforeEach(async () => {
  buyer = await api.signUp()
  await setAge(buyer, 90)
  for (const amount of [10_000, 10_000]) await payIn(api.context, buyer, amount)
})
afterEach(async () => {
  const faults: unknown[] = Object.entries(await findLedgerFaults(api.context.database.pool))
  const { rows } = await api.context.database.pool.query(`
    select account.code, sum(entry.amount) as posted, (
      select coalesce(sum(amount), 0) from bills where paid_at is null
        and account.code = 'receivable:' || user_id || ':' || trim(currency)) as open
    from ledger_accounts account join ledger_entries entry on entry.account_id = account.id
    where account.code ~ '^receivable:[^:]+:[A-Z]+$' group by account.code`)
  faults.push(...rows.filter(({ posted, open }) => -Number(posted) !== Number(open)))
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
})

const setAge = ({ user }: Caller, days: number) =>
  api.context.db
    .updateTable('users')
    .set({ created_at: new Date(Date.now() - days * day) })
    .where('id', '=', user.id)
    .execute()
const see = ({ call, user }: Caller) => call(routes.getPayLater, { params: { id: user.id } })
const limitOf = async (caller: Caller) => {
  const { refusal, limits } = await see(caller)
  const { limit, open, available } = limits.find(({ currency }) => currency === 'PLN')!
  return { refusal, limit, open, available }
}
const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')!.id
const balance = async (caller: Caller) =>
  (await caller.call(getWallet, { params: { id: walletOf(caller) } })).balance.amount
const buy = (caller = buyer, key?: string, more: Parameters<typeof order>[2] = {}) =>
  caller.call(createServer, {
    body: order(walletOf(caller), '1.21.4', {
      payment_method: 'pay-later',
      ...more,
      ...(key && { name: 'Same', subdomain: key }),
    }),
    ...(key !== undefined && { idempotencyKey: key }),
  })
const pay = (billId: string, caller = buyer, userId = caller.user.id) =>
  caller.call(routes.payBill, { params: { id: userId, billId }, body: {} })
const passAt = (time: Date) => handleBills({ ...api.context }, time)
const kinds = async () => {
  const rows = await api.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', buyer.user.id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind).filter((kind) => kind.startsWith('BILL'))
}
/** Leaves the wallet empty. */
async function spendAll(caller = buyer): Promise<void> {
  await topUp(api.context, caller, -(await balance(caller)))
}

describe('who may', () => {
  test('is told by their history: age, two payments, half of what was paid in, a hundred at most', async () => {
    expect(await limitOf(buyer)).toEqual({ refusal: null, limit: 10_000, open: 0, available: 10_000 })
    await setAge(buyer, 30)
    expect(await limitOf(buyer)).toMatchObject({ refusal: 'too_new', limit: 0 })
    expect(await outcomeOf(buy())).toBe('pay_later_not_available')
    const other = await api.signUp()
    await setAge(other, 90)
    const first = await payIn(api.context, other, 3000)
    expect(await limitOf(other)).toMatchObject({ refusal: 'too_few_payments' })
    await payIn(api.context, other, 3000)
    expect(await limitOf(other)).toMatchObject({ refusal: null, limit: 3000 })
    await giveBack(api.context, other, first, 3000)
    expect(await limitOf(other)).toMatchObject({ refusal: 'too_few_payments', limit: 0 })
  })

  test.runIf(isLong)(
    'counts a payment again whose refund failed: the money is in the wallet as if it had not left',
    async () => {
      const other = await api.signUp()
      await setAge(other, 90)
      await payIn(api.context, other, 3000)
      const paid = await payIn(api.context, other, 3000)
      const parts = [await giveBack(api.context, other, paid, 1000), await giveBack(api.context, other, paid, 2000)]
      expect(await limitOf(other)).toMatchObject({ refusal: 'too_few_payments', limit: 0 })
      await payIn(api.context, other, 1000, { reverses: parts[0]! })
      expect(await limitOf(other)).toMatchObject({ refusal: null, limit: 2000 })
      await payIn(api.context, other, 2000, { reverses: parts[1]! })
      expect(await limitOf(other)).toMatchObject({ refusal: null, limit: 3000 })
      // It leaves after all.
      await giveBack(api.context, other, paid, 3000)
      expect(await limitOf(other)).toMatchObject({ refusal: 'too_few_payments' })
    },
  )

  test('is nobody while the flag is off, or the capability is taken away', async () => {
    await admin.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: false } })
    await expect.poll(async () => (await limitOf(buyer)).refusal).toBe('off')
    expect(await outcomeOf(buy())).toBe('unsupported_payment_method')
    await admin.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true } })
    await expect.poll(async () => (await limitOf(buyer)).refusal).toBe(null)
    await admin.call(changeUserCapabilities, {
      params: { id: buyer.user.id },
      body: { set: { 'user.payments.pay-later': false } },
    })
    await expect.poll(() => outcomeOf(buy())).toBe('insufficient_capabilities')
  })
})

describe('a purchase', () => {
  test('is made at once, with a bill for it, and leaves the wallet as it was', async () => {
    const before = await balance(buyer)
    const server = await buy()
    expect(await balance(buyer)).toBe(before)
    expect(await limitOf(buyer)).toMatchObject({ open: month, available: 10_000 - month })
    const { bills } = await see(buyer)
    expect(bills).toMatchObject([
      {
        state: 'open',
        amount: { amount: month, currency: 'PLN' },
        server: { id: server.id },
        service_id: server.service_id,
      },
    ])
    expect(Date.parse(bills[0]!.due_at) - Date.parse(bills[0]!.created_at)).toBe(14 * day)
    const params = { id: walletOf(buyer) }
    const [purchase] = (await buyer.call(listWalletTransactions, { params })).data
    expect(purchase).toMatchObject({ provider: 'pay-later', action: 'ADD_SERVICE', amount: month })
    const logs = (await buyer.call(listWalletLogs, { params })).data.slice(0, 2)
    expect(logs.map(({ cause, amount }) => [cause, amount.amount])).toEqual([
      ['PAYMENT', -month],
      ['PAY_LATER', month],
    ])
  })

  test('never goes past the limit, however many are made at once, and one key makes one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => outcomeOf(buy())))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(Math.floor(10_000 / month))
    expect(new Set(outcomes)).toEqual(new Set(['success', 'pay_later_not_available']))
    const other = await api.signUp()
    await setAge(other, 90)
    for (const amount of [10_000, 10_000]) await payIn(api.context, other, amount)
    const key = `same-${randomUUID().slice(0, 8)}`
    const same = await Promise.all(Array.from({ length: 4 }, () => buy(other, key)))
    expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    expect(await limitOf(other)).toMatchObject({ open: month })
  })

  test.runIf(isLong)('may be a renewal', async () => {
    const server = await buy()
    const body = { billing_period: '720h' as const, wallet_id: walletOf(buyer), payment_method: 'pay-later' as const }
    const params = { id: server.service_id }
    const end = Date.parse((await buyer.call(getService, { params })).expires ?? '')
    await buyer.call(renewService, { params, body })
    expect(Date.parse((await buyer.call(getService, { params })).expires ?? '') - end).toBe(30 * day)
    expect(await limitOf(buyer)).toMatchObject({ open: 2 * month })
  })
})

describe('a bill', () => {
  test('is paid from the wallet, once, and by nobody else', async () => {
    const before = await balance(buyer)
    await buy()
    const [bill] = (await see(buyer)).bills
    const other = await api.signUp()
    expect(await outcomeOf(pay(bill!.id, other))).toBe('resource_not_found')
    expect(await outcomeOf(pay(bill!.id, admin, buyer.user.id))).toBe('access_denied')
    expect(await outcomeOf(pay(randomUUID()))).toBe('resource_not_found')
    await Promise.all([pay(bill!.id), pay(bill!.id), pay(bill!.id)])
    expect(await balance(buyer)).toBe(before - month)
    expect(await limitOf(buyer)).toMatchObject({ open: 0 })
    expect((await see(buyer)).bills).toMatchObject([{ state: 'paid' }])
    expect(await kinds()).toEqual(['BILL_PAID'])
  })

  test('is reminded of, then taken from the wallet on the day it is due', async () => {
    const before = await balance(buyer)
    await buy()
    const due = Date.parse((await see(buyer)).bills[0]!.due_at)
    for (const left of [9, 6.5, 6, 2.5, 0.5, 0.4]) {
      const now = new Date(due - left * day)
      await Promise.all([passAt(now), passAt(now)])
    }
    expect(await kinds()).toEqual(['BILL_DUE', 'BILL_DUE', 'BILL_DUE'])
    expect(await balance(buyer)).toBe(before)
    await Promise.all([passAt(new Date(due)), passAt(new Date(due))])
    expect(await balance(buyer)).toBe(before - month)
    expect((await see(buyer)).bills).toMatchObject([{ state: 'paid' }])
  })

  test('that the wallet cannot pay has its server stand still until it is paid, and ends paying later', async () => {
    await spendAll()
    const server = await buy()
    const due = Date.parse((await see(buyer)).bills[0]!.due_at)
    const now = new Date(due + 1000)
    await Promise.all([passAt(now), passAt(now)])
    await passAt(new Date(due + day))
    expect((await kinds()).filter((kind) => kind === 'BILL_OVERDUE')).toHaveLength(1)
    const params = { id: server.id }
    expect((await buyer.call(getServer, { params })).disabled).toBe(true)
    expect(await outcomeOf(buyer.call(startServer, { params }))).toBe('server_is_disabled')
    expect(await limitOf(buyer)).toMatchObject({ refusal: 'was_overdue', available: 0 })
    expect(await outcomeOf(buy())).toBe('pay_later_not_available')
    const [bill] = (await see(buyer)).bills
    expect(await outcomeOf(pay(bill!.id))).toBe('wallet_has_not_funds')
    await topUp(api.context, buyer, month)
    await passAt(new Date(due + 2 * day))
    expect((await buyer.call(getServer, { params })).disabled).toBe(false)
    expect(await balance(buyer)).toBe(0)
    expect(await limitOf(buyer)).toMatchObject({ refusal: 'was_overdue', open: 0 })
  })
})

test('administrators see all bills, and save them as a file', async () => {
  await buy()
  const { data, count } = await admin.call(routes.listBills, { query: { state: 'open', limit: 100 } })
  expect(data.map(({ user }) => user.id)).toContain(buyer.user.id)
  expect(count).toBe(data.length)
  const response = await fetch(`${api.origin}/api/v1/admin/bills.csv`, { headers: { cookie: admin.cookie() } })
  const lines = (await response.text()).trim().split('\r\n')
  expect(lines).toHaveLength((await admin.call(routes.listBills, {})).count + 1)
})

test.runIf(isLong)('what is withdrawn from before it is paid pays its own bill', async () => {
  await spendAll()
  const server = await buy()
  const params = { id: server.service_id }
  const { declaration_id } = await buyer.call(declareWithdrawal, { params })
  await buyer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
  expect((await see(buyer)).bills).toMatchObject([{ state: 'paid', amount: { amount: month } }])
  expect(await balance(buyer)).toBe(0)
  // With a part of the time used, the rest of the price is still owed.
  const other = await buy(buyer, undefined, { immediate: true })
  const used = { serviceId: other.service_id, executorId: buyer.user.id, now: new Date(Date.now() + 10 * day) }
  const declared = await declareAt(api.context, used)
  const { refund } = await confirmAt(api.context, { ...used, declarationId: declared.declaration_id ?? '' })
  expect((await see(buyer)).bills[0]).toMatchObject({ state: 'open', amount: { amount: month - refund.amount } })
  expect(await balance(buyer)).toBe(0)
})

describe('what comes back of something before its bill is paid pays that bill, and buys nothing', () => {
  test('by a downgrade, once however often it is asked for', async () => {
    await spendAll()
    const server = await buy(buyer, undefined, { requested_billing_services: ['AMETHYST'] })
    const before = (await see(buyer)).bills[0]!.amount
    const idempotencyKey = randomUUID()
    const change = () =>
      buyer.call(upgradeService, {
        params: { id: server.service_id },
        body: { product_id: 'GRASS', wallet_id: walletOf(buyer) },
        idempotencyKey,
      })
    const [done] = await Promise.all([change(), change()])
    expect(done.amount.amount).toBeLessThan(-3000)
    expect((await see(buyer)).bills).toMatchObject([
      { state: 'open', amount: { amount: before.amount + done.amount.amount } },
    ])
    expect(await balance(buyer)).toBe(0)
    // And withdrawn from, the rest of the bill: nobody had asked for a start at once.
    const params = { id: server.service_id }
    const { declaration_id } = await buyer.call(declareWithdrawal, { params })
    await buyer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    expect((await see(buyer)).bills).toMatchObject([{ state: 'paid' }])
    expect(await balance(buyer)).toBe(0)
  })

  test.runIf(isLong)('by an add-on that is removed, as far as it was bought on the bill', async () => {
    const server = await buyer.call(createServer, { body: order(walletOf(buyer), '1.21.4') })
    const params = { id: server.service_id }
    const wallet_id = walletOf(buyer)
    const { service_id: addOnId } = await buyer.call(addServiceAddOn, {
      params,
      body: { product_id: 'EXTRA_STORAGE_10G', wallet_id },
    })
    const body = { billing_period: '720h' as const, wallet_id, payment_method: 'pay-later' as const }
    await buyer.call(renewService, { params, body })
    const before = (await see(buyer)).bills[0]!.amount
    await spendAll()
    await buyer.call(removeServiceAddOn, { params: { ...params, addOnId } })
    // What is left of the period that was paid from the wallet, but for the moments since, is credit.
    const addOn = 615
    expect((await see(buyer)).bills).toMatchObject([{ state: 'open', amount: { amount: before.amount - addOn } }])
    expect(addOn - (await balance(buyer))).toBeLessThanOrEqual(1)
  })
})

test.runIf(isLong)(
  'a bill for a server with what was added to it is paid once, by all that comes back of them',
  async () => {
    const wallet_id = walletOf(buyer)
    const server = await buyer.call(createServer, { body: order(wallet_id, '1.21.4', { immediate: true }) })
    const params = { id: server.service_id }
    for (const product_id of ['EXTRA_MEMORY_2G', 'EXTRA_STORAGE_10G'] as const)
      await buyer.call(addServiceAddOn, { params, body: { product_id, wallet_id, immediate: true } })
    await buyer.call(renewService, {
      params,
      body: { billing_period: '720h', wallet_id, payment_method: 'pay-later', immediate: true },
    })
    expect((await see(buyer)).bills).toMatchObject([{ state: 'open', amount: { amount: month + 1107 + 615 } }])
    const { declaration_id } = await buyer.call(declareWithdrawal, { params })
    await buyer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    expect((await see(buyer)).bills).toMatchObject([{ state: 'paid' }])
  },
)

test.runIf(isLong)('whoever pays in while bills are gone through is not late', async () => {
  await spendAll()
  await buy()
  const [first] = (await see(buyer)).bills
  const due = new Date(Date.parse(first!.due_at) + 1)
  const { pool } = api.context.database
  const holder = await pool.connect()
  try {
    // The pass has its list, and waits for the bill.
    await holder.query('begin')
    await holder.query('select from bills where id = $1 for update', [first!.id])
    const pass = handleBills(api.context, due)
    for (let waits = 0; waits === 0;) {
      const { rows } = await pool.query(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waits = rows[0].count
    }
    await topUp(api.context, buyer, month)
    await holder.query('commit')
    await pass
  } finally {
    holder.release()
  }
  expect(await see(buyer)).toMatchObject({ refusal: null, bills: [{ state: 'paid' }] })
})

test.runIf(isLong).each([0, 500])(
  'what is withdrawn from after its bill was paid comes back as what paid the bill, not as the credit it was lent (%i more)',
  async (gift) => {
    const wallet = async () => {
      const shown = await buyer.call(getWallet, { params: { id: walletOf(buyer) } })
      return [shown.balance.amount, shown.non_refundable.amount]
    }
    await spendAll()
    await topUp(api.context, buyer, 5000)
    const give = (amount: number) =>
      admin.call(topUpWallet, {
        params: { id: walletOf(buyer) },
        body: { amount, reason: 'a gift', refundable: false },
        idempotencyKey: randomUUID(),
      })
    if (gift > 0) await give(gift)
    const server = await buy()
    expect(await wallet()).toEqual([5000 + gift, gift])
    await pay((await see(buyer)).bills.find(({ state }) => state === 'open')!.id)
    expect(await wallet()).toEqual([5000 + gift - month, 0])
    const params = { id: server.service_id }
    const { declaration_id } = await buyer.call(declareWithdrawal, { params })
    await buyer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    expect(await wallet()).toEqual([5000 + gift, gift])
  },
)
