/** Renting and renewing, by every way to pay and with every kind of voucher. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { changeService, renewService } from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import { order } from '../servers.ts'
import {
  absorbRenewals,
  anyCurrency,
  anyPeriod,
  type Command,
  endOf,
  hasRenewable,
  makeVoucher,
  renewable,
} from './command.ts'
import { fundsFor, spend } from './debt.ts'
import {
  balanceOf,
  currencies,
  type Customer,
  expectWithin,
  isRenewable,
  outcomeOf,
  type Rented,
  renewalPrice,
} from './model.ts'
import { day, grossOf, hour, lengthOf, type Period, periods } from './rules.ts'

const cheapNet = 300
const voucherKinds = ['price', 'hours', 'coupon'] as const

const purchase: Command = {
  name: 'rent',
  weight: 14,
  when: ({ customer }) => customer.rented.length < 6,
  async run(step) {
    const { world, customer, random, note } = step
    const product = random.chance(0.75) ? 'GRASS' : 'AMETHYST'
    const period = anyPeriod(random)
    const currency = anyCurrency(random)
    const kind = random.chance(0.25) ? random.pick(voucherKinds) : undefined
    const isDrawn = random.chance(0.5)
    const immediate = isDrawn || customer.asks
    const hours = kind === 'hours' ? 10 + random.below(90) : 0
    const listed = world.shop.priceOf(product, period, currency, customer)
    const price = kind === 'price' ? Math.min(listed, grossOf(BigInt(cheapNet), customer)) : listed
    const funds = await fundsFor(step, { currency, price, isNew: true })
    const effects = {
      price: { new_cost: [{ amount: cheapNet, currency }], product_id: [product] },
      hours: { add_hours: hours },
      coupon: { product_id: [product], coupon: couponOf(50, 2) },
    }
    note(`${product} ${period} for ${price} ${currency} by ${funds.method}${kind === undefined ? '' : `, ${kind}`}`)
    const vouchers = kind === undefined ? [] : [await makeVoucher(world, effects[kind])]
    const body = order(customer.wallets[currency], world.engineVersion, {
      requested_billing_services: [product],
      billing_period: period,
      currency,
      immediate,
      payment_method: funds.method,
      ...(vouchers.length > 0 && { vouchers }),
    })
    const key = randomUUID()
    const ask = () => customer.call(createServer, { body, idempotencyKey: key })
    if (!isDrawn && hasToAsk(customer, world.now()) && vouchers.length === 0 && funds.method === 'wallet') {
      const unasked = { ...body, immediate: false }
      expect(await outcomeOf(customer.call(createServer, { body: unasked }))).toBe('invalid_request')
    }
    const begun = world.now()
    if (funds.outcome !== 'done') return expect(await outcomeOf(ask())).toBe(funds.outcome)
    const answers = await Promise.all(Array.from({ length: random.chance(0.2) ? 3 : 1 }, ask))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    const serviceId = answers[0]?.service_id ?? ''
    const expires = await endOf(customer, { serviceId })
    const from = (now: number) => now + lengthOf(period) + hours * hour
    expectWithin(expires, [from(begun), from(world.now())], 'the end of what was bought')
    const spent = await spend(step, funds, { currency, price, begun })
    customer.rented.push({
      serviceId,
      product,
      period,
      currency,
      created: begun,
      expires,
      auto: false,
      inVain: 0,
      paid: price,
      spent: [spent],
      shown: price,
      downgraded: 0,
      addOns: [],
      coupon: kind === 'coupon' ? { off: 50, uses: 2, products: [product] } : undefined,
      planned: undefined,
      immediate,
      isWhole: true,
    })
  },
}

const hasToAsk = ({ givenWhole, place }: Customer, now: number) =>
  !place.endsWith('company') && now < givenWhole + 364 * day

export const couponOf = (off: number, uses: number) => ({
  name: 'Something off',
  expression: `max(0, price - ${off})`,
  add_hours_on_renewal: 0,
  end_time: null,
  uses_left: uses,
  details: {},
})

const renewal = (customer: Customer, { serviceId, currency }: Rented, period: Period, key: string, more: object = {}) =>
  customer.call(renewService, {
    params: { id: serviceId },
    body: { billing_period: period, wallet_id: customer.wallets[currency], immediate: customer.asks, ...more },
    idempotencyKey: key,
  })

const renew: Command = {
  name: 'renew',
  weight: 18,
  when: hasRenewable,
  async run(step) {
    const { customer, random, note, world } = step
    const rented = random.pick(renewable(step))
    const period = anyPeriod(random)
    const price = renewalPrice(world.shop, customer, rented, period)
    const { currency } = rented
    const funds = await fundsFor(step, { currency, price: price.all })
    const key = randomUUID()
    note(`${rented.product} ${period} for ${price.all} ${currency} by ${funds.method}`)
    const begun = world.now()
    const times = random.chance(0.3) ? 2 + random.below(4) : 1
    const more = funds.method === 'wallet' ? {} : { payment_method: funds.method }
    const asked = Array.from({ length: times }, () => outcomeOf(renewal(customer, rented, period, key, more)))
    expect(new Set(await Promise.all(asked))).toEqual(new Set([funds.outcome]))
    if (funds.outcome !== 'done') return
    const spent = await spend(step, funds, { currency, price: price.all, begun })
    await absorbRenewals(step, rented, { period, begun, prices: [price], spent })
    if (funds.method === 'wallet')
      customer.lastRenewal = {
        serviceId: rented.serviceId,
        key,
        period,
        wallet: customer.wallets[currency],
        immediate: customer.asks,
      }
  },
}

const repeat: Command = {
  name: 'repeat a renewal',
  weight: 3,
  when: ({ customer }) => customer.lastRenewal !== undefined,
  async run({ world, customer, random, note }) {
    const { serviceId, key, period, wallet, immediate } = customer.lastRenewal as NonNullable<Customer['lastRenewal']>
    const other = random.chance(0.3)
    note(other ? 'for another period' : 'as it was')
    const billing_period = other ? (periods.find((one) => one !== period) as Period) : period
    const again = customer.call(renewService, {
      params: { id: serviceId },
      body: { billing_period, wallet_id: wallet, immediate },
      idempotencyKey: key,
    })
    const outcome = other ? 'idempotency_key_reused' : 'done'
    // A server that has ended for long is not there any more.
    const rented = customer.rented.find((one) => one.serviceId === serviceId)
    const mayBeGone = rented === undefined || !isRenewable(rented, world.now())
    expect(mayBeGone ? [outcome, 'resource_not_found'] : [outcome]).toContain(await outcomeOf(again))
  },
}

const race: Command = {
  name: 'renew many times at once',
  weight: 4,
  when: hasRenewable,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const times = 2 + random.below(5)
    // The coupon makes the first ones cheaper.
    const prices: { plan: number; all: number }[] = []
    let left = balanceOf(customer, rented.currency)
    const ahead = { ...rented, coupon: rented.coupon && { ...rented.coupon } }
    for (; prices.length < times;) {
      const price = renewalPrice(world.shop, customer, ahead, '720h')
      if (price.all > left) break
      left -= price.all
      prices.push(price)
      if (ahead.coupon !== undefined && ahead.coupon.uses > 0) ahead.coupon.uses--
    }
    note(`${rented.product}: ${times} times, ${prices.length} paid for`)
    const begun = world.now()
    const outcomes = await Promise.all(
      Array.from({ length: times }, () => outcomeOf(renewal(customer, rented, '720h', randomUUID()))),
    )
    expect(outcomes.toSorted()).toEqual(
      Array.from({ length: times }, (_, at) => (at < prices.length ? 'done' : 'wallet_has_not_funds')),
    )
    if (prices.length > 0) await absorbRenewals(step, rented, { period: '720h', begun, prices })
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
  weight: 3,
  async run({ customer, random }) {
    const currency = random.pick(currencies)
    const { data } = await customer.call(listWalletLogs, {
      params: { id: customer.wallets[currency] },
      query: { limit: 100 },
    })
    const after = data.map(({ balance_after }) => balance_after.amount)
    for (const [at, { amount }] of data.entries()) {
      if (at + 1 < data.length) expect(after[at]).toBe((after[at + 1] ?? 0) + amount.amount)
    }
    if (data.length > 0) expect(after[0]).toBe(balanceOf(customer, currency))
  },
}

export const serviceCommands: readonly Command[] = [purchase, renew, repeat, race, setAuto, readLogs]
