/** The process may end after any statement of asking for a refund, sending it or taking a chargeback: all is done once. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { crashEverywhere, createCrashes, type Crashes } from '../../../../../../tests/support/crashes.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import {
  deposit,
  settled,
  startPaymentWorld,
  walletOf,
  type World,
} from '../../../../../../tests/support/payment-world.ts'
import { sendDueRefunds } from './sending.ts'
import { handleChargeback } from './service.ts'

let world: World
let crashes: Crashes
let boss: Caller
let payer: Caller
let depositId: string

beforeAll(async () => {
  world = await startPaymentWorld()
  crashes = createCrashes(world.api.context.database.pool)
  boss = await world.api.signUp({ admin: true })
  payer = await world.api.signUp()
  const { id } = await deposit(payer, { provider: 'payu', amount: 1_000_000 })
  world.payu.pay(world.orderOf(id).orderId)
  await settled(payer, id)
  await world.quiet()
  // Nothing is told: what becomes of a refund is asked.
  world.payu.setFaults({ faults: { lose: true } })
  depositId = id
})
afterAll(() => world.close())

let hour = 0
/** Each pass is later than those before, so that whatever waits is due. */
const pass = () => sendDueRefunds(world.api.context, world.gateways, new Date(Date.now() + ++hour * 3_600_000))
const refund = (key: string) =>
  boss.call(routes.refundTransaction, {
    params: { id: depositId },
    body: { amount: 100, reason: 'asked for it' },
    idempotencyKey: key,
  })
const balance = async () => (await payer.call(getWallet, { params: { id: walletOf(payer) } })).balance.amount
const sent = () => world.orderOf(depositId).refunds.length
const isWell = async () => expect(await findLedgerFaults(world.api.context.database.pool)).toEqual({})

test('asking for one', async () => {
  const moments = await crashEverywhere(crashes, {
    prepare: async () => ({ key: randomUUID(), before: await balance() }),
    act: ({ key }) => refund(key),
    check: async ({ before }, moment) => {
      expect(before - (await balance()), moment).toBe(100)
    },
  })
  expect(moments).toBeGreaterThan(10)
  await isWell()
}, 120_000)

test('sending it', async () => {
  while ((await pass()) > 0);
  const moments = await crashEverywhere(crashes, {
    prepare: async () => {
      const before = { sent: sent(), balance: await balance() }
      const { id } = await refund(randomUUID())
      return { id, before }
    },
    act: async () => {
      await pass()
      await pass()
    },
    check: async ({ before }, moment) => {
      await pass()
      expect(sent() - before.sent, moment).toBe(1)
      expect(before.balance - (await balance()), moment).toBe(100)
    },
  })
  expect(moments).toBeGreaterThan(10)
  // A pass whose process ended may leave one waiting: it is asked about again, and all are over in the end.
  while ((await pass()) > 0);
  const { data } = await boss.call(routes.listPaymentReturns, { query: { limit: 100 } })
  expect(new Set(data.map(({ state }) => state))).toEqual(new Set(['COMPLETED']))
  await isWell()
}, 120_000)

test('a chargeback', async () => {
  const { context } = world.api
  const { orderId } = world.orderOf(depositId)
  await crashEverywhere(crashes, {
    prepare: async () => ({ chargebackId: randomUUID(), before: await balance() }),
    act: ({ chargebackId }) =>
      handleChargeback(context, 'payu', {
        chargeback: {
          chargebackId,
          orderId,
          externalId: null,
          paymentId: orderId,
          amount: 100,
          currency: 'PLN',
          status: 'taken',
          at: null,
          reason: null,
        },
        now: new Date(),
      }),
    check: async ({ before }, moment) => {
      expect(before - (await balance()), moment).toBe(100)
    },
  })
  await isWell()
}, 120_000)
