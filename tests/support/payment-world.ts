/**
 * The API with the simulators of all gateways, for tests of payments through the front door. With `jobs` the worker's
 * part runs too; without, nothing happens by itself: the test hands messages over and has gateways asked.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isFinalTransaction } from '@wakestone/contract/states'
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import { startPaynowSimulator } from '@wakestone/simulators/paynow'
import { startPaypalSimulator } from '@wakestone/simulators/paypal'
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { type Caller, startTestApi } from './api.ts'
import {
  gatewayPlace,
  gatewaySettings,
  paynowEuroShop,
  paynowShop,
  paypalKeys,
  payuEuroKeys,
  payuKeys,
} from './gateways.ts'
import type { GatewayId } from '../../apps/server/src/adapters/payments/gateway.ts'
import { createGateways } from '../../apps/server/src/adapters/payments/registry.ts'
import { findWaitingEvents } from '../../apps/server/src/features/money/provider-messages/repo.ts'
import { processEvent } from '../../apps/server/src/features/money/provider-messages/inbox.ts'
import { registerPaymentJobs } from '../../apps/server/src/features/money/provider-messages/jobs.ts'
import { pollDueOrders } from '../../apps/server/src/features/money/payments/polling.ts'
import { tidyPayments } from '../../apps/server/src/features/money/provider-messages/upkeep.ts'

/** A message of a gateway's, as its simulator writes it. */
export type Letter = { body: string; headers: Record<string, string> }
export type World = Awaited<ReturnType<typeof startPaymentWorld>>

export async function startPaymentWorld({ jobs = true, paypal: withPaypal = false, env = {}, pages = false } = {}) {
  const payu = await startPayuSimulator({ ...payuKeys, morePos: [payuEuroKeys], ...gatewayPlace })
  const paynow = await startPaynowSimulator({ shops: [paynowShop, paynowEuroShop], ...gatewayPlace })
  const paypal = withPaypal ? await startPaypalSimulator({ ...paypalKeys, ...gatewayPlace }) : undefined
  const api = await startTestApi(
    { LIMIT_TRANSACTIONS: '0', LIMIT_FORGERIES: '0', ...gatewaySettings({ payu, paynow, paypal }), ...env },
    { pages },
  )
  const { context } = api
  Object.assign(context.settings, { PUBLIC_URL: api.origin }) // its port is known only now
  const gateways = createGateways(context.settings)
  const notificationUrl = (gateway: GatewayId) => `${api.origin}/api/v1/payments/${gateway}/notify`
  if (jobs) {
    paynow.setNotificationUrl(notificationUrl('paynow'))
    paypal?.setWebhookUrl(notificationUrl('paypal'))
  } else {
    payu.setFaults({ faults: { lose: true } })
  }
  const stopJobs = jobs ? await registerPaymentJobs(context) : () => Promise.resolve()

  /** What was logged as a warning or an error since it was last asked for. */
  const lines: { level: 'warn' | 'error'; fields: Record<string, unknown>; message: string }[] = []
  for (const level of ['warn', 'error'] as const) {
    const keep = (fields: Record<string, unknown>, message: string) => void lines.push({ level, fields, message })
    Object.assign(context.logger, { [level]: keep })
  }

  /** Until every notification was taken and made something of. */
  async function quiet() {
    for (const deadline = Date.now() + 15_000; ;) {
      const { count } = await context.db
        .selectFrom('gateway_events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', 'in', ['received', 'verified'])
        .executeTakeFirstOrThrow()
      const waiting = payu.waiting().length + paynow.waiting().length + (paypal?.waiting().length ?? 0)
      if (waiting === 0 && count === 0) return
      if (Date.now() > deadline) throw new Error('notifications are still under way')
      await delay(20)
    }
  }

  /** Hands a message over at the front door. @returns status of the answer. */
  async function deliver(gateway: GatewayId, { body, headers }: Letter): Promise<number> {
    const { status } = await fetch(notificationUrl(gateway), { method: 'POST', body, headers })
    return status
  }

  return {
    ...api,
    api,
    payu,
    paynow,
    /** @throws where the world was made without. */
    get paypal() {
      if (paypal === undefined) throw new Error('a world without PayPal')
      return paypal
    },
    gateways,
    quiet,
    deliver,
    /** Hands a message over, and has it made something of. */
    async tell(gateway: GatewayId, letter: Letter): Promise<number> {
      const status = await deliver(gateway, letter)
      for (const id of await findWaitingEvents(context.db, 100)) await processEvent(context, gateways, id)
      return status
    },
    /** Has the gateway asked about the orders of a transaction, as the worker does when it is their turn. */
    async poll(transactionId: string): Promise<void> {
      await context.db.updateTable('payment_orders').set({ next_poll_at: null }).execute()
      await context.db
        .updateTable('payment_orders')
        .set({ next_poll_at: new Date(0) })
        .where('transaction_id', '=', transactionId)
        .execute()
      while ((await pollDueOrders(context, gateways)) > 0);
    },
    /** What runs by itself, as if a day had passed for payments. */
    tidy: () => tidyPayments(context, gateways, { withoutOrderSeconds: 0, withOrderSeconds: 0 }),
    takeLog: () => lines.splice(0),
    /** The last payment at PayNow that belongs to a transaction of ours. */
    paymentOf(id: string) {
      const payment = paynow.payments().findLast(({ externalId }) => externalId.startsWith(id))
      if (payment === undefined) throw new Error('the simulator knows no such payment')
      return payment
    },
    /** The last order at PayU that a transaction was made into. */
    orderOf(id: string) {
      const order = payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(id))
      if (order === undefined) throw new Error('the simulator knows no such order')
      return order
    },
    /** The same at PayPal. */
    paypalOrderOf(id: string) {
      const order = paypal?.orders().findLast(({ name }) => name.startsWith(id))
      if (order === undefined) throw new Error('the simulator knows no such order')
      return order
    },
    async close() {
      await stopJobs()
      await api.close()
      await payu.close()
      await paynow.close()
      await paypal?.close()
    },
  }
}

export const walletOf = ({ user }: Caller, currency = 'PLN') =>
  user.wallets.find((wallet) => wallet.currency === currency)?.id ?? ''

type Deposit = {
  provider: 'payu' | 'paynow' | 'blik' | 'paypal'
  currency?: string
  amount?: number
  code?: string
  language?: 'pl'
}
export const deposit = (caller: Caller, body: Deposit, key: string = randomUUID()) =>
  caller.call(createTransaction, {
    body: {
      action: 'DEPOSIT',
      amount: 5000,
      currency: 'PLN',
      wallet_id: walletOf(caller, body.currency),
      ...body,
    },
    idempotencyKey: key,
  })

/** Looks at a transaction as the payer's page does, until it is over. */
export async function settled(caller: Caller, id: string) {
  for (const deadline = Date.now() + 15_000; ;) {
    const shown = await caller.call(getTransaction, { params: { id } })
    if (isFinalTransaction(shown.status)) return shown
    if (Date.now() > deadline) throw new Error(`still ${shown.status}`)
    await delay(50)
  }
}

export const movementsOf = async (caller: Caller, currency = 'PLN') =>
  (await caller.call(listWalletLogs, { params: { id: walletOf(caller, currency) } })).data.map(
    ({ amount }) => amount.amount,
  )
