/**
 * Messages come in any order, any number of times, or not at all, with lies among them. What a top-up comes to depends on
 * what is true, and on nothing else.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderStatus } from '#src/adapters/payments/gateway.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import {
  amount,
  type History,
  paynow,
  paypal,
  payu,
  type Provider,
} from '../../../../../../tests/support/payment-messages.ts'
import { startPaymentWorld, type World } from '../../../../../../tests/support/payment-world.ts'
import { standingOf } from '../../../../../../tests/support/status-table.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  world = await startPaymentWorld({ jobs: false, paypal: true })
  caller = await world.signUp()
})
afterAll(() => world.close())

/** A message about a word of an order's, or a lie. */
type Message = { order: number; word: number } | { lie: string }
/** Words of each order, as text. */
const history = (...orders: string[]): History => orders.map((words) => words.split(' '))

/** What is known after these messages, and after each order that is known of was asked about. */
function expectedOf({ meaning }: Provider, orders: History, messages: readonly Message[]) {
  const heard = orders.map((words, order) =>
    messages.flatMap((message) => ('word' in message && message.order === order ? (words[message.word] ?? []) : [])),
  )
  // The first order is known from its creation; those that follow it, from messages alone.
  const known = heard.flatMap((words, order) => {
    if (order > 0 && words.length === 0) return []
    return [new Set([...words, ...(orders[order]?.slice(-1) ?? [])].map(meaning))]
  })
  const isSaid = (status: OrderStatus) => known.some((words) => words.has(status))
  const credited = known.filter((words) => words.has('paid')).map(() => amount)
  if (credited.length > 0) return { status: 'COMPLETED', credited }
  if (isSaid('refused')) return { status: 'FAILED', credited }
  if (isSaid('cancelled')) return { status: 'CANCELLED', credited }
  return { status: isSaid('pending') ? 'PROCESSING' : 'NEW', credited }
}

async function happen(provider: Provider, orders: History, messages: readonly Message[]) {
  const { gateway } = provider
  const begun = await provider.begin(world, caller, orders)
  for (const message of messages) {
    if ('lie' in message) {
      const answer = await world.tell(gateway, begun.lie(message.lie))
      expect([message.lie, answer]).toEqual([message.lie, provider.unsigned.includes(message.lie) ? 403 : 200])
    } else {
      const letter = begun.letter(message.order, orders[message.order]?.[message.word] ?? '')
      expect(await world.tell(gateway, letter)).toBe(200)
    }
  }
  await world.poll(begun.id)
  expect(await standingOf(world.context, begun.id)).toEqual(expectedOf(provider, orders, messages))
}

const messagesOf = ({ signed, unsigned }: Provider, orders: History): fc.Arbitrary<Message[]> => {
  const truths = orders.flatMap((words, order) => words.map((_word, word): Message => ({ order, word })))
  const lies = [...signed, ...unsigned].map((lie): Message => ({ lie }))
  return fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...truths) }, fc.constantFrom(...lies)), {
    maxLength: 8,
  })
}
type Run = [orders: History, messages: Message[]]
const runs = (provider: Provider, histories: fc.Arbitrary<History>): fc.Arbitrary<Run> =>
  histories.chain((orders) => fc.tuple(fc.constant(orders), messagesOf(provider, orders)))

const say = (order: number, ...words: number[]): Message[] => words.map((word) => ({ order, word }))

