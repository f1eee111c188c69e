/** Changes of plans, and what is added to them. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  addServiceAddOn,
  getServiceUpgrade,
  listServiceAddOns,
  removeServiceAddOn,
  upgradeService,
} from '@wakestone/contract/sales/billings-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { type Command, hasRunning, running, type Step } from './command.ts'
import { absorbPaidBack } from './debt.ts'
import { balanceOf, charge, type Customer, expectWithin, give, hasDebts, outcomeOf, type Rented } from './model.ts'
import { day, lengthOf } from './rules.ts'
import type { Shop } from './shop.ts'

const sold = ['EXTRA_MEMORY_2G', 'EXTRA_MEMORY_4G', 'EXTRA_STORAGE_10G', 'EXTRA_STORAGE_30G'] as const

/** What the dearest price per hour makes of the time left, and a unit for each span of it. */
const mostFor = (shop: Shop, product: string, { expires, currency }: Rented, now: number) =>
  Math.ceil((shop.mostOf(product, currency) * (expires - now)) / lengthOf('720h')) + 50
/** How far a price that depends on the time left may move until it is charged, some seconds later. */
const slackOf = (most: number, left: number, waited: number) => 3 + Math.ceil((2 * most * (waited + 1000)) / left)

/** @param owed what came back of something that was not paid yet, and has paid for it. */
function book(customer: Customer, rented: Rented, amount: number, owed = 0): void {
  if (amount >= 0) rented.spent.push(charge(customer, rented.currency, amount))
  else give(customer, rented.currency, -amount, { isCredit: true })
  charge(customer, rented.currency, owed)
  rented.paid += amount
  rented.isWhole = false
}

/**
 * What exactly a change costs depends on all that was bought before; here it must be what was said just before, what is
 * booked, and within what the rules allow at all.
 */
const changePlan: Command = {
  name: 'change the plan',
  weight: 8,
  when: hasRunning,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(running(step))
    const isUp = rented.product === 'GRASS'
    const product_id = isUp ? 'AMETHYST' : 'GRASS'
    const { currency, serviceId } = rented
    const params = { id: serviceId }
    const begun = world.now()
    const quote = await customer.call(getServiceUpgrade, { params })
    const target = quote.upgrade_targets.find(({ product }) => product.id === product_id)
    const said = isUp ? (target?.upgrade_price?.amount ?? 0) : -(target?.credit?.amount ?? 0)
    const balance = balanceOf(customer, currency)
    const idempotencyKey = randomUUID()
    const body = { product_id, wallet_id: customer.wallets[currency], immediate: customer.asks }
    const ask = () => customer.call(upgradeService, { params, body, idempotencyKey })
    note(`${rented.product} to ${product_id} for ${said} ${currency}`)
    const isTooSoon = !isUp && begun < rented.downgraded + day
    if (rented.planned?.isPaid === true) {
      expect(target?.obstacle).toBe('change_is_paid')
      return expect(await outcomeOf(ask())).toBe('service_cannot_be_upgraded')
    }
    if (said > 3 && hasDebts(customer)) return expect(await outcomeOf(ask())).toBe('user_has_debts')
    if (said > 0 && hasDebts(customer)) return
    // Time goes on between question and change: the price may fall by a unit or two, and never rises.
    if (isTooSoon || said > balance + 3) {
      expect(await outcomeOf(ask())).toBe(isTooSoon ? 'too_many_requests' : 'wallet_has_not_funds')
      return
    }
    if (said > balance) return
    const answers = await Promise.all(Array.from({ length: random.chance(0.3) ? 3 : 1 }, ask))
    expect(new Set(answers.map(({ amount }) => amount.amount)).size).toBe(1)
    const amount = answers[0]?.amount.amount ?? 0
    const most = mostFor(world.shop, 'AMETHYST', rented, begun)
    if (isUp) expectWithin(amount, [0, most], 'the price of an upgrade')
    else expectWithin(-amount, [0, rented.paid], 'the credit of a downgrade')
    const slack = slackOf(most, rented.expires - begun, world.now() - begun)
    expectWithin(amount, [said - slack, said + slack], 'what a change costs')
    const owed = isUp ? 0 : await absorbPaidBack(customer, currency)
    expectWithin(owed, [0, Math.max(0, -amount)], 'what of it paid bills')
    book(customer, rented, amount, owed)
    rented.product = product_id
    rented.planned = undefined
    rented.shown = world.shop.priceOf(product_id, rented.period, currency, customer)
    if (!isUp) rented.downgraded = world.now()
  },
}

