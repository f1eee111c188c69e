/** PayPal's words for an order and for what was taken: what each makes of a top-up in each of its states. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captureStatuses, orderStatuses } from '#src/adapters/payments/paypal/reading.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
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
  world = await startPaymentWorld({ jobs: false, paypal: true })
  caller = await world.signUp()
})
afterAll(() => world.close())

const amount = 1999
const money = { provider: 'paypal', amount, currency: 'EUR' } as const
// prettier-ignore
const orders: Table = {
  //                     NEW            PROCESSING     READY_TO_CAPTURE COMPLETED FAILED    CANCELLED
  CREATED:              ['=',           '=',           '=',           '=',      '=',       '='],
  SAVED:                ['=',           '=',           '=',           '=',      '=',       '='],
  PAYER_ACTION_REQUIRED:['=',           '=',           '=',           '=',      '=',       '='],
  // The money is taken at once, but of a top-up that is over.
  APPROVED:             ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=',      '=',       '='],
  VOIDED:               ['CANCELLED',   'CANCELLED',   'CANCELLED',   '=',      '=',       '='],
  // Without what was taken, which is what counts.
  COMPLETED:            ['PROCESSING',  '=',           '=',           '=',      '=',       '='],
  ON_HOLD:              ['=',           '=',           '=',           '=',      '=',       '='],
}
// prettier-ignore
const captures: Table = {
  COMPLETED:          ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=', 'COMPLETED +', 'COMPLETED +'],
  // It came in; what left again is another message.
  PARTIALLY_REFUNDED: ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=', 'COMPLETED +', 'COMPLETED +'],
  REFUNDED:           ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=', 'COMPLETED +', 'COMPLETED +'],
  PENDING:            ['PROCESSING',  '=',           '=',           '=', '=',           '='],
  DECLINED:           ['FAILED',      'FAILED',      'FAILED',      '=', '=',           'FAILED'],
  FAILED:             ['FAILED',      'FAILED',      'FAILED',      '=', '=',           'FAILED'],
  ON_HOLD:            ['=',           '=',           '=',           '=', '=',           '='],
}

test('the tables have every word that the adapter knows, and one that it does not', () => {
  expect(Object.keys(orders).toSorted()).toEqual([...Object.keys(orderStatuses), 'ON_HOLD'].toSorted())
  expect(Object.keys(captures).toSorted()).toEqual([...Object.keys(captureStatuses), 'ON_HOLD'].toSorted())
})

async function begin(from: Column) {
  const { id } = await deposit(caller, money)
  const order = world.paypalOrderOf(id)
  const lead: Partial<Record<Column, { status?: string; capture?: string }>> = {
    PROCESSING: { capture: 'PENDING' },
    COMPLETED: { capture: 'COMPLETED' },
    FAILED: { capture: 'DECLINED' },
    CANCELLED: { status: 'VOIDED' },
  }
  const word = lead[from]
  if (from === 'READY_TO_CAPTURE') await putInto(world.context, id, from)
  if (word !== undefined) await world.tell('paypal', world.paypal.letter(order.id, word))
  const before = await standingOf(world.context, id)
  expect(before.status).toBe(from)
  world.takeLog()
  return { id, orderId: order.id, before }
}
const loggedErrors = () => world.takeLog().flatMap(({ level, message }) => (level === 'error' ? message : []))
const errorsOf = (word: string) => (word === 'ON_HOLD' ? [expect.stringContaining('PAYMENT HELD')] : [])

describe('told of an order', () => {
  test.each(linesOf(orders))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, orderId, before } = await begin(from)
    world.paypal.become(orderId, { status: word })
    expect(await world.tell('paypal', world.paypal.letter(orderId, { status: word }))).toBe(200)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
})

describe('told of what was taken', () => {
  test.each(linesOf(captures))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, orderId, before } = await begin(from)
    expect(await world.tell('paypal', world.paypal.letter(orderId, { capture: word }))).toBe(200)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
})

describe('asked', () => {
  const isAsked = ({ from }: { from: Column }) => from === 'NEW'
  test.each(linesOf(orders, isAsked))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, orderId, before } = await begin(from)
    world.paypal.become(orderId, { status: word })
    await world.poll(id)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
  test.each(linesOf(captures, isAsked))(
    'what was taken is $word, of a top-up that is $from: $cell',
    async ({ word, from, cell }) => {
      const { id, orderId, before } = await begin(from)
      world.paypal.become(orderId, { status: 'COMPLETED', capture: word })
      await world.poll(id)
      expectCell(cell, { before, after: await standingOf(world.context, id), amount })
      expect(loggedErrors()).toEqual(errorsOf(word))
    },
  )
})

describe('errors at the creation of an order', () => {
  test.each<[status: number, issue: string, left: string]>([
    [400, 'INVALID_PARAMETER_VALUE', 'FAILED'],
    [403, 'PERMISSION_DENIED', 'FAILED'],
    [422, 'CURRENCY_NOT_SUPPORTED', 'FAILED'],
    [422, 'PAYEE_ACCOUNT_RESTRICTED', 'FAILED'],
    [401, 'INVALID_TOKEN', 'NEW'],
    [409, 'RESOURCE_CONFLICT', 'NEW'],
    [429, 'RATE_LIMIT_REACHED', 'NEW'],
    [500, 'INTERNAL_SERVER_ERROR', 'NEW'],
    [503, 'SERVICE_UNAVAILABLE', 'NEW'],
  ])('%i %s is provider_unavailable, and leaves the top-up %s', async (status, code, left) => {
    world.paypal.setFaults({ faults: { createRefusal: { status, code } } })
    const key = randomUUID()
    const refused = await refusalOf(deposit(caller, money, key))
    world.paypal.clearFaults()
    expect(refused.error).toBe('provider_unavailable')
    const again = await deposit(caller, money, key)
    expect(again.status).toBe(left)
    expect(again.redirect_url === null).toBe(left === 'FAILED')
  })
})

test('what is given back is in the state that each of PayPal’s words means', async () => {
  const { id } = await deposit(caller, money)
  const { id: orderId } = world.paypalOrderOf(id)
  world.paypal.become(orderId, { status: 'COMPLETED', capture: 'COMPLETED' })
  const order = { orderId, externalId: id, paymentId: null, currency: money.currency }
  const paypal = world.gateways.find('paypal')
  const externalId = randomUUID()
  const asked = { order, externalId, amount, currency: money.currency, description: 'Refund', reason: 'other' } as const
  expect(await paypal?.refund?.(asked)).toMatchObject({ kind: 'made', refund: { status: 'done', amount } })
  const refund = world.paypalOrderOf(id).captures[0]?.refunds[0]
  const words = { PENDING: 'pending', COMPLETED: 'done', FAILED: 'failed', CANCELLED: 'cancelled' }
  for (const [word, status] of Object.entries(words)) {
    Object.assign(refund ?? {}, { status: word })
    const found = await paypal?.findRefund?.({ refundId: refund?.id ?? '', externalId, order })
    expect(found).toMatchObject({ status, gatewayStatus: word, externalId })
  }
})
