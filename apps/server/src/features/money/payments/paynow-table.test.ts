/** PayNow's words for a payment, by redirect and by a BLIK code, and its errors: what each makes of a top-up. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getTransaction } from '@wakestone/contract/money/transactions-routes'
import { orderStatuses, refundStatuses } from '#src/adapters/payments/paynow/gateway.ts'
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
  world = await startPaymentWorld({ jobs: false })
  caller = await world.signUp()
})
afterAll(() => world.close())

const amount = 5000
// prettier-ignore
const table: Table = {
  //                         NEW            PROCESSING     READY_TO_CAPTURE COMPLETED FAILED        CANCELLED
  NEW:                      ['=',           '=',           '=',           '=',      '=',           '='],
  PENDING:                  ['PROCESSING',  '=',           '=',           '=',      '=',           '='],
  // Two words of PayNow's own SDK that its documents lack.
  WAITING_FOR_CONFIRMATION: ['PROCESSING',  '=',           '=',           '=',      '=',           '='],
  CANCELLED:                ['CANCELLED',   'CANCELLED',   'CANCELLED',   '=',      '=',           '='],
  CONFIRMED:                ['COMPLETED +', 'COMPLETED +', 'COMPLETED +', '=',      'COMPLETED +', 'COMPLETED +'],
  REJECTED:                 ['FAILED',      'FAILED',      'FAILED',      '=',      '=',           'FAILED'],
  ERROR:                    ['FAILED',      'FAILED',      'FAILED',      '=',      '=',           'FAILED'],
  EXPIRED:                  ['CANCELLED',   'CANCELLED',   'CANCELLED',   '=',      '=',           '='],
  // The payer goes on with another payment, whose own words count.
  ABANDONED:                ['=',           '=',           '=',           '=',      '=',           '='],
  // A word that nobody has heard yet.
  ON_HOLD:                  ['=',           '=',           '=',           '=',      '=',           '='],
}
/** The word that leads to each state. */
const wordOf: Partial<Record<Column, string>> = {
  PROCESSING: 'PENDING',
  COMPLETED: 'CONFIRMED',
  FAILED: 'REJECTED',
  CANCELLED: 'EXPIRED',
}

test('the table has every word that the adapter knows, and one that it does not', () => {
  expect(Object.keys(table).toSorted()).toEqual([...Object.keys(orderStatuses), 'ON_HOLD'].toSorted())
})

async function begin(how: 'paynow' | 'blik', from: Column) {
  // A code that waits for its payer in the bank's app.
  const { id } = await deposit(caller, { provider: how, amount, ...(how === 'blik' && { code: '222222' }) })
  const { paymentId } = world.paymentOf(id)
  const say = (status: string) => world.tell('paynow', world.paynow.letter(paymentId, { status }))
  const word = wordOf[from]
  if (from === 'READY_TO_CAPTURE') await putInto(world.context, id, from)
  if (word !== undefined) await say(word)
  const before = await standingOf(world.context, id)
  expect(before.status).toBe(from)
  world.takeLog()
  return { id, paymentId, before, say }
}
const loggedErrors = () => world.takeLog().flatMap(({ level, message }) => (level === 'error' ? message : []))
const errorsOf = (word: string) => (word === 'ON_HOLD' ? [expect.stringContaining('PAYMENT HELD')] : [])

describe('told of a payment on PayNow’s page', () => {
  test.each(linesOf(table))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, before, say } = await begin('paynow', from)
    expect(await say(word)).toBe(200)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
})

describe('told of a payment by a BLIK code', () => {
  // Whose payment is under way when it begins.
  const isReached = ({ from }: { from: Column }) => from === 'PROCESSING'
  test.each(linesOf(table, isReached))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, before, say } = await begin('blik', from)
    expect(await say(word)).toBe(200)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
})

describe('asked', () => {
  // Of these the worker asks, and the nightly comparison.
  const isAsked = ({ from }: { from: Column }) => from === 'NEW' || from === 'FAILED'
  test.each(linesOf(table, isAsked))('$word of a top-up that is $from: $cell', async ({ word, from, cell }) => {
    const { id, paymentId, before } = await begin('paynow', from)
    world.paynow.become(paymentId, word)
    await world.poll(id)
    expectCell(cell, { before, after: await standingOf(world.context, id), amount })
    expect(loggedErrors()).toEqual(errorsOf(word))
  })
})

