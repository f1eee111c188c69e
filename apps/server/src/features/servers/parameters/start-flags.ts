/** Options of the Java machine within the plan that a server is run by. */
import { hashPlan } from '@wakestone/packager/hash'
import type { InstallPlan } from '@wakestone/packager/manifest'

const java = '{JAVA}'

/** @param before options that stand in the plan already, and go. Engines without Java have none. */
export function withStartFlags(
  plan: InstallPlan,
  flags: readonly string[],
  before: readonly string[] = [],
): InstallPlan {
  const [program, ...rest] = plan.launch.command
  if (program !== java) return plan
  const own = rest.findIndex((word) => !before.includes(word))
  const command = [java, ...flags, ...rest.slice(own < 0 ? rest.length : own)]
  const { hash: _, ...parts } = { ...plan, launch: { ...plan.launch, command } }
  return { hash: hashPlan(parts), ...parts }
}
