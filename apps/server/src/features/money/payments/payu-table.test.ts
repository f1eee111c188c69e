/** PayU's words for an order, and its errors: what each makes of a top-up in each of its states. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderStatuses, refundStatuses } from '#src/adapters/payments/payu/gateway.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { payuEuroKeys, payuKeys } from '../../../../../../tests/support/gateways.ts'
import { deposit, startPaymentWorld, type World } from '../../../../../../tests/support/payment-world.ts'
import {
  type Column,
  expectCell,
  linesOf,
  putInto,
  standingOf,
  type Table,
} from '../../../../../../tests/support/status-table.ts'
import { refusalOf } from '../../../../../../tests/support/outcome.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  const { posId, clientId, clientSecret, secondKey } = payuEuroKeys
  const euros = {
    PAYU_POS_ID_EUR: posId,
    PAYU_CLIENT_ID_EUR: clientId,
    PAYU_CLIENT_SECRET_EUR: clientSecret,
    PAYU_SECOND_KEY_EUR: secondKey,
  }
  world = await startPaymentWorld({ jobs: false, env: { ...euros, PAYU_CURRENCIES: 'PLN,EUR' } })
  caller = await world.signUp()
})
afterAll(() => world.close())

const amount = 5000
// prettier-ignore
const table: Table = {
  //                         NEW            PROCESSING     READY_TO_CAPTURE COMPLETED FAILED        CANCELLED
  NEW:                      ['=',           '=',           '=',           '=',      '=',           '='],
  PENDING:                  ['PROCESSING',  '=',           '=',           '=',      '=',           '='],
  // The money is taken at once, but of a top-up that is over.
  WAITING_FOR_CONFIRMATION: ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=',      '=',           '='],
  COMPLETED:                ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=',      'COMPLETED +', 'COMPLETED +'],
  CANCELED:                 ['CANCELLED',   'CANCELLED',   'CANCELLED',   '=',      '=',           '='],
  REJECTED:                 ['FAILED',      'FAILED',      'FAILED',      '=',      '=',           'FAILED'],
  // A word that PayU's documents do not have.
  ON_HOLD:                  ['=',           '=',           '=',           '=',      '=',           '='],
}
/** The word that leads to each state. */
const wordOf: Partial<Record<Column, string>> = {
  PROCESSING: 'PENDING',
  COMPLETED: 'COMPLETED',
  FAILED: 'REJECTED',
  CANCELLED: 'CANCELED',
}

test('the table has every word that the adapter knows, and one that it does not', () => {
  expect(Object.keys(table).toSorted()).toEqual([...Object.keys(orderStatuses), 'ON_HOLD'].toSorted())
})

async function begin(from: Column) {
  const { id } = await deposit(caller, { provider: 'payu', amount })
  const { orderId } = world.orderOf(id)
  const say = (status: string, more: object = {}) => world.tell('payu', world.payu.letter(orderId, { status, ...more }))
  const word = wordOf[from]
  if (from === 'READY_TO_CAPTURE') await putInto(world.context, id, from)
  if (word !== undefined) await say(word)
  const before = await standingOf(world.context, id)
  expect(before.status).toBe(from)
  world.takeLog()
  return { id, orderId, before, say }
}
const loggedErrors = () => world.takeLog().flatMap(({ level, message }) => (level === 'error' ? message : []))

describe('told', () => {
  test.each(linesOf(table))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, orderId, before, say } = await begin(from)
    world.payu.become(orderId, from === 'COMPLETED' ? 'COMPLETED' : word)
    expect(await say(word)).toBe(200)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(word === 'ON_HOLD' ? [expect.stringContaining('PAYMENT HELD')] : [])
  })
})

describe('asked', () => {
  // Of these the worker asks, and the nightly comparison.
  const isAsked = ({ from }: { from: Column }) => from === 'NEW' || from === 'FAILED'
  test.each(linesOf(table, isAsked))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, orderId, before } = await begin(from)
    world.payu.become(orderId, word)
    await world.poll(id)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(word === 'ON_HOLD' ? [expect.stringContaining('PAYMENT HELD')] : [])
  })
})

