/**
 * Ranges of versions: `>=1.2 <2 || ^3.1`, `~1.20.4`, `1.20.x`, `1.0 - 1.4`, `*`; after `fabric:` as `fabric.mod.json`
 * reads them; with `[` or `(` in front, or after `maven:`, as Maven does.
 *
 * A version without a suffix means its whole release: `<1.20.6` wants no build and no pre-release of 1.20.6 although
 * they sort before it, and `>=1.20.6` takes the build `1.20.6-151`.
 */
import { longestRange } from '@wakestone/contract/marketplace/selector'
import { parseMavenRange } from './maven.ts'
import { isMinecraftBuild, parseAnyMinecraftVersion } from './minecraft.ts'
import {
  compareNumbers,
  compareParsed,
  MAX_VERSION_LENGTH,
  parsePlainVersion,
  type Version,
  type VersionFormat,
} from './version.ts'

/** A text that is no range. */
export class VersionRangeError extends Error {}

/** A version as it is written and as `parseVersion` reads it. */
export type ReadVersion = { text: string; parsed: Version | null }

type Dialect = 'own' | 'fabric'
type Test = (version: Version) => boolean
type Context = { format: VersionFormat; dialect: Dialect }

export const MAX_RANGE_LENGTH = longestRange

/** @returns null for what cannot be read in this format */
export function parseVersion(text: string, format: VersionFormat): Version | null {
  if (format !== 'minecraft') return parsePlainVersion(text)
  return parseAnyMinecraftVersion(text) ?? (/^\d+w/.test(text) ? null : parsePlainVersion(text))
}

/**
 * Order of two versions of one package.
 * @returns below 0 when `one` is older. What cannot be read is older than the rest, among itself by code unit.
 */
export function compareVersions(one: string, other: string, format: VersionFormat): number {
  return compareRead(
    { text: one, parsed: parseVersion(one, format) },
    { text: other, parsed: parseVersion(other, format) },
  )
}

/** The same of two that have been read. */
export function compareRead(one: ReadVersion, other: ReadVersion): number {
  if (one.parsed && other.parsed) return compareParsed(one.parsed, other.parsed)
  if (one.parsed || other.parsed) return one.parsed ? 1 : -1
  return one.text === other.text ? 0 : one.text < other.text ? -1 : 1
}

/**
 * @returns whether a version is in the range; one that cannot be read is only in `*`
 * @throws VersionRangeError when the text is no range
 */
export function readRange(text: string, format: VersionFormat): (version: string) => boolean {
  const admits = readRangeOfRead(text, format)
  return (version) => admits({ text: version, parsed: parseVersion(version, format) })
}

