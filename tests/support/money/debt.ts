/** By what something is paid: the wallet, an affiliate's share, or a bill; and what that makes of what one has. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { payOutAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { getPayLater, payBill } from '@wakestone/contract/sales/pay-later-routes'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import type { Command, Step } from './command.ts'
import {
  balanceOf,
  blurOrder,
  charge,
  type Customer,
  currencies,
  expectWithin,
  give,
  hasDebts,
  outcomeOf,
  payOff,
  type Spent,
} from './model.ts'
import { backOf, topUpsOf } from './returns.ts'
import { earningsOf } from './rewards.ts'
import { type Currency, day, payLater } from './rules.ts'
import type { World } from './world.ts'

type Price = {
  currency: Currency
  price: number
  /** Not what runs already, but something that nobody gets who owes. */
  isNew?: boolean
}
/** By what it is paid this time, and what then comes of asking. */
export type Funds = { method: PaymentMethod; outcome: string }

export async function fundsFor(step: Step, { currency, price, isNew = false }: Price): Promise<Funds> {
  const { customer, random } = step
  const choice = random.next()
  const outcome = isNew && hasDebts(customer) ? 'user_has_debts' : 'done'
  if (choice < 0.06 && customer.brought.some(({ programme }) => programme === 'affiliate')) {
    const { available } = await earningsOf(customer, currency)
    return { method: 'affiliate', outcome: price <= available ? outcome : 'affiliate_has_not_funds' }
  }
  if (choice < 0.16) {
    const { available } = await creditLineOf(step, currency)
    return { method: 'pay-later', outcome: price <= available ? outcome : 'pay_later_not_available' }
  }
  const isPaid = price <= balanceOf(customer, currency)
  return { method: 'wallet', outcome: isPaid || outcome !== 'done' ? outcome : 'wallet_has_not_funds' }
}

/** Writes down what a purchase took. */
export async function spend(
  { world, customer }: Step,
  { method }: Funds,
  given: Price & { begun: number },
): Promise<Spent> {
  const { currency, price, begun } = given
  if (method === 'wallet') return charge(customer, currency, price)
  // The wallet is lent, or given, just what is spent, as credit: it holds what it held.
  const spent = { money: 0, credit: price }
  if (method === 'affiliate') customer.paidOut[currency] += price
  if (method !== 'pay-later') return spent
  const { bills } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const known = new Set(customer.bills.map(({ id }) => id))
  const made = bills.filter(({ id, state }) => state === 'open' && !known.has(id))
  expect(made.map(({ amount }) => amount)).toEqual([{ amount: price, currency }])
  const due = Date.parse(made[0]?.due_at ?? '')
  expectWithin(due, [begun + payLater.days * day, world.now() + payLater.days * day], 'when a bill is due')
  customer.bills.push({ id: made[0]?.id ?? '', currency, amount: price, due, spent })
  return spent
}

/** What may be owed on bills, and is: compared with what the rules make of the history. */
async function creditLineOf({ world, customer }: Step, currency: Currency): Promise<{ available: number }> {
  const { limits, refusal } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const shown = limits.find((one) => one.currency === currency)
  const open = customer.bills.filter((one) => one.currency === currency).reduce((sum, { amount }) => sum + amount, 0)
  expect(shown?.open).toBe(open)
  const { deposits } = customer
  // What went back is taken off, also of payments that are too old to count.
  const old = deposits.some(({ made }) => made < world.now() - 364 * day)
  const own = topUpsOf(customer, currency)
  const paid = own.reduce((sum, { amount }) => sum + amount, 0)
  const back = deposits.filter((one) => one.currency === currency).reduce((sum, one) => sum + neverCameBack(one), 0)
  const most = Math.min(payLater.most, Math.floor((Math.max(0, paid - back) * payLater.percent) / 100))
  const isBad = customer.wasOverdue || deposits.some(({ returns }) => returns.some(isTaken))
  const isRefused = isBad || paymentsOf(customer) < payLater.payments
  const age = world.now() - customer.created - payLater.accountDays * day
  if (isRefused || age < 0) expect(refusal, 'why nothing may be owed').not.toBeNull()
  else if (age > 60_000) expect(refusal, 'why nothing may be owed').toBeNull()
  if (old) expectWithin(shown?.limit ?? -1, [0, Math.min(payLater.most, Math.floor(paid / 2))], 'how much may be owed')
  else expect(shown?.limit, `how much may be owed (${refusal})`).toBe(refusal === null ? most : 0)
  expect(shown?.available).toBe(Math.max(0, (shown?.limit ?? 0) - open))
  return { available: shown?.available ?? 0 }
}

