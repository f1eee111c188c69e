/** Refunds, reversals and disputes of PayPal, told late, twice, out of order or never; what referrals lose by them. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { applyForAffiliate, changeAffiliate, getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { getReconciliation } from '@wakestone/contract/money/reconciliations-routes'
import * as referrals from '@wakestone/contract/sales/referrals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createTransaction } from '@wakestone/contract/money/transactions-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { type PaypalFaults, type PaypalSimulator, startPaypalSimulator } from '@wakestone/simulators/paypal'
import type { Movement, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import { createGateways, type Gateways } from '#src/adapters/payments/registry.ts'
import { reconcileDay } from '#src/features/money/reconciliation/service.ts'
import { handleReferrals } from '#src/features/sales/referrals/service.ts'
import { registerPaymentJobs } from '#src/features/money/provider-messages/jobs.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { gatewayPlace, gatewaySettings, paypalKeys } from '../../../../../../tests/support/gateways.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import { movementsOf, settled, walletOf } from '../../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { sendDueRefunds } from './sending.ts'
import { handleChargeback } from './service.ts'

let paypal: PaypalSimulator
let api: TestApi
let gateways: Gateways
let stopJobs: () => Promise<void>
let boss: Caller

beforeAll(async () => {
  paypal = await startPaypalSimulator({ ...paypalKeys, ...gatewayPlace })
  api = await startTestApi({ LIMIT_TRANSACTIONS: '0', ...gatewaySettings({ paypal }) })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin }) // its port is known only now
  paypal.setWebhookUrl(`${api.origin}/api/v1/payments/paypal/notify`)
  gateways = createGateways(api.context.settings)
  stopJobs = await registerPaymentJobs(api.context)
  boss = await api.signUp({ admin: true })
})
afterEach(() => paypal.clearFaults())
afterAll(async () => {
  const faults = await findLedgerFaults(api.context.database.pool)
  await stopJobs()
  await api.close()
  await paypal.close()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

/** Until every webhook was taken and made something of. */
async function quiet() {
  for (const deadline = Date.now() + 20_000; ; await delay(20)) {
    const { count } = await api.context.db
      .selectFrom('gateway_events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', 'in', ['received', 'verified'])
      .executeTakeFirstOrThrow()
    if (paypal.waiting().length === 0 && Number(count) === 0) return
    if (Date.now() > deadline) throw new Error('webhooks are still under way')
  }
}
const orderOf = (id: string) => {
  const found = paypal.orders().findLast(({ name }) => name.startsWith(id))
  if (found === undefined) throw new Error('the simulator knows no such order')
  return found
}
const captureOf = (id: string) => {
  const [capture] = orderOf(id).captures
  if (capture === undefined) throw new Error('nothing was captured')
  return capture
}
/** A customer whose top-up of 50.00 is in their wallet. */
async function paid(caller?: Caller) {
  const payer = caller ?? (await api.signUp())
  const { id } = await payer.call(createTransaction, {
    body: { action: 'DEPOSIT', provider: 'paypal', wallet_id: walletOf(payer), amount: 5000, currency: 'PLN' },
    idempotencyKey: randomUUID(),
  })
  paypal.approve(orderOf(id).id)
  expect((await settled(payer, id)).status).toBe('COMPLETED')
  await quiet()
  return { payer, id }
}
const refund = (id: string, amount: number) =>
  boss.call(routes.refundTransaction, { params: { id }, body: { amount, reason: 'asked for it' } })
const returnsOf = async (id: string) => (await boss.call(routes.getTransactionReturns, { params: { id } })).data
const stateOf = async (id: string) => (await returnsOf(id)).map(({ kind, state }) => `${kind} ${state}`)
const balanceOf = async (payer: Caller) => {
  const { balance, owed } = await payer.call(getWallet, { params: { id: walletOf(payer) } })
  return { balance: balance.amount, owed: owed.amount }
}
const pass = (hour: number) => sendDueRefunds(api.context, gateways, new Date(Date.now() + hour * 3_600_000))
const toldOf = async (caller: Caller) =>
  (await caller.call(listNotifications, { params: { id: caller.user.id } })).notifications.map(({ type }) => type)
const reconcile = async () => {
  const gateway = gateways.find('paypal') as PaymentGateway
  const id = await reconcileDay(api.context, gateway, { day: new Date(), now: new Date() })
  return boss.call(getReconciliation, { params: { id } })
}

