/** What each customer must have, by the rules alone, and the comparison with what the product says. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { ApiError } from '@wakestone/contract/client'
import { getService } from '@wakestone/contract/routes/billings'
import { getWallet } from '@wakestone/contract/routes/wallets'
import { type Currency, hour, type Period, priceOf } from './rules.ts'
import type { Payment } from './providers.ts'
import type { Account, World } from './world.ts'

export const currencies = ['PLN', 'EUR', 'USD'] as const

export type Rented = {
  serviceId: string
  product: string
  /** The last one that was paid. */
  period: Period
  currency: Currency
  created: number
  expires: number
  auto: boolean
  /** When it last should have renewed itself and lacked funds. */
  inVain: number
  /** All that was paid for it, less what was given back. */
  paid: number
  /** What its plan cost when it was last paid or changed, gross. */
  shown: number
  /** When it was last downgraded. */
  downgraded: number
  addOns: { serviceId: string; product: string }[]
  /** What a coupon takes off the plan's net price, for how many renewals more. */
  coupon: { off: number; uses: number } | undefined
  /** The buyer had asked for it to begin at once. */
  immediate: boolean
  /** Nothing of what was paid for it was used up or given back by a change. */
  isWhole: boolean
}
export type Deposit = {
  id: string
  currency: Currency
  amount: number
  made: number
  settled: boolean
  /** Of it, what was given back to the payer. */
  refunded: number
}
export type Bill = { id: string; currency: Currency; amount: number; due: number }

export type Customer = Account & {
  /** Everything but top-ups, which the providers know. */
  moved: Record<Currency, number>
  /** Of what the wallet holds: credit that is never paid out. */
  credit: Record<Currency, number>
  deposits: Deposit[]
  rented: Rented[]
  bills: Bill[]
  /** Was late with a bill once. */
  wasOverdue: boolean
  created: number
  /** Who brought them, and under which programme. */
  broughtBy: Customer | undefined
  programme: 'hours' | 'affiliate' | undefined
  broughtAt: number
  brought: Customer[]
  /** Of an affiliate: moved to the wallet. */
  paidOut: Record<Currency, number>
  hoursUsed: number
  /** Last used key of a renewal, to be used again. */
  lastRenewal?: { serviceId: string; key: string; period: Period; wallet: string }
  history: string[]
}

const nothing = (): Record<Currency, number> => ({ PLN: 0, EUR: 0, USD: 0 })

export const createCustomer = (account: Account, now: number): Customer => ({
  ...account,
  moved: nothing(),
  credit: nothing(),
  deposits: [],
  rented: [],
  bills: [],
  wasOverdue: false,
  created: now,
  broughtBy: undefined,
  programme: undefined,
  broughtAt: 0,
  brought: [],
  paidOut: nothing(),
  hoursUsed: 0,
  history: [],
})

const paymentsOf = (world: World, { deposits }: Customer, currency: Currency): Payment[] =>
  deposits.flatMap(({ id, currency: own }) => (own === currency ? [...world.providers.paidFor(id)] : []))

/** What providers took for this customer, or have reserved until we take it. */
export const paidIn = (world: World, customer: Customer, currency: Currency): number =>
  paymentsOf(world, customer, currency).reduce((sum, { amount }) => sum + amount, 0)

export const balanceOf = (world: World, customer: Customer, currency: Currency) =>
  paidIn(world, customer, currency) + customer.moved[currency]

/** Spends: credit that never leaves goes first. */
export function charge(customer: Customer, currency: Currency, amount: number): void {
  customer.moved[currency] -= amount
  customer.credit[currency] -= Math.min(customer.credit[currency], amount)
}

export function give(
  customer: Customer,
  currency: Currency,
  amount: number,
  { isCredit }: { isCredit: boolean },
): void {
  customer.moved[currency] += amount
  if (isCredit) customer.credit[currency] += amount
}

/** Whether a service may be renewed: while it runs, and for as long as its files are kept for its owner. */
export const isRenewable = (rented: Rented, now: number) => now < rented.expires + 72 * hour

