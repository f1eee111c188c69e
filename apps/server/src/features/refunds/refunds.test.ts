/** Refunds through the front door, against simulators that lose answers, refuse and change their mind. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { grantCapabilities } from '#src/features/users/repo.ts'
import { inTransaction } from '#src/db/client.ts'
import { listNotifications } from '@wakestone/contract/routes/notifications'
import * as routes from '@wakestone/contract/routes/payment-returns'
import { createServer } from '@wakestone/contract/routes/servers'
import { getWallet, listWalletTransactions, topUpWallet } from '@wakestone/contract/routes/wallets'
import type { Caller } from '../../../../../tests/support/api.ts'
import { payuKeys } from '../../../../../tests/support/gateways.ts'
import { findLedgerFaults } from '../../../../../tests/support/ledger.ts'
import {
  deposit,
  movementsOf,
  refusalOf,
  settled,
  startPaymentWorld,
  walletOf,
  type World,
} from '../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../tests/support/servers.ts'
import { settleAllDebts } from '../debts/service.ts'
import { heedChargeback } from './chargebacks.ts'
import { heedRefund } from './heed.ts'
import { listEndedRefunds } from './reconciling.ts'
import { gatewaysOf } from '#src/adapters/payments/registry.ts'
import { sendDueRefunds } from './sending.ts'

let world: World
let boss: Caller
beforeAll(async () => {
  world = await startPaymentWorld()
  boss = await world.api.signUp({ admin: true })
})
afterEach(() => {
  world.payu.clearFaults()
  world.paynow.clearFaults()
})
afterAll(async () => {
  const faults = await findLedgerFaults(world.api.context.database.pool)
  await world.close()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

type Provider = 'payu' | 'paynow'
const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
const nameAt = (provider: Provider, id: string) =>
  provider === 'payu' ? world.orderOf(id).extOrderId : world.paymentOf(id).externalId
const setFaults = (provider: Provider, id: string, faults: { refund?: 'cut' | 'error' | 'fail'; lose?: boolean }) =>
  provider === 'payu'
    ? world.payu.setFaults({ order: nameAt(provider, id), faults })
    : world.paynow.setFaults({ order: nameAt(provider, id), faults })

/** A customer whose top-up of 50.00 is in their wallet. */
async function paid(provider: Provider = 'payu', caller?: Caller) {
  const payer = caller ?? (await world.api.signUp())
  const { id } = await deposit(payer, { provider })
  if (provider === 'payu') world.payu.pay(world.orderOf(id).orderId)
  else world.paynow.pay(world.paymentOf(id).paymentId)
  expect((await settled(payer, id)).status).toBe('COMPLETED')
  return { payer, id }
}
const refund = (id: string, amount: number, key: string = randomUUID(), by = boss) =>
  by.call(routes.refundTransaction, {
    params: { id },
    body: { amount, reason: 'asked for it' },
    idempotencyKey: key,
  })
const returnsOf = async (id: string) => boss.call(routes.getTransactionReturns, { params: { id } })
const stateOf = async (id: string) => (await returnsOf(id)).data.map(({ kind, state }) => `${kind} ${state}`)
const balanceOf = async (payer: Caller) => {
  const { balance, owed } = await payer.call(getWallet, { params: { id: walletOf(payer) } })
  return { balance: balance.amount, owed: owed.amount }
}
const pass = (now = new Date()) => sendDueRefunds(world.api.context, world.gateways, now)
/** Passes, each later than the one before, until nothing is under way. */
async function untilOver(id: string) {
  for (let hour = 1; hour < 30; hour++) {
    await pass(hours(hour))
    await world.quiet()
    if ((await returnsOf(id)).data.every(({ finished_at }) => finished_at !== null)) return
    await delay(20)
  }
  throw new Error(`still under way: ${JSON.stringify((await returnsOf(id)).data)}`)
}
/** What the simulator gave back of a payment, in all. */
const givenBack = (provider: Provider, id: string) =>
  (provider === 'payu'
    ? world
        .orderOf(id)
        .refunds.filter(({ status }) => status !== 'CANCELED')
        .map(({ amount }) => Number(amount))
    : world.paynow
        .refunds()
        .filter(({ paymentId, status }) => paymentId === world.paymentOf(id).paymentId && status !== 'FAILED')
        .map(({ amount }) => amount)
  ).reduce((sum, amount) => sum + amount, 0)
