/** The API and the worker's part in payments, with the simulators of all gateways, for tests through the front door. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wakestone/contract/client'
import { isFinalTransaction } from '@wakestone/contract/states'
import { createTransaction, getTransaction } from '@wakestone/contract/routes/transactions'
import { listWalletLogs } from '@wakestone/contract/routes/wallets'
import { startPaynowSimulator } from '@wakestone/simulators/paynow'
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { type Caller, startTestApi } from './api.ts'
import { createGateways } from '../../apps/server/src/adapters/payments/registry.ts'
import { registerTransactionJobs } from '../../apps/server/src/features/transactions/jobs.ts'

export const payuKeys = {
  posId: '300746',
  clientId: '300746',
  clientSecret: 'client-secret',
  secondKey: 'second-key',
}
export const paynowShop = { apiKey: 'api-pln', signatureKey: 'signature-pln', currencies: ['PLN'] }
const paynowEuroShop = { apiKey: 'api-eur', signatureKey: 'signature-eur', currencies: ['EUR'] }

export type World = Awaited<ReturnType<typeof startPaymentWorld>>

export async function startPaymentWorld() {
  const timeScale = 0.002
  const payu = await startPayuSimulator({ ...payuKeys, host: '127.0.0.1', timeScale })
  const paynow = await startPaynowSimulator({ shops: [paynowShop, paynowEuroShop], host: '127.0.0.1', timeScale })
  const api = await startTestApi({
    LIMIT_TRANSACTIONS: '0',
    PAYU_URL: payu.url,
    PAYU_POS_ID: payuKeys.posId,
    PAYU_CLIENT_ID: payuKeys.clientId,
    PAYU_CLIENT_SECRET: payuKeys.clientSecret,
    PAYU_SECOND_KEY: payuKeys.secondKey,
    PAYNOW_URL: paynow.url,
    PAYNOW_API_KEY: paynowShop.apiKey,
    PAYNOW_SIGNATURE_KEY: paynowShop.signatureKey,
    PAYNOW_API_KEY_EUR: paynowEuroShop.apiKey,
    PAYNOW_SIGNATURE_KEY_EUR: paynowEuroShop.signatureKey,
    PAYNOW_CURRENCIES: 'PLN,EUR',
    PAYNOW_BLIK_CODES: '1',
  })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin }) // its port is known only now
  paynow.setNotificationUrl(`${api.origin}/api/v1/payments/paynow/notify`)
  const stopJobs = await registerTransactionJobs(api.context)

  /** Until every notification was taken and made something of. */
  async function quiet() {
    for (const deadline = Date.now() + 15_000; ;) {
      const { count } = await api.context.db
        .selectFrom('gateway_events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', 'in', ['received', 'verified'])
        .executeTakeFirstOrThrow()
      if (payu.waiting().length === 0 && paynow.waiting().length === 0 && count === 0) return
      if (Date.now() > deadline) throw new Error('notifications are still under way')
      await delay(20)
    }
  }

  return {
    api,
    payu,
    paynow,
    gateways: createGateways(api.context.settings),
    quiet,
    /** The last payment at PayNow that belongs to a transaction of ours. */
    paymentOf(id: string) {
      const payment = paynow.payments().findLast(({ externalId }) => externalId.startsWith(id))
      if (payment === undefined) throw new Error('the simulator knows no such payment')
      return payment
    },
    orderOf(id: string) {
      const order = payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(id))
      if (order === undefined) throw new Error('the simulator knows no such order')
      return order
    },
    async close() {
      await stopJobs()
      await api.close()
      await payu.close()
      await paynow.close()
    },
  }
}

export const walletOf = ({ user }: Caller, currency = 'PLN') =>
  user.wallets.find((wallet) => wallet.currency === currency)?.id ?? ''

export const deposit = (
  caller: Caller,
  body: { provider: 'payu' | 'paynow' | 'blik'; currency?: string; amount?: number; code?: string; language?: 'pl' },
  key: string = randomUUID(),
) =>
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

/** The code of the error that a call ends with, and what it concerns. */
export const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ error: 'success', fields: undefined }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return { error: error.body.error as string, fields: error.body.fields }
    },
  )

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