/** The same for versions that have been read in that format. */
export function readRangeOfRead(text: string, format: VersionFormat): (version: ReadVersion) => boolean {
  if (text.length > MAX_RANGE_LENGTH) throw new VersionRangeError('the range is too long')
  const [, prefix, rest] = /^(?:(fabric|maven):)?(.*)$/s.exec(text.trim())!
  if (prefix === 'maven' || (!prefix && /^[[(]/.test(rest!))) {
    const maven = parseMavenRange(rest!)
    if (!maven) throw new VersionRangeError(`no range of Maven: ${text}`)
    return (version) => version.text.length <= MAX_VERSION_LENGTH && maven(version.text)
  }
  const context: Context = { format, dialect: prefix === 'fabric' ? 'fabric' : 'own' }
  const alternatives = rest!.split('||').map((part) => readAll(part.trim(), context))
  if (alternatives.some((tests) => tests.length === 0)) return () => true
  return ({ parsed }) => parsed !== null && alternatives.some((tests) => tests.every((test) => test(parsed)))
}

/** Whether a text can be read as a range at all. */
export function isRange(text: string): boolean {
  try {
    readRange(text, 'semver')
    return true
  } catch (error) {
    if (error instanceof VersionRangeError) return false
    throw error
  }
}

/** Tests that all have to hold; none of them: every version is wanted. */
function readAll(text: string, context: Context): Test[] {
  const span = /^(\S+)\s+-\s+(\S+)$/.exec(text)
  if (span) return [readOne('>=', span[1]!, context), readOne('<=', span[2]!, context)].flat()
  const tests: Test[] = []
  const one = /\s*(>=|<=|>|<|=|\^|~>?)?\s*([^\s<>=^~,|]+)\s*,?/y
  while (one.lastIndex < text.length) {
    const match = one.exec(text)
    if (!match) throw new VersionRangeError(`no range of versions: ${text}`)
    tests.push(...readOne(match[1] ?? '', match[2]!, context))
  }
  return tests
}

function readOne(operator: string, text: string, { format, dialect }: Context): Test[] {
  if (/^[xX*]$/.test(text)) {
    if (operator === '<' || operator === '>') return [() => false]
    return []
  }
  const wildcard = /^[vV]?(\d{1,9}(?:\.\d{1,9})*)(?:\.[xX*])+$/.exec(text)
  if (wildcard) return readWildcard(operator, wildcard[1]!.split('.').map(Number))
  // In Fabric's files a hyphen at the end means: with everything that comes before the release.
  const isLowest = text.endsWith('-')
  const version = parseVersion(isLowest ? text.slice(0, -1) : text, format)
  if (!version) throw new VersionRangeError(`no version in a range: ${text}`)
  if (dialect === 'own' && isPartial(version, format) && ['', '=', '>', '<='].includes(operator))
    return readWildcard(operator, version.numbers)
  if (operator === '^' || operator === '~' || operator === '~>') {
    const next = operator === '^' ? nextMajor(version, dialect) : nextMinor(version)
    return [atLeast(version, { dialect, isLowest }), (candidate) => compareNumbers(candidate.numbers, next) < 0]
  }
  if (operator === '>=') return [atLeast(version, { dialect, isLowest })]
  if (operator === '<') return [below(version, { dialect, isLowest })]
  if (operator === '>') return [(candidate) => compareParsed(candidate, version) > 0]
  if (operator === '<=') return [(candidate) => compareParsed(candidate, version) <= 0]
  return [
    (candidate) => compareParsed(candidate, version) === 0 || (dialect === 'own' && isBuildOf(candidate, version)),
  ]
}

type Bound = { dialect: Dialect; isLowest: boolean }

const atLeast =
  (version: Version, { dialect, isLowest }: Bound): Test =>
  (candidate) =>
    isLowest
      ? compareNumbers(candidate.numbers, version.numbers) >= 0
      : compareParsed(candidate, version) >= 0 || (dialect === 'own' && isBuildOf(candidate, version))

const below =
  (version: Version, { dialect, isLowest }: Bound): Test =>
  (candidate) =>
    isLowest || (dialect === 'own' && version.suffix.length === 0)
      ? compareNumbers(candidate.numbers, version.numbers) < 0
      : compareParsed(candidate, version) < 0

/** A numbered build of a release, which semver would call a pre-release of it. */
function isBuildOf(candidate: Version, release: Version): boolean {
  if (release.suffix.length > 0 || compareNumbers(candidate.numbers, release.numbers) !== 0) return false
  return isMinecraftBuild(candidate) || (candidate.suffix.length === 1 && typeof candidate.suffix[0] === 'number')
}

/** `1.2` of semver stands for all of its patches; 1.21 of Minecraft is one release. */
const isPartial = ({ numbers, suffix }: Version, format: VersionFormat) =>
  format === 'semver' && suffix.length === 0 && numbers.length < 3

/** `1.20.x` under an operator: the whole of 1.20, or what is beside it. */
function readWildcard(operator: string, numbers: readonly number[]): Test[] {
  const next = [...numbers.slice(0, -1), numbers.at(-1)! + 1]
  const from: Test = (candidate) => compareNumbers(candidate.numbers, numbers) >= 0
  const to: Test = (candidate) => compareNumbers(candidate.numbers, next) < 0
  if (operator === '>=') return [from]
  if (operator === '>') return [(candidate) => !to(candidate)]
  if (operator === '<=') return [to]
  if (operator === '<') return [(candidate) => !from(candidate)]
  if (operator === '^') return [from, (candidate) => compareNumbers(candidate.numbers, caret(numbers)) < 0]
  return [from, to]
}

function nextMajor({ numbers }: Version, dialect: Dialect): number[] {
  return dialect === 'fabric' ? [(numbers[0] ?? 0) + 1] : caret(numbers)
}

/** The first number that is not 0 may not change. */
function caret(numbers: readonly number[]): number[] {
  const place = numbers.findIndex((number) => number !== 0)
  const last = place < 0 ? numbers.length - 1 : place
  return [...numbers.slice(0, last), numbers[last]! + 1]
}

const nextMinor = ({ numbers }: Version): number[] =>
  numbers.length === 1 ? [numbers[0]! + 1] : [numbers[0]!, numbers[1]! + 1]