const toldOf = async (caller: Caller) =>
  (await caller.call(listNotifications, { params: { id: caller.user.id } })).notifications.map(({ type }) => type)

describe.each<Provider>(['payu', 'paynow'])('%s', (provider) => {
  test('whole: the wallet pays at once, the provider gives it back, the customer is told', async () => {
    const { payer, id } = await paid(provider)
    expect(await returnsOf(id)).toMatchObject({ left: { amount: 5000 }, refundable: { amount: 5000 }, obstacle: null })
    const asked = await refund(id, 5000)
    expect(asked).toMatchObject({ kind: 'refund', state: 'REQUESTED', amount: { amount: 5000, currency: 'PLN' } })
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    await untilOver(id)
    expect(await stateOf(id)).toEqual(['refund COMPLETED'])
    expect(givenBack(provider, id)).toBe(5000)
    expect(await movementsOf(payer)).toEqual([-5000, 5000])
    const { data } = await payer.call(listWalletTransactions, { params: { id: walletOf(payer) } })
    expect(data[0]).toMatchObject({ action: 'DEPOSIT', provider, amount: -5000, status: 'COMPLETED' })
    expect(await toldOf(payer)).toContain('PAYMENT_REFUNDED')
    expect(await returnsOf(id)).toMatchObject({ left: { amount: 0 }, obstacle: 'all_back' })
  })

  test('part by part, never more than came in', async () => {
    const { payer, id } = await paid(provider)
    await paid(provider, payer) // the wallet holds more than this payment
    await refund(id, 2000)
    await refund(id, 1000)
    expect(await refusalOf(refund(id, 2001))).toMatchObject({
      error: 'refund_exceeds_payment',
      fields: { available: 2000 },
    })
    await untilOver(id)
    await refund(id, 2000)
    await untilOver(id)
    expect(givenBack(provider, id)).toBe(5000)
    expect(await refusalOf(refund(id, 1))).toMatchObject({ error: 'refund_exceeds_payment' })
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test('an answer that is lost, and tries that fail, are one refund', async () => {
    const { payer, id } = await paid(provider)
    setFaults(provider, id, { refund: 'error', lose: true })
    await refund(id, 3000)
    await pass(hours(1))
    await pass(hours(2))
    expect(await stateOf(id)).toEqual(['refund REQUESTED'])
    expect(givenBack(provider, id)).toBe(0)
    setFaults(provider, id, { refund: 'cut', lose: true })
    await pass(hours(3))
    expect(givenBack(provider, id)).toBe(3000)
    expect(await stateOf(id)).toEqual(['refund REQUESTED'])
    setFaults(provider, id, { lose: true })
    await untilOver(id)
    expect(await stateOf(id)).toEqual(['refund COMPLETED'])
    expect(givenBack(provider, id)).toBe(3000)
    expect(await balanceOf(payer)).toEqual({ balance: 2000, owed: 0 })
  })

  test('one that comes to nothing is in the wallet again, and everybody is told', async () => {
    const { payer, id } = await paid(provider)
    setFaults(provider, id, { refund: 'fail' })
    await refund(id, 5000)
    await untilOver(id)
    expect(await stateOf(id)).toEqual(['refund FAILED'])
    expect(await movementsOf(payer)).toEqual([5000, -5000, 5000])
    expect(await toldOf(payer)).toContain('REFUND_FAILED')
    expect(await toldOf(boss)).toContain('REFUND_TROUBLE')
    // It can be asked for again.
    setFaults(provider, id, {})
    await refund(id, 5000)
    await untilOver(id)
    expect((await stateOf(id)).toSorted()).toEqual(['refund COMPLETED', 'refund FAILED'])
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
  })
})

describe('what is refused', () => {
  test('more than the wallet holds that may be paid out', async () => {
    const { payer, id } = await paid()
    await boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 1000, reason: 'a gift', refundable: false },
      idempotencyKey: randomUUID(),
    })
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') }) // GRASS, 18.44 of which 10.00 is the gift
    const { balance } = await balanceOf(payer)
    expect(balance).toBeLessThan(5000)
    expect(await refusalOf(refund(id, balance + 1))).toMatchObject({
      error: 'refund_exceeds_balance',
      fields: { available: balance },
    })
    expect(await returnsOf(id)).toMatchObject({ left: { amount: 5000 }, refundable: { amount: balance } })
    await boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 1000, reason: 'a gift', refundable: false },
      idempotencyKey: randomUUID(),
    })
    expect(await refusalOf(refund(id, balance + 1))).toMatchObject({ error: 'refund_exceeds_balance' })
    await refund(id, balance)
    expect(await balanceOf(payer)).toEqual({ balance: 1000, owed: 0 })
  })

  test('what is no payment, and who may not', async () => {
    const { payer, id } = await paid()
    const gift = await boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 1000, reason: 'a gift', refundable: true },
      idempotencyKey: randomUUID(),
    })
    expect(await refusalOf(refund(gift.id, 500))).toMatchObject({
      error: 'transaction_not_refundable',
      fields: { obstacle: 'no_payment' },
    })
    expect(await refusalOf(refund(randomUUID(), 500))).toMatchObject({ error: 'resource_not_found' })
    const open = await deposit(payer, { provider: 'payu' })
    expect(await refusalOf(refund(open.id, 500))).toMatchObject({ error: 'transaction_not_refundable' })
    expect(await refusalOf(refund(id, 500, randomUUID(), payer))).toMatchObject({ error: 'insufficient_capabilities' })
    const clerk = await world.api.signUp()
    const { db } = world.api.context
    await inTransaction(db, (trx) =>
      grantCapabilities(trx, clerk.user.id, { admin: true, 'admin.payments.refund': false }),
    )
    expect(await refusalOf(refund(id, 500, randomUUID(), clerk))).toMatchObject({ error: 'insufficient_capabilities' })
  })
})

