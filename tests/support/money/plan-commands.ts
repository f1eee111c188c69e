/** Changes of plans and gifts, as steps of random histories. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { getService, getServiceUpgrade, upgradeService } from '@wakestone/contract/routes/billings'
import { generateVouchers, redeemIntoWallet, redeemOnService } from '@wakestone/contract/routes/vouchers'
import type { Command } from './commands.ts'
import { balanceOf, expectWithin, isRenewable, outcomeOf } from './model.ts'
import { day, hour, lengthOf, priceOf } from './rules.ts'

const currency = 'PLN'

/**
 * What exactly a change costs depends on all that was bought before; here it must be what was said just before, what is
 * booked, and within what the rules allow at all.
 */
export const changePlan: Command = {
  name: 'change the plan',
  weight: 8,
  when: ({ world, customer }) => customer.rented.some(({ expires }) => expires > world.now() + hour),
  async run({ world, customer, random, note }) {
    const rented = random.pick(customer.rented.filter(({ expires }) => expires > world.now() + hour))
    const isUp = rented.product === 'GRASS'
    const product_id = isUp ? 'AMETHYST' : 'GRASS'
    const params = { id: rented.serviceId }
    const quote = await customer.call(getServiceUpgrade, { params })
    const target = quote.upgrade_targets.find(({ product }) => product.id === product_id)
    const said = isUp ? (target?.upgrade_price?.amount ?? 0) : -(target?.credit?.amount ?? 0)
    const balance = balanceOf(world, customer, currency)
    const idempotencyKey = randomUUID()
    const ask = () =>
      customer.call(upgradeService, {
        params,
        body: { product_id, wallet_id: customer.wallets[currency] },
        idempotencyKey,
      })
    note(`${rented.product} to ${product_id} for ${said}`)
    const isTooSoon = !isUp && world.now() < rented.downgraded + day
    // Time goes on between question and change: the price may fall by a unit or two, and never rises.
    if (isTooSoon || said > balance + 3) {
      expect(await outcomeOf(ask())).toBe(isTooSoon ? 'too_many_requests' : 'wallet_has_not_funds')
      return
    }
    if (said > balance) return
    const answers = await Promise.all(Array.from({ length: random.chance(0.3) ? 3 : 1 }, ask))
    expect(new Set(answers.map(({ amount }) => amount.amount)).size).toBe(1)
    const amount = answers[0]?.amount.amount ?? 0
    const left = rented.expires - world.now()
    // What the dearest price per hour makes of the time left.
    const most = Math.ceil((priceOf('AMETHYST', '720h', currency) * left) / lengthOf('720h')) + 50
    if (isUp) expectWithin(amount, [0, most], 'the price of an upgrade')
    else expectWithin(-amount, [0, rented.paid], 'the credit of a downgrade')
    const slack = 3 + Math.ceil((2 * most * 60_000) / left) // a minute at most, if processes were killed
    expectWithin(amount, [said - slack, said + slack], 'what a change costs')
    customer.moved[currency] -= amount
    rented.paid += amount
    rented.product = product_id
    if (!isUp) rented.downgraded = world.now()
  },
}

export const redeemMoney: Command = {
  name: 'redeem a voucher into the wallet',
  weight: 4,
  async run({ world, customer, random, note }) {
    const amount = 100 + random.below(3000)
    note(`${amount}`)
    const { vouchers } = await world.admin.call(generateVouchers, {
      body: { quantity: 1, uses_left: 3, data: { wallet_tx: [{ amount, currency }] } },
    })
    const redeem = (idempotencyKey: string) =>
      customer.call(redeemIntoWallet, {
        params: { id: customer.wallets[currency] },
        body: { voucher: vouchers[0]?.code ?? '' },
        idempotencyKey,
      })
    const key = randomUUID()
    const again = await Promise.all([outcomeOf(redeem(key)), outcomeOf(redeem(key)), outcomeOf(redeem(key))])
    expect(again).toEqual(['done', 'done', 'done'])
    expect(await outcomeOf(redeem(randomUUID()))).toBe('voucher_already_used')
    customer.moved[currency] += amount
  },
}

export const redeemHours: Command = {
  name: 'redeem hours',
  weight: 3,
  when: ({ world, customer }) => customer.rented.some((one) => isRenewable(one, world.now())),
  async run({ world, customer, random, note }) {
    const rented = random.pick(customer.rented.filter((one) => isRenewable(one, world.now())))
    const hours = 1 + random.below(100)
    note(`${hours} on ${rented.product}`)
    const { vouchers } = await world.admin.call(generateVouchers, { body: { quantity: 1, data: { add_hours: hours } } })
    const params = { id: rented.serviceId }
    const begun = world.now()
    const idempotencyKey = randomUUID()
    await customer.call(redeemOnService, { params, body: { voucher: vouchers[0]?.code ?? '' }, idempotencyKey })
    const expires = Date.parse((await customer.call(getService, { params })).expires ?? '')
    const from = (now: number) => Math.max(rented.expires, now) + hours * hour
    expectWithin(expires, [from(begun), from(world.now())], 'the end after a gift')
    rented.expires = expires
    rented.inVain = 0
  },
}
