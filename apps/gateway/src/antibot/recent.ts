/** Remembers so many things for so long: what is set beyond that takes the place of what was set first. */
export type Recent<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  entries(): IterableIterator<[string, Value]>
  size(): number
}

/** Once there are too many, a tenth goes at once: finding the oldest of a map costs as much as was deleted before it. */
export function dropOldest(kept: Map<string, unknown>, most: number): void {
  if (kept.size <= most) return
  for (const key of kept.keys()) {
    if (kept.size <= most * 0.9) return
    kept.delete(key)
  }
}

export function createRecent<Value>(options: { most: number; keepMs: number; now: () => number }): Recent<Value> {
  const { most, keepMs, now } = options
  /** The one that was set first comes first. */
  const kept = new Map<string, { value: Value; until: number }>()

  return {
    get(key) {
      const found = kept.get(key)
      return found && found.until > now() ? found.value : undefined
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, { value, until: now() + keepMs })
      dropOldest(kept, most)
    },
    delete: (key) => void kept.delete(key),
    *entries() {
      for (const [key, { value, until }] of kept) if (until > now()) yield [key, value] as [string, Value]
    },
    size: () => kept.size,
  }
}
