/** What gateways say, compared with our books, through simulators that lose, mix up and get wrong. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  exportReconciliation,
  getReconciliation,
  listReconciliations,
} from '@wakestone/contract/money/reconciliations-routes'
import {
  getTransactionReturns,
  listPaymentReturns,
  refundTransaction,
} from '@wakestone/contract/money/payment-returns-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { type PaypalFaults, type PaypalSimulator, startPaypalSimulator } from '@wakestone/simulators/paypal'
import { type PayuSimulator, startPayuSimulator } from '@wakestone/simulators/payu'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { gatewayPlace, gatewaySettings, paypalKeys, payuKeys } from '../../../../../../tests/support/gateways.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import type { PaymentGateway } from '#src/adapters/payments/gateway.ts'
import { createGateways, type Gateways } from '#src/adapters/payments/registry.ts'
import { sendDueRefunds } from '#src/features/money/refunds/sending.ts'
import { planDays } from './plan.ts'
import { reconcileDay } from './service.ts'

let paypal: PaypalSimulator
let payu: PayuSimulator
let api: TestApi
let gateways: Gateways
let boss: Caller

// No jobs are registered: nothing polls, and no notification is made anything of, but by the comparison itself.
beforeAll(async () => {
  payu = await startPayuSimulator({ ...payuKeys, ...gatewayPlace })
  paypal = await startPaypalSimulator({ ...paypalKeys, ...gatewayPlace })
  api = await startTestApi({ LIMIT_TRANSACTIONS: '0', ...gatewaySettings({ payu, paypal }) })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  gateways = createGateways(api.context.settings)
  boss = await api.signUp({ admin: true })
})
afterAll(async () => {
  const faults = await findLedgerFaults(api.context.database.pool)
  await api.close()
  await paypal.close()
  await payu.close()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

const deposit = (caller: Caller, provider: 'paypal' | 'payu', amount = 1999) => {
  const currency = provider === 'payu' ? 'PLN' : 'EUR'
  const wallet_id = caller.user.wallets.find((wallet) => wallet.currency === currency)?.id ?? ''
  return caller.call(createTransaction, {
    body: { action: 'DEPOSIT', provider, wallet_id, amount, currency },
    idempotencyKey: randomUUID(),
  })
}
const orderOf = (id: string) => {
  const order = paypal.orders().findLast(({ name }) => name.startsWith(id))
  if (order === undefined) throw new Error('the simulator knows no such order')
  return order
}
const captureOf = (id: string) => {
  const [capture] = orderOf(id).captures
  if (capture === undefined) throw new Error('nothing was captured')
  return capture
}
async function reconcile(id: 'paypal' | 'payu', { at = new Date() } = {}) {
  const gateway = gateways.find(id) as PaymentGateway
  const report = await reconcileDay(api.context, gateway, { day: at, now: new Date() })
  return boss.call(getReconciliation, { params: { id: report } })
}
/** One payment through PayPal that is credited, by the comparison itself. */
async function paid() {
  const caller = await api.signUp()
  const { id } = await deposit(caller, 'paypal')
  paypal.approve(orderOf(id).id)
  await reconcile('paypal')
  await reconcile('paypal')
  expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
  return { caller, id }
}
const openOf = ({ lines }: Awaited<ReturnType<typeof reconcile>>, id: string) =>
  lines.filter((line) => line.transaction_id === id && !line.healed)

beforeEach(() => {
  paypal.clearFaults()
  payu.clearFaults()
})