type Answer = [status: number, code: string, error: string, left: string]
describe('errors at the creation of a payment', () => {
  const answers: Answer[] = [
    [400, 'VALIDATION_ERROR', 'provider_unavailable', 'FAILED'],
    [400, 'PAYMENT_AMOUNT_TOO_SMALL', 'provider_unavailable', 'FAILED'],
    [400, 'PAYMENT_AMOUNT_TOO_LARGE', 'provider_unavailable', 'FAILED'],
    [404, 'NOT_FOUND', 'provider_unavailable', 'FAILED'],
    [401, 'UNAUTHORIZED', 'provider_unavailable', 'NEW'],
    [401, 'VERIFICATION_FAILED', 'provider_unavailable', 'NEW'],
    [409, 'CONFLICT', 'provider_unavailable', 'NEW'],
    [429, 'RATE_LIMIT_REACHED', 'provider_unavailable', 'NEW'],
    [500, 'SYSTEM_TEMPORARILY_UNAVAILABLE', 'provider_unavailable', 'NEW'],
    [504, 'SYSTEM_TEMPORARILY_UNAVAILABLE', 'provider_unavailable', 'NEW'],
  ]
  test.each(answers)('%i %s is %s, and leaves the top-up %s', async (status, code, error, left) => {
    world.paynow.setFaults({ faults: { createRefusal: { status, code } } })
    const key = randomUUID()
    const refused = await refusalOf(deposit(caller, { provider: 'paynow', amount }, key))
    world.paynow.clearFaults()
    expect(refused.error).toBe(error)
    // The same request again goes on where something may still come of it.
    const again = await deposit(caller, { provider: 'paynow', amount }, key)
    expect(again.status).toBe(left)
    expect(again.redirect_url === null).toBe(left === 'FAILED')
  })

  const codes: Answer[] = [
    [400, 'AUTHORIZATION_CODE_INVALID', 'blik_code_invalid', 'NEW'],
    [400, 'AUTHORIZATION_CODE_EXPIRED', 'blik_code_expired', 'NEW'],
    [400, 'AUTHORIZATION_CODE_USED', 'blik_code_used', 'NEW'],
    [400, 'VALIDATION_ERROR', 'provider_unavailable', 'FAILED'],
    [504, 'SYSTEM_TEMPORARILY_UNAVAILABLE', 'provider_unavailable', 'NEW'],
  ]
  test.each(codes)('by a BLIK code: %i %s is %s, and leaves the top-up %s', async (status, code, error, left) => {
    world.paynow.setFaults({ faults: { createRefusal: { status, code } } })
    const key = randomUUID()
    const refused = await refusalOf(deposit(caller, { provider: 'blik', amount, code: '222222' }, key))
    world.paynow.clearFaults()
    expect(refused.error).toBe(error)
    const id = String(refused.fields?.['transaction_id'] ?? (await newest()))
    const shown = await caller.call(getTransaction, { params: { id } })
    expect(shown).toMatchObject({ status: left, wants_code: left === 'NEW' })
  })
  const newest = async () =>
    (await world.context.db.selectFrom('transactions').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
})

test('what is given back is in the state that each of PayNow’s words means', async () => {
  const { id } = await deposit(caller, { provider: 'paynow', amount })
  const { paymentId } = world.paymentOf(id)
  world.paynow.become(paymentId, 'CONFIRMED')
  const order = { orderId: paymentId, externalId: id, paymentId, currency: 'PLN' }
  const paynow = world.gateways.find('paynow')
  const externalId = randomUUID()
  const asked = { order, externalId, amount, currency: 'PLN', description: 'Refund', reason: 'other' } as const
  expect(await paynow?.refund?.(asked)).toMatchObject({
    kind: 'made',
    refund: { status: 'pending', gatewayStatus: 'NEW' },
  })
  const refund = world.paynow.refunds().find((one) => one.paymentId === paymentId)
  for (const [word, status] of Object.entries(refundStatuses)) {
    if (word === 'NEW') continue // as it was made; it does not stay so
    Object.assign(refund ?? {}, { status: word })
    const found = await paynow?.findRefund?.({ refundId: refund?.refundId ?? '', externalId, order })
    expect(found).toMatchObject({ status, gatewayStatus: word })
  }
})
