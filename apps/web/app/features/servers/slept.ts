import { type Level, isAsleep } from '@wakestone/contract/servers/levels'

/** Seconds of a span in which a server slept. `changes` are those of its level, oldest first; times in milliseconds. */
export function sleptSeconds(
  changes: readonly { level: string; since: string }[],
  { from, to }: { from: number; to: number },
): number {
  let milliseconds = 0
  for (const [index, { level, since }] of changes.entries()) {
    if (!isAsleep(level.replace('IRL_', '') as Level)) continue
    const end = changes[index + 1]?.since
    milliseconds += Math.max(
      0,
      Math.min(to, end === undefined ? to : Date.parse(end)) - Math.max(from, Date.parse(since)),
    )
  }
  return milliseconds / 1000
}