test('after polls, whatever the simulator got wrong, nothing is different', async () => {
  const caller = await api.signUp()
  const faults: fc.Arbitrary<PaypalFaults> = fc.record(
    {
      duplicate: fc.integer({ min: 0, max: 2 }),
      lose: fc.boolean(),
      reorder: fc.boolean(),
      captureTimeout: fc.constant('cut' as const),
      notifyFirst: fc.constant('capture' as const),
      approveLink: fc.boolean(),
      refuse: fc.record({
        issue: fc.constantFrom('INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED'),
        times: fc.constant(1),
      }),
      capture: fc.constantFrom('DECLINED' as const, 'PENDING' as const),
      forge: fc.constantFrom('amount' as const, 'signature' as const),
    },
    { requiredKeys: [] },
  )
  const payment = fc.record({
    faults,
    approved: fc.boolean(),
    settled: fc.constantFrom('COMPLETED' as const, 'DECLINED' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 4 }), async (payments) => {
      const settled = new Map<string, 'COMPLETED' | 'DECLINED'>()
      for (const one of payments) {
        const { id } = await deposit(caller, 'paypal')
        settled.set(orderOf(id).id, one.settled)
        paypal.setFaults({ order: id, faults: one.faults })
        if (one.approved) paypal.approve(orderOf(id).id)
      }
      await reconcile('paypal') // asks about what is open, as polls do, and has the money taken
      for (const order of paypal.orders()) {
        if (order.captures.some(({ status }) => status === 'PENDING'))
          paypal.settleCapture(order.id, settled.get(order.id) ?? 'COMPLETED')
      }
      await reconcile('paypal')
      const { state, open, healed, lines } = await reconcile('paypal')
      expect({ state, open, healed, lines }).toEqual({ state: 'clean', open: 0, healed: 0, lines: [] })
      const captured = paypal
        .orders()
        .flatMap(({ captures }) => captures)
        .filter(({ status }) => status === 'COMPLETED').length
      const { rows } = await api.context.database.pool.query<{ count: number }>(
        `select count(*) from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.code like 'gateway:paypal:%'`,
      )
      expect(Number(rows[0]?.count)).toBe(captured)
    }),
    // At least one payment goes through to the end, whatever chance picks for the others.
    { numRuns: isLong ? 12 : 4, examples: [[[{ faults: {}, approved: true, settled: 'COMPLETED' }]]] },
  )
  expect(paypal.orders().filter(({ captures }) => captures.length > 0)).not.toEqual([])
}, 120_000)