/** What the next period of it costs: the plan, as far as no coupon makes it cheaper, and all that was added. */
export function renewalPrice({ product, addOns, coupon, currency }: Rented, period: Period) {
  const off = coupon === undefined || coupon.uses === 0 ? 0 : coupon.off
  const plan = priceOf(product, period, currency, off)
  return { plan, all: addOns.reduce((sum, one) => sum + priceOf(one.product, period, currency), plan) }
}

/** The error code of a refusal; `done` where there is none. */
export const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof ApiError) return error.body.error
      throw error
    },
  )

const readWallet = async (customer: Customer, currency: Currency) => {
  const { balance, non_refundable } = await customer.call(getWallet, { params: { id: customer.wallets[currency] } })
  return [balance.amount, non_refundable.amount]
}

/** Everything is there at once, but top-ups: see `settle`. */
export async function verifyWallet(world: World, customer: Customer, currency: Currency): Promise<void> {
  expect(await readWallet(customer, currency), `balance in ${currency}, and what of it is credit`).toEqual([
    balanceOf(world, customer, currency),
    customer.credit[currency],
  ])
}

/** All wallets at once, by the database: what they hold that is not held back, and what of it is credit. */
async function readWallets({ client }: World, { userId }: Customer) {
  const { rows } = await client.query<{ currency: Currency; balance: number; credit: number }>(
    `select w.currency, (a.posted - a.held)::int as balance, coalesce(c.posted, 0)::int as credit from wallets w
     join ledger_accounts a on a.id = w.ledger_account_id
     left join ledger_accounts c on c.code = 'credit:' || w.id where w.user_id = $1 order by w.currency`,
    [userId],
  )
  return rows
}

/** As `verifyWallet`, for all currencies, by a shorter way. */
export async function verifyWallets(world: World, customer: Customer): Promise<void> {
  const should = (currency: Currency) => ({
    currency,
    balance: balanceOf(world, customer, currency),
    credit: customer.credit[currency],
  })
  expect(await readWallets(world, customer), 'balances, and what of them is credit').toEqual(
    currencies.map(should).toSorted((one, other) => one.currency.localeCompare(other.currency)),
  )
}

/** How often a worker may look before a top-up is there; now and then it asks about it. */
const mostLooks = 400

/** Until what providers took is in the wallets: by their message, or by a worker that asks. */
export async function settle(world: World, customer: Customer): Promise<void> {
  const open = customer.deposits.filter(({ settled }) => !settled)
  if (open.length === 0) return
  for (let looks = 1; ; looks++) {
    const late = (await readWallets(world, customer)).filter(
      ({ currency, balance }) => balance !== balanceOf(world, customer, currency),
    )
    if (late.length === 0) break
    if (looks > mostLooks) {
      const payments = open.flatMap(({ id }) => world.providers.paymentsOf(id).map((one) => one.describe()))
      throw new Error(`not what was paid: ${JSON.stringify({ late, payments })}`)
    }
    // Messages first: whoever asks at once learns nothing of what becomes of those.
    const soon = looks % 6 === 0 ? open.map(({ id }) => id) : []
    await world.workOnce(soon).catch(() => undefined) // what a crash cut off is tried again
    await delay(Math.min(50, 5 + looks))
  }
  for (const one of open) one.settled = true
}

export async function verifyServices(customer: Customer): Promise<void> {
  for (const rented of customer.rented) {
    const shown = await customer.call(getService, { params: { id: rented.serviceId } })
    const { product, expires, period, currency, auto } = rented
    expect(
      [shown.product.id, Date.parse(shown.expires ?? ''), shown.billing_period, shown.gross_cost, shown.auto_renew],
      `service ${rented.serviceId}`,
    ).toEqual([product, expires, period, { amount: rented.shown, currency }, auto])
    expect(shown.add_ons.map((one) => one.product).toSorted()).toEqual(
      rented.addOns.map((one) => one.product).toSorted(),
    )
    for (const addOn of shown.add_ons) expect(Date.parse(addOn.expires ?? ''), 'the end of an add-on').toBe(expires)
  }
}

/** How exact the model is about when something happened, where it knows only that it happened between two moments. */
export function expectWithin(value: number, [from, to]: readonly [number, number], what: string): void {
  expect(value, `${what} is too little`).toBeGreaterThanOrEqual(from)
  expect(value, `${what} is too much`).toBeLessThanOrEqual(to)
}
