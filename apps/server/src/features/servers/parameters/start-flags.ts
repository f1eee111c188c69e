/** Options of the Java machine within the plan that a server is run by. */
import { hashPlan } from '@wakestone/packager/hash'
import type { InstallPlan } from '@wakestone/packager/manifest'

/** With its heap begin the options of every engine that Java runs, whether at once or from a script before it. */
const heap = /^-Xms\d/
/** What begins what Java runs, a jar or a class and its path; a script's `--` stands for either. */
const run = /^(-jar|-cp|-classpath|--|[^-].*)$/
const collector = /^-XX:\+Use(\w+)GC$/

/**
 * An owner's options come last: of two that say something of the same, Java takes the later one.
 * @param before options that stand in the plan already, and go. Engines without Java have none.
 */
export function withStartFlags(
  plan: InstallPlan,
  flags: readonly string[],
  before: readonly string[] = [],
): InstallPlan {
  const words = plan.launch.command
  const start = words.findIndex((word) => heap.test(word))
  const end = words.findIndex((word, place) => place > start && run.test(word))
  if (start < 0 || end < 0) return plan
  const options = words.slice(start, end)
  // Plans of earlier versions have them before ours.
  const beginning = without(words.slice(0, start), before)
  const ours = without(options, besides(options, before))
  const command = [...beginning, ...ours, ...besides(ours, flags), ...words.slice(end)]
  const { hash: _, ...parts } = { ...plan, launch: { ...plan.launch, command } }
  return { hash: hashPlan(parts), ...parts }
}

/** Two collectors at once end Java: whoever chooses another turns ours off. */
function besides(ours: readonly string[], flags: readonly string[]): readonly string[] {
  const used = ours.find((word) => collector.test(word))
  const chosen = flags.filter((flag) => collector.test(flag))
  if (used === undefined || chosen.length === 0 || chosen.includes(used)) return flags
  return [used.replace('+', '-'), ...flags]
}

const without = (words: readonly string[], last: readonly string[]): readonly string[] =>
  last.length > 0 && last.every((word, place) => word === words.at(place - last.length))
    ? words.slice(0, -last.length)
    : words