test.each<[string, PaypalFaults]>(
  someOf(
    [
      ['answered and told', {}],
      ['told three times', { duplicate: 3 }],
      ['never told', { lose: true }],
      ['made without an answer', { refundTimeout: 'cut' }],
      ['made without an answer, and never told', { refundTimeout: 'cut', lose: true }],
      ['refused for the moment', { refundError: true }],
    ],
    2,
  ),
)('a refund that is %s is one refund', async (_what, faults) => {
  const { payer, id } = await paid()
  paypal.setFaults({ order: id, faults })
  await refund(id, 2000)
  await pass(1)
  await quiet()
  paypal.setFaults({ order: id, faults: { lose: faults.lose } })
  await pass(2)
  await pass(3)
  await quiet()
  expect(await stateOf(id)).toEqual(['refund COMPLETED'])
  expect(captureOf(id).refunds).toMatchObject([{ amount: { value: '20.00' }, status: 'COMPLETED' }])
  expect(await movementsOf(payer)).toEqual([-2000, 5000])
  expect((await toldOf(payer)).filter((type) => type === 'PAYMENT_REFUNDED')).toHaveLength(1)
})

test('a refund that PayPal made and then forgot the key of is looked for before it is asked for again', async () => {
  const { payer, id } = await paid()
  paypal.setFaults({ order: id, faults: { refundTimeout: 'cut', lose: true } })
  await refund(id, 2000)
  await pass(1)
  paypal.setFaults({ order: id, faults: { lose: true, refundAgain: true } })
  await pass(9)
  expect(await stateOf(id)).toEqual(['refund COMPLETED'])
  expect(captureOf(id).refunds).toHaveLength(1)
  expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
})

test.runIf(isLong)('a second refund under the name of one is a difference, and nothing is booked for it', async () => {
  const { payer, id } = await paid()
  const { id: name } = await refund(id, 2000)
  await pass(1)
  await quiet()
  const [first] = captureOf(id).refunds
  if (first === undefined) throw new Error('nothing was given back')
  captureOf(id).refunds.push({ ...first, id: `${first.id.slice(0, 15)}22` })
  expect(first.invoice_id).toBe(name)
  expect((await reconcile()).lines.filter(({ gateway_id }) => gateway_id?.endsWith('22'))).toMatchObject([
    { movement: 'refund', kind: 'missing_here', their_amount: 2000, healed: false },
  ])
  expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
  captureOf(id).refunds.pop()
})

test.each(someOf(['FAILED', 'CANCELLED'] as const, 1))(
  'a refund that waits there and then is %s is put back',
  async (becomes) => {
    const { payer, id } = await paid()
    paypal.setFaults({ order: id, faults: { refund: 'PENDING' } })
    await refund(id, 5000)
    await pass(0)
    expect(await stateOf(id)).toEqual(['refund SENT'])
    paypal.settleRefund(captureOf(id).refunds[0]?.id ?? '', becomes)
    await pass(1)
    expect(await stateOf(id)).toEqual(['refund FAILED'])
    expect(await movementsOf(payer)).toEqual([5000, -5000, 5000])
  },
)

test.runIf(isLong)('what was refunded on PayPal’s site is debited', async () => {
  const { payer, id } = await paid()
  paypal.refundByHand(orderOf(id).id)
  await quiet()
  expect(await stateOf(id)).toEqual(['outside COMPLETED'])
  expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
})

