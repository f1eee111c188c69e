/** What a pass of the clock has made of services. */
import { expect } from 'vitest'
import { endOf } from './command.ts'
import {
  balanceOf,
  blurOrder,
  charge,
  currencies,
  type Customer,
  expectWithin,
  noteRenewal,
  type Rented,
  renewalPrice,
  type Spent,
} from './model.ts'
import { type Currency, day, hour, lengthOf } from './rules.ts'
import type { World } from './world.ts'

/**
 * What was due has renewed itself as far as there are funds, and nothing else has.
 * @param pass when it began and ended.
 */
export async function absorbPass(world: World, customer: Customer, pass: readonly [number, number]): Promise<void> {
  const [begun, ended] = pass
  const left: { currency: Currency; price: number }[] = []
  const taken: { currency: Currency; spent: Spent }[] = []
  for (const rented of customer.rented) {
    takePlan(rented, begun)
    const { expires, period, currency, auto, inVain } = rented
    const isSurelyDue = auto && expires - begun <= day && ended - expires < 72 * hour && begun - inVain >= hour
    const mayBeDue = auto && expires - ended <= day && begun - expires < 72 * hour && ended - inVain >= hour
    const price = renewalPrice(world.shop, customer, rented, period)
    const after = await endOf(customer, rented)
    if (after === expires) {
      if (!isSurelyDue) continue
      rented.inVain = ended
      left.push({ currency, price: price.all })
      continue
    }
    expect(mayBeDue, `${rented.serviceId} renewed itself out of turn`).toBe(true)
    const length = lengthOf(period)
    expectWithin(after, [Math.max(expires, begun) + length, Math.max(expires, ended) + length], 'the renewed end')
    rented.expires = after
    noteRenewal(rented, price)
    const spent = charge(customer, currency, price.all)
    rented.spent.push(spent)
    taken.push({ currency, spent })
    customer.history.push(
      `${new Date(ended).toISOString()} ${rented.product} renewed itself for ${price.all} ${currency}`,
    )
  }
  for (const currency of currencies) blurOrder(taken.flatMap((one) => (one.currency === currency ? [one.spent] : [])))
  for (const { currency, price } of left)
    expect(balanceOf(customer, currency), 'it could have renewed itself').toBeLessThan(price)
}

/** Another plan that was planned for now, whether anything was paid since or not. */
function takePlan(rented: Rented, now: number): void {
  const { planned, product } = rented
  if (planned === undefined || planned.at > now) return
  rented.planned = undefined
  rented.product = planned.product
  if (product === 'AMETHYST') rented.downgraded = now
}
