/** What each customer must have, by the rules alone, and the comparison with what the product says. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { ApiError } from '@wakestone/contract/client'
import { getService } from '@wakestone/contract/routes/billings'
import { getWallet } from '@wakestone/contract/routes/wallets'
import { type Currency, day, hour, lengthOf, type Period, priceOf } from './rules.ts'
import type { Account, World } from './world.ts'

export type Rented = {
  serviceId: string
  product: string
  /** The last one that was paid. */
  period: Period
  currency: Currency
  expires: number
  auto: boolean
  /** When it last should have renewed itself and lacked funds. */
  inVain: number
  /** All that was paid for it, less what was given back. */
  paid: number
  /** When it was last downgraded. */
  downgraded: number
}
export type Customer = Account & {
  /** Everything but top-ups, which the providers know. */
  moved: Record<Currency, number>
  deposits: { id: string; gatewayId: string | undefined }[]
  rented: Rented[]
  /** Last used key of a renewal, to be used again. */
  lastRenewal?: { serviceId: string; key: string; period: Period; wallet: string }
  history: string[]
}

export const createCustomer = (account: Account): Customer => ({
  ...account,
  moved: { PLN: 0, EUR: 0, USD: 0 },
  deposits: [],
  rented: [],
  history: [],
})

const isPaidFor = (status: string) => status !== 'NEW' && status !== 'CANCELED'

/** What providers took for this customer, or have reserved until we take it. */
export function paidIn(world: World, { deposits }: Customer, currency: Currency): number {
  const own = new Set(deposits.map(({ id }) => id))
  return world.payu
    .orders()
    .filter(({ extOrderId, status }) => isPaidFor(status) && own.has(extOrderId.slice(0, 36)))
    .filter(({ request }) => request.currencyCode === currency)
    .reduce((sum, { request }) => sum + Number(request.totalAmount), 0)
}

export const balanceOf = (world: World, customer: Customer, currency: Currency) =>
  paidIn(world, customer, currency) + customer.moved[currency]

/** Whether a service may be renewed: while it runs, and for as long as its files are kept for its owner. */
export const isRenewable = (rented: Rented, now: number) => now < rented.expires + 72 * hour

/** The error code of a refusal; `done` where there is none. */
export const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof ApiError) return error.body.error
      throw error
    },
  )

/**
 * Top-ups come when they come: where the message is lost and two polls fail, after the third, and longer where a kill
 * comes between. Everything else is there at once.
 */
const patienceMilliseconds = 180_000

export async function verifyWallet(world: World, customer: Customer, currency: Currency): Promise<void> {
  const params = { id: customer.wallets[currency] }
  for (const deadline = Date.now() + patienceMilliseconds; ;) {
    const { balance } = await customer.call(getWallet, { params })
    if (balance.amount === balanceOf(world, customer, currency)) return
    if (Date.now() > deadline)
      expect(balance.amount, `balance in ${currency}`).toBe(balanceOf(world, customer, currency))
    await delay(25)
  }
}

export async function verifyServices(customer: Customer): Promise<void> {
  for (const rented of customer.rented) {
    const shown = await customer.call(getService, { params: { id: rented.serviceId } })
    const due = priceOf(rented.product, rented.period, rented.currency)
    expect(
      [shown.product.id, Date.parse(shown.expires ?? ''), shown.billing_period, shown.gross_cost, shown.auto_renew],
      `service ${rented.serviceId}`,
    ).toEqual([rented.product, rented.expires, rented.period, { amount: due, currency: rented.currency }, rented.auto])
  }
}

/** How exact the model is about when something happened, where it knows only that it happened between two moments. */
export function expectWithin(value: number, [from, to]: readonly [number, number], what: string): void {
  expect(value, `${what} is too early`).toBeGreaterThanOrEqual(from)
  expect(value, `${what} is too late`).toBeLessThanOrEqual(to)
}

/**
 * After a pass of the clock: what was due has renewed itself as far as there are funds, and nothing else has.
 * @param pass when it began and ended.
 */
export async function absorbPass(world: World, customer: Customer, pass: readonly [number, number]): Promise<void> {
  const [begun, ended] = pass
  const left: { currency: Currency; price: number }[] = []
  for (const rented of customer.rented) {
    const { expires, period, currency } = rented
    const isSurelyDue =
      rented.auto && expires - begun <= day && ended - expires < 72 * hour && begun - rented.inVain >= hour
    const mayBeDue =
      rented.auto && expires - ended <= day && begun - expires < 72 * hour && ended - rented.inVain >= hour
    const price = priceOf(rented.product, period, currency)
    const shown = await customer.call(getService, { params: { id: rented.serviceId } })
    const after = Date.parse(shown.expires ?? '')
    if (after === expires) {
      if (!isSurelyDue) continue
      rented.inVain = ended
      left.push({ currency, price })
      continue
    }
    expect(mayBeDue, `${rented.serviceId} renewed itself out of turn`).toBe(true)
    const length = lengthOf(period)
    expectWithin(after, [Math.max(expires, begun) + length, Math.max(expires, ended) + length], 'the renewed end')
    rented.expires = after
    customer.moved[currency] -= price
    rented.paid += price
    customer.history.push(`${rented.product} renewed itself for ${price}`)
  }
  for (const { currency, price } of left)
    expect(balanceOf(world, customer, currency), 'it could have renewed itself').toBeLessThan(price)
}