describe('errors at the creation of an order', () => {
  const answers: [status: number, code: string, error: string, left: string][] = [
    [400, 'ERROR_VALUE_INVALID', 'provider_unavailable', 'FAILED'],
    [400, 'ERROR_VALUE_MISSING', 'provider_unavailable', 'FAILED'],
    [400, 'ERROR_SYNTAX', 'provider_unavailable', 'FAILED'],
    [400, 'ERROR_INCONSISTENT_CURRENCIES', 'provider_unavailable', 'FAILED'],
    [403, 'UNAUTHORIZED_REQUEST', 'provider_unavailable', 'FAILED'],
    [401, 'UNAUTHORIZED', 'provider_unavailable', 'NEW'],
    [400, 'ERROR_ORDER_NOT_UNIQUE', 'provider_unavailable', 'NEW'],
    [408, 'TIMEOUT', 'provider_unavailable', 'NEW'],
    [429, 'TOO_MANY_REQUESTS', 'provider_unavailable', 'NEW'],
    [500, 'ERROR_INTERNAL', 'provider_unavailable', 'NEW'],
    [503, 'SERVICE_NOT_AVAILABLE', 'provider_unavailable', 'NEW'],
  ]
  test.each(answers)('%i %s is %s, and leaves the top-up %s', async (status, code, error, left) => {
    world.payu.setFaults({ faults: { lose: true, createRefusal: { status, code } } })
    const key = randomUUID()
    const refused = await refusalOf(deposit(caller, { provider: 'payu', amount }, key))
    world.payu.setFaults({ faults: { lose: true } })
    expect(refused.error).toBe(error)
    // The same request again goes on where something may still come of it.
    const again = await deposit(caller, { provider: 'payu', amount }, key)
    expect(again.status).toBe(left)
    expect(again.redirect_url === null).toBe(left === 'FAILED')
  })
})

describe('another point of sale for another currency', () => {
  const beginInEuros = async (status: string) => {
    const { id } = await deposit(caller, { provider: 'payu', amount, currency: 'EUR' })
    const order = world.orderOf(id)
    expect(order.request).toMatchObject({ merchantPosId: payuEuroKeys.posId, currencyCode: 'EUR' })
    world.payu.become(order.orderId, status)
    return { id, orderId: order.orderId }
  }
  const paid = { status: 'COMPLETED', credited: [amount] }

  test('is asked about its orders, takes their money, and tells of them', async () => {
    const [asked, taken, told] = [
      await beginInEuros('COMPLETED'),
      await beginInEuros('WAITING_FOR_CONFIRMATION'),
      await beginInEuros('NEW'),
    ]
    await world.poll(asked.id)
    await world.poll(taken.id)
    expect(await world.tell('payu', world.payu.letter(told.orderId, { status: 'COMPLETED' }))).toBe(200)
    for (const { id } of [asked, taken, told]) expect(await standingOf(world.context, id)).toEqual(paid)
  })

  test('is not believed about the orders of the first', async () => {
    const { id } = await deposit(caller, { provider: 'payu', amount })
    const { orderId } = world.orderOf(id)
    world.takeLog()
    const more = { status: 'COMPLETED', merchantPosId: payuEuroKeys.posId }
    expect(await world.tell('payu', world.payu.letter(orderId, more))).toBe(200)
    expect(await standingOf(world.context, id)).toEqual({ status: 'NEW', credited: [] })
    expect(loggedErrors()).toEqual([expect.stringContaining('PAYMENT MISMATCH')])
    expect(world.orderOf(id).request.merchantPosId).toBe(payuKeys.posId)
  })

  test('gives back what it took', async () => {
    const { id, orderId } = await beginInEuros('COMPLETED')
    const externalId = randomUUID()
    const order = { orderId, externalId: id, paymentId: orderId, currency: 'EUR' }
    const payu = world.gateways.find('payu')
    const asked = { order, externalId, amount, currency: 'EUR', description: 'Refund', reason: 'other' } as const
    const made = await payu?.refund?.(asked)
    expect(made).toMatchObject({ kind: 'made', refund: { externalId, amount, currency: 'EUR', status: 'pending' } })
    for (const [word, status] of Object.entries(refundStatuses)) {
      // Another one of its name in its place, which nothing moves on by itself.
      const { refunds } = world.orderOf(id)
      for (const refund of refunds.splice(0)) refunds.push({ ...refund, status: word as typeof refund.status })
      const found = await payu?.findRefund?.({ refundId: null, externalId, order })
      expect(found).toMatchObject({ status, gatewayStatus: word })
    }
  })
})
