/** What was read from the database, kept until the database tells that it no longer holds. */

const mostKept = 50_000

export type ToldCache<Value> = {
  /** What is kept under a name; else what `load` finds, which is kept from then on. Many at once load it once. */
  find(name: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  forget(name: string): void
  /** Forgets all that `test` picks. */
  forgetWhere(test: (value: Value) => boolean): void
  clear(): void
}

type Kept<Value> = { value: Value; until: number }

/**
 * @param isTold whether changes reach us; while they do not, nothing is taken from memory.
 * @param seconds how long a value is kept at most: for those that depend on the date too.
 */
export function createToldCache<Value>(
  isTold: () => boolean,
  { seconds = Number.POSITIVE_INFINITY }: { seconds?: number } = {},
): ToldCache<Value> {
  const kept = new Map<string, Kept<Value>>()
  // Something that changes while it is read is taken out of here: what is read then may be what was before.
  const loading = new Map<string, { value?: Promise<Value | undefined> }>()
  return {
    async find(name, load) {
      const known = kept.get(name)
      if (known !== undefined && isTold() && known.until > Date.now()) return known.value
      const begun = loading.get(name)
      if (begun?.value !== undefined && isTold()) return begun.value
      const mine: { value?: Promise<Value | undefined> } = {}
      loading.set(name, mine)
      try {
        mine.value = load()
        const value = await mine.value
        if (value === undefined || loading.get(name) !== mine) return value
        if (kept.size >= mostKept) kept.clear()
        kept.set(name, { value, until: Date.now() + seconds * 1000 })
        return value
      } finally {
        if (loading.get(name) === mine) loading.delete(name)
      }
    },
    forget(name) {
      kept.delete(name)
      loading.delete(name)
    },
    forgetWhere(test) {
      for (const [name, { value }] of kept) if (test(value)) kept.delete(name)
      loading.clear() // whom they concern is not known yet
    },
    clear() {
      kept.clear()
      loading.clear()
    },
  }
}
