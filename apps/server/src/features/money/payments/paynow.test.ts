/** Top-ups by PayNow and BLIK through the front door, against PayNow's simulator and everything it can get wrong. */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getTransaction, listProviders, sendTransactionCode } from '@wakestone/contract/money/transactions-routes'
import type { Faults } from '@wakestone/simulators/payu'
import { paynowShop } from '../../../../../../tests/support/gateways.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import {
  deposit,
  movementsOf,
  settled,
  startPaymentWorld,
  walletOf,
  type World,
} from '../../../../../../tests/support/payment-world.ts'
import { refusalOf } from '../../../../../../tests/support/outcome.ts'

let world: World
beforeAll(async () => {
  world = await startPaymentWorld()
})
afterAll(() => world.close())

test('methods come in their order, with what they take', async () => {
  const caller = await world.api.signUp()
  const limits = (currency: string, minimum: number) => ({ currency, minimum, maximum: 1_000_000 })
  expect(await caller.call(listProviders, {})).toEqual([
    { id: 'payu', takes_code: false, currencies: [limits('PLN', 500)] },
    { id: 'paynow', takes_code: false, currencies: [limits('PLN', 500), limits('EUR', 100)] },
    { id: 'blik', takes_code: true, currencies: [limits('PLN', 500)] },
  ])
})

test('what is refused, and why', async () => {
  const caller = await world.api.signUp()
  const errorOf = async (body: Parameters<typeof deposit>[1]) => (await refusalOf(deposit(caller, body))).error
  expect(await errorOf({ provider: 'blik', currency: 'EUR' })).toBe('unsupported_payment_method')
  expect(await errorOf({ provider: 'paynow', currency: 'USD' })).toBe('unsupported_payment_method')
  expect(await errorOf({ provider: 'paynow', code: '111111' })).toBe('unsupported_payment_method')
  expect(await errorOf({ provider: 'paynow', amount: 499 })).toBe('transaction_value_too_low')
  expect(await errorOf({ provider: 'blik', amount: 499 })).toBe('transaction_value_too_low')
  expect(await errorOf({ provider: 'paynow', currency: 'EUR', amount: 99 })).toBe('transaction_value_too_low')
  for (const code of ['12345', '1234567', '12345a', '']) {
    expect(await errorOf({ provider: 'blik', code })).toBe('invalid_request')
  }
})

describe('on PayNow’s page', () => {
  test('the payer pays; the return alone credits nothing', async () => {
    const caller = await world.api.signUp()
    const begun = await deposit(caller, { provider: 'paynow', language: 'pl' })
    expect(begun).toMatchObject({ status: 'NEW', provider: 'paynow', confirm_until: null, wants_code: false })
    const html = await (await fetch(begun.redirect_url ?? '')).text()
    expect(html).toContain('lang="pl"')
    expect(html).toContain('50,00')
    expect(await movementsOf(caller)).toEqual([])
    const { paymentId, token } = world.paymentOf(begun.id)
    const paid = await fetch(`${world.paynow.url}/pay`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ paymentId, token, action: 'pay' }),
    })
    expect(paid.headers.get('location')).toContain(`${world.api.origin}/pl/paynow/continue?transaction=${begun.id}`)
    expect(await settled(caller, begun.id)).toMatchObject({ status: 'COMPLETED', redirect_url: null })
    expect(await movementsOf(caller)).toEqual([5000])
  })

  test.runIf(isLong)('in another currency, by the account of that currency', async () => {
    const caller = await world.api.signUp()
    const { id } = await deposit(caller, { provider: 'paynow', currency: 'EUR', amount: 1000 })
    expect(world.paymentOf(id)).toMatchObject({ apiKey: 'api-eur', request: { currency: 'EUR', amount: 1000 } })
    world.paynow.setFaults({ order: id, faults: { lose: true } }) // also asked for by that account
    world.paynow.pay(world.paymentOf(id).paymentId)
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    expect(await movementsOf(caller, 'EUR')).toEqual([1000])
  })

  test.runIf(isLong)('BLIK without a code goes there too', async () => {
    const caller = await world.api.signUp()
    const begun = await deposit(caller, { provider: 'blik' })
    expect(begun.redirect_url).toContain(world.paynow.url)
    const payment = world.paymentOf(begun.id)
    expect(payment.request).toMatchObject({ paymentMethodId: 2007 })
    expect(payment.request.authorizationCode).toBeUndefined()
    world.paynow.pay(payment.paymentId)
    expect((await settled(caller, begun.id)).status).toBe('COMPLETED')
  })
})

