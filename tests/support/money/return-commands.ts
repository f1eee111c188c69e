/** Money that goes back to its payer: asked for by us, given in a provider's panel, taken by a bank; and what comes again. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  enterChargeback,
  getTransactionReturns,
  refundTransaction,
  settlePaymentReturn,
} from '@wakestone/contract/money/payment-returns-routes'
import type { Command, Step } from './command.ts'
import { type Customer, type Deposit, moneyIn, outcomeOf } from './model.ts'
import type { Payment } from './payments.ts'
import { backOf, putBack, takeBack } from './returns.ts'
import { verifyBringer } from './rewards.ts'
import { paymentOf, readReturns, settle } from './settling.ts'
import type { World } from './world.ts'

type Paid = { deposit: Deposit; payment: Payment }
const patienceMilliseconds = 90_000

/** Payments of which something can go back; a second one for the same top-up is looked at by tests of its own. */
const paidOf = (customer: Customer): Paid[] =>
  customer.deposits.flatMap((deposit) => {
    const payment = paymentOf(deposit)
    const isOnly = deposit.topUps.filter((one) => one.payment !== undefined).length === 1
    return payment !== undefined && isOnly ? [{ deposit, payment }] : []
  })
const leftOf = ({ deposit }: Paid) => Math.max(0, deposit.amount - backOf(deposit))
const withSomeLeft = ({ customer }: Step) =>
  paidOf(customer).filter((paid) => leftOf(paid) > 0 && !paid.deposit.returns.some(({ isHeld }) => isHeld))
/** Whether nobody tells us: only where there is another way to learn of it. */
const isLost = ({ random }: Pick<Step, 'random'>, { isListed }: Payment) => isListed && random.chance(0.4)
const noted = (lost: boolean) => (lost ? ', told to nobody' : '')
const hasSomeLeft = (step: Step) => withSomeLeft(step).length > 0

const refund: Command = {
  name: 'refund a top-up',
  weight: 6,
  when: hasSomeLeft,
  async run(step) {
    const { world, customer, random, note } = step
    const paid = random.pick(withSomeLeft(step))
    const { deposit, payment } = paid
    const { currency } = deposit
    const params = { id: deposit.id }
    const left = leftOf(paid)
    // Credit never leaves to a payer.
    const most = Math.min(left, moneyIn(customer.purse[currency]))
    const shown = await world.admin.call(getTransactionReturns, { params })
    expect([shown.left.amount, shown.refundable.amount]).toEqual([left, most])
    const choice = random.next()
    const amount = choice < 0.2 ? most + 1 : choice < 0.5 ? Math.max(1, most) : 1 + random.below(Math.max(1, most))
    // What a bank once took is not refunded by all providers: such a refund ends at once, whatever they were to do.
    const wasTaken = deposit.returns.some(({ kind }) => kind === 'chargeback')
    const canHold = payment.endRefund !== undefined && !wasTaken
    const faults = ['cut', 'error', 'fail', 'fail', ...(canHold ? (['hold', 'hold', 'hold'] as const) : [])] as const
    const fault = random.chance(0.5) ? 'none' : random.pick(faults)
    note(`${amount} of ${left} ${currency}, ${most} at most, at ${payment.gateway}, which does ${fault}`)
    const idempotencyKey = randomUUID()
    const body = { amount, reason: 'a test' }
    const ask = () =>
      world.admin.call(refundTransaction, { params, body, idempotencyKey }).then(
        ({ id }) => ({ id, outcome: 'done' }),
        async (error: unknown) => ({ id: '', outcome: await outcomeOf(Promise.reject(error as Error)) }),
      )
    // Refunds of ours are asked about, whether or not anybody tells.
    if (amount <= most) payment.setRefundFault(fault, random.chance(0.3))
    const answers = await Promise.all([ask(), ask()])
    if (amount > most) {
      for (const { outcome } of answers)
        expect(['transaction_not_refundable', 'refund_exceeds_payment', 'refund_exceeds_balance']).toContain(outcome)
      return
    }
    const [one, other] = answers
    expect([one?.outcome, other]).toEqual(['done', one])
    const made = takeBack(customer, deposit, { id: one?.id ?? '', kind: 'refund', amount })
    made.isHeld = fault === 'hold'
    await verifyBringer(customer, currency)
  },
}

