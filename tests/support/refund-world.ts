/** A world of payments whose refunds are looked at: an administrator who gives back, and what providers make of it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { sendDueRefunds } from '../../apps/server/src/features/money/refunds/sending.ts'
import type { Caller } from './api.ts'
import { findLedgerFaults } from './ledger.ts'
import { deposit, settled, startPaymentWorld, walletOf, type World } from './payment-world.ts'

export type Provider = 'payu' | 'paynow'

/** Opens the world before the tests of a file, and looks at its ledger after them. */
export function useRefundWorld() {
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

  return {
    get world() {
      return world
    },
    get boss() {
      return boss
    },
    hours,
    nameAt,
    setFaults,
    paid,
    refund,
    returnsOf,
    stateOf,
    balanceOf,
    pass,
    untilOver,
    givenBack,
    toldOf,
  }
}