describe('whatever was told, in which order and how often', () => {
  test('PayU', async () => {
    const paid = history('NEW PENDING COMPLETED')
    const reserved = history('PENDING WAITING_FOR_CONFIRMATION COMPLETED')
    const refused = history('PENDING REJECTED CANCELED')
    // Paid after it had been called off.
    const late = history('PENDING CANCELED COMPLETED')
    const others = ['PENDING CANCELED', 'PENDING WAITING_FOR_CONFIRMATION CANCELED', 'NEW PENDING'].map((one) =>
      history(one),
    )
    const histories = fc.constantFrom(paid, reserved, refused, late, ...others)
    await fc.assert(
      fc.asyncProperty(runs(payu, histories), ([orders, messages]) => happen(payu, orders, messages)),
      {
        numRuns: isLong ? 14 : 5,
        examples: [
          [[paid, []]],
          [[paid, say(0, 2, 1, 0, 2)]],
          [[reserved, say(0, 1, 1, 2, 0)]],
          [[refused, say(0, 2, 1, 0)]],
          [[refused, say(0, 1, 2)]],
          [[late, [...say(0, 2, 1), { lie: 'amount' }, ...say(0, 0)]]],
        ],
      },
    )
  }, 60_000)

  test('PayNow, where payers begin anew', async () => {
    const ends = ['NEW PENDING CONFIRMED', 'PENDING REJECTED', 'PENDING REJECTED CONFIRMED', 'NEW EXPIRED', 'NEW ERROR']
    const left = [
      'NEW ABANDONED',
      'NEW PENDING ABANDONED',
      'PENDING REJECTED ABANDONED',
      // Confirmed after all, beside the one that followed: the payer has paid twice.
      'PENDING ABANDONED CONFIRMED',
    ]
    const histories = fc
      .tuple(fc.array(fc.constantFrom(...left), { maxLength: 2 }), fc.constantFrom(...ends))
      .map(([before, end]) => history(...before, end))
    const refusedFirst = history('PENDING REJECTED ABANDONED', 'NEW EXPIRED')
    await fc.assert(
      fc.asyncProperty(runs(paynow, histories), ([orders, messages]) => happen(paynow, orders, messages)),
      {
        numRuns: isLong ? 18 : 5,
        examples: [
          [[history('NEW ABANDONED', 'NEW PENDING CONFIRMED'), say(1, 2, 0, 2)]],
          // The message about the second is lost: only the first is known.
          [[history('PENDING ABANDONED', 'CONFIRMED'), say(0, 1, 0)]],
          [[refusedFirst, [...say(1, 0), ...say(0, 1, 2), ...say(1, 1)]]],
          [[refusedFirst, [...say(1, 1), ...say(0, 2, 1)]]],
          [[refusedFirst, [...say(0, 1), ...say(1, 1)]]],
          [[history('NEW EXPIRED REJECTED'), say(0, 1, 2)]],
          [[history('PENDING ABANDONED CONFIRMED', 'CONFIRMED'), [...say(1, 0), ...say(0, 2, 2)]]],
          [[history('NEW EXPIRED'), [{ lie: 'shop' }, { lie: 'altered' }, ...say(0, 1, 0)]]],
        ],
      },
    )
  }, 60_000)

  test('PayPal', async () => {
    const taken = history('PAYER_ACTION_REQUIRED APPROVED >COMPLETED')
    const settled = history('PAYER_ACTION_REQUIRED APPROVED >PENDING >COMPLETED')
    const declined = history('PAYER_ACTION_REQUIRED APPROVED >PENDING >DECLINED')
    const others = ['APPROVED >FAILED', 'CREATED VOIDED', 'CREATED SAVED'].map((one) => history(one))
    const histories = fc.constantFrom(taken, settled, declined, ...others)
    await fc.assert(
      fc.asyncProperty(runs(paypal, histories), ([orders, messages]) => happen(paypal, orders, messages)),
      {
        numRuns: isLong ? 12 : 5,
        examples: [
          [[taken, say(0, 2, 1, 2, 0)]],
          [[settled, say(0, 3, 2, 1)]],
          [[declined, say(0, 3, 1, 2)]],
          [[settled, [{ lie: 'stale' }, { lie: 'amount' }, ...say(0, 2)]]],
        ],
      },
    )
  }, 60_000)
})

describe.each([payu, paynow, paypal])('a lie in the name of $gateway', (provider) => {
  const { gateway } = provider
  const stateOf = async () =>
    world.context.db
      .selectFrom('gateway_events')
      .select(['id', 'state', 'note'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()

  test.each(provider.unsigned)('%s: is refused, kept and logged, and changes nothing', async (kind) => {
    const { id, lie } = await provider.begin(world, caller, history('NEW'))
    world.takeLog()
    expect(await world.tell(gateway, lie(kind))).toBe(403)
    expect(await standingOf(world.context, id)).toEqual({ status: 'NEW', credited: [] })
    const event = await stateOf()
    expect(event).toMatchObject({ state: 'refused', note: 'signature' })
    expect(world.takeLog()).toEqual([
      {
        level: 'warn',
        fields: { event: event.id, gateway },
        message: 'a notification in the name of a gateway is not signed by it',
      },
    ])
  })

  test.each(provider.signed)('other %s, but signed: is kept and logged, and changes nothing', async (kind) => {
    const { id, lie } = await provider.begin(world, caller, history('NEW'))
    world.takeLog()
    expect(await world.tell(gateway, lie(kind))).toBe(200)
    expect(await standingOf(world.context, id)).toEqual({ status: 'NEW', credited: [] })
    expect(await stateOf()).toMatchObject({ state: 'ignored', note: 'mismatch' })
    expect(world.takeLog()).toEqual([
      {
        level: 'error',
        fields: expect.objectContaining({ transaction: id, gateway, source: 'notification' }) as object,
        message: expect.stringContaining('PAYMENT MISMATCH') as string,
      },
    ])
  })
})