describe('a BLIK code', () => {
  test('is confirmed in the bank’s app', async () => {
    const caller = await world.api.signUp()
    const before = Date.now()
    const begun = await deposit(caller, { provider: 'blik', code: '777777' })
    expect(begun).toMatchObject({ status: 'PROCESSING', redirect_url: null, wants_code: false })
    const left = Date.parse(begun.confirm_until ?? '') - before
    expect(left).toBeGreaterThan(30_000)
    expect(left).toBeLessThan(65_000)
    expect(await movementsOf(caller)).toEqual([])
    const { paymentId, token } = world.paymentOf(begun.id)
    expect(await (await fetch(`${world.paynow.url}/bank`)).text()).toContain(paymentId)
    await fetch(`${world.paynow.url}/bank`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ paymentId, token, action: 'confirm' }),
    })
    expect(await settled(caller, begun.id)).toMatchObject({ status: 'COMPLETED', confirm_until: null })
    expect(await movementsOf(caller)).toEqual([5000])
  })

  test.runIf(isLong)('is declined in the bank’s app', async () => {
    const caller = await world.api.signUp()
    const { id } = await deposit(caller, { provider: 'blik', code: '666666' })
    expect((await settled(caller, id)).status).toBe('FAILED')
    expect(
      await refusalOf(caller.call(sendTransactionCode, { params: { id }, body: { code: '111111' } })),
    ).toMatchObject({ error: 'transaction_is_not_new' })
    expect(await movementsOf(caller)).toEqual([])
  })

  test.each(
    someOf(
      [
        ['333333', 'blik_code_invalid'],
        ['444444', 'blik_code_expired'],
        ['555555', 'blik_code_used'],
      ],
      1,
    ),
  )('%s is %s, and another one goes on with the same top-up', async (code, error) => {
    const caller = await world.api.signUp()
    const key = randomUUID()
    const refused = await refusalOf(deposit(caller, { provider: 'blik', code }, key))
    expect(refused.error).toBe(error)
    const id = String(refused.fields?.['transaction_id'])
    expect(await caller.call(getTransaction, { params: { id } })).toMatchObject({ status: 'NEW', wants_code: true })
    // The same call again is the same refusal; nothing was made of it.
    expect((await refusalOf(deposit(caller, { provider: 'blik', code }, key))).error).toBe(error)
    const send = (next: string) => caller.call(sendTransactionCode, { params: { id }, body: { code: next } })
    expect((await refusalOf(send('333333'))).error).toBe('blik_code_invalid')
    // Word that it is paid may be there before the answer.
    const sent = await send('111111')
    expect(sent).toMatchObject({ id, wants_code: false })
    expect(['PROCESSING', 'COMPLETED']).toContain(sent.status)
    expect((await settled(caller, id)).status).toBe('COMPLETED')
    expect(await movementsOf(caller)).toEqual([5000])
  })

  test('is nobody else’s to send', async () => {
    const [caller, stranger, admin] = [
      await world.api.signUp(),
      await world.api.signUp(),
      await world.api.signUp({ admin: true }),
    ]
    const { fields } = await refusalOf(deposit(caller, { provider: 'blik', code: '333333' }))
    const id = String(fields?.['transaction_id'])
    for (const other of [stranger, admin]) {
      const sent = refusalOf(other.call(sendTransactionCode, { params: { id }, body: { code: '111111' } }))
      expect((await sent).error).toBe('transaction_not_found')
    }
    const byPayu = await deposit(caller, { provider: 'payu' })
    const sent = refusalOf(caller.call(sendTransactionCode, { params: { id: byPayu.id }, body: { code: '111111' } }))
    expect((await sent).error).toBe('unsupported_payment_method')
  })

  test('whose answer was lost is asked for again, and is one payment', async () => {
    const caller = await world.api.signUp()
    world.paynow.setFaults({ faults: { createTimeout: 'cut' } })
    const key = randomUUID()
    const begun = await deposit(caller, { provider: 'blik', code: '111111' }, key).finally(() =>
      world.paynow.clearFaults(),
    )
    // PayNow answers the repeated call from memory; the simulator cuts only calls that make something.
    expect(['PROCESSING', 'COMPLETED']).toContain(begun.status) // the bank may be faster than the answer
    expect(world.paynow.payments().filter(({ externalId }) => externalId.startsWith(begun.id))).toHaveLength(1)
    expect((await settled(caller, begun.id)).status).toBe('COMPLETED')
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
      ['begun anew', { abandon: 1 }],
      ['begun anew three times, told twice and in the wrong order', { abandon: 3, duplicate: 1, reorder: true }],
      ['everything', { duplicate: 2, delay: 50, reorder: true, forge: 'amount', abandon: 2 }],
    ],
    3,
  ),
)('a payment that is %s is credited once', async (_what, faults) => {
  const caller = await world.api.signUp()
  const { id } = await deposit(caller, { provider: 'paynow' })
  world.paynow.setFaults({ order: id, faults })
  world.paynow.pay(world.paymentOf(id).paymentId)
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  await world.quiet()
  expect(await movementsOf(caller)).toEqual([5000])
})