test('a refund whose answer was lost and that PayU tells of, without our name of it, is one refund', async () => {
  const { payer, id } = await paid()
  setFaults('payu', id, { refund: 'cut' })
  await refund(id, 2000)
  await pass(hours(1))
  world.payu.settleRefunds(world.orderOf(id).orderId)
  await world.quiet()
  expect(await stateOf(id)).toEqual(['refund COMPLETED'])
  setFaults('payu', id, {})
  await untilOver(id)
  expect(await stateOf(id)).toEqual(['refund COMPLETED'])
  expect(await movementsOf(payer)).toEqual([-2000, 5000])
})

test.each([
  ['is taken again', 'leaves', 3000, ['outside COMPLETED', 'refund FAILED']],
  ['stays', 'comes to nothing', 5000, ['refund FAILED']],
] as const)(
  'what was called failed while PayNow was asked for it %s when it %s there',
  async (_what, there, balance, states) => {
    const { payer, id } = await paid('paynow')
    if (there === 'comes to nothing') setFaults('paynow', id, { refund: 'fail' })
    const asked = await refund(id, 2000)
    const paynow = world.gateways.find('paynow')
    if (paynow?.refund === undefined) throw new Error('no PayNow')
    const { refund: make } = paynow
    const slow = gatewaysOf([
      {
        ...paynow,
        async refund(wanted) {
          const made = await make(wanted)
          const params = { id: asked.id }
          await boss.call(routes.settlePaymentReturn, { params, body: { outcome: 'FAILED', reason: 'told by phone' } })
          return made
        },
      },
    ])
    await sendDueRefunds(world.api.context, slow, hours(1))
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    const { paymentId } = world.paymentOf(id)
    const isUnderWay = () =>
      world.paynow
        .refunds()
        .some((one) => one.paymentId === paymentId && !['SUCCESSFUL', 'FAILED'].includes(one.status))
    while (isUnderWay()) await delay(10)
    await pass(hours(2))
    expect((await stateOf(id)).toSorted()).toEqual(states)
    expect(await balanceOf(payer)).toEqual({ balance, owed: 0 })
    expect((await returnsOf(id)).data.find(({ kind }) => kind === 'refund')?.failure).toBe('told by phone')
    expect(await pass(hours(3))).toBe(0)
  },
)

