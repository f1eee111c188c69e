/** What each customer must have, by the rules alone. */
import { expect } from 'vitest'
import { ApiError } from '@wakestone/contract/client'
import type { Payment } from './payments.ts'
import { type Currency, hour, type Period, type Place } from './rules.ts'
import type { Shop } from './shop.ts'
import type { Stall } from './stalls.ts'
import type { Account } from './world.ts'

export const currencies = ['PLN', 'EUR', 'USD'] as const

/** By what something was paid, at most: what might have been paid out, and credit, which comes back as credit. */
export type Spent = { money: number; credit: number }

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
  /** What that was paid with, each payment by itself; below zero what a withdrawal has given back. */
  spent: Spent[]
  /** What its plan cost when it was last paid or changed, gross. */
  shown: number
  /** When it was last downgraded. */
  downgraded: number
  addOns: { serviceId: string; product: string }[]
  /** What a coupon takes off the plan's net price, for how many renewals more of which plans. */
  coupon: { off: number; uses: number; products: readonly string[] } | undefined
  /** Another plan from some moment on; once time after that is paid for, there is no way back. */
  planned: { product: string; at: number; isPaid: boolean } | undefined
  /** The buyer had asked for it to begin at once. */
  immediate: boolean
  /** Nothing of what was paid for it was used up or given back by a change, or begun at once later on. */
  isWhole: boolean
}

/** Money that came in: by a payment, or since it did not leave after all. Whoever brought the payer has a share of it. */
export type TopUp = {
  payment: Payment | undefined
  currency: Currency
  amount: number
  made: number
  /** Of it, what has gone back. */
  lost: number
  /** Whether it was enough when shares were last given; undefined: that was before it came. */
  earns: boolean | undefined
}
export type Deposit = {
  id: string
  currency: Currency
  amount: number
  made: number
  /** Where its payer was sent. */
  where: string | null
  settled: boolean
  /** What came of it, a second payment included. */
  topUps: TopUp[]
  returns: Return[]
}
/** Money that goes back to its payer, or was meant to. */
export type Return = {
  id: string
  kind: 'refund' | 'outside' | 'chargeback'
  amount: number
  /** Of it, credit: it comes back as such. */
  credit: number
  /** A refund that its provider has not answered for; away; here again, or never gone. */
  state: 'under way' | 'gone' | 'back'
  /** The provider leaves it pending until it is told otherwise. */
  isHeld: boolean
}
/** `spent`: until it is paid, what was bought on it is paid with credit. */
export type Bill = { id: string; currency: Currency; amount: number; due: number; spent: Spent }
/** `credit` is what of the balance is never paid out; `owed` is what was taken back of payments and not there any more. */
export type Purse = { balance: number; credit: number; owed: number }

export type Customer = Account & {
  /** Where they are taxed, and where they have registered. */
  place: Place
  registered: Place
  purse: Record<Currency, Purse>
  deposits: Deposit[]
  rented: Rented[]
  bills: Bill[]
  /** Where others sell to players; the latest is open. */
  stalls: Stall[]
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
  /** Has withdrawn from something that may have begun without their asking for it: they ask for it from now on. */
  asks: boolean
  /** When they were last given all back of what had begun: for a year they have to ask. */
  givenWhole: number
  /** Last used key of a renewal, to be used again. */
  lastRenewal?: { serviceId: string; key: string; period: Period; wallet: string; immediate: boolean }
  history: string[]
}

const each = <Value>(make: () => Value): Record<Currency, Value> => ({ PLN: make(), EUR: make(), USD: make() })

export const createCustomer = (account: Account, { place, now }: { place: Place; now: number }): Customer => ({
  ...account,
  place,
  registered: place.slice(0, 2) as Place,
  purse: each(() => ({ balance: 0, credit: 0, owed: 0 })),
  deposits: [],
  rented: [],
  bills: [],
  stalls: [],
  wasOverdue: false,
  created: now,
  broughtBy: undefined,
  programme: undefined,
  broughtAt: 0,
  brought: [],
  paidOut: each(() => 0),
  hoursUsed: 0,
  asks: false,
  givenWhole: -Infinity,
  history: [],
})

export const balanceOf = ({ purse }: Customer, currency: Currency) => purse[currency].balance
/** What may be paid out. */
export const moneyIn = ({ balance, credit }: Purse) => balance - credit
export const hasDebts = ({ purse }: Customer) => currencies.some((currency) => purse[currency].owed > 0)

/** Spends: credit that never leaves goes first. */
export function charge({ purse }: Customer, currency: Currency, amount: number): Spent {
  const credit = Math.min(purse[currency].credit, amount)
  purse[currency].balance -= amount
  purse[currency].credit -= credit
  return { money: amount - credit, credit }
}

/** In which order a pass has taken these from one wallet is not known: any of them may have met what credit there was. */
export function blurOrder(spent: readonly Spent[]): void {
  const money = spent.reduce((sum, one) => sum + one.money, 0)
  const credit = spent.reduce((sum, one) => sum + one.credit, 0)
  for (const one of spent) {
    const amount = one.money + one.credit
    Object.assign(one, { money: Math.min(amount, money), credit: Math.min(amount, credit) })
  }
}

/** Pays a bill: what was bought on it is then paid with what that took. */
export function payOff(customer: Customer, { currency, amount, spent }: Bill): void {
  Object.assign(spent, charge(customer, currency, amount))
}

export function give(
  { purse }: Customer,
  currency: Currency,
  amount: number,
  { isCredit }: { isCredit: boolean },
): void {
  purse[currency].balance += amount
  if (isCredit) purse[currency].credit += amount
}

/** Whether a service may be renewed: while it runs, and for as long as its files are kept for its owner. */
export const isRenewable = (rented: Rented, now: number) => now < rented.expires + 72 * hour

/** The coupon that the next renewal uses: one that is for another plan is kept. */
function servingCoupon({ product, planned, coupon }: Rented) {
  const isFor = coupon?.products.includes(planned?.product ?? product) === true
  return isFor && coupon.uses > 0 ? coupon : undefined
}

/** What the next period of it costs: the plan that it has then, as far as no coupon makes it cheaper, and all that was added. */
export function renewalPrice(shop: Shop, { place }: Pick<Customer, 'place'>, rented: Rented, period: Period) {
  const { product, planned, addOns, currency } = rented
  const off = servingCoupon(rented)?.off ?? 0
  const plan = shop.priceOf(planned?.product ?? product, period, currency, { place, off })
  const added = addOns.map((one) => shop.priceOf(one.product, period, currency, { place }))
  return { plan, all: added.reduce((sum, price) => sum + price, plan) }
}

/** Writes down that it was paid for once more. */
export function noteRenewal(rented: Rented, price: { plan: number; all: number }): void {
  rented.shown = price.plan
  rented.paid += price.all
  const coupon = servingCoupon(rented)
  if (coupon !== undefined) coupon.uses--
  if (rented.planned !== undefined) rented.planned.isPaid = true
}

/** Hours that were given: a change that was planned for the end, and is not paid for, waits with it. */
export function moveEnd(rented: Rented, expires: number): void {
  if (rented.planned?.isPaid === false) rented.planned.at = expires
  rented.expires = expires
  rented.inVain = 0
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

/** How exact the model is about when something happened, where it knows only that it happened between two moments. */
export function expectWithin(value: number, [from, to]: readonly [number, number], what: string): void {
  expect(value, `${what} is too little`).toBeGreaterThanOrEqual(from)
  expect(value, `${what} is too much`).toBeLessThanOrEqual(to)
}