const heldOf = ({ customer }: Step) =>
  paidOf(customer).flatMap(({ deposit, payment }) =>
    deposit.returns.flatMap((made) => (made.isHeld ? [{ deposit, payment, made }] : [])),
  )

type Held = ReturnType<typeof heldOf>[number]

/** Until the provider has it in hand. @returns its name there, undefined where it never heard of it. */
async function findHeld(world: World, { payment, made }: Held): Promise<string | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const there = payment.refunds().find(({ name }) => name === made.id)
    if (there?.state === 'pending') {
      payment.setRefundFault('none')
      return there.id
    }
    await world.sendRefunds() // not asked for it yet
  }
  payment.setRefundFault('none')
  return undefined
}

/** A provider has had it in hand for a while, and then says how it ended, or never knew of it. */
async function endHeld(world: World, held: Held, isDone: boolean): Promise<void> {
  const id = await findHeld(world, held)
  if (id !== undefined) held.payment.endRefund?.(id, isDone)
  held.made.isHeld = false
}

const endRefund: Command = {
  name: 'a refund that waited ends',
  weight: 60, // one is seldom there
  when: (step) => heldOf(step).length > 0,
  async run(step) {
    const { world, customer, random, note } = step
    const held = random.pick(heldOf(step))
    const isDone = random.chance(0.5)
    note(`${held.made.amount}, ${isDone ? 'done' : 'failed'}`)
    await endHeld(world, held, isDone)
    await settle(world, customer)
  },
}

/** An administrator does not wait for its provider, and may be wrong: what is said to have failed may leave after all. */
const endByHand: Command = {
  name: 'a refund that waits is ended by hand',
  weight: 50,
  when: (step) => heldOf(step).length > 0,
  async run(step) {
    const { world, customer, random, note } = step
    const held = random.pick(heldOf(step))
    const { deposit, payment, made } = held
    const hasFailed = random.chance(0.7)
    const isDone = !hasFailed || random.chance(0.6)
    note(`${made.amount}, ${hasFailed ? 'failed' : 'done'} they say, and is ${isDone ? 'done' : 'failed'}`)
    const there = await findHeld(world, held)
    if (there === undefined) return
    const outcome = hasFailed ? 'FAILED' : 'COMPLETED'
    const body = { outcome, reason: 'a letter of the provider' } as const
    const settleIt = () => world.admin.call(settlePaymentReturn, { params: { id: made.id }, body })
    await Promise.all([settleIt(), settleIt()])
    made.isHeld = false
    if (hasFailed) putBack(customer, deposit, made, world.now())
    else made.state = 'gone'
    payment.endRefund?.(there, isDone)
    if (!hasFailed || !isDone) return
    const id = await hear(world, { deposit, payment })
    takeBack(customer, deposit, { id, kind: 'outside', amount: made.amount })
    await verifyBringer(customer, deposit.currency)
  },
}

/** Whatever waits for its provider's word has it: for the end of a history. */
export async function endAllHeld(step: Step): Promise<void> {
  for (const held of heldOf(step)) await endHeld(step.world, held, true)
}

const inPanel: Command = {
  name: 'refund in the panel of a provider',
  weight: 3,
  when: hasSomeLeft,
  async run(step) {
    const { world, customer, random, note } = step
    const paid = random.pick(withSomeLeft(step).filter(({ deposit }) => deposit.returns.length < 4))
    if (paid === undefined) return
    const { deposit, payment } = paid
    const left = leftOf(paid)
    const amount = random.chance(0.5) ? left : 1 + random.below(left)
    const lost = isLost(step, payment)
    note(`${amount} of ${left} ${deposit.currency} at ${payment.gateway}${noted(lost)}`)
    const begun = world.now()
    const name = payment.refundInPanel(amount, lost)
    if (lost) await compareSince(world, payment, begun)
    // Of whom tells nobody, administrators do.
    const id =
      name === undefined ? await hear(world, paid) : await enter(world, paid, { kind: 'outside', amount, name })
    takeBack(customer, deposit, { id, kind: 'outside', amount })
    await verifyBringer(customer, deposit.currency)
  },
}

/** Whether a bank may take it: nothing of it has gone back, so that it takes no more than there was. */
const isUntouched = ({ deposit }: Paid) => backOf(deposit) === 0 && deposit.returns.every(({ isHeld }) => !isHeld)

