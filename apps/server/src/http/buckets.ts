/** Counters in memory, for limits that must cost less than what they hold off. Each process counts for itself. */

/** Beyond this many subjects the one that came first is forgotten. */
const subjectsKept = 20_000

export type Buckets = {
  /** Seconds until the subject has room for another; 0 when it has. */
  waitOf(subject: string): number
  /** Pours one in, whether or not there is room. */
  pour(subject: string): void
  /** Takes one out again: it was none after all. */
  takeBack(subject: string): void
}

/** Leaky buckets: each subject may pour `capacity` at once; one leaks out every `leakSeconds`. */
export function createBuckets({ capacity, leakSeconds }: { capacity: number; leakSeconds: number }): Buckets {
  /** When a subject's bucket will be empty, in milliseconds. */
  const emptyAt = new Map<string, number>()
  const share = leakSeconds * 1000
  const fillOf = (subject: string, now: number) => Math.max(emptyAt.get(subject) ?? 0, now)
  return {
    waitOf(subject) {
      const now = Date.now()
      const over = fillOf(subject, now) + share - (now + capacity * share)
      return over <= 0 ? 0 : Math.max(1, Math.ceil(over / 1000))
    },
    takeBack(subject) {
      const filled = emptyAt.get(subject)
      if (filled !== undefined) emptyAt.set(subject, filled - share)
    },
    pour(subject) {
      const filled = fillOf(subject, Date.now()) + share
      emptyAt.delete(subject)
      emptyAt.set(subject, filled)
      if (emptyAt.size <= subjectsKept) return
      for (const oldest of emptyAt.keys()) {
        emptyAt.delete(oldest)
        break
      }
    },
  }
}
