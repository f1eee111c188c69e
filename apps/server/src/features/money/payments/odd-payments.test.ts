/** What gateways tell that fits nothing: it is held, credited late, or shown to administrators, and never believed. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getReconciliation } from '@wakestone/contract/money/reconciliations-routes'
import { signNotification } from '@wakestone/simulators/paynow'
import type { GatewayId, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { paynowShop } from '../../../../../../tests/support/gateways.ts'
import { deposit, startPaymentWorld, type World } from '../../../../../../tests/support/payment-world.ts'
import { standingOf } from '../../../../../../tests/support/status-table.ts'
import { reconcileDay } from '#src/features/money/reconciliation/service.ts'

let world: World
let caller: Caller
let boss: Caller
beforeAll(async () => {
  world = await startPaymentWorld({ jobs: false })
  caller = await world.signUp()
  boss = await world.signUp({ admin: true })
})
afterAll(() => world.close())
beforeEach(() => void world.takeLog())

const amount = 5000
const dayMilliseconds = 86_400_000
const standing = (id: string) => standingOf(world.context, id)
const given = (credits: number) => ({ status: 'COMPLETED', credited: Array.from({ length: credits }, () => amount) })
/** The report of the day that is so many days from now, and what of it is about one transaction. */
async function reconcile(id: GatewayId, daysFromNow = 0) {
  const now = new Date(Date.now() + daysFromNow * dayMilliseconds)
  const report = await reconcileDay(world.context, world.gateways.find(id) as PaymentGateway, { day: now, now })
  const { lines } = await boss.call(getReconciliation, { params: { id: report } })
  return { lines, of: (transaction: string) => lines.filter((line) => line.transaction_id === transaction) }
}

describe('a word that nobody here knows', () => {
  test.each(['payu', 'paynow'] as const)('%s: holds the payment, shows it, and gives it up never', async (provider) => {
    const { id } = await deposit(caller, { provider, amount })
    const become = (word: string) =>
      provider === 'payu'
        ? world.payu.become(world.orderOf(id).orderId, word)
        : world.paynow.become(world.paymentOf(id).paymentId, word)
    become('UNDER_REVIEW')
    await world.poll(id)
    await world.poll(id)
    const said = world.takeLog().filter(({ level }) => level === 'error')
    expect(said).toMatchObject([
      { fields: { transaction: id, gateway: provider, status: 'UNDER_REVIEW', source: 'poll' } },
    ])
    expect(said[0]?.message).toContain('PAYMENT HELD')
    await world.tidy()
    expect(await standing(id)).toEqual({ status: 'NEW', credited: [] })
    // Also long after a payment that waits for nobody would be asked about no more.
    for (const day of [0, 30]) {
      expect((await reconcile(provider, day)).of(id)).toMatchObject([
        { kind: 'state', their_state: 'UNDER_REVIEW', our_state: 'NEW', healed: false },
      ])
    }
    become(provider === 'payu' ? 'COMPLETED' : 'CONFIRMED')
    await world.poll(id)
    expect(await standing(id)).toEqual(given(1))
    expect((await reconcile(provider)).of(id)).toEqual([])
    // And of a payment that is credited it changes nothing, and is shown.
    become('TAKEN_BACK')
    expect((await reconcile(provider)).of(id)).toMatchObject([{ kind: 'state', their_state: 'TAKEN_BACK' }])
    expect(await standing(id)).toEqual(given(1))
  })
})

describe('the order itself is of other money', () => {
  test('nothing is credited, the top-up fails, and administrators see it', async () => {
    const { id } = await deposit(caller, { provider: 'payu', amount })
    world.payu.setFaults({ order: id, faults: { lose: true, mismatch: true } })
    world.payu.pay(world.orderOf(id).orderId)
    await world.poll(id)
    expect(await standing(id)).toEqual({ status: 'FAILED', credited: [] })
    expect(world.takeLog().map(({ message }) => message)).toEqual([expect.stringContaining('PAYMENT MISMATCH')])
    expect((await reconcile('payu')).of(id)).toMatchObject([
      { kind: 'amount', our_amount: null, their_amount: amount + 1, healed: false },
    ])
  })
})

