/** Options of the Java machine within the plan that a server is run by. */
import { hashPlan } from '@wakestone/packager/hash'
import type { InstallPlan } from '@wakestone/packager/manifest'

/** With its heap begin the options of every engine that Java runs, whether at once or from a script before it. */
const heap = /^-Xms\d/

/** @param before options that stand in the plan already, and go. Engines without Java have none. */
export function withStartFlags(
  plan: InstallPlan,
  flags: readonly string[],
  before: readonly string[] = [],
): InstallPlan {
  const first = plan.launch.command.findIndex((word) => heap.test(word))
  if (first < 0) return plan
  const beginning = plan.launch.command.slice(0, first)
  const own = beginning.slice(0, 1 + beginning.findLastIndex((word) => !before.includes(word)))
  const command = [...own, ...flags, ...plan.launch.command.slice(first)]
  const { hash: _, ...parts } = { ...plan, launch: { ...plan.launch, command } }
  return { hash: hashPlan(parts), ...parts }
}
