/** By what something is paid: the wallet, an affiliate's share, or a bill; and what that makes of what one has. */
import { expect } from 'vitest'
import { getAffiliate, payOutAffiliate } from '@wakestone/contract/routes/affiliates'
import { getPayLater, payBill } from '@wakestone/contract/routes/pay-later'
import { randomUUID } from 'node:crypto'
import type { PaymentMethod } from '@wakestone/contract/transaction'
import type { Command, Step } from './command.ts'
import { balanceOf, charge, type Customer, currencies, expectWithin, give, outcomeOf } from './model.ts'
import { commission, commissionOf, type Currency, day, payLater } from './rules.ts'
import type { World } from './world.ts'

type Price = { currency: Currency; price: number }
/** By what it is paid this time, and what then comes of asking. */
export type Funds = { method: PaymentMethod; outcome: string }

/** What was paid in, each payment for itself: a second one for one top-up is a transaction of its own, made later. */
const creditedTopUps = (world: World, customer: Customer, currency: Currency) =>
  customer.deposits
    .filter((one) => one.currency === currency)
    .flatMap(({ id, amount, made }) =>
      world.providers.paidFor(id).map((_, index) => ({ amount, made, isSecond: index > 0 })),
    )

/** Those whom somebody has brought count for a year, by the calendar. */
function endOfShares(from: number): number {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + 12)
  return end.getTime()
}

/** Of all that those have paid in whom an affiliate has brought: what was earned, and what of it is surely due by now. */
function earned(world: World, customer: Customer, currency: Currency) {
  const all = customer.brought
    .filter(({ programme }) => programme === 'affiliate')
    .flatMap((one) => creditedTopUps(world, one, currency).filter(({ made }) => made < endOfShares(one.broughtAt)))
  const sum = (some: typeof all) => some.reduce((total, { amount }) => total + commissionOf(amount), 0)
  const held = commission.heldDays * day
  const due = all.filter(({ made }) => made + held < world.now())
  return { all: sum(all), due: sum(due), isExact: !all.some(({ isSecond }) => isSecond) }
}

export async function fundsFor(step: Step, { currency, price }: Price): Promise<Funds> {
  const { world, customer, random } = step
  const choice = random.next()
  if (choice < 0.06 && customer.brought.some(({ programme }) => programme === 'affiliate')) {
    const { available } = await earningsOf(world, customer, currency)
    return { method: 'affiliate', outcome: price <= available ? 'done' : 'affiliate_has_not_funds' }
  }
  if (choice < 0.16) {
    const { available } = await debtsOf(world, customer, currency)
    return { method: 'pay-later', outcome: price <= available ? 'done' : 'pay_later_not_available' }
  }
  const isPaid = price <= balanceOf(world, customer, currency)
  return { method: 'wallet', outcome: isPaid ? 'done' : 'wallet_has_not_funds' }
}

/** Writes down what a purchase took. */
export async function spend(
  { world, customer }: Step,
  { method }: Funds,
  given: Price & { begun: number },
): Promise<void> {
  const { currency, price, begun } = given
  if (method === 'wallet') charge(customer, currency, price)
  // The wallet is lent, or given, just what is spent: it holds what it held.
  if (method === 'affiliate') customer.paidOut[currency] += price
  if (method !== 'pay-later') return
  const { bills } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const known = new Set(customer.bills.map(({ id }) => id))
  const made = bills.filter(({ id, state }) => state === 'open' && !known.has(id))
  expect(made.map(({ amount }) => amount)).toEqual([{ amount: price, currency }])
  const due = Date.parse(made[0]?.due_at ?? '')
  expectWithin(due, [begun + payLater.days * day, world.now() + payLater.days * day], 'when a bill is due')
  customer.bills.push({ id: made[0]?.id ?? '', currency, amount: price, due })
}

