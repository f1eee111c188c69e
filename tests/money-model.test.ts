/**
 * Random histories of many customers, compared step by step with a model written from the rules. The processes of the
 * product are killed meanwhile, payment providers misbehave, and the clock jumps.
 * `MONEY_SEED` repeats a history, `MONEY_SECONDS` says how long it goes on, `MONEY_STEPS` after how many steps it ends.
 */
import { expect, test } from 'vitest'
import { findLedgerFaults } from './support/ledger.ts'
import { findUnsettled } from './support/money/books.ts'
import { runHistory } from './support/money/history.ts'
import { createWorld } from './support/money/world.ts'
import { seedOf } from './support/random.ts'

const seconds = Number(process.env['MONEY_SECONDS'] ?? 60)
const stepsWanted = Number(process.env['MONEY_STEPS'] ?? Number.POSITIVE_INFINITY)

test(
  'whatever customers, time and accidents do, every wallet holds what the rules say',
  async () => {
    const seed = seedOf('MONEY_SEED')
    await using world = await createWorld({ seed })
    const end = Date.now() + seconds * 1000
    const report = await runHistory(world, { seed, until: ({ steps }) => Date.now() > end || steps >= stepsWanted })
    console.log({ seed, ...report, kills: world.kills() })
    expect(report.steps).toBeGreaterThan(0)

    // The end: nothing is under way any more, and the books agree with what the providers took.
    world.payu.clearFaults()
    expect(await findUnsettled(world)).toEqual([])
    expect(await findLedgerFaults(world.client)).toEqual({})
  },
  (seconds + 600) * 1000,
)