describe('a dispute', () => {
  test('that is open moves nothing, and stands in the way of a refund', async () => {
    const { payer, id } = await paid()
    paypal.dispute(orderOf(id).id)
    await quiet()
    await refund(id, 5000)
    await pass(0)
    expect(await stateOf(id)).toEqual(['refund FAILED'])
    expect((await returnsOf(id))[0]?.failure).toBe('TRANSACTION_DISPUTED')
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test.each<[string, PaypalFaults]>(
    someOf(
      [
        ['told once', {}],
        ['told three times', { duplicate: 2 }],
        ['told in the wrong order', { reorder: true }],
      ],
      1,
    ),
  )('lost, %s, takes the money once; what is spent is owed; won later, all is as it was', async (_what, faults) => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    const { id: dispute } = paypal.dispute(orderOf(id).id)
    paypal.setFaults({ order: id, faults })
    paypal.resolveDispute(dispute, 'buyer')
    await quiet()
    expect(await stateOf(id)).toEqual(['chargeback COMPLETED'])
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 - balance })
    expect((await toldOf(payer)).filter((type) => type === 'PAYMENT_TAKEN_BACK')).toHaveLength(1)
    expect(await toldOf(boss)).toContain('MONEY_TAKEN_BACK')
    paypal.resolveDispute(dispute, 'seller')
    await quiet()
    expect(await stateOf(id)).toEqual(['chargeback RETURNED'])
    expect(await balanceOf(payer)).toEqual({ balance, owed: 0 })
    expect((await reconcile()).lines.filter((line) => line.transaction_id === id)).toEqual([])
  })

  test.runIf(isLong)('of which nobody told is found by the nightly comparison, lost and won', async () => {
    const { payer, id } = await paid()
    const { id: dispute } = paypal.dispute(orderOf(id).id)
    paypal.setFaults({ order: id, faults: { lose: true } })
    paypal.resolveDispute(dispute, 'buyer')
    expect((await reconcile()).lines.filter((line) => line.transaction_id === id)).toMatchObject([
      { movement: 'chargeback', kind: 'missing_here', their_amount: 5000, healed: true },
    ])
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    expect((await reconcile()).lines.filter((line) => line.transaction_id === id)).toEqual([])
    paypal.resolveDispute(dispute, 'seller')
    expect((await reconcile()).lines.filter((line) => line.transaction_id === id)).toMatchObject([
      { movement: 'chargeback_returned', kind: 'missing_here', healed: true },
    ])
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    expect((await reconcile()).lines.filter((line) => line.transaction_id === id)).toEqual([])
  })
})

describe('of two chargebacks of one payment', () => {
  const told = (id: string, amount: number) => {
    const paymentId = captureOf(id).id
    return async (name: string, status: 'taken' | 'returned', second: number) =>
      handleChargeback(api.context, 'paypal', {
        chargeback: {
          chargebackId: `${name}-${paymentId}`,
          orderId: null,
          externalId: null,
          paymentId,
          amount,
          currency: 'PLN',
          status,
          at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
          reason: null,
        },
        now: new Date(),
      })
  }
  const listed = async (id: string, ...movements: Pick<Movement, 'kind' | 'id' | 'amount'>[]) => {
    const paymentId = captureOf(id).id
    const more = { paymentId, orderId: null, externalId: null, currency: 'PLN', at: new Date(Date.UTC(2026, 0, 2)) }
    const gateway: PaymentGateway = {
      ...(gateways.find('paypal') as PaymentGateway),
      listMovements: async () => movements.map((one) => ({ ...one, ...more, id: `${one.id}-${paymentId}` })),
    }
    const report = await reconcileDay(api.context, gateway, { day: new Date(Date.UTC(2026, 0, 2)), now: new Date() })
    const { lines } = await boss.call(getReconciliation, { params: { id: report } })
    return lines.map(({ gateway_id, kind, healed }) => [gateway_id?.replace(`-${paymentId}`, ''), kind, healed])
  }
  const back = (id: string, amount: number) => ({ kind: 'chargeback_returned', id, amount }) as const

  test('the win of the second is found, although one of its amount was won before', async () => {
    const { payer, id } = await paid()
    const tell = told(id, 5000)
    await tell('R1', 'taken', 1)
    await tell('D1', 'returned', 2)
    expect(await listed(id, back('M1', 5000))).toEqual([])
    await tell('R2', 'taken', 3)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    expect(await listed(id, back('M1', 5000))).toEqual([])
    expect(await listed(id, back('M2', 5000))).toEqual([['M2', 'missing_here', true]])
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    expect(await listed(id, back('M1', 5000), back('M2', 5000))).toEqual([])
    // The message of it comes late.
    expect(await tell('D2', 'returned', 4)).toBe('unchanged')
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test.runIf(isLong)('the win of one is told again, and is not the other’s', async () => {
    const { payer, id } = await paid()
    const tell = told(id, 2000)
    await tell('RA', 'taken', 1)
    await tell('RB', 'taken', 2)
    expect(await tell('DA', 'returned', 3)).toBe('applied')
    expect(await tell('DA', 'returned', 3)).toBe('unchanged')
    expect(await listed(id, back('MA', 2000))).toEqual([])
    expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
    expect(await tell('DB', 'returned', 4)).toBe('applied')
    // Movements are compared at once: either may be the other case's, and stays it.
    const all = () => listed(id, back('MA', 2000), back('MB', 2000), back('MC', 2000))
    const left = await all()
    expect(left).toEqual([[expect.stringMatching(/^M[BC]$/), 'missing_here', false]])
    expect(await all()).toEqual(left)
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test.runIf(isLong)('a win that was told first answers one of them, and its movement', async () => {
    const { payer, id } = await paid()
    const tell = told(id, 2000)
    await tell('DA', 'returned', 3)
    expect(await tell('RA', 'taken', 1)).toBe('unchanged')
    expect(await tell('RB', 'taken', 2)).toBe('applied')
    expect(await listed(id, back('MA', 2000))).toEqual([])
    expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
  })
})

test('any order and number of what is told of two cases comes to the same', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
  const messages = (paymentId: string) => {
    const common = { orderId: null, externalId: null, paymentId, amount: 5000, currency: 'PLN', reason: null }
    const name = (what: string) => `${what}-${paymentId}`
    return [
      { ...common, chargebackId: name('one'), status: 'taken', at: at(1) },
      { ...common, chargebackId: name('one-won'), status: 'returned', at: at(2) },
      { ...common, chargebackId: name('two'), status: 'taken', at: at(3) },
    ] as const
  }
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }),
      async (once, more) => {
        const { payer, id } = await paid()
        const told = messages(captureOf(id).id)
        for (const index of [...once, ...more]) {
          const chargeback = told[index]
          if (chargeback === undefined) throw new Error('no such message')
          await handleChargeback(api.context, 'paypal', { chargeback, now: new Date() })
        }
        expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
        const moved = (await returnsOf(id)).filter(({ state }) => state === 'COMPLETED')
        expect(moved.map(({ gateway_return_id }) => gateway_return_id)).toEqual([told[2].chargebackId])
      },
    ),
    {
      numRuns: 4,
      examples: [
        [[0, 1, 2], []],
        [[1, 0, 2], [1]],
        [
          [2, 1, 0],
          [0, 2],
        ],
        [
          [1, 2, 0],
          [2, 1, 0],
        ],
      ],
    },
  )
}, 60_000)

