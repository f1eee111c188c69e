/**
 * Random histories against the model. A round is some steps of each lane, side by side, while processes end in the middle
 * of what they do; between rounds the clock jumps and what that makes of everybody is compared. Some rounds are played
 * with processes that are killed, most with crashes of the one that this is.
 */
import { expect } from 'vitest'
import { setTimeout as delay } from 'node:timers/promises'
import { findLedgerFaults } from '../ledger.ts'
import { createRandom, type Random } from '../random.ts'
import { findDocumentFaults } from './books.ts'
import {
  absorb,
  absorbRest,
  finish,
  type Household,
  leave,
  openHousehold,
  settleAll,
  takeStep,
  telling,
  verifyHousehold,
} from './household.ts'
import { beginKilling, type Killing } from './killing.ts'
import { day, hour } from './rules.ts'
import type { World } from './world.ts'

const lanes = 6
const stepsPerRound = 12
const householdsPerLane = 5
/** Everything of everybody is compared so often, what somebody does after each step. */
const roundsPerComparison = 6
/** Of so many rounds these are played with processes to be killed. */
const killing = { every: 40, from: 4, until: 4 }

export type Report = {
  rounds: number
  steps: number
  jumps: number
  days: number
  crashes: number
  kills: { api: number; worker: number }
  counts: Record<string, number>
}
type Options = {
  seed: number
  /** Stops after the round in which this says so. */
  until: (done: Report) => boolean
  /** Plays one household alone, without some of its steps. */
  only?: { household: number; without: ReadonlySet<number> } | undefined
}
type Lane = { at: number; random: Random; here: (Household | undefined)[]; opened: number }

export async function runHistory(world: World, { seed, until, only }: Options): Promise<Report> {
  const root = createRandom(seed)
  const [clock, accidents] = [root.fork(1), root.fork(2)]
  const all = new Map<number, Household>()
  const report: Report = {
    rounds: 0,
    steps: 0,
    jumps: 0,
    days: 0,
    crashes: 0,
    kills: { api: 0, worker: 0 },
    counts: {},
  }
  const isPlayed = (number: number) => only === undefined || only.household === number
  const own: Lane[] = Array.from({ length: lanes }, (_, at) => ({
    at,
    random: root.fork(10 + at),
    here: [],
    opened: 0,
  }))
  const begun = world.now()
  let killed: Killing | undefined

  async function playLane(lane: Lane): Promise<void> {
    const { random, here } = lane
    for (let count = 0; count < stepsPerRound; count++) {
      const isNew = here.length === 0 || random.chance(0.03)
      const at = isNew ? here.length : random.below(here.length)
      if (isNew) {
        const number = (lane.at + 1) * 10_000 + ++lane.opened
        here.push(isPlayed(number) ? await openHousehold(world, number, root.fork(number)) : undefined)
        const opened = here[at]
        if (opened !== undefined) all.set(number, opened)
      }
      const household = here[at]
      if (household !== undefined) {
        const step = household.steps
        if (only?.without.has(step) !== true) {
          const name = await takeStep(world, household, root.fork(household.number * 4099 + step + 1))
          report.counts[name] = (report.counts[name] ?? 0) + 1
          report.steps++
        }
        household.steps++
      }
      const left = here.length > householdsPerLane ? here.shift() : undefined
      if (left !== undefined) await leave(left)
    }
  }

  try {
    do {
      const place = report.rounds % killing.every
      if (only === undefined && place === killing.from) killed = await beginKilling(world)
      const ended = { rounds: false }
      const accident = only === undefined ? beginAccidents(world, accidents, killed, ended) : Promise.resolve(0)
      const results = await Promise.allSettled(own.map(playLane))
      ended.rounds = true
      report.crashes += await accident
      for (const result of results) if (result.status === 'rejected') throw result.reason
      const everybody = [...all.values()]
      await inTurns(everybody, (household) => settleAll(world, household))
      report.jumps += await letTimePass(world, { random: clock, accidents, everybody, killed })
      if (place === killing.until && killed !== undefined) killed = await endKilling(killed, report)
      if (report.rounds % roundsPerComparison === 0) {
        await handleRest(world, everybody)
        await inTurns(
          everybody.filter(({ isGone }) => !isGone),
          (household) => verifyHousehold(world, household),
        )
        expect(await findLedgerFaults(world.client), 'rules of the ledger').toEqual({})
      }
      report.rounds++
      report.days = Math.round((world.now() - begun) / day)
    } while (!until(report))
  } finally {
    if (killed !== undefined) await endKilling(killed, report)
  }
  await inTurns([...all.values()], (household) => finish(world, household, clock))
  await handleRest(world, [...all.values()])
  await inTurns([...all.values()], (household) => verifyHousehold(world, household))
  await world.issueDocuments()
  expect(await findDocumentFaults(world.client), 'rules of documents').toEqual({})
  return report
}