const chargeback: Command = {
  name: 'a bank takes a payment back',
  weight: 4,
  when: ({ customer }) => paidOf(customer).some(isUntouched),
  async run(step) {
    const { world, customer, random, note } = step
    const paid = random.pick(paidOf(customer).filter(isUntouched))
    const { deposit, payment } = paid
    const amount =
      payment.dispute !== undefined || random.chance(0.6) ? deposit.amount : 1 + random.below(deposit.amount)
    const lost = isLost(step, payment)
    note(`${amount} of ${deposit.amount} ${deposit.currency} at ${payment.gateway}${noted(lost)}`)
    const begun = world.now()
    let id: string
    if (payment.dispute === undefined) {
      world.providers.takeByLetter(payment, amount)
      id = await enter(world, paid, { kind: 'chargeback', amount, name: `CB-${randomUUID()}` })
    } else {
      payment.dispute.lose(lost)
      if (lost) await compareSince(world, payment, begun)
      id = await hear(world, paid)
    }
    takeBack(customer, deposit, { id, kind: 'chargeback', amount })
    await verifyBringer(customer, deposit.currency)
  },
}

const takenOf = (customer: Customer) =>
  paidOf(customer).flatMap(({ deposit, payment }) => {
    const made = deposit.returns.findLast(({ kind, state }) => kind === 'chargeback' && state === 'gone')
    return made === undefined ? [] : [{ deposit, payment, made }]
  })

const win: Command = {
  name: 'a payment that was taken back is won',
  weight: 5,
  when: ({ customer }) => takenOf(customer).length > 0,
  async run(step) {
    const { world, customer, random, note } = step
    const { deposit, payment, made } = random.pick(takenOf(customer))
    const lost = isLost(step, payment)
    note(`${made.amount} ${deposit.currency} at ${payment.gateway}${noted(lost)}`)
    const begun = world.now()
    if (payment.dispute === undefined) {
      world.providers.takeByLetter(payment, -made.amount)
      const settleIt = () =>
        world.admin.call(settlePaymentReturn, {
          params: { id: made.id },
          body: { outcome: 'RETURNED', reason: 'a letter of the bank' },
        })
      await Promise.all([settleIt(), settleIt()])
    } else {
      payment.dispute.win(lost)
      if (lost) await compareSince(world, payment, begun)
      await until(world, deposit, (all) => all.some(({ id, state }) => id === made.id && state === 'RETURNED'))
    }
    putBack(customer, deposit, made, world.now())
  },
}

type Entry = { kind: 'outside' | 'chargeback'; amount: number; name: string }

/** Somebody reads it in a letter or a panel, and notes it down, twice. */
async function enter(world: World, { deposit }: Paid, { kind, amount, name }: Entry): Promise<string> {
  const body = { kind, amount, reason: 'a letter', case_id: name }
  const ask = () => world.admin.call(enterChargeback, { params: { id: deposit.id }, body })
  const [one, other] = await Promise.all([ask(), ask()])
  expect(other.id).toBe(one.id)
  return one.id
}

/** The comparison at night of all that has happened at a provider since some moment. */
async function compareSince(world: World, { gateway }: Payment, from: number): Promise<void> {
  for (const at of new Set([dayOf(from), dayOf(world.now())])) await world.compareDay(gateway, new Date(at))
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The provider tells us, or the comparison has. @returns what we call it. */
async function hear(world: World, { deposit }: Paid): Promise<string> {
  const known = new Set(deposit.returns.map(({ id }) => id))
  const all = await until(world, deposit, (some) => some.some(({ id }) => !known.has(id)))
  const made = all.filter(({ id }) => !known.has(id))
  expect(made).toHaveLength(1)
  return made[0]?.id ?? ''
}

type Shown = Awaited<ReturnType<typeof readReturns>>

async function until(world: World, { id }: Deposit, isThere: (all: Shown) => boolean): Promise<Shown> {
  const end = performance.now() + patienceMilliseconds
  for (let looks = 1; ; looks++, await delay(10)) {
    if (looks % 10 > 0 && world.providers.isTelling(world.providers.paymentsOf(id))) continue
    await world.workOnce().catch(() => undefined) // what a crash cut off is tried again
    const all = await readReturns(world, [id])
    if (isThere(all)) return all
    if (performance.now() > end) throw new Error(`not heard of: ${JSON.stringify(all)}`)
  }
}

export const returnCommands: readonly Command[] = [refund, endRefund, endByHand, inPanel, chargeback, win]
