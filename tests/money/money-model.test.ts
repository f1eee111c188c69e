/**
 * One random history of many customers, compared step by step with a model written from the rules. Processes of the
 * product end in the middle of what they do, payment providers misbehave, prices change, and the clock jumps.
 * `MONEY_SECONDS` says how long it goes on, `MONEY_STEPS` after how many steps it ends, `MONEY_SEED` repeats a history;
 * without any of them it is a short one, and always of the same seed. What goes wrong in one household is played again
 * alone, then with as few of its steps as it takes.
 */
import { expect, test } from 'vitest'
import { findLedgerFaults } from '../support/ledger.ts'
import { findUnsettled, reconcileAll } from '../support/money/books.ts'
import { commands } from '../support/money/commands.ts'
import { runHistory } from '../support/money/history.ts'
import { shrink } from '../support/money/shrink.ts'
import { createWorld } from '../support/money/world.ts'
import { seedOf } from '../support/random.ts'

const wanted = { seconds: process.env['MONEY_SECONDS'], steps: process.env['MONEY_STEPS'] }
const isShort = wanted.seconds === undefined && wanted.steps === undefined
const seconds = Number(wanted.seconds ?? (isShort ? 10 : 86_400))
const stepsWanted = Number(wanted.steps ?? Number.POSITIVE_INFINITY)
/** Of the time there is: until all that was done is looked at once more. */
const forTheEnd = Math.min(60, seconds * 0.35)
/** By then everything has been done that customers do, if it can be done at all. */
const stepsOfEverything = 3000

test(
  'whatever customers, time and accidents do, every wallet holds what the rules say',
  async () => {
    const seed = isShort ? Number(process.env['MONEY_SEED'] ?? 7) : seedOf('MONEY_SEED')
    const begun = performance.now()
    const used = process.cpuUsage()
    const secondsPassed = () => (performance.now() - begun) / 1000
    let [rounds, steps] = [0, 0]
    try {
      await using world = await createWorld({ seed })
      const report = await runHistory(world, {
        seed,
        until: (done) => {
          ;({ rounds, steps } = done)
          if (!isShort && rounds % 20 === 0)
            console.log(`${rounds} rounds, ${done.steps} steps, ${done.days} days, ${Math.round(secondsPassed())} s`)
          return secondsPassed() > seconds - forTheEnd || done.steps >= stepsWanted
        },
      })
      expect(report.steps).toBeGreaterThan(0)

      // The end: nothing is under way any more, and the books agree with what the providers took.
      world.providers.clearFaults()
      expect(await findUnsettled(world)).toEqual([])
      expect(await reconcileAll(world)).toEqual([])
      expect(await findLedgerFaults(world.client)).toEqual({})
      const { user, system } = process.cpuUsage(used)
      const busySeconds = Math.round((user + system) / 1e6) // of this process: whatever else the machine had to do
      console.log({ seed, ...report, seconds: Math.round(secondsPassed()), busySeconds })
      if (report.steps >= stepsOfEverything)
        expect(commands.map(({ name }) => name).filter((name) => report.counts[name] === undefined)).toEqual([])
    } catch (error) {
      console.log(`wrong after ${rounds} rounds, ${steps} steps, ${Math.round(secondsPassed())} s`)
      throw await shrink(error, { seed, rounds: rounds + 1 })
    }
  },
  (Math.min(seconds, 20_000) + 900) * 1000,
)