async function endKilling(killed: Killing, report: Report): Promise<undefined> {
  await killed.end()
  report.kills.api += killed.kills().api
  report.kills.worker += killed.kills().worker
}

/** Ends processes while a round is played: those that there are, or this one, seen from the database. @returns how often. */
async function beginAccidents(
  world: World,
  random: Random,
  killed: Killing | undefined,
  ended: { rounds: boolean },
): Promise<number> {
  const moments = Array.from({ length: 4 }, () => ({ wait: random.below(400), statement: 1 + random.below(50) }))
  if (killed !== undefined) {
    const [api, worker] = [random.chance(0.7), random.chance(0.4)]
    const kills = []
    if (api) kills.push(killed.killApi(moments[0]?.wait ?? 0))
    if (worker) kills.push(killed.killWorker(moments[1]?.wait ?? 0))
    await Promise.all(kills)
    return 0
  }
  let crashes = 0
  for (const { wait, statement } of moments) {
    await delay(wait)
    if (ended.rounds) break
    world.crashes.plan(statement)
    while (!ended.rounds && !world.crashes.hasCrashed()) await delay(2)
    if (await world.crashes.recover()) crashes++
  }
  return crashes
}

/** Sets the clock ahead, some hours at a time as in life, and compares what should have come of it. */
async function letTimePass(
  world: World,
  given: { random: Random; accidents: Random; everybody: readonly Household[]; killed: Killing | undefined },
): Promise<number> {
  const { random, accidents, everybody, killed } = given
  // Between two steps: what somebody was told it costs is what it costs when they ask for it.
  if (random.chance(0.25)) await world.shop.changePrice(random)
  const choice = random.next()
  const total = choice < 0.5 ? random.below(20) : choice < 0.85 ? 24 + random.below(72) : 120 + random.below(480)
  let jumps = 0
  for (let left = total; left > 0;) {
    const some = Math.min(left, 4 + random.below(20))
    left -= some
    await (killed ?? world).jump(some * hour)
    jumps++
    const begun = world.now()
    const crash = accidents.chance(0.3) ? 1 + accidents.below(60) : undefined
    if (killed === undefined) await world.handleClock({ crash })
    else {
      const kill = crash === undefined ? undefined : killed.killWorker(accidents.below(60))
      await killed.handleClock()
      await kill
    }
    await world.handleRest()
    const pass = [begun, world.now()] as const
    await inTurns(everybody, (household) => telling(household, () => absorb(world, household, pass)))
  }
  return jumps
}

async function handleRest(world: World, everybody: readonly Household[]): Promise<void> {
  const begun = world.now()
  await world.handleRest()
  await inTurns(everybody, (household) => absorbRest(world, household, begun))
}

async function inTurns(households: readonly Household[], work: (household: Household) => Promise<void>): Promise<void> {
  const waiting = [...households]
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next)
  }
  await Promise.all(Array.from({ length: lanes }, one))
}