test('the same key is one refund, also at once; with another amount it is refused', async () => {
  const { payer, id } = await paid()
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => refund(id, 2000, key)))
  expect(new Set(answers.map((one) => one.id)).size).toBe(1)
  expect(await refusalOf(refund(id, 1000, key))).toMatchObject({ error: 'idempotency_key_reused' })
  // Two that want all of it at once: one gets it.
  const rivals = await Promise.all([refusalOf(refund(id, 3000)), refusalOf(refund(id, 3000))])
  expect(rivals.map(({ error }) => error).toSorted()).toEqual(['refund_exceeds_payment', 'success'])
  await untilOver(id)
  expect(givenBack('payu', id)).toBe(5000)
  expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
})

test('the same key at once for two payments is refused for one of them', async () => {
  const { payer, id } = await paid()
  const other = await paid('payu', payer)
  for (let times = 0; times < 4; times++) {
    const key = randomUUID()
    const rivals = await Promise.all([refusalOf(refund(id, 500, key)), refusalOf(refund(other.id, 500, key))])
    expect(rivals.map(({ error }) => error).toSorted()).toEqual(['idempotency_key_reused', 'success'])
  }
})

test('ten workers at once give back once', async () => {
  const { id } = await paid()
  await refund(id, 5000)
  await Promise.all(Array.from({ length: 10 }, () => pass(hours(1))))
  await untilOver(id)
  expect(world.orderOf(id).refunds).toHaveLength(1)
})

describe('at the provider, past us', () => {
  async function refundThere(id: string, amount: number) {
    const form = {
      grant_type: 'client_credentials',
      client_id: payuKeys.clientId,
      client_secret: payuKeys.clientSecret,
    }
    const login = await fetch(`${world.payu.url}/pl/standard/user/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token: token } = (await login.json()) as { access_token: string }
    const { orderId } = world.orderOf(id)
    const { status } = await fetch(`${world.payu.url}/api/v2_1/orders/${orderId}/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ refund: { description: 'by hand', amount: String(amount) } }),
    })
    expect(status).toBe(200)
  }
  const outside = async (id: string) => {
    for (const deadline = Date.now() + 10_000; (await stateOf(id)).length === 0; await delay(20)) {
      if (Date.now() > deadline) throw new Error('not heard of')
    }
    await world.quiet()
  }

  test('the wallet is debited, however often it is told', async () => {
    const { payer, id } = await paid()
    world.payu.setFaults({ order: id, faults: { duplicate: 3 } })
    await refundThere(id, 2000)
    await outside(id)
    expect(await stateOf(id)).toEqual(['outside COMPLETED'])
    expect(await movementsOf(payer)).toEqual([-2000, 5000])
    expect(await toldOf(payer)).toContain('PAYMENT_REFUNDED')
    expect(await refusalOf(refund(id, 3001))).toMatchObject({ error: 'refund_exceeds_payment' })
  })

  test('what the wallet does not hold is owed: nothing new, and the next payment settles it', async () => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    await refundThere(id, 5000)
    await outside(id)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 - balance })
    expect(await toldOf(boss)).toContain('MONEY_TAKEN_BACK')
    const { data } = await boss.call(routes.listDebts, {})
    expect(data[0]).toMatchObject({ user: { id: payer.user.id }, open: { amount: 5000 - balance } })
    await boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 9000, reason: 'a gift', refundable: false },
      idempotencyKey: randomUUID(),
    })
    const buy = () => payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    expect(await refusalOf(buy())).toMatchObject({ error: 'user_has_debts' })
    await paid('payu', payer)
    expect(await balanceOf(payer)).toEqual({ balance: 9000 + balance, owed: 0 })
    expect((await boss.call(routes.listDebts, {})).data.every(({ user }) => user.id !== payer.user.id)).toBe(false)
    await buy()
  })
})

