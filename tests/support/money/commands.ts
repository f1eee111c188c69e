/** What customers do, in random order, and what must come of it. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { changeService, getService, renewService } from '@wakestone/contract/routes/billings'
import { createServer } from '@wakestone/contract/routes/servers'
import { createTransaction } from '@wakestone/contract/routes/transactions'
import { listWalletLogs } from '@wakestone/contract/routes/wallets'
import type { Random } from '../random.ts'
import { order } from '../servers.ts'
import { balanceOf, type Customer, expectWithin, isRenewable, outcomeOf, type Rented } from './model.ts'
import { changePlan, redeemHours, redeemMoney } from './plan-commands.ts'
import { lengthOf, type Period, periods, priceOf } from './rules.ts'
import type { World } from './world.ts'

export type Step = { world: World; customer: Customer; random: Random; note: (text: string) => void }
export type Command = {
  name: string
  weight: number
  /** Whether it makes sense now. */
  when?: (step: Step) => boolean
  run: (step: Step) => Promise<void>
}

const currency = 'PLN'
const renewable = ({ world, customer }: Step) => customer.rented.filter((one) => isRenewable(one, world.now()))
const hasRenewable = (step: Step) => renewable(step).length > 0
/** Mostly what costs little, so that wallets are not always empty. */
const anyPeriod = (random: Random): Period => (random.chance(0.75) ? '720h' : random.pick(periods))

const openOrders = ({ world, customer: { deposits } }: Step) => {
  const own = new Set(deposits.map(({ gatewayId }) => gatewayId))
  return world.payu.orders().filter(({ orderId, status }) => status === 'NEW' && own.has(orderId))
}

const deposit: Command = {
  name: 'top up',
  weight: 30,
  async run({ world, customer, random, note }) {
    const amount = 500 + random.below(random.chance(0.2) ? 60_000 : 12_000)
    const wallet_id = customer.wallets[currency]
    const begun = await customer.call(createTransaction, {
      body: { action: 'DEPOSIT', provider: 'payu', wallet_id, amount, currency },
      idempotencyKey: randomUUID(),
    })
    // Without an address to go to, it was paid before the answer came.
    const gatewayId = begun.redirect_url === null ? undefined : payuOrderIn(begun.redirect_url)
    customer.deposits.push({ id: begun.id, gatewayId })
    const choice = random.next()
    note(`${amount}, ${choice < 0.8 ? 'paid' : choice < 0.9 ? 'cancelled' : 'left'}`)
    if (gatewayId === undefined) return
    if (choice < 0.8) world.payu.pay(gatewayId)
    else if (choice < 0.9 && isOpen(world, gatewayId)) world.payu.cancel(gatewayId)
  },
}
const isOpen = ({ payu }: World, id: string) => payu.orders().find(({ orderId }) => orderId === id)?.status === 'NEW'
const payuOrderIn = (address: string) => new URL(address).searchParams.get('orderId') ?? ''

const payLate: Command = {
  name: 'pay what was left',
  weight: 4,
  when: (step) => openOrders(step).length > 0,
  async run(step) {
    const left = step.random.pick(openOrders(step))
    step.note(left.request.totalAmount)
    step.world.payu.pay(left.orderId)
  },
}

const forge: Command = {
  name: 'forge a notification',
  weight: 4,
  when: (step) => openOrders(step).length > 0,
  async run(step) {
    const kind = step.random.pick(['signature', 'amount', 'currency'] as const)
    step.note(kind)
    step.world.payu.forge(step.random.pick(openOrders(step)).orderId, kind)
  },
}

const purchase: Command = {
  name: 'rent',
  weight: 14,
  when: ({ customer }) => customer.rented.length < 6,
  async run({ world, customer, random, note }) {
    const product = random.chance(0.75) ? 'GRASS' : 'AMETHYST'
    const period = anyPeriod(random)
    const price = priceOf(product, period, currency)
    const isPaid = price <= balanceOf(world, customer, currency)
    note(`${product} ${period} for ${price}`)
    const body = order(customer.wallets[currency], world.engineVersion, {
      requested_billing_services: [product],
      billing_period: period,
    })
    const key = randomUUID()
    const ask = () => customer.call(createServer, { body, idempotencyKey: key })
    const begun = world.now()
    const times = random.chance(0.2) ? 3 : 1
    if (!isPaid) return expect(await outcomeOf(ask())).toBe('wallet_has_not_funds')
    const answers = await Promise.all(Array.from({ length: times }, ask))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    const serviceId = answers[0]?.service_id ?? ''
    const shown = await customer.call(getService, { params: { id: serviceId } })
    const expires = Date.parse(shown.expires ?? '')
    expectWithin(expires, [begun + lengthOf(period), world.now() + lengthOf(period)], 'the end of what was bought')
    customer.moved[currency] -= price
    customer.rented.push({
      serviceId,
      product,
      period,
      currency,
      expires,
      auto: false,
      inVain: 0,
      paid: price,
      downgraded: 0,
    })
  },
}

