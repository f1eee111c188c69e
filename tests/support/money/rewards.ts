/** What somebody has of those whom they brought: hours, or a share of what was paid in. */
import { expect } from 'vitest'
import { getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { currencies, type Customer, expectWithin } from './model.ts'
import { keptOf, topUpsOf } from './returns.ts'
import { commission, commissionOf, type Currency, day, hour, hoursForPayment, leastPayment } from './rules.ts'
import type { World } from './world.ts'

/** Hours that are left of what somebody has earned by those they brought, as far as those have not got it back. */
export function hoursOf({ brought, hoursUsed }: Customer): number {
  const earning = brought.filter(
    (one) => one.programme === 'hours' && topUpsOf(one).some((topUp) => keptOf(topUp) >= leastPayment(topUp.currency)),
  )
  return Math.max(0, hoursForPayment * earning.length - hoursUsed)
}

const shownHours = async ({ call, userId }: Customer) => (await call(getReferrals, { params: { id: userId } })).hours

/** After a pass over everything. */
export async function verifyHours(customer: Customer): Promise<void> {
  if (customer.brought.some(({ programme }) => programme === 'hours'))
    expect(await shownHours(customer), 'hours from invitations').toBe(hoursOf(customer))
}

/** Those whom somebody has brought count for a year, by the calendar. */
function endOfShares(from: number): number {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + 12)
  return end.getTime()
}

/** All that those have paid in whom an affiliate has brought, as far as it has earned something. */
const earning = ({ brought }: Customer, currency: Currency) =>
  brought
    .filter(({ programme }) => programme === 'affiliate')
    .flatMap((one) => topUpsOf(one, currency).filter(({ earns }) => earns === true))
const sharesIn = (topUps: ReturnType<typeof earning>) =>
  topUps.reduce((sum, topUp) => sum + commissionOf(keptOf(topUp)), 0)

/** After a pass: what came since the one before has brought its share, unless too little of it was left by then. */
export function absorbShares({ broughtAt, deposits }: Customer): void {
  for (const { topUps } of deposits) {
    for (const topUp of topUps.filter(({ earns }) => earns === undefined))
      topUp.earns = keptOf(topUp) >= leastPayment(topUp.currency) && topUp.made < endOfShares(broughtAt)
  }
}

/** What an affiliate has, compared with what those have paid in whom they brought. */
export async function earningsOf(customer: Customer, currency: Currency) {
  const { earnings } = await customer.call(getAffiliate, { params: { id: customer.userId }, query: {} })
  const own = earnings.find((one) => one.currency === currency)
  if (own === undefined) throw new Error('no earnings are shown')
  const { pending, available, paid, owed } = own
  expect(paid, 'paid out of shares').toBe(customer.paidOut[currency])
  expect(pending + available + paid - owed, `all shares in ${currency}`).toBe(sharesIn(earning(customer, currency)))
  return own
}

/** Between two passes: what a payment has earned goes back with it, at once. */
export async function verifyBringer({ broughtBy, programme }: Customer, currency: Currency): Promise<void> {
  if (broughtBy === undefined) return
  if (programme === 'affiliate') await earningsOf(broughtBy, currency)
  else expect(await shownHours(broughtBy), 'hours from invitations').toBeLessThanOrEqual(hoursOf(broughtBy))
}

/** After a pass over everything: what is due of shares can be had. */
export async function verifyShares(world: World, customer: Customer): Promise<void> {
  if (!customer.brought.some(({ programme }) => programme === 'affiliate')) return
  for (const currency of currencies) {
    const { pending } = await earningsOf(customer, currency)
    const held = (by: number) =>
      sharesIn(earning(customer, currency).filter(({ made }) => made + commission.heldDays * day > world.now() + by))
    // When exactly a second payment was heard of is not known.
    expectWithin(pending, [held(hour), held(-hour)], `shares in ${currency} that are held`)
  }
}