test('what the provider calls failed and then done has left: it is taken again, once', async () => {
  const { payer, id } = await paid()
  setFaults('payu', id, { refund: 'fail', lose: true })
  const { id: refundId } = await refund(id, 2000)
  await untilOver(id)
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  const { orderId, refunds } = world.orderOf(id)
  const there = refunds[0]
  if (there === undefined) throw new Error('not refunded')
  const told = {
    refundId: there.refundId,
    externalId: refundId,
    orderId,
    paymentId: orderId,
    amount: 2000,
    currency: 'PLN',
  }
  there.status = 'FINALIZED'
  for (const status of ['done', 'done', 'pending', 'cancelled', 'done'] as const) {
    const refundThere = { ...told, status, gatewayStatus: status }
    await heedRefund(world.api.context, 'payu', { refund: refundThere, source: 'notification', now: new Date() })
    expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
  }
  // What a message says against what we know is asked about: this one was old …
  await pass()
  expect((await stateOf(id)).toSorted()).toEqual(['outside COMPLETED', 'refund FAILED'])
  // The nightly comparison asks about what stands for it, and finds no difference.
  const day = { gateway: 'payu', from: hours(-24), until: hours(24) }
  const compared = (await listEndedRefunds(world.api.context.db, day)).filter(({ depositId }) => depositId === id)
  expect(compared.map(({ state, amount }) => [state, amount])).toEqual([['COMPLETED', 2000]])
  // … and this one is true.
  there.status = 'CANCELED'
  const cancelled = { ...told, status: 'cancelled', gatewayStatus: 'CANCELED' } as const
  await heedRefund(world.api.context, 'payu', { refund: cancelled, source: 'notification', now: new Date() })
  await pass()
  await pass(hours(1))
  expect((await stateOf(id)).toSorted()).toEqual(['outside RETURNED', 'refund FAILED'])
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
})

