/** A step of a random history: what somebody does, and what must come of it. */
import { expect } from 'vitest'
import { generateVouchers } from '@wakestone/contract/sales/vouchers-routes'
import type { GenerateVouchersBody } from '@wakestone/contract/sales/voucher'
import { getService } from '@wakestone/contract/sales/billings-routes'
import type { Random } from '../random.ts'
import { charge, type Customer, expectWithin, isRenewable, noteRenewal, type Rented, type Spent } from './model.ts'
import { type Currency, hour, lengthOf, type Period, periods } from './rules.ts'
import type { World } from './world.ts'

export type Step = { world: World; customer: Customer; random: Random; note: (text: string) => void }
export type Command = {
  name: string
  weight: number
  /** Whether it makes sense now. */
  when?: (step: Step) => boolean
  run: (step: Step) => Promise<void>
}

/** Mostly złoty, so that what is bought and what is paid in meet. */
export const anyCurrency = (random: Random): Currency =>
  random.chance(0.7) ? 'PLN' : random.pick(['EUR', 'USD'] as const)
/** Mostly what costs little, so that wallets are not always empty. */
export const anyPeriod = (random: Random): Period => (random.chance(0.75) ? '720h' : random.pick(periods))

export const renewable = ({ world, customer }: Step) => customer.rented.filter((one) => isRenewable(one, world.now()))
export const hasRenewable = (step: Step) => renewable(step).length > 0

/** Those that do not end within the hour. */
export const running = ({ world, customer }: Step) =>
  customer.rented.filter(({ expires }) => expires > world.now() + hour)
export const hasRunning = (step: Step) => running(step).length > 0

export async function makeVoucher(world: World, data: Partial<GenerateVouchersBody['data']>): Promise<string> {
  const { vouchers } = await world.admin.call(generateVouchers, { body: { quantity: 1, uses_left: 3, data } })
  return vouchers[0]?.code ?? ''
}

export async function endOf(customer: Customer, { serviceId }: Pick<Rented, 'serviceId'>): Promise<number> {
  return Date.parse((await customer.call(getService, { params: { id: serviceId } })).expires ?? '')
}

/** Writes down that a service was renewed so many times since then, at these prices; `spent` where that is known. */
export async function absorbRenewals(
  { world, customer }: Step,
  rented: Rented,
  given: { period: Period; begun: number; prices: { plan: number; all: number }[]; spent?: Spent; hours?: number },
) {
  const { period, begun, prices, spent, hours = 0 } = given
  const expires = await endOf(customer, rented)
  const from = (now: number) => Math.max(rented.expires, now) + prices.length * lengthOf(period) + hours * hour
  expectWithin(expires, [from(begun), from(world.now())], 'the renewed end')
  expect(prices.length).toBeGreaterThan(0)
  rented.expires = expires
  rented.period = period
  rented.inVain = 0
  if (customer.asks) rented.isWhole = false
  for (const price of prices) {
    noteRenewal(rented, price)
    rented.spent.push(spent ?? charge(customer, rented.currency, price.all))
  }
}
