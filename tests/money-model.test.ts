/**
 * One random history of many customers, compared step by step with a model written from the rules. Processes of the
 * product end in the middle of what they do, payment providers misbehave, and the clock jumps.
 * `MONEY_SEED` repeats a history, `MONEY_SECONDS` says how long it goes on, `MONEY_STEPS` after how many steps it ends.
 * What goes wrong in one household is played again alone, then with as few of its steps as it takes.
 */
import { expect, test } from 'vitest'
import { findLedgerFaults } from './support/ledger.ts'
import { findUnsettled, reconcileAll } from './support/money/books.ts'
import { runHistory } from './support/money/history.ts'
import { shrink } from './support/money/shrink.ts'
import { createWorld } from './support/money/world.ts'
import { seedOf } from './support/random.ts'

const seconds = Number(process.env['MONEY_SECONDS'] ?? 60)
const stepsWanted = Number(process.env['MONEY_STEPS'] ?? Number.POSITIVE_INFINITY)

test(
  'whatever customers, time and accidents do, every wallet holds what the rules say',
  async () => {
    const seed = seedOf('MONEY_SEED')
    const end = performance.now() + seconds * 1000
    let rounds = 0
    try {
      await using world = await createWorld({ seed })
      const report = await runHistory(world, {
        seed,
        until: (done) => {
          rounds = done.rounds
          return performance.now() > end || done.steps >= stepsWanted
        },
      })
      console.log({ seed, ...report, seconds: Math.round(performance.now() / 1000) })
      expect(report.steps).toBeGreaterThan(0)

      // The end: nothing is under way any more, and the books agree with what the providers took.
      world.providers.clearFaults()
      expect(await findUnsettled(world)).toEqual([])
      expect(await reconcileAll(world)).toEqual([])
      expect(await findLedgerFaults(world.client)).toEqual({})
    } catch (error) {
      throw await shrink(error, { seed, rounds: rounds + 1 })
    }
  },
  (seconds + 900) * 1000,
)
