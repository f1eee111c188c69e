/**
 * People who have to do with each other: somebody, and whom they have brought. What a household does depends on the seed,
 * its number and what it has, so that it can be played again without the others.
 */
import { expect } from 'vitest'
import { applyForAffiliate, changeAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { getOwnReferralCode, setReferrer } from '@wakestone/contract/sales/referrals-routes'
import type { Random } from '../random.ts'
import { commands } from './commands.ts'
import { settleIn } from './buyer-commands.ts'
import { verifyServices, verifyWallet, verifyWallets } from './comparing.ts'
import { absorbBills } from './debt.ts'
import { createCustomer, currencies, type Customer, isRenewable, outcomeOf } from './model.ts'
import { absorbPass } from './passes.ts'
import { endAllHeld } from './return-commands.ts'
import { settleDebts } from './returns.ts'
import { absorbShares, verifyHours, verifyShares } from './rewards.ts'
import { day, type Place, places } from './rules.ts'
import { switchAuto } from './service-commands.ts'
import { settle } from './settling.ts'
import { verifyStalls } from './stalls.ts'
import type { World } from './world.ts'

export type Household = { number: number; members: Customer[]; steps: number; isGone: boolean }

/** What goes wrong in a household, with all that was done in it. */
export class HouseholdFault extends Error {
  readonly household: number

  constructor({ number, members }: Household, cause: unknown) {
    const story = members
      .flatMap(({ name, history }) => history.map((line) => ({ name, line })))
      .toSorted((one, other) => one.line.localeCompare(other.line))
      .slice(-80)
      .map(({ name, line }) => `${line.slice(0, 24)} ${name} ${line.slice(25)}`)
    super(`household ${number}: ${(cause as Error).message}\nwhat they did:\n  ${story.join('\n  ')}`, { cause })
    this.household = number
  }
}

export async function telling<Result>(household: Household, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HouseholdFault ? error : new HouseholdFault(household, error)
  }
}

export async function openHousehold(world: World, number: number, random: Random): Promise<Household> {
  const join = async () => {
    const place: Place = random.chance(0.6) ? 'PL' : random.pick(places)
    const country = place.slice(0, 2)
    const one = createCustomer(await world.signUp({ country }), { place, now: world.now() })
    // Some tell where they live, others are taken to live where they registered.
    if (place.endsWith('company') || random.chance(0.3)) await settleIn(world, one, place)
    return one
  }
  const first = await join()
  const household = { number, members: [first], steps: 0, isGone: false }
  const kind = random.next()
  if (kind < 0.4) return household
  const programme = kind < 0.7 ? 'hours' : 'affiliate'
  if (programme === 'affiliate') {
    const body = { website: 'https://stream.example', about: 'I stream every evening.' }
    const applied = await outcomeOf(first.call(applyForAffiliate, { params: { id: first.userId }, body }))
    expect(['done', 'resource_already_exists']).toContain(applied)
    await world.admin.call(changeAffiliate, { params: { userId: first.userId }, body: { state: 'approved' } })
  }
  const { referral_code: code } = await first.call(getOwnReferralCode, { params: { id: first.userId } })
  for (let count = 1 + random.below(2); count > 0; count--) {
    const one = await join()
    const broughtAt = world.now()
    const outcome = await outcomeOf(one.call(setReferrer, { params: { userId: one.userId }, body: { code } }))
    expect(['done', 'resource_already_exists']).toContain(outcome)
    Object.assign(one, { broughtBy: first, programme, broughtAt })
    first.brought.push(one)
    household.members.push(one)
  }
  return household
}

/** @returns what was done. */
export function takeStep(world: World, household: Household, random: Random): Promise<string> {
  return telling(household, async () => {
    for (const member of household.members) await settle(world, member)
    const customer = random.pick(household.members)
    let said = ''
    const step = { world, customer, random, note: (text: string) => void (said = text) }
    const possible = commands.filter(({ when }) => when === undefined || when(step))
    let ticket = random.next() * possible.reduce((sum, { weight }) => sum + weight, 0)
    const command = possible.find(({ weight }) => (ticket -= weight) < 0) ?? possible[0]
    if (command === undefined) throw new Error('nothing can be done')
    const at = new Date(world.now()).toISOString()
    try {
      await command.run(step)
    } finally {
      customer.history.push(`${at} [${household.steps}] ${command.name}: ${said}`)
    }
    if (customer.deposits.every(({ settled }) => settled)) await verifyWallets(world, customer)
    return command.name
  })
}

/** Who has been here for long makes room; what they have then stays as it is, and is looked at in the end. */
export function leave(household: Household): Promise<void> {
  household.isGone = true
  return telling(household, async () => {
    for (const customer of household.members)
      for (const rented of customer.rented.filter(({ auto }) => auto)) await switchAuto(customer, rented, false)
  })
}

export const settleAll = (world: World, household: Household) =>
  telling(household, async () => {
    for (const member of household.members) await settle(world, member)
  })

/** Whose services a pass of the clock may concern: others are looked at now and then only. */
const isConcerned = ({ rented }: Customer, now: number) =>
  rented.some(({ auto, expires, planned }) => {
    return (auto && expires - now <= 1.1 * day) || (planned !== undefined && planned.at <= now)
  })

/** @param pass when a pass over services, and what is done besides, began and ended. */
export const absorb = (world: World, household: Household, pass: readonly [number, number]) =>
  telling(household, async () => {
    for (const member of household.members.filter((one) => isConcerned(one, pass[1])))
      await absorbPass(world, member, pass)
    await absorbRest(world, household, pass[0])
  })

/** The same of what is done besides alone: `handleRest`, which began at a moment. */
export const absorbRest = (world: World, household: Household, begun: number) =>
  telling(household, async () => {
    for (const member of household.members) {
      await absorbBills(world, member, begun)
      for (const currency of currencies) settleDebts(member, currency)
      if (member.programme !== undefined) absorbShares(member)
      member.rented = member.rented.filter((rented) => isRenewable(rented, world.now()))
      await verifyStalls(world, member, begun)
    }
  })

/** Nothing is under way any more. */
export const finish = (world: World, household: Household, random: Random) =>
  telling(household, async () => {
    for (const customer of household.members) {
      await endAllHeld({ world, customer, random, note: () => undefined })
      await settle(world, customer)
    }
  })

/** Everything of everybody, after a pass over everything. */
export const verifyHousehold = (world: World, household: Household) =>
  telling(household, async () => {
    for (const member of household.members) {
      for (const currency of currencies) await verifyWallet(member, currency)
      await verifyServices(member)
      await verifyHours(member)
      await verifyShares(world, member)
      await verifyStalls(world, member)
    }
  })
