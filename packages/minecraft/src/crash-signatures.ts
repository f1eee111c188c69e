/** Why a game crashed, told from the last lines of its console and from how it ended. */
import type { CrashTag } from '@wakestone/contract/values'
import { type CrashDetails, crashTable } from './crash-table.ts'
import { linePattern } from './line-pattern.ts'

export type Crash = { tag: CrashTag; details: CrashDetails }

const rows = crashTable.map((row) => ({ ...row, read: linePattern(row.like) }))
/** Of a line; what matters stands near its beginning. */
const LINE_LENGTH = 1000
/** Names that one list of details may hold. */
const MOST_NAMES = 50

// oxlint-disable-next-line no-control-regex
const DECORATION = /\x1b\[[0-9;]{0,20}m|§./g
/** What players say is no sign of anything. */
const CHAT = /^\[[^\]]{0,80}\](?: \[[^\]]{0,80}\])?: (?:\[Not Secure\] )?<[^>]{1,60}> |^\[[^\]]{0,40}\]: <[^>]{1,60}> /

/**
 * @param lines last lines of the console
 * @returns every reason that fits, the most certain first; `unknown` when none does.
 */
export function findCrashes(lines: readonly string[], { killedForMemory = false } = {}): Crash[] {
  const plain = lines
    .map((line) => line.slice(0, LINE_LENGTH).replace(DECORATION, ''))
    .filter((line) => !CHAT.test(line))
  const found = new Map<CrashTag, CrashDetails>()
  if (killedForMemory) found.set('killed_for_memory', {})
  for (const { tag, read, details } of rows) {
    for (const line of plain) {
      const holes = read(line)
      if (holes === undefined) continue
      const before = found.get(tag)
      found.set(tag, before ? join(before, details?.(holes) ?? {}) : (details?.(holes) ?? {}))
      // One more line of a form that tells nothing more tells nothing.
      if (details === undefined) break
    }
  }
  // Where a dependency is missing, the failure to load is its consequence; threads are a kind of memory to Java.
  if (found.has('forge_missing_mod')) found.delete('forge_mod_load')
  if (found.has('thread_limit')) found.delete('out_of_memory')
  return found.size > 0 ? [...found].map(([tag, details]) => ({ tag, details })) : [{ tag: 'unknown', details: {} }]
}

/** The first word on each thing stands; lists grow. */
function join(one: CrashDetails, other: CrashDetails): CrashDetails {
  const joined = { ...other, ...one }
  for (const [name, value] of Object.entries(other)) {
    const known = one[name]
    if (Array.isArray(value) && Array.isArray(known))
      joined[name] = [...new Set([...known, ...value])].slice(0, MOST_NAMES)
  }
  return joined
}
