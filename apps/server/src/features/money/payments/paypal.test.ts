/** PayPal through the front door, against its simulator and everything it can get wrong. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransactionStatus } from '@wakestone/contract/states'
import { completePaypal, getTransaction, listProviders } from '@wakestone/contract/money/transactions-routes'
import { forgeries, type PaypalFaults } from '@wakestone/simulators/paypal'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import {
  deposit as depositBy,
  movementsOf as movementsIn,
  settled,
  startPaymentWorld,
  type World,
} from '../../../../../../tests/support/payment-world.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let world: World
let paypal: World['paypal']
let api: World['api']

beforeAll(async () => {
  world = await startPaymentWorld({ paypal: true })
  ;({ paypal, api } = world)
})
afterAll(() => world.close())

const money = { provider: 'paypal', amount: 1999, currency: 'EUR' } as const
const deposit = (caller: Caller, body: { language?: 'pl' } = {}, key?: string) =>
  depositBy(caller, { ...money, ...body }, key)
const orderOf = (id: string) => world.paypalOrderOf(id)
const movementsOf = (caller: Caller) => movementsIn(caller, money.currency)
const quiet = () => world.quiet()

test('the payer approves on PayPal’s page; the money is taken by us and credited, whoever comes back or not', async () => {
  const caller = await api.signUp()
  const providers = await caller.call(listProviders, {})
  expect(providers.find(({ id }) => id === 'paypal')).toMatchObject({
    currencies: [{ currency: 'PLN' }, { currency: 'EUR' }, { currency: 'USD' }],
  })
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

test.each<[string, PaypalFaults]>(
  someOf(
    [
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
    ],
    4,
  ),
)('a payment that is %s is credited once', async (_what, faults) => {
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

const complete = (caller: Caller, id: string, cancelled = false) =>
  caller.call(completePaypal, { body: { transaction_id: id, cancelled } })
/** Begins a top-up with faults that hold for it alone. */
async function begin(caller: Caller, faults: PaypalFaults) {
  const { id } = await deposit(caller)
  paypal.setFaults({ order: id, faults })
  return { id, order: orderOf(id) }
}

describe('every status of a capture', () => {
  test.each<[capture: PaypalFaults['capture'] | 'COMPLETED', settled: TransactionStatus, credited: number[]]>([
    ['COMPLETED', 'COMPLETED', [1999]],
    ['DECLINED', 'FAILED', []],
    ['FAILED', 'FAILED', []],
  ])('a completed order whose capture is %s is %s', async (capture, status, credited) => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, capture === 'COMPLETED' ? {} : { capture })
    paypal.approve(order.id)
    expect((await settled(caller, id)).status).toBe(status)
    expect(order.status).toBe('COMPLETED')
    await quiet()
    expect(await movementsOf(caller)).toEqual(credited)
  })

  test.each<[settledAs: 'COMPLETED' | 'DECLINED', faults: PaypalFaults, status: TransactionStatus, credited: number[]]>(
    someOf(
      [
        ['COMPLETED', {}, 'COMPLETED', [1999]],
        ['COMPLETED', { reorder: true }, 'COMPLETED', [1999]],
        ['COMPLETED', { lose: true }, 'COMPLETED', [1999]],
        ['DECLINED', {}, 'FAILED', []],
        ['DECLINED', { reorder: true, duplicate: 2 }, 'FAILED', []],
        ['DECLINED', { lose: true }, 'FAILED', []],
      ],
      2,
    ),
  )('PENDING and then %s, told %j, is %s', async (becomes, faults, status, credited) => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, { ...faults, capture: 'PENDING' })
    paypal.approve(order.id)
    expect(await complete(caller, id)).toMatchObject({
      transaction: { status: 'READY_TO_CAPTURE' },
      payer_action: null,
    })
    expect(await movementsOf(caller)).toEqual([])
    paypal.settleCapture(order.id, becomes)
    if (faults.lose === true) await complete(caller, id) // as a poll does, sooner
    expect((await settled(caller, id)).status).toBe(status)
    await quiet()
    expect(await movementsOf(caller)).toEqual(credited)
  })

  test.runIf(isLong).each(['amount', 'currency'] as const)(
    'money of another %s than was asked for is not credited',
    async (what) => {
      const caller = await api.signUp()
      const { id, order } = await begin(caller, { mismatch: what })
      paypal.approve(order.id)
      expect((await settled(caller, id)).status).toBe('FAILED')
      await quiet()
      expect(await movementsOf(caller)).toEqual([])
    },
  )
})

