/** What is known of callers, until it is told that it no longer holds. */

const limit = 50_000

export type CallerCache<Value> = {
  /** What is known under a name; else what `load` finds, which is known from then on. Many at once load it once. */
  find(name: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  forget(userId: string): void
  clear(): void
}

/** @param isTold whether changes reach us; while they do not, nothing is taken from memory. */
export function createCallerCache<Value extends { userId: string }>(isTold: () => boolean): CallerCache<Value> {
  const known = new Map<string, Value>()
  const loading = new Map<string, { since: number; value: Promise<Value | undefined> }>()
  let changes = 0
  return {
    async find(name, load) {
      const value = isTold() ? known.get(name) : undefined
      if (value !== undefined) return value
      const begun = loading.get(name)
      if (isTold() && begun?.since === changes) return begun.value
      const mine = { since: changes, value: load() }
      loading.set(name, mine)
      try {
        const loaded = await mine.value
        // Something changed while it was read: it may be what was before.
        if (loaded === undefined || mine.since !== changes) return loaded
        if (known.size >= limit) known.clear()
        known.set(name, loaded)
        return loaded
      } finally {
        if (loading.get(name) === mine) loading.delete(name)
      }
    },
    forget(userId) {
      changes++
      for (const [name, value] of known) if (value.userId === userId) known.delete(name)
    },
    clear() {
      changes++
      known.clear()
    },
  }
}
