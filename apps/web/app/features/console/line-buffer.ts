/** The lines a console holds: the newest 10 000, each once, in order, with what is missing said. */
import type { ConsoleLine } from '@wakestone/contract/servers/stream'
import { type ConsoleEntry, gapEntry, readLogLine } from './log-line.ts'

export const CONSOLE_LINES = 10_000

export type LineBuffer = {
  /** Adds lines that are newer than the newest; others are duplicates of a resumed stream. Returns how many were added. */
  append: (lines: readonly ConsoleLine[]) => number
  at: (index: number) => ConsoleEntry | undefined
  size: () => number
  /** Entries that have left at the front so far: index + dropped = key. */
  dropped: () => number
  /** The server's number of the newest line; null before the first. */
  lastSeq: () => number | null
  /** Forgets what is shown; numbering goes on, so that old lines do not return. */
  clear: () => void
}

/** Makes a buffer of `capacity` lines. Appending costs the same however full it is. */
export function createLineBuffer(capacity: number = CONSOLE_LINES): LineBuffer {
  let entries: ConsoleEntry[] = []
  let start = 0 // index in `entries` of the oldest kept one
  let nextKey = 0
  let lastSeq: number | null = null

  const push = (entry: ConsoleEntry) => {
    entries.push(entry)
    nextKey += 1
    if (entries.length - start > capacity) start += 1
    // Cut in large steps: a shift per line would cost more than the line.
    if (start >= capacity) {
      entries = entries.slice(start)
      start = 0
    }
  }

  return {
    append: (lines) => {
      const before = nextKey
      for (const line of lines) {
        if (lastSeq !== null && line.seq <= lastSeq) continue
        const missing = lastSeq === null ? 0 : line.seq - lastSeq - 1 - (line.unshown ?? 0)
        if (missing > 0) push(gapEntry(missing, line, nextKey))
        push(readLogLine(line, nextKey))
        lastSeq = line.seq
      }
      return nextKey - before
    },
    at: (index) => (index < 0 ? undefined : entries[start + index]),
    size: () => entries.length - start,
    dropped: () => nextKey - (entries.length - start),
    lastSeq: () => lastSeq,
    clear: () => {
      entries = []
      start = 0
    },
  }
}