test.runIf(isLong)('what an invitation earned by a payment goes back with it, and comes again with it', async () => {
  const [inviter, invited] = [await api.signUp(), await api.signUp()]
  const { referral_code: code } = await inviter.call(referrals.getOwnReferralCode, { params: { id: inviter.user.id } })
  const params = { userId: invited.user.id }
  await invited.call(referrals.setReferrer, { params, body: { code } })
  const hoursOf = async () => (await inviter.call(referrals.getReferrals, { params: { id: inviter.user.id } })).hours
  const { id } = await paid(invited)
  await handleReferrals(api.context, new Date())
  expect(await hoursOf()).toBe(72)
  const { id: dispute } = paypal.dispute(orderOf(id).id)
  paypal.resolveDispute(dispute, 'buyer')
  await quiet()
  expect(await hoursOf()).toBe(0)
  await handleReferrals(api.context, new Date())
  expect(await hoursOf()).toBe(0)
  paypal.resolveDispute(dispute, 'seller')
  await quiet()
  await handleReferrals(api.context, new Date())
  expect(await hoursOf()).toBe(72)
})

test.runIf(isLong)(
  'what came again and then went back for good is no payment any more for whoever brought its payer',
  async () => {
    const [affiliate, invited] = [await api.signUp(), await api.signUp()]
    const params = { id: affiliate.user.id }
    await affiliate.call(applyForAffiliate, {
      params,
      body: { website: 'https://stream.example', about: 'I stream every evening.' },
    })
    await boss.call(changeAffiliate, { params: { userId: affiliate.user.id }, body: { state: 'approved' } })
    const { referral_code: code } = await affiliate.call(referrals.getOwnReferralCode, { params })
    await invited.call(referrals.setReferrer, { params: { userId: invited.user.id }, body: { code } })
    const earned = async () => {
      await handleReferrals(api.context, new Date())
      const { earnings } = await affiliate.call(getAffiliate, { params, query: {} })
      return earnings.find(({ currency }) => currency === 'PLN')?.pending
    }
    const { id } = await paid(invited)
    expect(await earned()).toBe(500)
    paypal.setFaults({ order: id, faults: { refund: 'FAILED' } })
    await refund(id, 4000)
    await pass(0)
    await quiet()
    expect(await stateOf(id)).toEqual(['refund FAILED'])
    expect(await earned()).toBe(500)
    paypal.setFaults({ order: id, faults: {} })
    await refund(id, 3000)
    await pass(0)
    await quiet()
    expect(await earned()).toBe(200)
    await refund(id, 2000)
    await pass(0)
    await quiet()
    expect(await earned()).toBe(0)
  },
)
