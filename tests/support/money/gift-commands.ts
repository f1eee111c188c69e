/** Vouchers and hours from invitations. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { getOwnReferralCode, getReferrals, useReferralHours } from '@wakestone/contract/sales/referrals-routes'
import { redeemIntoWallet, redeemOnService } from '@wakestone/contract/sales/vouchers-routes'
import { anyCurrency, type Command, endOf, hasRenewable, makeVoucher, renewable } from './command.ts'
import { expectWithin, give, moveEnd, outcomeOf } from './model.ts'
import { hoursOf } from './rewards.ts'
import { hour } from './rules.ts'
import { couponOf } from './service-commands.ts'

const money: Command = {
  name: 'redeem a voucher into the wallet',
  weight: 4,
  async run({ world, customer, random, note }) {
    const amount = 100 + random.below(3000)
    const currency = anyCurrency(random)
    note(`${amount} ${currency}`)
    const voucher = await makeVoucher(world, { wallet_tx: [{ amount, currency }] })
    const redeem = (idempotencyKey: string) =>
      outcomeOf(
        customer.call(redeemIntoWallet, {
          params: { id: customer.wallets[currency] },
          body: { voucher },
          idempotencyKey,
        }),
      )
    const key = randomUUID()
    expect(await Promise.all([redeem(key), redeem(key), redeem(key)])).toEqual(['done', 'done', 'done'])
    expect(await redeem(randomUUID())).toBe('voucher_already_used')
    give(customer, currency, amount, { isCredit: true })
  },
}

const hours: Command = {
  name: 'redeem hours',
  weight: 3,
  when: hasRenewable,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const some = 1 + random.below(100)
    note(`${some} on ${rented.product}`)
    const voucher = await makeVoucher(world, { add_hours: some })
    const params = { id: rented.serviceId }
    const begun = world.now()
    await customer.call(redeemOnService, { params, body: { voucher }, idempotencyKey: randomUUID() })
    const expires = await endOf(customer, rented)
    const from = (now: number) => Math.max(rented.expires, now) + some * hour
    expectWithin(expires, [from(begun), from(world.now())], 'the end after a gift')
    moveEnd(rented, expires)
  },
}

const coupon: Command = {
  name: 'redeem a coupon',
  weight: 3,
  when: hasRenewable,
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const off = 10 + random.below(200)
    const uses = 1 + random.below(3)
    note(`${off} off ${rented.product}, ${uses} times`)
    const products = ['GRASS', 'AMETHYST']
    const voucher = await makeVoucher(world, { product_id: products, coupon: couponOf(off, uses) })
    const params = { id: rented.serviceId }
    const outcome = await outcomeOf(
      customer.call(redeemOnService, { params, body: { voucher }, idempotencyKey: randomUUID() }),
    )
    const hasOne = (rented.coupon?.uses ?? 0) > 0
    expect(outcome).toBe(hasOne ? 'billing_service_already_has_coupon' : 'done')
    if (!hasOne) rented.coupon = { off, uses, products }
  },
}

const invitedHours: Command = {
  name: 'use hours from invitations',
  weight: 6,
  when: (step) => hasRenewable(step) && step.customer.brought.some(({ programme }) => programme === 'hours'),
  async run(step) {
    const { world, customer, random, note } = step
    const rented = random.pick(renewable(step))
    const { hours: left } = await customer.call(getReferrals, { params: { id: customer.userId } })
    expect(left, 'hours from invitations').toBeLessThanOrEqual(hoursOf(customer))
    const some = random.chance(0.2) ? left + 1 : 1 + random.below(Math.max(1, left))
    note(`${some} of ${left} on ${rented.product}`)
    const { referral_code } = await customer.call(getOwnReferralCode, { params: { id: customer.userId } })
    const begun = world.now()
    const idempotencyKey = randomUUID()
    const ask = () =>
      outcomeOf(
        customer.call(useReferralHours, {
          params: { serviceId: rented.serviceId },
          body: { referral_code, hours: some },
          idempotencyKey,
        }),
      )
    const outcome = some <= left ? 'done' : 'not_enough_referral_hours'
    expect(await Promise.all([ask(), ask()])).toEqual([outcome, outcome])
    if (outcome !== 'done') return
    customer.hoursUsed += some
    const expires = await endOf(customer, rented)
    const from = (now: number) => Math.max(rented.expires, now) + some * hour
    expectWithin(expires, [from(begun), from(world.now())], 'the end after hours from invitations')
    moveEnd(rented, expires)
  },
}

export const giftCommands: readonly Command[] = [money, hours, coupon, invitedHours]