describe('by hand', () => {
  const settle = (id: string, outcome: 'COMPLETED' | 'FAILED' | 'RETURNED') =>
    boss.call(routes.settlePaymentReturn, { params: { id }, body: { outcome, reason: 'told by phone' } })
  const enter = (id: string, amount: number, caseId: string) =>
    boss.call(routes.enterChargeback, {
      params: { id },
      body: { amount, case_id: caseId, reason: 'a letter of the bank' },
    })

  test('a chargeback is taken once, and given again when it is won', async () => {
    const { payer, id } = await paid()
    const [first] = await Promise.all([enter(id, 5000, `CB-${id}`), enter(id, 5000, `CB-${id}`)])
    expect(first).toMatchObject({ kind: 'chargeback', state: 'COMPLETED', owed: { amount: 0 } })
    expect(await refusalOf(enter(id, 4000, `CB-${id}`))).toMatchObject({ error: 'idempotency_key_reused' })
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    expect(await toldOf(payer)).toContain('PAYMENT_TAKEN_BACK')
    await settle(first.id, 'RETURNED')
    await settle(first.id, 'RETURNED')
    expect(await stateOf(id)).toEqual(['chargeback RETURNED'])
    expect(await movementsOf(payer)).toEqual([5000, -5000, 5000])
    expect(await toldOf(payer)).toContain('PAYMENT_RETURNED')
    expect(await refusalOf(settle(first.id, 'FAILED'))).toMatchObject({ error: 'return_is_over' })
  })

  test('what a letter and the provider tell of the same case under two names is booked once, whoever is first', async () => {
    const tell = async (id: string, status: 'taken' | 'returned', name: string, at: Date) =>
      heedChargeback(world.api.context, 'payu', {
        chargeback: {
          chargebackId: `${name}-${id}`,
          orderId: world.orderOf(id).orderId,
          externalId: null,
          paymentId: null,
          amount: 2000,
          currency: 'PLN',
          status,
          at,
          reason: null,
        },
        now: new Date(),
      })
    const letterFirst = await paid()
    const entered = await enter(letterFirst.id, 2000, `LETTER-${letterFirst.id}`)
    // By the provider's clock it was before we heard of it.
    expect(await tell(letterFirst.id, 'taken', 'case', hours(-48))).toBe('unchanged')
    expect((await enter(letterFirst.id, 2000, `LETTER-${letterFirst.id}`)).id).toBe(entered.id)
    const messageFirst = await paid()
    expect(await tell(messageFirst.id, 'taken', 'case', hours(-48))).toBe('applied')
    await enter(messageFirst.id, 2000, `LETTER-${messageFirst.id}`)
    for (const { payer, id } of [letterFirst, messageFirst]) {
      expect(await stateOf(id)).toEqual(['chargeback COMPLETED'])
      expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
      // Another case of the same amount is another one, by letter and by message.
      await enter(id, 2000, `SECOND-${id}`)
      expect(await balanceOf(payer)).toEqual({ balance: 1000, owed: 0 })
      await tell(id, 'taken', 'second', hours(-1))
      expect(await balanceOf(payer)).toEqual({ balance: 1000, owed: 0 })
      await tell(id, 'returned', 'won', hours(1))
      expect((await stateOf(id)).toSorted()).toEqual(['chargeback COMPLETED', 'chargeback RETURNED'])
      expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
    }
    const early = await paid()
    await enter(early.id, 2000, `LETTER-${early.id}`)
    expect(await tell(early.id, 'returned', 'won', hours(-1))).toBe('applied') // of a case that was never told
    expect(await balanceOf(early.payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test('a letter and a message that differ are one case by the same name, or where both are more than was paid: the provider is right', async () => {
    const tell = async (id: string, amount: number, name: string, status: 'taken' | 'returned' = 'taken') =>
      heedChargeback(world.api.context, 'payu', {
        chargeback: {
          chargebackId: name,
          orderId: world.orderOf(id).orderId,
          externalId: null,
          paymentId: null,
          amount,
          currency: 'PLN',
          status,
          at: hours(status === 'taken' ? -24 : 24),
          reason: null,
        },
        now: new Date(),
      })
    const standing = async (payer: Caller, id: string) => [
      (await balanceOf(payer)).balance,
      ...(await returnsOf(id)).data.map(({ state, amount }) => [state, amount.amount]).toSorted(),
    ]
    const sameName = await paid()
    const { id: letterId } = await enter(sameName.id, 2000, `CB-${sameName.id}`)
    for (let times = 0; times < 2; times++) await tell(sameName.id, 1900, `CB-${sameName.id}`)
    const put = [3100, ['COMPLETED', 1900], ['RETURNED', 2000]]
    expect(await standing(sameName.payer, sameName.id)).toEqual(put)
    // The letter again is the case as it stands; so is it under the amount that is right.
    for (const amount of [2000, 1900]) {
      const again = await enter(sameName.id, amount, `CB-${sameName.id}`)
      expect([again.amount.amount, again.id === letterId]).toEqual([1900, false])
    }
    await tell(sameName.id, 1900, `WON-${sameName.id}`, 'returned')
    expect(await standing(sameName.payer, sameName.id)).toEqual([5000, ['RETURNED', 1900], ['RETURNED', 2000]])

    const otherName = await paid()
    await enter(otherName.id, 5000, `LETTER-${otherName.id}`)
    expect(await tell(otherName.id, 4800, `TOLD-${otherName.id}`)).toBe('applied')
    expect(await standing(otherName.payer, otherName.id)).toEqual([200, ['COMPLETED', 4800], ['RETURNED', 5000]])
    expect(await refusalOf(enter(otherName.id, 300, `MORE-${otherName.id}`))).toEqual({
      error: 'refund_exceeds_payment',
      fields: { available: 200 },
    })

    const messageFirst = await paid()
    await tell(messageFirst.id, 4800, `TOLD-${messageFirst.id}`)
    for (let times = 0; times < 2; times++)
      expect((await enter(messageFirst.id, 5000, `LETTER-${messageFirst.id}`)).amount.amount).toBe(4800)
    expect(await standing(messageFirst.payer, messageFirst.id)).toEqual([200, ['COMPLETED', 4800]])

    // Both fit into the payment: they may be two, and stay two.
    const two = await paid()
    await enter(two.id, 2000, `LETTER-${two.id}`)
    await tell(two.id, 3000, `TOLD-${two.id}`)
    expect(await standing(two.payer, two.id)).toEqual([0, ['COMPLETED', 2000], ['COMPLETED', 3000]])
  })

  test('what was given back past us is entered up to what was paid, and no more', async () => {
    const { payer, id } = await paid()
    const enterOutside = (amount: number, caseId: string) =>
      boss.call(routes.enterChargeback, {
        params: { id },
        body: { kind: 'outside', amount, case_id: caseId, reason: 'seen in the panel' },
      })
    await refund(id, 1000)
    await untilOver(id)
    await enterOutside(2500, `ONE-${id}`)
    expect(await refusalOf(enterOutside(1501, `TWO-${id}`))).toEqual({
      error: 'refund_exceeds_payment',
      fields: { available: 1500 },
    })
    await enterOutside(1500, `TWO-${id}`)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    // What a bank takes is another matter: it may take again what was given back.
    await enter(id, 5000, `CB-${id}`)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 })
  })

  test('of an empty wallet everything is owed; won, nothing is, and credit is credit again', async () => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    await boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 700, reason: 'a gift', refundable: false },
      idempotencyKey: randomUUID(),
    })
    const chargeback = await enter(id, 5000, `CB-${id}`)
    expect(chargeback.owed.amount).toBe(5000 - balance - 700)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 - balance - 700 })
    await settle(chargeback.id, 'RETURNED')
    const wallet = await payer.call(getWallet, { params: { id: walletOf(payer) } })
    expect(wallet).toMatchObject({
      balance: { amount: balance + 700 },
      non_refundable: { amount: 700 },
      owed: { amount: 0 },
    })
  })

  test('what is owed is settled by whatever money comes, but never by credit', async () => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    await enter(id, 5000, `CB-${id}`)
    const owed = 5000 - balance
    const give = (amount: number, isRefundable: boolean) =>
      boss.call(topUpWallet, {
        params: { id: walletOf(payer) },
        body: { amount, reason: 'a gift', refundable: isRefundable },
        idempotencyKey: randomUUID(),
      })
    await give(500, false)
    await settleAllDebts(world.api.context, new Date())
    expect(await balanceOf(payer)).toEqual({ balance: 500, owed })
    await give(owed - 100, true)
    await settleAllDebts(world.api.context, new Date())
    expect(await balanceOf(payer)).toEqual({ balance: 500, owed: 100 })
    await give(300, true)
    await Promise.all([1, 2, 3].map(() => settleAllDebts(world.api.context, new Date())))
    expect(await balanceOf(payer)).toEqual({ balance: 700, owed: 0 })
  })

  test('a refund of which the provider never tells is ended, either way', async () => {
    const { payer, id } = await paid()
    setFaults('payu', id, { refund: 'error' })
    const asked = await refund(id, 1000)
    await pass(hours(1))
    await settle(asked.id, 'FAILED')
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    const another = await refund(id, 1000)
    await settle(another.id, 'COMPLETED')
    expect(await balanceOf(payer)).toEqual({ balance: 4000, owed: 0 })
    expect(await pass(hours(9))).toBe(0)
  })
})