test('a payment told before the answer to its creation is credited once', async () => {
  const caller = await world.api.signUp()
  world.paynow.setFaults({ faults: { notifyFirst: true } })
  const { id } = await deposit(caller, { provider: 'paynow' }).finally(() => world.paynow.clearFaults())
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  await world.quiet()
  expect(await movementsOf(caller)).toEqual([5000])
})

test('PayNow is away: the same request goes on later', async () => {
  const caller = await world.api.signUp()
  const key = randomUUID()
  world.paynow.setFaults({ faults: { createError: true } })
  const refused = await refusalOf(deposit(caller, { provider: 'paynow' }, key)).finally(() =>
    world.paynow.clearFaults(),
  )
  expect(refused.error).toBe('provider_unavailable')
  const { id, redirect_url } = await deposit(caller, { provider: 'paynow' }, key)
  expect(redirect_url).not.toBeNull()
  world.paynow.pay(world.paymentOf(id).paymentId)
  expect((await settled(caller, id)).status).toBe('COMPLETED')
})

test.runIf(isLong)('of a payment begun anew both are confirmed: both are credited', async () => {
  const caller = await world.api.signUp()
  const { id } = await deposit(caller, { provider: 'paynow' })
  const first = world.paymentOf(id).paymentId
  const second = world.paynow.abandon(first)
  world.paynow.settle(second, 'CONFIRMED')
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  world.paynow.settle(first, 'CONFIRMED')
  await world.quiet()
  expect(await movementsOf(caller)).toEqual([5000, 5000])
})

test.runIf(isLong)('a payment confirmed after we gave it up is credited, and once', async () => {
  const caller = await world.api.signUp()
  const { id } = await deposit(caller, { provider: 'paynow' })
  await world.tidy()
  expect((await settled(caller, id)).status).toBe('CANCELLED')
  world.paynow.setFaults({ order: id, faults: { duplicate: 2 } })
  world.paynow.pay(world.paymentOf(id).paymentId)
  await world.quiet()
  expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
  expect(await movementsOf(caller)).toEqual([5000])
})