describe('PayPal, by its list of the day', () => {
  test('money that was taken, and of which nobody told us, is credited; the report says so once', async () => {
    const caller = await api.signUp()
    const { id } = await deposit(caller, 'paypal')
    paypal.setFaults({ order: id, faults: { captureTimeout: 'cut' } })
    paypal.approve(orderOf(id).id)
    await reconcile('paypal') // takes it, but hears no answer
    const healing = await reconcile('paypal')
    expect(healing.method).toBe('list')
    expect(healing.lines.filter((line) => line.transaction_id === id)).toMatchObject([
      { kind: 'missing_here', movement: 'capture', their_amount: 1999, our_amount: null, healed: true },
    ])
    expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
    expect((await reconcile('paypal')).lines).toEqual([])
  })

  test('another amount, another state, and a payment that is not there', async () => {
    const [amount, state, missing] = [await paid(), await paid(), await paid()]
    captureOf(amount.id).amount.value = '20.00'
    captureOf(state.id).status = 'DECLINED'
    Object.assign(orderOf(missing.id), { captures: [], expiresAt: '2020-01-01T00:00:00Z' })
    const report = await reconcile('paypal')
    expect(report.state).toBe('differs')
    expect(openOf(report, amount.id)).toMatchObject([{ kind: 'amount', our_amount: 1999, their_amount: 2000 }])
    expect(openOf(report, state.id)).toMatchObject([{ kind: 'state', our_state: 'COMPLETED', their_state: 'DECLINED' }])
    expect(openOf(report, missing.id)).toMatchObject([{ kind: 'missing_there', our_amount: 1999, their_amount: null }])
    const told = await boss.call(listNotifications, { params: { id: boss.user.id } })
    expect(told.notifications[0]).toMatchObject({
      type: 'PAYMENTS_DIFFER',
      fields: { provider: 'PayPal', day: report.day, differences: report.open },
    })
    captureOf(amount.id).amount.value = '19.99'
    captureOf(state.id).status = 'COMPLETED'
    expect((await reconcile('paypal')).lines.map((line) => line.transaction_id)).toEqual([missing.id])
  })

  test.runIf(isLong)('money given back there by hand, and money taken back, are found and booked', async () => {
    const [refunded, reversed] = [await paid(), await paid()]
    paypal.refundByHand(orderOf(refunded.id).id)
    paypal.resolveDispute(paypal.dispute(orderOf(reversed.id).id).id, 'buyer')
    const report = await reconcile('paypal')
    const found = report.lines.filter(({ movement }) => movement !== 'capture')
    expect(found.toSorted((left, right) => (left.movement < right.movement ? -1 : 1))).toMatchObject([
      { kind: 'missing_here', movement: 'chargeback', their_amount: 1999, currency: 'EUR', healed: true },
      { kind: 'missing_here', movement: 'refund', their_amount: 1999, currency: 'EUR', healed: true },
    ])
    const { data } = await boss.call(listPaymentReturns, { query: { limit: 2 } })
    expect(data.map(({ kind, deposit_id }) => [kind, deposit_id]).toSorted()).toEqual([
      ['chargeback', reversed.id],
      ['outside', refunded.id],
    ])
    const csv = await fetch(`${api.origin}/api/v1/admin/reconciliations/${report.id}/lines.csv`, {
      headers: { cookie: boss.cookie() },
    })
    expect(csv.headers.get('content-disposition')).toContain(`reconciliation-paypal-${report.day}.csv`)
    expect(await csv.text()).toContain(`paypal,${report.day},refund,missing_here,yes,`)
    expect(exportReconciliation.access).toEqual({ kind: 'capability', capability: 'admin' })
  })
})

describe('PayU, which has no list: payment by payment', () => {
  test('what was paid and never told is credited; another day is nothing to it', async () => {
    const caller = await api.signUp()
    const { id } = await deposit(caller, 'payu', 5000)
    const order = payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(id))
    payu.setFaults({ order: id, faults: { lose: true } })
    payu.pay(order?.orderId ?? '')
    const report = await reconcile('payu')
    expect(report).toMatchObject({ method: 'each', state: 'clean', healed: 1, open: 0 })
    expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
    expect(await reconcile('payu')).toMatchObject({ state: 'clean', healed: 0, lines: [] })
    expect(await reconcile('payu', { at: new Date('2020-01-01') })).toMatchObject({ compared: 0, state: 'clean' })
  })

  test.runIf(isLong)(
    'refunds of ours are compared one by one: agreed, failed there, another amount, not there at all',
    async () => {
      const caller = await api.signUp()
      const today = Date.parse(new Date().toISOString().slice(0, 10))
      const dayToCome = new Date(today + 5 * 86_400_000)
      const pay = async () => {
        const { id } = await deposit(caller, 'payu', 5000)
        const order = payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(id))
        if (order === undefined) throw new Error('no order')
        payu.setFaults({ order: id, faults: { lose: true } })
        payu.pay(order.orderId)
        await reconcile('payu')
        await boss.call(refundTransaction, { params: { id }, body: { amount: 2000, reason: 'asked for it' } })
        // All on one day to come, whenever the provider is done: what differs there is nothing to other days.
        for (let minute = 0; ; minute += 10) {
          await sendDueRefunds(api.context, gateways, new Date(dayToCome.getTime() + minute * 60_000))
          const { data } = await boss.call(getTransactionReturns, { params: { id } })
          if (data.every(({ finished_at }) => finished_at !== null)) break
        }
        const refund = order.refunds[0] as { amount: string; status: string }
        return { id, order, refund }
      }
      const one = await pay()
      const day = { at: dayToCome }
      const report = await reconcile('payu', day)
      expect(report.compared).toBeGreaterThan(0)
      expect(report.lines.filter((line) => line.transaction_id === one.id)).toEqual([])
      one.refund.amount = '1999'
      expect(openOf(await reconcile('payu', day), one.id)).toMatchObject([
        { movement: 'refund', kind: 'amount', our_amount: 2000, their_amount: 1999 },
      ])
      one.refund.amount = '2000'
      one.refund.status = 'CANCELED'
      const [line] = (await reconcile('payu', day)).lines.filter(({ transaction_id }) => transaction_id === one.id)
      expect(line).toMatchObject({ movement: 'refund', kind: 'state', their_state: 'CANCELED', healed: true })
      const another = await pay()
      another.order.refunds.splice(0)
      expect(openOf(await reconcile('payu', day), another.id)).toMatchObject([
        { movement: 'refund', kind: 'missing_there', our_amount: 2000, their_amount: null },
      ])
    },
  )

  test('a gateway that does not answer makes the report incomplete, and the day is compared again', async () => {
    const caller = await api.signUp()
    const { id } = await deposit(caller, 'payu', 5000)
    payu.setFaults({ order: id, faults: { retrieveError: true } })
    expect(await reconcile('payu')).toMatchObject({ state: 'incomplete', unanswered: 1 })
    const tomorrow = new Date(Date.now() + 86_400_000)
    const today = new Date().toISOString().slice(0, 10)
    expect(await planDays(api.context.db, 'payu', tomorrow)).toContain(today)
    payu.clearFaults()
    expect((await reconcile('payu')).state).toBe('clean')
    expect(await planDays(api.context.db, 'payu', tomorrow)).not.toContain(today)
  })
})

