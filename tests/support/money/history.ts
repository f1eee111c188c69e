/**
 * Random histories against the model. A round is some steps of each lane, side by side, while processes are killed;
 * between rounds the clock jumps and everything is compared. A lane's customers are its own, so that what it does next
 * depends on the seed and on what its customers have, however fast the others are.
 */
import { expect } from 'vitest'
import { createRandom, type Random } from '../random.ts'
import { findLedgerFaults } from '../ledger.ts'
import { commands, type Step, switchAuto } from './commands.ts'
import { absorbPass, createCustomer, type Customer, isRenewable, verifyServices, verifyWallet } from './model.ts'
import { day, hour } from './rules.ts'
import type { World } from './world.ts'

const lanes = 8
const stepsPerRound = 12
/** Everything of everybody is compared so often, what somebody does after each step. */
const roundsPerComparison = 4
const customersPerLane = 6
const walletCurrencies = ['PLN', 'EUR', 'USD'] as const

type Lane = { random: Random; customers: Customer[]; gone: Customer[]; steps: number; counts: Map<string, number> }

export type Report = { rounds: number; steps: number; jumps: number; days: number; counts: Record<string, number> }

/** @param until stops after the round in which this says so. */
export async function runHistory(
  world: World,
  { seed, until }: { seed: number; until: (done: { steps: number; rounds: number }) => boolean },
): Promise<Report> {
  const random = createRandom(seed)
  const all: Lane[] = Array.from({ length: lanes }, (_, at) => ({
    random: random.fork(at + 1),
    customers: [],
    gone: [],
    steps: 0,
    counts: new Map(),
  }))
  const report: Report = { rounds: 0, steps: 0, jumps: 0, days: 0, counts: {} }
  const begun = world.now()
  const compareAll = (customers: readonly Customer[]) =>
    inTurns(customers, (customer) => telling(customer, () => verifyAll(world, customer)))
  do {
    const kills = beginKills(world, random)
    const results = await Promise.allSettled(all.map((lane) => playLane(world, lane)))
    await Promise.all(kills)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    report.jumps += await letTimePass(world, random, all)
    if (report.rounds % roundsPerComparison === 0) await compareAll(all.flatMap((lane) => lane.customers))
    expect(await findLedgerFaults(world.client), 'rules of the ledger').toEqual({})
    report.rounds++
    report.steps = all.reduce((sum, { steps }) => sum + steps, 0)
  } while (!until(report))
  await compareAll(all.flatMap((lane) => [...lane.gone, ...lane.customers]))
  report.days = Math.round((world.now() - begun) / day)
  for (const { counts } of all)
    for (const [name, count] of counts) report.counts[name] = (report.counts[name] ?? 0) + count
  return report
}

function beginKills(world: World, random: Random): Promise<void>[] {
  const kills = []
  if (random.chance(0.4)) kills.push(world.killApi(random.below(600)))
  if (random.chance(0.15)) kills.push(world.killWorker(random.below(600)))
  return kills
}

async function playLane(world: World, lane: Lane): Promise<void> {
  const { random } = lane
  for (let step = 0; step < stepsPerRound; step++) {
    const isNew = lane.customers.length === 0 || random.chance(0.03)
    if (isNew) lane.customers.push(createCustomer(await world.signUp()))
    if (lane.customers.length > customersPerLane) await leave(lane, lane.customers.shift() as Customer)
    const customer = isNew ? (lane.customers.at(-1) as Customer) : random.pick(lane.customers)
    await telling(customer, () => takeStep(world, lane, customer))
    lane.steps++
  }
}

/** Who has been here for long makes room; what they have then stays as it is, and is looked at in the end. */
async function leave(lane: Lane, customer: Customer): Promise<void> {
  for (const rented of customer.rented.filter(({ auto }) => auto)) await switchAuto(customer, rented, false)
  lane.gone.push(customer)
}

async function takeStep(world: World, lane: Lane, customer: Customer): Promise<void> {
  const { random } = lane
  const described = { text: '' }
  const step: Step = { world, customer, random, note: (text) => void (described.text = text) }
  const possible = commands.filter(({ when }) => when === undefined || when(step))
  let ticket = random.next() * possible.reduce((sum, { weight }) => sum + weight, 0)
  const command = possible.find(({ weight }) => (ticket -= weight) < 0) ?? possible[0]
  if (command === undefined) return
  lane.counts.set(command.name, (lane.counts.get(command.name) ?? 0) + 1)
  const at = new Date(world.now()).toISOString()
  try {
    await command.run(step)
  } finally {
    customer.history.push(`${at} ${command.name}: ${described.text}`)
  }
  await verifyWallet(world, customer, 'PLN')
}

/** Sets the clock ahead, some hours at a time as in life, and compares what should have come of it. */
async function letTimePass(world: World, random: Random, all: Lane[]): Promise<number> {
  const customers = all.flatMap((lane) => lane.customers)
  const choice = random.next()
  const total = choice < 0.5 ? random.below(20) : choice < 0.85 ? 24 + random.below(72) : 120 + random.below(480)
  let jumps = 0
  for (let left = total; left > 0;) {
    const some = Math.min(left, 1 + random.below(20))
    left -= some
    await world.jump(some * hour)
    jumps++
    const begun = world.now()
    const kill = random.chance(0.05) ? world.killWorker(random.below(60)) : undefined
    await world.heedClock()
    await kill
    const pass = [begun, world.now()] as const
    const concerned = customers.filter(({ rented }) => rented.some(({ auto }) => auto))
    await inTurns(concerned, (customer) => telling(customer, () => absorbPass(world, customer, pass)))
  }
  for (const customer of customers)
    customer.rented = customer.rented.filter((rented) => isRenewable(rented, world.now()))
  return jumps
}

async function verifyAll(world: World, customer: Customer): Promise<void> {
  for (const currency of walletCurrencies) await verifyWallet(world, customer, currency)
  await verifyServices(customer)
}

async function inTurns(customers: readonly Customer[], work: (customer: Customer) => Promise<void>): Promise<void> {
  const waiting = [...customers]
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next)
  }
  await Promise.all(Array.from({ length: lanes }, one))
}

/** What goes wrong for a customer is told with all that they did. */
async function telling(customer: Customer, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const story = customer.history.slice(-60).join('\n  ')
    throw new Error(`${customer.name}: ${(error as Error).message}\nwhat they did:\n  ${story}`, { cause: error })
  }
}
