/**
 * Versions of packages, put in order. Authors write them in many ways, so nothing is refused: what cannot be read is
 * older than everything that can.
 */

/** `semver`: semver.org, forgiving about the count of numbers. `minecraft`: names of the game. `number`: builds, Java. */
export type VersionFormat = 'semver' | 'minecraft' | 'number'

export type Identifier = number | string

/** Numbers, and what stands behind the hyphen; an empty suffix is a release. */
export type Version = { readonly numbers: readonly number[]; readonly suffix: readonly Identifier[] }

/** Nothing real is longer; a text that is would make work out of nothing. */
export const MAX_VERSION_LENGTH = 128
/** As a number that stands in for a date and a time must fit. */
const MAX_DIGITS = 15

const plain = /^[vV]?(\d+(?:\.\d+)*)(?:\.?(?:-|(?=[A-Za-z]))([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.+-]*)?$/

/** @returns null for what is no version of this shape: `1.2.3`, `v1.2-rc.1+build`, `2.0b3` */
export function parsePlainVersion(text: string): Version | null {
  const usual = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text)
  if (usual) return { numbers: [Number(usual[1]), Number(usual[2]), Number(usual[3])], suffix: [] }
  const match = text.length > MAX_VERSION_LENGTH ? null : plain.exec(text.trim())
  if (!match) return null
  const numbers = match[1]!.split('.')
  const suffix = match[2] === undefined ? [] : match[2].split(/[.]/).filter((part) => part !== '')
  if ([...numbers, ...suffix].some((part) => /^\d+$/.test(part) && part.length > MAX_DIGITS)) return null
  return { numbers: numbers.map(Number), suffix: suffix.map(readIdentifier) }
}

export const readIdentifier = (text: string): Identifier => (/^\d+$/.test(text) ? Number(text) : text)

/** Order of the numbers alone; missing ones are 0. */
export function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    const difference = (one[place] ?? 0) - (other[place] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}

/** By the rules of semver: a suffix is older than none, numbers are older than words, words go by code unit. */
export function compareParsed(one: Version, other: Version): number {
  return compareNumbers(one.numbers, other.numbers) || compareSuffixes(one.suffix, other.suffix)
}

function compareSuffixes(one: readonly Identifier[], other: readonly Identifier[]): number {
  if (one.length === 0 || other.length === 0) return Math.sign(other.length - one.length)
  for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
    const [left, right] = [one[place]!, other[place]!]
    if (left === right) continue
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1
    return left < right ? -1 : 1
  }
  return Math.sign(one.length - other.length)
}
