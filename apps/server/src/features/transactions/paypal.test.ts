/** PayPal through the front door, against its simulator and everything it can get wrong. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFinalTransaction } from '@wakestone/contract/states'
import { createTransaction, getTransaction, listProviders } from '@wakestone/contract/routes/transactions'
import { listWalletLogs } from '@wakestone/contract/routes/wallets'
import { type PaypalFaults, type PaypalSimulator, startPaypalSimulator } from '@wakestone/simulators/paypal'
import { type Caller, startTestApi, type TestApi } from '../../../../../tests/support/api.ts'
import { registerTransactionJobs } from './jobs.ts'

const credentials = { clientId: 'client', clientSecret: 'client-secret', webhookId: 'WEBHOOK1' }
let paypal: PaypalSimulator
let api: TestApi
let stopJobs: () => Promise<void>

beforeAll(async () => {
  paypal = await startPaypalSimulator({ ...credentials, host: '127.0.0.1', timeScale: 0.002 })
  api = await startTestApi({
    PAYPAL_URL: paypal.url,
    PAYPAL_CLIENT_ID: credentials.clientId,
    PAYPAL_CLIENT_SECRET: credentials.clientSecret,
    PAYPAL_WEBHOOK_ID: credentials.webhookId,
  })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin }) // its port is known only now
  paypal.setWebhookUrl(`${api.origin}/api/v1/payments/paypal/notify`)
  stopJobs = await registerTransactionJobs(api.context)
})
afterAll(async () => {
  await stopJobs()
  await api.close()
  await paypal.close()
})

const walletOf = ({ user }: Caller, currency = 'EUR') =>
  user.wallets.find((wallet) => wallet.currency === currency)?.id ?? ''
const deposit = (caller: Caller, body: object = {}, key: string = randomUUID()) =>
  caller.call(createTransaction, {
    body: {
      action: 'DEPOSIT',
      provider: 'paypal',
      wallet_id: walletOf(caller),
      amount: 1999,
      currency: 'EUR',
      ...body,
    },
    idempotencyKey: key,
  })
const orderOf = (id: string) => {
  const order = paypal.orders().findLast(({ name }) => name.startsWith(id))
  if (order === undefined) throw new Error('the simulator knows no such order')
  return order
}
/** Looks at a transaction as the payer's page does, until it is over. */
async function settled(caller: Caller, id: string) {
  for (const deadline = Date.now() + 20_000; ;) {
    const shown = await caller.call(getTransaction, { params: { id } })
    if (isFinalTransaction(shown.status)) return shown
    if (Date.now() > deadline) throw new Error(`still ${shown.status}`)
    await delay(50)
  }
}
const movementsOf = async (caller: Caller) =>
  (await caller.call(listWalletLogs, { params: { id: walletOf(caller) } })).data.map(({ amount }) => amount.amount)
/** Until every webhook was taken and made something of. */
async function quiet() {
  for (const deadline = Date.now() + 20_000; ;) {
    const { count } = await api.context.db
      .selectFrom('gateway_events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', 'in', ['received', 'verified'])
      .executeTakeFirstOrThrow()
    if (paypal.waiting().length === 0 && Number(count) === 0) return
    if (Date.now() > deadline) throw new Error('webhooks are still under way')
    await delay(20)
  }
}

test('the payer approves on PayPal’s page; the money is taken by us and credited, whoever comes back or not', async () => {
  const caller = await api.signUp()
  expect(await caller.call(listProviders, {})).toMatchObject([
    { id: 'paypal', currencies: [{ currency: 'PLN' }, { currency: 'EUR' }, { currency: 'USD' }] },
  ])
  const begun = await deposit(caller, { language: 'pl' })
  expect(begun).toMatchObject({ status: 'NEW', provider: 'paypal', amount: 1999, currency: 'EUR' })
  const html = await (await fetch(begun.redirect_url ?? '')).text()
  expect(html).toContain('lang="pl"')
  expect(html).toContain('19,99')
  expect(await movementsOf(caller)).toEqual([])
  const { id: token } = orderOf(begun.id)
  const approved = await fetch(`${paypal.url}/checkoutnow`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token, action: 'approve' }),
  })
  expect(approved.headers.get('location')).toBe(
    `${api.origin}/pl/paypal/continue?transaction=${begun.id}&token=${token}&PayerID=SIMULATEDPAYER`,
  )
  expect(await settled(caller, begun.id)).toMatchObject({ status: 'COMPLETED', redirect_url: null })
  expect(await movementsOf(caller)).toEqual([1999])
})

test.each<[string, PaypalFaults]>([
  ['told three times', { duplicate: 3 }],
  ['told late', { delay: 400 }],
  ['told in the wrong order', { reorder: true }],
  ['never told', { lose: true }],
  ['told before the answer to the capture', { notifyFirst: 'capture' }],
  ['taken, but the answer is cut off', { captureTimeout: 'cut' }],
  ['taken, and neither answered nor told', { captureTimeout: 'cut', lose: true }],
  ['preceded by one signed by somebody else', { forge: 'signature' }],
  ['preceded by one that was altered', { forge: 'body' }],
  ['preceded by one for another webhook', { forge: 'webhook' }],
  ['preceded by an old one', { forge: 'stale' }],
  ['preceded by one that names a foreign certificate', { forge: 'host' }],
  ['preceded by one of a certificate that is over', { forge: 'expired' }],
  ['preceded by one of another amount', { forge: 'amount' }],
  ['preceded by one in another currency', { forge: 'currency' }],
  ['made by a link called otherwise', { approveLink: true }],
  [
    'everything',
    { duplicate: 2, delay: 50, reorder: true, forge: 'amount', notifyFirst: 'capture', captureTimeout: 'cut' },
  ],
])('a payment that is %s is credited once', async (_what, faults) => {
  const caller = await api.signUp()
  // By its name, which the caller knows only when the order is there: so for all, and then for this one.
  paypal.setFaults({ faults })
  const { id } = await deposit(caller).finally(() => paypal.clearFaults())
  paypal.setFaults({ order: id, faults })
  paypal.approve(orderOf(id).id)
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  await quiet()
  expect(await movementsOf(caller)).toEqual([1999])
  expect(orderOf(id).captures).toHaveLength(1)
})
