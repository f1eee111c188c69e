/** Tells of a crash: how the game ended, the last lines of it, and what they say of the reason. */
import { findCrashes } from '@wakestone/minecraft/crash-signatures'
import type { EventSpool } from './events.ts'
import type { Crash } from './game.ts'
import type { JvmCounters } from './jvm-counters.ts'
import { countMemoryKills } from './process-usage.ts'

/** Lines that go with a crash. */
const CRASH_LINES = 50
const LINE_LENGTH = 2000
/** Lines that are looked through for its reason: reports of mods are long. */
const JUDGED_LINES = 400

/** @param readHeap the heap as it was when it was last looked at */
export function createCrashReporter({
  cgroup,
  events,
  lastTexts,
  readHeap,
}: {
  cgroup: string | null
  events: Pick<EventSpool, 'append'>
  lastTexts: (count: number) => string[]
  readHeap: () => JvmCounters | null
}) {
  let memoryKills = countMemoryKills(cgroup)
  return ({ exit, crashCount, tooManyTimes }: Crash): void => {
    const lines = linesOfRun(lastTexts(JUDGED_LINES))
    const lastLines = lines.slice(-CRASH_LINES).map((line) => line.slice(0, LINE_LENGTH))
    const kills = countMemoryKills(cgroup)
    const found = findCrashes(lines, { killedForMemory: kills > memoryKills })
    const reasons = found.map(({ tag }) => tag)
    const heap = readHeap()
    const crash = {
      ...found[0]!,
      exit: { code: exit.code, signal: exit.signal },
      ...(heap && { heap: { used: heap.heapUsed, max: heap.heapMax } }),
    }
    memoryKills = kills
    events.append(() => ({ type: 'crashed', exit, crashCount, tooManyTimes, reasons, lastLines, crash }))
  }
}

/** Those after the end of the run before; the last one is ours, and tells of the end of this one. */
function linesOfRun(lines: string[]): string[] {
  const end = lines.slice(0, -1).findLastIndex((line) => /^The game has (?:crashed|ended) \(/.test(line))
  return lines.slice(end + 1)
}