test('a second payment of one order has a transaction of its own, and goes back by it', async () => {
  const payer = await world.api.signUp()
  const { id } = await deposit(payer, { provider: 'paynow' })
  const first = world.paymentOf(id)
  world.paynow.pay(world.paynow.abandon(first.paymentId))
  expect((await settled(payer, id)).status).toBe('COMPLETED')
  await world.quiet()
  // The payer had gone on with the first one in another window.
  world.paynow.settle(first.paymentId, 'CONFIRMED')
  for (const deadline = Date.now() + 10_000; (await movementsOf(payer)).length < 2; await delay(20)) {
    if (Date.now() > deadline) throw new Error('not credited')
  }
  const { data } = await payer.call(listWalletTransactions, { params: { id: walletOf(payer) } })
  expect(data.map(({ amount, status }) => [amount, status])).toEqual([
    [5000, 'COMPLETED'],
    [5000, 'COMPLETED'],
  ])
  expect(await toldOf(payer)).toContain('SECOND_PAYMENT')
  const own = data.find((one) => one.id !== id)
  await refund(own?.id ?? '', 5000)
  await untilOver(own?.id ?? '')
  expect(world.paynow.refunds().filter(({ paymentId }) => paymentId === first.paymentId)).toHaveLength(1)
  expect(await returnsOf(id)).toMatchObject({ left: { amount: 5000 }, data: [] })
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
})