describe('every issue that stands in the way of a capture', () => {
  test.each(someOf(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING'], 1))(
    '%s: the payer is sent again, and pays once',
    async (issue) => {
      const caller = await api.signUp()
      const { id, order } = await begin(caller, { refuse: { issue, times: 1 }, lose: true })
      paypal.approve(order.id)
      const first = await complete(caller, id)
      expect(first).toMatchObject({ transaction: { status: 'READY_TO_CAPTURE' }, payer_action: { reason: 'declined' } })
      expect(first.payer_action?.redirect_url).toBe(`${paypal.url}/checkoutnow?token=${order.id}`)
      // The page is loaded again, or a message had the money asked for before.
      expect((await complete(caller, id)).payer_action?.reason).toBe('declined')
      expect(await movementsOf(caller)).toEqual([])
      paypal.approve(order.id)
      expect((await complete(caller, id)).transaction.status).toBe('COMPLETED')
      expect(await movementsOf(caller)).toEqual([1999])
    },
  )

  test.each(
    someOf(['TRANSACTION_REFUSED', 'DUPLICATE_INVOICE_ID', 'PAYER_ACCOUNT_RESTRICTED', 'COMPLIANCE_VIOLATION'], 1),
  )('%s: the payment has failed; should it be taken after all, it is credited', async (issue) => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, { refuse: { issue, times: 1 }, lose: true })
    paypal.approve(order.id)
    expect((await complete(caller, id)).transaction.status).toBe('FAILED')
    expect(await movementsOf(caller)).toEqual([])
    expect((await complete(caller, id)).transaction.status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([1999])
  })

  test('ORDER_NOT_APPROVED: the payer is told to approve, and nothing is taken', async () => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, {})
    expect(await complete(caller, id)).toMatchObject({
      transaction: { status: 'NEW' },
      payer_action: { reason: 'not_approved', redirect_url: `${paypal.url}/checkoutnow?token=${order.id}` },
    })
    expect(order.captures).toEqual([])
  })

  test('ORDER_ALREADY_CAPTURED: many who complete at once are one capture and one credit', async () => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, { duplicate: 3 })
    paypal.approve(order.id)
    await Promise.all(Array.from({ length: 12 }, () => complete(caller, id)))
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    await quiet()
    expect(order.captures).toHaveLength(1)
    expect(await movementsOf(caller)).toEqual([1999])
  })

  test('PayPal down: the answer is how things stand, and the payment goes on later', async () => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, { captureError: true, lose: true })
    paypal.approve(order.id)
    expect(await complete(caller, id)).toMatchObject({
      transaction: { status: 'READY_TO_CAPTURE' },
      payer_action: null,
    })
    paypal.setFaults({ order: id, faults: {} })
    expect((await complete(caller, id)).transaction.status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([1999])
  })
})

describe('the payer calls it off', () => {
  test('and the top-up is cancelled; who approves after all pays, once', async () => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, {})
    expect(await complete(caller, id, true)).toMatchObject({ transaction: { status: 'CANCELLED' }, payer_action: null })
    expect((await complete(caller, id, true)).transaction.status).toBe('CANCELLED')
    paypal.approve(order.id)
    await quiet()
    expect((await caller.call(getTransaction, { params: { id } })).status).toBe('CANCELLED')
    expect(order.captures).toEqual([])
    expect((await complete(caller, id)).transaction.status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([1999])
  })

  test('too late: what was taken is credited', async () => {
    const caller = await api.signUp()
    const { id, order } = await begin(caller, {})
    paypal.approve(order.id)
    await complete(caller, id)
    expect((await complete(caller, id, true)).transaction.status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([1999])
  })
})

test('of others’ payments, of other providers’ and of none, nothing is told and nothing done', async () => {
  const caller = await api.signUp()
  const stranger = await api.signUp()
  const { id, order } = await begin(caller, { lose: true })
  paypal.approve(order.id)
  expect(await outcomeOf(complete(stranger, id))).toBe('transaction_not_found')
  expect(await outcomeOf(complete(stranger, id, true))).toBe('transaction_not_found')
  expect(await outcomeOf(complete(caller, randomUUID()))).toBe('transaction_not_found')
  expect((await caller.call(getTransaction, { params: { id } })).status).not.toBe('CANCELLED')
})

test.each(someOf(['cut', 'silent'] as const, 1))(
  'an order whose creation is answered by silence (%s) is one order',
  async (how) => {
    const caller = await api.signUp()
    const key = randomUUID()
    paypal.setFaults({ faults: { createTimeout: how } })
    const before = paypal.orders().length
    const first = deposit(caller, {}, key).catch(() => undefined)
    while (paypal.orders().length === before) await delay(5)
    paypal.clearFaults()
    await first
    const { id, redirect_url } = await deposit(caller, {}, key)
    expect(redirect_url).not.toBeNull()
    expect(paypal.orders().filter(({ name }) => name.startsWith(id))).toHaveLength(1)
    paypal.approve(orderOf(id).id)
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([1999])
  },
  30_000,
)

test('a webhook that comes before the answer to the order’s creation does no harm', async () => {
  const caller = await api.signUp()
  paypal.setFaults({ faults: { notifyFirst: 'create' } })
  const { id } = await deposit(caller).finally(() => paypal.clearFaults())
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  await quiet()
  expect(await movementsOf(caller)).toEqual([1999])
})

describe('webhooks that are not PayPal’s', () => {
  test.each(forgeries.filter((kind) => kind !== 'amount' && kind !== 'currency'))(
    'forged by %s, are refused, kept, logged, and change nothing',
    async (kind) => {
      const caller = await api.signUp()
      const { id, order } = await begin(caller, {})
      const before = await refusedEvents()
      paypal.forge(order.id, kind)
      await quiet()
      expect((await refusedEvents()) - before).toBe(1)
      expect((await caller.call(getTransaction, { params: { id } })).status).toBe('NEW')
      expect(await movementsOf(caller)).toEqual([])
    },
  )

  test('have no headers, or an empty body', async () => {
    const notify = (body: string, headers = {}) =>
      fetch(`${api.origin}/api/v1/payments/paypal/notify`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }).then(({ status }) => status)
    expect(await notify('{}')).toBe(403)
    expect(await notify('')).toBe(403)
    expect(await notify('{}', { 'paypal-transmission-id': 'x', 'paypal-cert-url': 'file:///etc/passwd' })).toBe(403)
    expect(await notify('x'.repeat(70_000))).toBe(413)
  })
})

const refusedEvents = async () =>
  Number(
    (
      await api.context.db
        .selectFrom('gateway_events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'refused')
        .executeTakeFirstOrThrow()
    ).count,
  )
