/** Top-ups through the front door, against PayU's simulator and everything it can get wrong. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transactionTransitions } from '@wakestone/contract/states'
import { pathOf } from '@wakestone/contract/client'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import {
  createTransaction,
  getTransaction,
  listProviders,
  listProvidersOfServer,
} from '@wakestone/contract/money/transactions-routes'
import type { Faults } from '@wakestone/simulators/payu'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { payuKeys } from '../../../../../../tests/support/gateways.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import {
  movementsOf,
  settled,
  startPaymentWorld,
  walletOf,
  type World,
} from '../../../../../../tests/support/payment-world.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order as serverOrder, shareServer, topUp } from '../../../../../../tests/support/servers.ts'

let world: World
let api: World['api']
let payuSimulator: World['payu']

beforeAll(async () => {
  // PayU alone, as in the demo of a small shop.
  world = await startPaymentWorld({
    env: { PAYNOW_URL: '', PAYNOW_API_KEY: '', PAYNOW_API_KEY_EUR: '', TRUST_PROXY: '127.0.0.1' },
  })
  ;({ api, payu: payuSimulator } = world)
})
afterAll(() => world.close())

const deposit = (caller: Caller, body: object = {}, key: string = randomUUID()) =>
  caller.call(createTransaction, {
    body: { action: 'DEPOSIT', provider: 'payu', wallet_id: walletOf(caller), amount: 5000, currency: 'PLN', ...body },
    idempotencyKey: key,
  })
const orderOf = (id: string) => world.orderOf(id)
const quiet = () => world.quiet()

test('the payer pays on the provider’s page and finds the balance; the return alone credits nothing', async () => {
  const caller = await api.signUp()
  const begun = await deposit(caller, { language: 'pl' })
  expect(begun).toMatchObject({ status: 'NEW', action: 'DEPOSIT', provider: 'payu', amount: 5000 })
  const page = await fetch(begun.redirect_url ?? '')
  const html = await page.text()
  expect(html).toContain('lang="pl"')
  expect(html).toContain('50,00')
  expect(html).toContain('żadne prawdziwe pieniądze')
  expect((await caller.call(getTransaction, { params: { id: begun.id } })).status).toBe('NEW')
  expect(await movementsOf(caller)).toEqual([])

  const { orderId, token } = orderOf(begun.id)
  const paid = await fetch(`${payuSimulator.url}/pay/`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ orderId, token, action: 'pay' }),
  })
  expect(paid.headers.get('location')).toBe(`${api.origin}/pl/payu/continue?transaction=${begun.id}`)
  expect(await settled(caller, begun.id)).toMatchObject({ status: 'COMPLETED', redirect_url: null })
  expect(await movementsOf(caller)).toEqual([5000])
  const { notifications } = await caller.call(listNotifications, { params: { id: caller.user.id }, query: {} })
  expect(notifications.find(({ type }) => type === 'SUCCESSFUL_PAYMENT')).toMatchObject({
    fields: { provider: 'payu', balance: { amount: 5000, currency: 'PLN' } },
    actions: [{ name: 'open_wallet', path: `/wallets/${walletOf(caller)}` }],
  })
})

test.runIf(isLong)(
  'an address of payment outside the EU bears out invoice data that say the same, once it is paid',
  async () => {
    const caller = await api.signUp()
    const american = {
      kind: 'person' as const,
      name: 'Ann Doe',
      address: 'Main Street 1',
      postal_code: '10001',
      city: 'New York',
      country: 'US',
      language: 'en' as const,
    }
    await caller.call(setTaxData, { params: { id: caller.user.id }, body: american })
    const rate = async () => (await taxOf(api.context.db, { userId: caller.user.id })).vat_rate
    const payFrom = async (address: string) => {
      const body = { action: 'DEPOSIT', provider: 'payu', wallet_id: walletOf(caller), amount: 5000, currency: 'PLN' }
      const begun = await fetch(`${api.origin}${pathOf(createTransaction, {})}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          'x-forwarded-for': address,
          cookie: caller.cookie(),
        },
        body: JSON.stringify(body),
      })
      const { id } = (await begun.json()) as { id: string }
      expect(await rate()).toBe(0.23) // begun is not paid
      const { orderId, token } = orderOf(id)
      const form = new URLSearchParams({ orderId, token, action: 'pay' })
      await fetch(`${payuSimulator.url}/pay/`, { method: 'POST', redirect: 'manual', body: form })
      expect(await settled(caller, id)).toMatchObject({ status: 'COMPLETED' })
    }
    await payFrom('5.173.0.1') // in Poland
    expect(await rate()).toBe(0.23)
    await payFrom('8.8.8.8')
    expect(await rate()).toBe(0)
  },
)

test.runIf(isLong)('the payer cancels', async () => {
  const caller = await api.signUp()
  const { id } = await deposit(caller)
  payuSimulator.cancel(orderOf(id).orderId)
  expect((await settled(caller, id)).status).toBe('CANCELLED')
  expect(await movementsOf(caller)).toEqual([])
})

test('what is refused, and why', async () => {
  const caller = await api.signUp()
  const stranger = await api.signUp()
  expect(await outcomeOf(deposit(caller, { wallet_id: walletOf(stranger) }))).toBe('wallet_not_found')
  expect(await outcomeOf(deposit(caller, { wallet_id: randomUUID() }))).toBe('wallet_not_found')
  expect(await outcomeOf(deposit(caller, { currency: 'EUR' }))).toBe('wallet_has_other_currency')
  expect(await outcomeOf(deposit(caller, { currency: 'EUR', wallet_id: walletOf(caller, 'EUR') }))).toBe(
    'unsupported_payment_method',
  )
  expect(await outcomeOf(deposit(caller, { provider: 'paypal' }))).toBe('unsupported_payment_method')
  expect(await outcomeOf(deposit(caller, { amount: 499 }))).toBe('transaction_value_too_low')
  expect(await outcomeOf(deposit(caller, { amount: 1_000_001 }))).toBe('transaction_value_too_high')
  for (const amount of [0, -500, 500.5, 1e21, '500']) {
    expect(await outcomeOf(deposit(caller, { amount }))).toBe('invalid_request')
  }
  expect(await outcomeOf(deposit(caller, { amount: 500 }))).toBe('success')
  const { id } = await deposit(caller)
  expect(await outcomeOf(stranger.call(getTransaction, { params: { id } }))).toBe('transaction_not_found')
  expect(await caller.call(listProviders, {})).toEqual([
    { id: 'payu', takes_code: false, currencies: [{ currency: 'PLN', minimum: 500, maximum: 1_000_000 }] },
  ])
})

test('a server’s wallet is topped up by what takes its currency, and by its owner alone', async () => {
  const owner = await api.signUp()
  const reader = await api.signUp()
  const { id } = await owner.call(createServer, {
    body: serverOrder(await topUp(api.context, owner, 10_000), '1.21.4'),
  })
  await shareServer(api.context, {
    serverId: id,
    userId: reader.user.id,
    capabilities: { 'server.manage.read': true },
  })
  const providersFor = (caller: Caller) => caller.call(listProvidersOfServer, { params: { id } })
  expect(await providersFor(owner)).toEqual(await owner.call(listProviders, {}))
  expect(await providersFor(reader)).toEqual([])
  const euros = await api.context.db
    .updateTable('services')
    .set({ wallet_id: walletOf(owner, 'EUR') })
    .where('owner_id', '=', owner.user.id)
    .execute()
  expect(euros).toHaveLength(1)
  expect(await providersFor(owner)).toEqual([])
  expect(await outcomeOf(owner.call(listProvidersOfServer, { params: { id: randomUUID() } }))).toBe(
    'server_id_not_found',
  )
})

describe('the same key', () => {
  test('with the same body is the same top-up and one order, also at once', async () => {
    const caller = await api.signUp()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 12 }, () => deposit(caller, {}, key)))
    expect(new Set(answers.map(({ id, redirect_url }) => `${id} ${redirect_url}`)).size).toBe(1)
    expect(payuSimulator.orders().filter(({ extOrderId }) => extOrderId.startsWith(answers[0]?.id ?? ''))).toHaveLength(
      1,
    )
    expect(await outcomeOf(deposit(caller, { amount: 6000 }, key))).toBe('idempotency_key_reused')
    const other = await api.signUp()
    expect((await deposit(other, {}, key)).id).not.toBe(answers[0]?.id)
  })

  test('goes on where PayU could not be reached', async () => {
    const caller = await api.signUp()
    const key = randomUUID()
    payuSimulator.setFaults({ faults: { createError: true } })
    expect(await outcomeOf(deposit(caller, {}, key))).toBe('provider_unavailable')
    payuSimulator.clearFaults()
    const { id, redirect_url } = await deposit(caller, {}, key)
    expect(redirect_url).not.toBeNull()
    payuSimulator.pay(orderOf(id).orderId)
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([5000])
  })
})

test.each<[string, Faults]>(
  someOf(
    [
      ['told three times', { duplicate: 3 }],
      ['told late', { delay: 400 }],
      ['told in the wrong order', { reorder: true }],
      ['never told', { lose: true }],
      ['preceded by a forged one', { forge: 'signature' }],
      ['preceded by one of another amount', { forge: 'amount' }],
      ['preceded by one in another currency', { forge: 'currency' }],
      ['reserved only', { capture: true }],
      ['reserved only, and never told', { capture: true, lose: true }],
      ['everything', { duplicate: 2, delay: 50, reorder: true, capture: true, forge: 'amount' }],
    ],
    3,
  ),
)('a payment that is %s is credited once', async (_what, faults) => {
  const caller = await api.signUp()
  const { id } = await deposit(caller)
  payuSimulator.setFaults({ order: id, faults })
  payuSimulator.pay(orderOf(id).orderId)
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  await quiet()
  expect(await movementsOf(caller)).toEqual([5000])
})

test('a payment told before the answer to the order’s creation is credited once', async () => {
  const caller = await api.signUp()
  payuSimulator.setFaults({ faults: { notifyFirst: true } })
  const { id } = await deposit(caller).finally(() => payuSimulator.clearFaults())
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  expect(await movementsOf(caller)).toEqual([5000])
})

test.runIf(isLong)(
  'an order whose creation was never answered is followed by another; if both are paid, both are credited',
  async () => {
    const caller = await api.signUp()
    // Half of the orders are made without an answer: sooner or later one is followed by another.
    payuSimulator.setFaults({ faults: { createTimeout: 'cut' }, share: 0.5, seed: 7 })
    const ordersOf = (one: string) => payuSimulator.orders().filter(({ extOrderId }) => extOrderId.startsWith(one))
    let id: string | undefined
    while (id === undefined) {
      const begun = await deposit(caller).catch(() => undefined)
      if (begun !== undefined && ordersOf(begun.id).length === 2) id = begun.id
    }
    payuSimulator.clearFaults()
    const [lost, sent] = ordersOf(id)
    expect((await caller.call(getTransaction, { params: { id } })).redirect_url).toContain(sent?.orderId)
    payuSimulator.pay(sent?.orderId ?? '')
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([5000])
    payuSimulator.pay(lost?.orderId ?? '')
    await quiet()
    expect(await movementsOf(caller)).toEqual([5000, 5000])
  },
)

test.runIf(isLong)('an order that is of another amount, whoever asks, fails and credits nothing', async () => {
  const caller = await api.signUp()
  const { id } = await deposit(caller)
  payuSimulator.setFaults({ order: id, faults: { mismatch: true } })
  payuSimulator.pay(orderOf(id).orderId)
  expect((await settled(caller, id)).status).toBe('FAILED')
  await quiet()
  expect(await movementsOf(caller)).toEqual([])
})

test.runIf(isLong)('a payment confirmed after we gave it up is credited, and once', async () => {
  const caller = await api.signUp()
  const { id } = await deposit(caller)
  await world.tidy()
  expect((await settled(caller, id)).status).toBe('CANCELLED')
  payuSimulator.setFaults({ order: id, faults: { duplicate: 2 } })
  payuSimulator.pay(orderOf(id).orderId)
  await quiet()
  expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
  expect(await movementsOf(caller)).toEqual([5000])
})

describe('forgeries', () => {
  const notify = (body: string, signature?: string) =>
    fetch(`${api.origin}/api/v1/payments/payu/notify`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'openpayu-signature': signature }),
      },
    }).then(({ status }) => status)

  test('are refused and kept, and do not stand in the way of the true message', async () => {
    const caller = await api.signUp()
    const { id } = await deposit(caller)
    const order = orderOf(id)
    payuSimulator.forge(order.orderId, 'signature')
    payuSimulator.forge(order.orderId, 'amount')
    const body = JSON.stringify({
      order: {
        orderId: order.orderId,
        extOrderId: id,
        merchantPosId: payuKeys.posId,
        currencyCode: 'PLN',
        totalAmount: '5000',
        status: 'COMPLETED',
      },
    })
    expect(await notify(body)).toBe(403)
    expect(await notify(body, 'sender=checkout;signature=;algorithm=MD5;content=DOCUMENT')).toBe(403)
    expect(await notify(body, `sender=checkout;signature=${'0'.repeat(32)};algorithm=MD5;content=DOCUMENT`)).toBe(403)
    expect(await notify('')).toBe(403)
    expect(await notify('x'.repeat(70_000))).toBe(413)
    await delay(100)
    expect((await caller.call(getTransaction, { params: { id } })).status).toBe('NEW')
    const signature = createHash('sha256').update(body).update(payuKeys.secondKey).digest('hex')
    expect(await notify(body, `sender=checkout;signature=${signature};algorithm=SHA-256;content=DOCUMENT`)).toBe(200)
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    payuSimulator.cancel(order.orderId)
    await quiet()
    expect(await movementsOf(caller)).toEqual([5000])
  })

  test('400 of the same message at once are one posting', async () => {
    const caller = await api.signUp()
    const { id } = await deposit(caller)
    const { orderId } = orderOf(id)
    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, at) => {
        const body = JSON.stringify({
          order: {
            orderId,
            extOrderId: id,
            merchantPosId: payuKeys.posId,
            currencyCode: 'PLN',
            totalAmount: '5000',
            status: 'COMPLETED',
          },
          // Half of them differ in their bytes, as repeated messages do.
          localReceiptDateTime: at % 2 === 0 ? 'now' : `later ${at}`,
        })
        const signature = createHash('md5').update(body).update(payuKeys.secondKey).digest('hex')
        return notify(body, `sender=checkout;signature=${signature};algorithm=MD5;content=DOCUMENT`)
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    await quiet()
    expect(await movementsOf(caller)).toEqual([5000])
  }, 60_000)
})

test('the database knows the same steps as the contract', async () => {
  const rows = await api.context.db.selectFrom('transaction_steps').selectAll().execute()
  const inDatabase = rows.map(({ from_status, to_status }) => `${from_status} ${to_status}`).sort()
  const inContract = Object.entries(transactionTransitions).flatMap(([from, all]) => all.map((to) => `${from} ${to}`))
  expect(inDatabase).toEqual(inContract.sort())
})