test('who has a longer e-mail address than PayNow takes is offered neither it nor BLIK, and nothing is stored', async () => {
  const caller = await world.api.signUp()
  const { db } = world.api.context
  const liveAs = (email: string) => db.updateTable('users').set({ email }).where('id', '=', caller.user.id).execute()
  const longest = `${'a'.repeat(37)}@example.test`
  expect(longest).toHaveLength(50)
  await liveAs(`a${longest}`)
  expect((await caller.call(listProviders, {})).map(({ id }) => id)).toEqual(['payu'])
  for (const provider of ['paynow', 'blik'] as const)
    expect((await refusalOf(deposit(caller, { provider }))).error).toBe('unsupported_payment_method')
  const own = db.selectFrom('transactions').select('id').where('user_id', '=', caller.user.id)
  expect(await own.execute()).toEqual([])
  await liveAs(longest)
  expect((await caller.call(listProviders, {})).map(({ id }) => id)).toEqual(['payu', 'paynow', 'blik'])
  expect(await deposit(caller, { provider: 'paynow' })).toMatchObject({ status: 'NEW' })
})

test('forgeries, stale and altered messages change nothing, and are kept', async () => {
  const caller = await world.api.signUp()
  const other = await world.api.signUp()
  const { id } = await deposit(caller, { provider: 'paynow' })
  const theirs = await deposit(other, { provider: 'paynow' })
  const { paymentId } = world.paymentOf(id)
  const notify = (body: string, signature?: string) =>
    fetch(`${world.api.origin}/api/v1/payments/paynow/notify`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(signature === undefined ? {} : { signature }) },
    }).then(({ status }) => status)
  const sign = (body: string, key = paynowShop.signatureKey) => createHmac('sha256', key).update(body).digest('base64')
  const tell = (status: string, more: object = {}) =>
    JSON.stringify({ paymentId, externalId: id, status, modifiedAt: '2026-11-20T12:00:00', ...more })

  const paid = tell('CONFIRMED')
  expect(await notify(paid)).toBe(403)
  expect(await notify(paid, '')).toBe(403)
  expect(await notify(paid, sign(paid, 'another key'))).toBe(403)
  expect(await notify(paid, sign(tell('PENDING')))).toBe(403)
  expect(await notify('', sign('x'))).toBe(403)
  // Signed, but of no payment of ours, of a status nobody knows, or of somebody else's payment under our name.
  for (const odd of [
    tell('CONFIRMED', { externalId: randomUUID() }),
    tell('GREAT'),
    '[]',
    'no json',
    tell('CONFIRMED', { paymentId: world.paymentOf(theirs.id).paymentId }),
  ]) {
    expect(await notify(odd, sign(odd))).toBe(200)
  }
  await world.quiet()
  expect((await caller.call(getTransaction, { params: { id } })).status).toBe('NEW')
  expect([...(await movementsOf(caller)), ...(await movementsOf(other))]).toEqual([])
  const kept = await world.api.context.db
    .selectFrom('gateway_events')
    .select(['state', 'note'])
    .where('gateway', '=', 'paynow')
    .where('state', 'in', ['refused', 'ignored'])
    .execute()
  expect(kept.length).toBeGreaterThanOrEqual(9)

  // The truth still counts, and what is older than it does not.
  expect(await notify(paid, sign(paid))).toBe(200)
  expect((await settled(caller, id)).status).toBe('COMPLETED')
  for (const stale of [tell('NEW'), tell('PENDING'), tell('REJECTED'), tell('EXPIRED')])
    await notify(stale, sign(stale))
  await world.quiet()
  expect((await caller.call(getTransaction, { params: { id } })).status).toBe('COMPLETED')
  expect(await movementsOf(caller)).toEqual([5000])
  expect(walletOf(caller)).not.toBe('')
})