/** What may be owed, and is: compared with what the rules make of the history. */
async function debtsOf(world: World, customer: Customer, currency: Currency) {
  const { limits, refusal } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const shown = limits.find((one) => one.currency === currency)
  const open = customer.bills.filter((one) => one.currency === currency).reduce((sum, { amount }) => sum + amount, 0)
  expect(shown?.open).toBe(open)
  const paid = creditedTopUps(world, customer, currency).reduce((sum, { amount }) => sum + amount, 0)
  const most = Math.min(payLater.most, Math.floor((paid * payLater.percent) / 100))
  expectWithin(shown?.limit ?? -1, [0, most], 'how much may be owed')
  const payments = currencies.flatMap((one) => creditedTopUps(world, customer, one)).length
  if (customer.wasOverdue || payments < payLater.payments) expect(refusal).not.toBeNull()
  return { available: shown?.available ?? 0 }
}

/** What an affiliate has, compared with what those have paid in whom they brought. */
async function earningsOf(world: World, customer: Customer, currency: Currency) {
  const { earnings } = await customer.call(getAffiliate, { params: { id: customer.userId }, query: {} })
  const own = earnings.find((one) => one.currency === currency)
  if (own === undefined) throw new Error('no earnings are shown')
  const { pending, available, paid } = own
  const should = earned(world, customer, currency)
  expect(paid, 'paid out of shares').toBe(customer.paidOut[currency])
  expect(available + paid, 'shares that may be used').toBeLessThanOrEqual(should.due)
  expect(pending + available + paid, 'all shares').toBeLessThanOrEqual(should.all)
  return own
}

/** After a pass over everything: every top-up has brought its share, and what is due of them can be had. */
export async function verifyShares(world: World, customer: Customer): Promise<void> {
  if (!customer.brought.some(({ programme }) => programme === 'affiliate')) return
  for (const currency of currencies) {
    const { pending, available, paid } = await earningsOf(world, customer, currency)
    const should = earned(world, customer, currency)
    expect(pending + available + paid, `all shares in ${currency}`).toBe(should.all)
    if (should.isExact) expect(available + paid, `shares in ${currency} that may be used`).toBe(should.due)
  }
}

const payOut: Command = {
  name: 'have shares paid out',
  weight: 4,
  when: ({ customer }) => customer.brought.some(({ programme }) => programme === 'affiliate'),
  async run({ world, customer, random, note }) {
    const currency = random.chance(0.6) ? 'PLN' : random.pick(currencies)
    const { available } = await earningsOf(world, customer, currency)
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
  weight: 3,
  when: ({ customer }) => customer.bills.length > 0,
  async run({ world, customer, random, note }) {
    const bill = random.pick(customer.bills)
    const isPaid = bill.amount <= balanceOf(world, customer, bill.currency)
    note(`${bill.amount} ${bill.currency}`)
    const params = { id: customer.userId, billId: bill.id }
    const outcome = isPaid ? 'done' : 'wallet_has_not_funds'
    const ask = () => outcomeOf(customer.call(payBill, { params, body: {} }))
    expect(await Promise.all([ask(), ask()])).toEqual([outcome, outcome])
    if (!isPaid) return
    charge(customer, bill.currency, bill.amount)
    customer.bills = customer.bills.filter((one) => one !== bill)
  },
}

/** After a pass: bills that were due are paid, as far as there was money for them. */
export async function absorbBills(world: World, customer: Customer, begun: number): Promise<void> {
  if (!customer.bills.some(({ due }) => due <= world.now())) return
  const { bills } = await customer.call(getPayLater, { params: { id: customer.userId } })
  const state = new Map(bills.map((one) => [one.id, one.state]))
  const left = []
  for (const bill of customer.bills) {
    if (state.get(bill.id) === 'paid') {
      expect(bill.due, 'a bill is paid by itself when it is due').toBeLessThanOrEqual(world.now())
      charge(customer, bill.currency, bill.amount)
      customer.history.push(`a bill of ${bill.amount} ${bill.currency} was paid`)
    } else left.push(bill)
  }
  customer.bills = left
  for (const { due, amount, currency, id } of left.filter((one) => one.due <= begun)) {
    expect(state.get(id), `a bill that was due ${due}`).toBe('overdue')
    expect(balanceOf(world, customer, currency), 'a bill could have been paid').toBeLessThan(amount)
    customer.wasOverdue = true
  }
}

export const debtCommands: readonly Command[] = [payOut, settleBill]
