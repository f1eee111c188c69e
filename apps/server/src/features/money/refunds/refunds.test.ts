/** Refunds through the front door, against simulators that lose answers, refuse and change their mind. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { grantCapabilities } from '#src/features/accounts/users/repo.ts'
import { inTransaction } from '#src/db/client.ts'
import { listAdminTransactions, listPayments } from '@wakestone/contract/admin/admin-routes'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listWalletLogs, listWalletTransactions, topUpWallet } from '@wakestone/contract/money/wallets-routes'
import { payuKeys } from '../../../../../../tests/support/gateways.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { deposit, movementsOf, settled, walletOf } from '../../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { handleRefund } from './handle.ts'
import { listEndedRefunds } from './reconciling.ts'
import { gatewaysOf } from '#src/adapters/payments/registry.ts'
import { sendDueRefunds } from './sending.ts'
import { type Provider, useRefundWorld } from '../../../../../../tests/support/refund-world.ts'
import { refusalOf } from '../../../../../../tests/support/outcome.ts'

const refundWorld = useRefundWorld()
const { hours, setFaults, paid, refund, returnsOf, stateOf, balanceOf, pass, untilOver, givenBack, toldOf } =
  refundWorld

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
    const { data } = await refundWorld.boss.call(listAdminTransactions, { params: { id: payer.user.id }, query: {} })
    expect(data.find((one) => one.id === id)).toMatchObject({ returned: 3000, return_of: null })
    const ofPayment = { return_of: { id, amount: 5000, action: 'DEPOSIT', provider } }
    expect(data.find(({ amount }) => amount === -1000)).toMatchObject({ returned: 0, ...ofPayment })
    // The payer reads which payment it is of, too.
    const log = await payer.call(listWalletLogs, { params: { id: walletOf(payer) }, query: {} })
    expect(log.data.find(({ amount }) => amount.amount === -1000)?.transaction).toMatchObject(ofPayment)
    await refund(id, 2000)
    await untilOver(id)
    expect(givenBack(provider, id)).toBe(5000)
    expect(await refusalOf(refund(id, 1))).toMatchObject({ error: 'refund_exceeds_payment' })
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  })

  test.runIf(isLong)('an answer that is lost, and tries that fail, are one refund', async () => {
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
    expect(await toldOf(refundWorld.boss)).toContain('REFUND_TROUBLE')
    const { data } = await refundWorld.boss.call(listPayments, { query: { q: id } })
    expect(data).toMatchObject([{ id, returned: 0 }])
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
    await refundWorld.boss.call(topUpWallet, {
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
    await refundWorld.boss.call(topUpWallet, {
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
    const gift = await refundWorld.boss.call(topUpWallet, {
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
    const clerk = await refundWorld.world.api.signUp()
    const { db } = refundWorld.world.api.context
    await inTransaction(db, (trx) =>
      grantCapabilities(trx, clerk.user.id, { admin: true, 'admin.payments.refund': false }),
    )
    expect(await refusalOf(refund(id, 500, randomUUID(), clerk))).toMatchObject({ error: 'insufficient_capabilities' })
  })
})

test.runIf(isLong)(
  'a refund whose answer was lost and that PayU tells of, without our name of it, is one refund',
  async () => {
    const { payer, id } = await paid()
    setFaults('payu', id, { refund: 'cut' })
    await refund(id, 2000)
    await pass(hours(1))
    refundWorld.world.payu.settleRefunds(refundWorld.world.orderOf(id).orderId)
    await refundWorld.world.quiet()
    expect(await stateOf(id)).toEqual(['refund COMPLETED'])
    setFaults('payu', id, {})
    await untilOver(id)
    expect(await stateOf(id)).toEqual(['refund COMPLETED'])
    expect(await movementsOf(payer)).toEqual([-2000, 5000])
  },
)

test.runIf(isLong).each([
  ['is taken again', 'leaves', 3000, ['outside COMPLETED', 'refund FAILED']],
  ['stays', 'comes to nothing', 5000, ['refund FAILED']],
] as const)(
  'what was called failed while PayNow was asked for it %s when it %s there',
  async (_what, there, balance, states) => {
    const { payer, id } = await paid('paynow')
    if (there === 'comes to nothing') setFaults('paynow', id, { refund: 'fail' })
    const asked = await refund(id, 2000)
    const paynow = refundWorld.world.gateways.find('paynow')
    if (paynow?.refund === undefined) throw new Error('no PayNow')
    const { refund: make } = paynow
    const slow = gatewaysOf([
      {
        ...paynow,
        async refund(wanted) {
          const made = await make(wanted)
          const params = { id: asked.id }
          await refundWorld.boss.call(routes.settlePaymentReturn, {
            params,
            body: { outcome: 'FAILED', reason: 'told by phone' },
          })
          return made
        },
      },
    ])
    await sendDueRefunds(refundWorld.world.api.context, slow, hours(1))
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    const { paymentId } = refundWorld.world.paymentOf(id)
    const isUnderWay = () =>
      refundWorld.world.paynow
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

test.runIf(isLong).each([
  ['payu', 3000, ['outside COMPLETED', 'refund FAILED']],
  ['paynow', 5000, ['refund FAILED']],
] as const)(
  'what was called failed while %s was asked for it, which never answered, is looked for',
  async (provider, balance, states) => {
    const { payer, id } = await paid(provider)
    setFaults(provider, id, { lose: true })
    const asked = await refund(id, 2000)
    const gateway = refundWorld.world.gateways.find(provider)
    if (gateway?.refund === undefined) throw new Error('no gateway')
    const { refund: make } = gateway
    const slow = gatewaysOf([
      {
        ...gateway,
        async refund(wanted) {
          await make(wanted)
          const body = { outcome: 'FAILED', reason: 'told by phone' } as const
          await refundWorld.boss.call(routes.settlePaymentReturn, { params: { id: asked.id }, body })
          return { kind: 'unknown', reason: 'no answer' }
        },
      },
    ])
    const troubles = async () => (await toldOf(refundWorld.boss)).filter((type) => type === 'REFUND_TROUBLE').length
    const before = await troubles()
    await sendDueRefunds(refundWorld.world.api.context, slow, hours(1))
    // Of who cannot be asked by our name, somebody has to look.
    expect((await troubles()) - before).toBe(provider === 'payu' ? 1 : 2)
    if (provider === 'payu') refundWorld.world.payu.settleRefunds(refundWorld.world.orderOf(id).orderId)
    await pass(hours(2))
    expect((await stateOf(id)).toSorted()).toEqual(states)
    expect(await balanceOf(payer)).toEqual({ balance, owed: 0 })
    expect((await returnsOf(id)).data.find(({ kind }) => kind === 'refund')?.failure).toBe('told by phone')
    expect(await pass(hours(3))).toBe(0)
  },
)

test.runIf(isLong)(
  'what was called failed and is not known at PayU is asked about for a while, and no trouble',
  async () => {
    const { payer, id } = await paid()
    const asked = await refund(id, 2000)
    const payu = refundWorld.world.gateways.find('payu')
    if (payu === undefined) throw new Error('no PayU')
    const body = { outcome: 'FAILED', reason: 'told by phone' } as const
    const silent = gatewaysOf([
      {
        ...payu,
        async refund() {
          await refundWorld.boss.call(routes.settlePaymentReturn, { params: { id: asked.id }, body })
          return { kind: 'unknown', reason: 'no answer' }
        },
      },
    ])
    await sendDueRefunds(refundWorld.world.api.context, silent, hours(1))
    let passes = 0
    for (let hour = 3; (await pass(hours(hour))) > 0; hour += 2) passes++
    expect(passes).toBe(7)
    expect(await stateOf(id)).toEqual(['refund FAILED'])
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
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

test.runIf(isLong)('the same key at once for two payments is refused for one of them', async () => {
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
  expect(refundWorld.world.orderOf(id).refunds).toHaveLength(1)
})

describe('at the provider, past us', () => {
  async function refundThere(id: string, amount: number) {
    const form = {
      grant_type: 'client_credentials',
      client_id: payuKeys.clientId,
      client_secret: payuKeys.clientSecret,
    }
    const login = await fetch(`${refundWorld.world.payu.url}/pl/standard/user/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token: token } = (await login.json()) as { access_token: string }
    const { orderId } = refundWorld.world.orderOf(id)
    const { status } = await fetch(`${refundWorld.world.payu.url}/api/v2_1/orders/${orderId}/refunds`, {
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
    await refundWorld.world.quiet()
  }

  test('the wallet is debited, however often it is told', async () => {
    const { payer, id } = await paid()
    refundWorld.world.payu.setFaults({ order: id, faults: { duplicate: 3 } })
    await refundThere(id, 2000)
    await outside(id)
    expect(await stateOf(id)).toEqual(['outside COMPLETED'])
    expect(await movementsOf(payer)).toEqual([-2000, 5000])
    expect(await toldOf(payer)).toContain('PAYMENT_REFUNDED')
    expect(await refusalOf(refund(id, 3001))).toMatchObject({ error: 'refund_exceeds_payment' })
  })

  test.runIf(isLong)(
    'what the wallet does not hold is owed: nothing new, and the next payment settles it',
    async () => {
      const { payer, id } = await paid()
      await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
      const { balance } = await balanceOf(payer)
      await refundThere(id, 5000)
      await outside(id)
      expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 - balance })
      expect(await toldOf(refundWorld.boss)).toContain('MONEY_TAKEN_BACK')
      const { data } = await refundWorld.boss.call(routes.listDebts, {})
      expect(data[0]).toMatchObject({ user: { id: payer.user.id }, open: { amount: 5000 - balance } })
      await refundWorld.boss.call(topUpWallet, {
        params: { id: walletOf(payer) },
        body: { amount: 9000, reason: 'a gift', refundable: false },
        idempotencyKey: randomUUID(),
      })
      const buy = () => payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
      expect(await refusalOf(buy())).toMatchObject({ error: 'user_has_debts' })
      await paid('payu', payer)
      expect(await balanceOf(payer)).toEqual({ balance: 9000 + balance, owed: 0 })
      expect(
        (await refundWorld.boss.call(routes.listDebts, {})).data.every(({ user }) => user.id !== payer.user.id),
      ).toBe(false)
      await buy()
    },
  )
})

test.runIf(isLong)('what the provider calls failed and then done has left: it is taken again, once', async () => {
  const { payer, id } = await paid()
  setFaults('payu', id, { refund: 'fail', lose: true })
  const { id: refundId } = await refund(id, 2000)
  await untilOver(id)
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
  const { orderId, refunds } = refundWorld.world.orderOf(id)
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
    await handleRefund(refundWorld.world.api.context, 'payu', {
      refund: refundThere,
      source: 'notification',
      now: new Date(),
    })
    expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
  }
  // What a message says against what we know is asked about: this one was old …
  await pass()
  expect((await stateOf(id)).toSorted()).toEqual(['outside COMPLETED', 'refund FAILED'])
  // The nightly comparison asks about what stands for it, and finds no difference.
  const day = { gateway: 'payu', from: hours(-24), until: hours(24) }
  const compared = (await listEndedRefunds(refundWorld.world.api.context.db, day)).filter(
    ({ depositId }) => depositId === id,
  )
  expect(compared.map(({ state, amount }) => [state, amount])).toEqual([['COMPLETED', 2000]])
  // … and this one is true.
  there.status = 'CANCELED'
  const cancelled = { ...told, status: 'cancelled', gatewayStatus: 'CANCELED' } as const
  await handleRefund(refundWorld.world.api.context, 'payu', {
    refund: cancelled,
    source: 'notification',
    now: new Date(),
  })
  await pass()
  await pass(hours(1))
  expect((await stateOf(id)).toSorted()).toEqual(['outside RETURNED', 'refund FAILED'])
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
})

test.runIf(isLong)('a second payment of one order has a transaction of its own, and goes back by it', async () => {
  const payer = await refundWorld.world.api.signUp()
  const { id } = await deposit(payer, { provider: 'paynow' })
  const first = refundWorld.world.paymentOf(id)
  refundWorld.world.paynow.pay(refundWorld.world.paynow.abandon(first.paymentId))
  expect((await settled(payer, id)).status).toBe('COMPLETED')
  await refundWorld.world.quiet()
  // The payer had gone on with the first one in another window.
  refundWorld.world.paynow.settle(first.paymentId, 'CONFIRMED')
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
  expect(refundWorld.world.paynow.refunds().filter(({ paymentId }) => paymentId === first.paymentId)).toHaveLength(1)
  expect(await returnsOf(id)).toMatchObject({ left: { amount: 5000 }, data: [] })
  expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
})
