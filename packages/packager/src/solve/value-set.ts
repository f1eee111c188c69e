/** Sets of small whole numbers as bits: the values that a variable of the search can have. */

export type ValueSet = Uint32Array

const wordsOf = (size: number) => (size + 31) >>> 5

export const emptySet = (size: number): ValueSet => new Uint32Array(wordsOf(size))

/** @param values below `size` */
export function setOf(size: number, values: Iterable<number>): ValueSet {
  const set = emptySet(size)
  for (const value of values) set[value >>> 5]! |= 1 << (value & 31)
  return set
}

export function fullSet(size: number): ValueSet {
  const set = emptySet(size).fill(0xffffffff)
  if (size % 32 !== 0) set[set.length - 1] = 2 ** (size % 32) - 1
  return set
}

export const has = (set: ValueSet, value: number): boolean => (set[value >>> 5]! & (1 << (value & 31))) !== 0

export function isSubset(one: ValueSet, other: ValueSet): boolean {
  for (let word = 0; word < one.length; word += 1) if ((one[word]! & ~other[word]!) !== 0) return false
  return true
}

export function intersects(one: ValueSet, other: ValueSet): boolean {
  for (let word = 0; word < one.length; word += 1) if ((one[word]! & other[word]!) !== 0) return true
  return false
}

export const union = (one: ValueSet, other: ValueSet): ValueSet => one.map((bits, word) => bits | other[word]!)
export const intersection = (one: ValueSet, other: ValueSet): ValueSet => one.map((bits, word) => bits & other[word]!)
export const without = (one: ValueSet, other: ValueSet): ValueSet => one.map((bits, word) => bits & ~other[word]!)
export const complement = (size: number, set: ValueSet): ValueSet => without(fullSet(size), set)

/** Its values, the smallest first. */
export function valuesOf(set: ValueSet): number[] {
  const values: number[] = []
  for (let word = 0; word < set.length; word += 1)
    for (let bits = set[word]!; bits !== 0; bits &= bits - 1) values.push(word * 32 + 31 - Math.clz32(bits & -bits))
  return values
}

/** The smallest value that counts, or null when there is none from `from` on. */
export function firstFrom(set: ValueSet, from: number): number | null {
  return valuesOf(set).find((value) => value >= from) ?? null
}