test('the first night compares yesterday; nights that were left out are made up for, up to two weeks', async () => {
  const { db } = api.context
  expect(await planDays(db, 'paynow', new Date('2026-11-20T05:00:00Z'))).toEqual(['2026-11-19'])
  // Today's comparison, above, has found differences.
  expect(await planDays(db, 'paypal', new Date(Date.now() + 5 * 86_400_000))).toHaveLength(5)
  expect(await planDays(db, 'paypal', new Date(Date.now() + 300 * 86_400_000))).toEqual([
    new Date(Date.now() + 299 * 86_400_000).toISOString().slice(0, 10),
  ])
})

test('a day that differs is compared again on later nights, until it is clean or two weeks have passed', async () => {
  const { db } = api.context
  const report = { gateway: 'other', method: 'each', compared: 1, healed: 0, unanswered: 0, finished_at: new Date() }
  const days = [
    { day: new Date('2026-10-01'), state: 'differs', open: 1 },
    { day: new Date('2026-10-02'), state: 'clean', open: 0 },
  ]
  await db
    .insertInto('reconciliations')
    .values(days.map((day) => ({ ...report, ...day })))
    .execute()
  expect(await planDays(db, 'other', new Date('2026-10-04T05:00:00Z'))).toEqual(['2026-10-01', '2026-10-03'])
  expect(await planDays(db, 'other', new Date('2026-10-16T05:00:00Z'))).not.toContain('2026-10-01')
  await db.deleteFrom('reconciliations').where('gateway', '=', 'other').execute()
})

test('reports are listed newest first, and by state and gateway', async () => {
  const all = await boss.call(listReconciliations, {})
  expect(all.data.map(({ day }) => day)).toEqual(
    all.data
      .map(({ day }) => day)
      .toSorted()
      .toReversed(),
  )
  const clean = await boss.call(listReconciliations, { query: { state: 'clean', gateway: 'payu' } })
  expect(clean.count).toBe(2)
  expect(clean.data.every(({ state, gateway }) => state === 'clean' && gateway === 'payu')).toBe(true)
  await expect(boss.call(getReconciliation, { params: { id: randomUUID() } })).rejects.toMatchObject({ status: 404 })
})
