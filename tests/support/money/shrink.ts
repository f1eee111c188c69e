/** Finds, for what went wrong in a long history, a short one in which it goes wrong too. */
import { HouseholdFault } from './household.ts'
import { runHistory } from './history.ts'
import { createWorld } from './world.ts'

/** How long to look for a shorter one. */
const patienceSeconds = Number(process.env['MONEY_SHRINK_SECONDS'] ?? 120)

/**
 * Plays the household that went wrong alone, without accidents, and then leaves steps out as long as it goes wrong.
 * @returns what to throw: with the shortest history that was found.
 */
export async function shrink(error: unknown, { seed, rounds }: { seed: number; rounds: number }): Promise<unknown> {
  if (!(error instanceof HouseholdFault) || patienceSeconds === 0) return error
  const { household } = error
  const end = performance.now() + patienceSeconds * 1000
  const without = new Set<number>()
  let found: HouseholdFault | undefined
  let steps = 0
  const fails = async (tried: ReadonlySet<number>): Promise<boolean> => {
    await using world = await createWorld({ seed })
    try {
      const report = await runHistory(world, {
        seed,
        until: (done) => done.rounds >= rounds,
        only: { household, without: tried },
      })
      steps = Math.max(steps, report.steps + tried.size)
      return false
    } catch (again) {
      if (!(again instanceof HouseholdFault)) return false
      found = again
      return true
    }
  }
  if (!(await fails(without))) {
    return new Error(`${error.message}\n(alone and without accidents household ${household} does well)`, {
      cause: error,
    })
  }
  const all = /\[(\d+)\]/g
  const last = Math.max(0, ...[...(found?.message ?? '').matchAll(all)].map(([, step]) => Number(step)))
  for (let size = Math.ceil((last + 1) / 2); size >= 1 && performance.now() < end; size = Math.floor(size / 2)) {
    for (let from = 0; from <= last && performance.now() < end; from += size) {
      const more = Array.from({ length: size }, (_, index) => from + index).filter((step) => !without.has(step))
      if (more.length === 0) continue
      if (await fails(new Set([...without, ...more]))) for (const step of more) without.add(step)
    }
  }
  return new Error(`seed ${seed}, shortened to ${last + 1 - without.size} steps of ${found?.message}`, { cause: error })
}