const renewal = (customer: Customer, { serviceId }: Rented, period: Period, key: string) =>
  customer.call(renewService, {
    params: { id: serviceId },
    body: { billing_period: period, wallet_id: customer.wallets[currency] },
    idempotencyKey: key,
  })

/** Writes down that a service was renewed so many times since then. */
async function absorbRenewals(
  { world, customer }: Step,
  rented: Rented,
  { period, begun, times = 1 }: { period: Period; begun: number; times?: number },
) {
  const shown = await customer.call(getService, { params: { id: rented.serviceId } })
  const expires = Date.parse(shown.expires ?? '')
  const from = (now: number) => Math.max(rented.expires, now) + times * lengthOf(period)
  expectWithin(expires, [from(begun), from(world.now())], 'the renewed end')
  rented.expires = expires
  rented.period = period
  rented.inVain = 0
  const price = times * priceOf(rented.product, period, currency)
  customer.moved[currency] -= price
  rented.paid += price
}

const renew: Command = {
  name: 'renew',
  weight: 18,
  when: hasRenewable,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const period = anyPeriod(random)
    const price = priceOf(rented.product, period, currency)
    const isPaid = price <= balanceOf(world, customer, currency)
    const key = randomUUID()
    note(`${rented.product} ${period} for ${price}`)
    const begun = world.now()
    const times = random.chance(0.3) ? 2 + random.below(4) : 1
    const asked = Array.from({ length: times }, () => outcomeOf(renewal(customer, rented, period, key)))
    expect(new Set(await Promise.all(asked))).toEqual(new Set([isPaid ? 'done' : 'wallet_has_not_funds']))
    if (!isPaid) return
    await absorbRenewals(step, rented, { period, begun })
    customer.lastRenewal = { serviceId: rented.serviceId, key, period, wallet: customer.wallets[currency] }
  },
}

const repeat: Command = {
  name: 'repeat a renewal',
  weight: 4,
  when: ({ customer }) => customer.lastRenewal !== undefined,
  async run({ customer, random, note }) {
    const { serviceId, key, period, wallet } = customer.lastRenewal as NonNullable<Customer['lastRenewal']>
    const other = random.chance(0.3)
    note(other ? 'for another period' : 'as it was')
    const billing_period = other ? (periods.find((one) => one !== period) as Period) : period
    const again = customer.call(renewService, {
      params: { id: serviceId },
      body: { billing_period, wallet_id: wallet },
      idempotencyKey: key,
    })
    expect(await outcomeOf(again)).toBe(other ? 'idempotency_key_reused' : 'done')
  },
}

const race: Command = {
  name: 'renew many times at once',
  weight: 4,
  when: hasRenewable,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const price = priceOf(rented.product, '720h', currency)
    const times = 2 + random.below(6)
    const paid = Math.min(times, Math.floor(balanceOf(world, customer, currency) / price))
    note(`${times} times, ${paid} paid for`)
    const begun = world.now()
    const outcomes = await Promise.all(
      Array.from({ length: times }, () => outcomeOf(renewal(customer, rented, '720h', randomUUID()))),
    )
    expect(outcomes.toSorted()).toEqual(
      Array.from({ length: times }, (_, at) => (at < paid ? 'done' : 'wallet_has_not_funds')),
    )
    if (paid > 0) await absorbRenewals(step, rented, { period: '720h', begun, times: paid })
  },
}

export async function switchAuto(customer: Customer, rented: Rented, value: boolean): Promise<void> {
  await customer.call(changeService, { params: { id: rented.serviceId }, body: { auto_renew: value } })
  rented.auto = value
  rented.inVain = 0
}

const setAuto: Command = {
  name: 'switch automatic renewal',
  weight: 8,
  when: hasRenewable,
  async run(step) {
    const rented = step.random.pick(renewable(step))
    const auto_renew = step.random.chance(0.75)
    step.note(`${rented.product} ${auto_renew}`)
    await switchAuto(step.customer, rented, auto_renew)
  },
}

const readLogs: Command = {
  name: 'read the movements',
  weight: 4,
  async run({ world, customer }) {
    const { data } = await customer.call(listWalletLogs, {
      params: { id: customer.wallets[currency] },
      query: { limit: 100 },
    })
    const after = data.map(({ balance_after }) => balance_after.amount)
    for (const [at, { amount }] of data.entries()) {
      if (at + 1 < data.length) expect(after[at]).toBe((after[at + 1] ?? 0) + amount.amount)
    }
    if (data.length > 0) expect(after[0]).toBe(balanceOf(world, customer, currency))
  },
}

export const commands: readonly Command[] = [
  deposit,
  payLate,
  forge,
  purchase,
  renew,
  repeat,
  race,
  setAuto,
  readLogs,
  changePlan,
  redeemMoney,
  redeemHours,
]
