/** Chance that a seed repeats. */

export type Random = {
  /** In [0, 1). */
  next(): number
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Another series, which depends on this seed and the name alone. */
  fork(name: number): Random
}

/** Numbers that depend on the seed alone (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    fork: (name) => createRandom(Math.imul(seed ^ 0x9e3779b9, name * 2 + 1)),
  }
}

/** The seed of this run: that of the variable, else a new one. Printed, so that the run can be repeated. */
export function seedOf(variable: string): number {
  const seed = Number(process.env[variable] ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${variable}=${seed}`)
  return seed
}