describe('very late', () => {
  test('a payment that we had given up is asked about for as long as PayNow leaves one open, and credited', async () => {
    const { id } = await deposit(caller, { provider: 'paynow', amount })
    const { paymentId } = world.paymentOf(id)
    await world.tell('paynow', world.paynow.letter(paymentId, { status: 'PENDING' }))
    await world.tidy()
    expect(await standing(id)).toEqual({ status: 'CANCELLED', credited: [] })
    world.paynow.become(paymentId, 'CONFIRMED')
    expect((await reconcile('paynow', 9)).of(id)).toMatchObject([{ kind: 'missing_here', healed: true }])
    expect(await standing(id)).toEqual(given(1))
  })

  test('one that the payer had called off is credited when it is told of, however late, and once', async () => {
    const { id } = await deposit(caller, { provider: 'payu', amount })
    const { orderId } = world.orderOf(id)
    await world.tell('payu', world.payu.letter(orderId, { status: 'CANCELED' }))
    expect(await standing(id)).toEqual({ status: 'CANCELLED', credited: [] })
    const letter = world.payu.letter(orderId, { status: 'COMPLETED', orderCreateDate: '2020-01-01T00:00:00.000+01:00' })
    for (let time = 0; time < 3; time++) await world.tell('payu', letter)
    expect(await standing(id)).toEqual(given(1))
  })

  test('clocks that are wrong by years change nothing about that', async () => {
    for (const modifiedAt of ['1999-01-01T00:00:00', '2099-01-01T00:00:00', 'noon']) {
      const { id } = await deposit(caller, { provider: 'paynow', amount })
      const { paymentId } = world.paymentOf(id)
      await world.tell('paynow', world.paynow.letter(paymentId, { status: 'CONFIRMED', modifiedAt }))
      await world.tell('paynow', world.paynow.letter(paymentId, { status: 'REJECTED' }))
      expect(await standing(id)).toEqual(given(1))
    }
  })
})

describe('a payer who began anew, and of whose second payment no message came', () => {
  test('is shown to administrators; a message credits it after all', async () => {
    const { id } = await deposit(caller, { provider: 'paynow', amount })
    const second = world.paynow.abandon(world.paymentOf(id).paymentId)
    world.paynow.become(second, 'CONFIRMED')
    await world.poll(id)
    expect(await standing(id)).toEqual({ status: 'NEW', credited: [] })
    expect((await reconcile('paynow')).of(id)).toMatchObject([
      { kind: 'state', their_state: 'ABANDONED', healed: false },
    ])
    await world.tidy()
    expect((await reconcile('paynow', 1)).of(id)).toMatchObject([{ kind: 'state', their_state: 'ABANDONED' }])
    await world.tell('paynow', world.paynow.letter(second))
    expect(await standing(id)).toEqual(given(1))
    expect((await reconcile('paynow', 1)).of(id)).toEqual([])
  })

  test('is not, where the second is known', async () => {
    const { id } = await deposit(caller, { provider: 'paynow', amount })
    const second = world.paynow.abandon(world.paymentOf(id).paymentId)
    await world.tell('paynow', world.paynow.letter(second))
    expect((await reconcile('paynow')).of(id)).toEqual([])
  })
})

describe('signed, and of no order of ours', () => {
  const tell = (status: string) => {
    const paymentId = `N${randomUUID().slice(0, 12).toUpperCase()}`
    const body = JSON.stringify({ paymentId, externalId: randomUUID(), status, modifiedAt: '2026-11-20T12:00:00' })
    const headers = { 'content-type': 'application/json', signature: signNotification(body, paynowShop.signatureKey) }
    return { paymentId, letter: { body, headers } }
  }
  test('money is credited to nobody, and shown to administrators; what moved none is not', async () => {
    const [paid, odd, refused] = [tell('CONFIRMED'), tell('UNDER_REVIEW'), tell('REJECTED')]
    for (const { letter } of [paid, odd, refused]) expect(await world.tell('paynow', letter)).toBe(200)
    expect(world.takeLog()).toHaveLength(3)
    const { lines } = await reconcile('paynow')
    const lineOf = ({ paymentId }: { paymentId: string }) => lines.filter((line) => line.gateway_id === paymentId)
    expect(lineOf(paid)).toMatchObject([{ kind: 'missing_here', transaction_id: null, currency: 'PLN' }])
    expect(lineOf(odd)).toMatchObject([{ kind: 'state', their_state: 'UNDER_REVIEW' }])
    expect(lineOf(refused)).toEqual([])
  })
})