const add: Command = {
  name: 'add to a plan',
  weight: 6,
  when: hasRunning,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(running(step))
    const product_id = random.pick(sold)
    const { currency, serviceId, addOns, period } = rented
    const params = { id: serviceId }
    const begun = world.now()
    const { options } = await customer.call(listServiceAddOns, { params })
    const option = options.find(({ product }) => product.id === product_id)
    const said = option?.price_now?.amount ?? 0
    note(`${product_id} to ${rented.product} for ${said} ${currency}`)
    const idempotencyKey = randomUUID()
    const body = { product_id, wallet_id: customer.wallets[currency], immediate: customer.asks }
    const ask = () => customer.call(addServiceAddOn, { params, body, idempotencyKey })
    if (addOns.some(({ product }) => product === product_id)) {
      expect(option?.obstacle).toBe('already_has_it')
      expect(await outcomeOf(ask())).toBe('service_cannot_be_upgraded')
      return
    }
    const price = world.shop.priceOf(product_id, period, currency, customer)
    // Price per hour of the plan's period, for the hours left; rounded up once.
    const exact = (now: number) => (price * (rented.expires - now)) / lengthOf(period)
    expectWithin(said, [Math.floor(exact(world.now())), Math.ceil(exact(begun)) + 1], 'the price of an add-on')
    const balance = balanceOf(customer, currency)
    if (hasDebts(customer)) return said > 1 ? expect(await outcomeOf(ask())).toBe('user_has_debts') : undefined
    if (said > balance + 1) return expect(await outcomeOf(ask())).toBe('wallet_has_not_funds')
    if (said > balance) return
    const answers = await Promise.all(Array.from({ length: random.chance(0.3) ? 3 : 1 }, ask))
    expect(new Set(answers.map(({ service_id }) => service_id)).size).toBe(1)
    const [made] = answers
    expectWithin(made?.remaining_price.amount ?? -1, [0, said], 'what was paid for an add-on')
    // What was charged is what the wallet says; bounded by the price before and after.
    const charged = await chargedSince(step, rented.currency)
    expectWithin(charged, [Math.floor(exact(world.now())), said], 'what an add-on costs')
    book(customer, rented, charged)
    addOns.push({ serviceId: made?.service_id ?? '', product: product_id })
  },
}

const remove: Command = {
  name: 'remove an add-on',
  weight: 3,
  when: (step) => running(step).some(({ addOns }) => addOns.length > 0),
  async run(step) {
    const { customer, random, note } = step
    const rented = random.pick(running(step).filter(({ addOns }) => addOns.length > 0))
    const addOn = random.pick(rented.addOns)
    const { add_ons } = await customer.call(listServiceAddOns, { params: { id: rented.serviceId } })
    const said = add_ons.find((one) => one.service_id === addOn.serviceId)?.remaining_price.amount ?? 0
    note(`${addOn.product} of ${rented.product} for ${said} ${rented.currency}`)
    const params = { id: rented.serviceId, addOnId: addOn.serviceId }
    const outcome = await outcomeOf(customer.call(removeServiceAddOn, { params }))
    if (step.world.now() < rented.downgraded + day - 60_000) return expect(outcome).toBe('too_many_requests')
    // Asked again after an answer was lost, it is gone already.
    expect(['done', 'resource_not_found']).toContain(outcome)
    const owed = await absorbPaidBack(customer, rented.currency)
    const back = owed - (await chargedSince(step, rented.currency))
    expectWithin(owed, [0, back], 'what of it paid bills')
    const slack = slackOf(said, rented.expires - step.world.now(), 1000)
    expectWithin(back, [Math.max(0, said - slack), said], 'what an add-on that is removed gives back')
    expectWithin(back, [0, rented.paid], 'what an add-on that is removed gives back')
    book(customer, rented, -back, owed)
    rented.addOns = rented.addOns.filter((one) => one !== addOn)
    rented.downgraded = step.world.now() // it is one, of which there is one a day
  },
}

/** By how much the wallet has become less since the step began. */
async function chargedSince({ customer }: Step, currency: Rented['currency']): Promise<number> {
  const { balance } = await customer.call(getWallet, { params: { id: customer.wallets[currency] } })
  return balanceOf(customer, currency) - balance.amount
}

export const planCommands: readonly Command[] = [changePlan, add, remove]