const isTaken = ({ kind, state }: Customer['deposits'][number]['returns'][number]) =>
  kind === 'chargeback' && state === 'gone'
/** Those that did not go back whole; of two for one top-up none does here. */
const paymentsOf = ({ deposits }: Customer) =>
  deposits
    .filter((one) => backOf(one) < one.amount)
    .flatMap(({ topUps }) => topUps.filter(({ payment }) => payment !== undefined)).length
/** All that ever went back of a payment: what came again is a top-up of its own. */
const neverCameBack = ({ returns }: Customer['deposits'][number]) =>
  returns.reduce((sum, { amount }) => sum + amount, 0)

const payOut: Command = {
  name: 'have shares paid out',
  weight: 4,
  when: ({ customer }) => customer.brought.some(({ programme }) => programme === 'affiliate'),
  async run({ customer, random, note }) {
    const currency = random.chance(0.6) ? 'PLN' : random.pick(currencies)
    const { available } = await earningsOf(customer, currency)
    const amount = random.chance(0.25) ? available + 1 + random.below(50) : 1 + random.below(available + 1)
    note(`${amount} of ${available} ${currency}`)
    const idempotencyKey = randomUUID()
    const ask = () =>
      outcomeOf(
        customer.call(payOutAffiliate, {
          params: { id: customer.userId },
          body: { wallet_id: customer.wallets[currency], amount },
          idempotencyKey,
        }),
      )
    const outcome = amount <= available ? 'done' : 'affiliate_has_not_funds'
    expect(await Promise.all([ask(), ask()])).toEqual([outcome, outcome])
    if (outcome !== 'done') return
    customer.paidOut[currency] += amount
    give(customer, currency, amount, { isCredit: true })
  },
}

const settleBill: Command = {
  name: 'pay a bill',
  weight: 15,
  when: ({ customer }) => customer.bills.length > 0,
  async run({ customer, random, note }) {
    const bill = random.pick(customer.bills)
    const isPaid = bill.amount <= balanceOf(customer, bill.currency)
    note(`${bill.amount} ${bill.currency}`)
    const params = { id: customer.userId, billId: bill.id }
    const outcome = isPaid ? 'done' : 'wallet_has_not_funds'
    const ask = () => outcomeOf(customer.call(payBill, { params, body: {} }))
    expect(await Promise.all([ask(), ask()])).toEqual([outcome, outcome])
    if (!isPaid) return
    payOff(customer, bill)
    customer.bills = customer.bills.filter((one) => one !== bill)
  },
}

/** After a withdrawal, or when a plan became less: what came back of something that was not paid yet has paid for it. @returns how much. */
export async function absorbPaidBack(customer: Customer, currency: Currency): Promise<number> {
  if (!customer.bills.some((bill) => bill.currency === currency)) return 0
  const { bills } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const shown = new Map(bills.map((one) => [one.id, one]))
  const before = customer.bills.reduce((sum, { amount }) => sum + amount, 0)
  customer.bills = customer.bills.flatMap((bill) => {
    const now = shown.get(bill.id)
    if (now === undefined || bill.currency !== currency) return [bill]
    return now.state === 'paid' ? [] : [{ ...bill, amount: now.amount.amount }]
  })
  return before - customer.bills.reduce((sum, { amount }) => sum + amount, 0)
}

/** After a pass: bills that were due are paid, as far as there was money for them. */
export async function absorbBills(world: World, customer: Customer, begun: number): Promise<void> {
  if (!customer.bills.some(({ due }) => due <= world.now())) return
  const { bills } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const state = new Map(bills.map((one) => [one.id, one.state]))
  const left = []
  const paid = []
  for (const bill of customer.bills) {
    if (state.get(bill.id) === 'paid') {
      expect(bill.due, 'a bill is paid by itself when it is due').toBeLessThanOrEqual(world.now())
      payOff(customer, bill)
      paid.push(bill)
      customer.history.push(`a bill of ${bill.amount} ${bill.currency} was paid`)
    } else left.push(bill)
  }
  for (const currency of currencies) blurOrder(paid.flatMap((one) => (one.currency === currency ? [one.spent] : [])))
  customer.bills = left
  for (const { due, amount, currency, id } of left.filter((one) => one.due <= begun)) {
    expect(state.get(id), `a bill that was due ${due}`).toBe('overdue')
    expect(balanceOf(customer, currency), 'a bill could have been paid').toBeLessThan(amount)
    customer.wasOverdue = true
  }
}

export const debtCommands: readonly Command[] = [payOut, settleBill]
