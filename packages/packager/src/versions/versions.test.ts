import * as fc from 'fast-check'
// @ts-expect-error it brings no types
import { compare as compareMaven } from 'mvncmp'
import semver from 'semver'
import { describe, expect, test } from 'vitest'
import { compareMavenVersions, parseMavenRange } from './maven.ts'
import { parseAnyMinecraftVersion } from './minecraft.ts'
import { compareVersions, isRange, readRange, VersionRangeError } from './range.ts'
import { compareParsed, parsePlainVersion, type VersionFormat } from './version.ts'

const small = fc.nat(4)
const numbers = fc.tuple(small, small, small).map((parts) => parts.join('.'))
const suffix = fc
  .array(fc.oneof(fc.constantFrom('alpha', 'beta', 'rc', 'x7'), fc.nat(12).map(String)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'))
const semverText = fc.oneof(
  numbers,
  fc.tuple(numbers, suffix).map((parts) => parts.join('-')),
)
const minecraftText = fc.oneof(
  fc.constantFrom('24w45a', '24w46b', '25w31a', '25w42a', '20w06a', '26.1-snapshot-3', '1.14 Pre-Release 2'),
  fc
    .tuple(fc.constantFrom('1.14', '1.20.6', '1.21.4', '26.1'), fc.constantFrom('', '-pre1', '-rc-2', '-151', '-99'))
    .map((parts) => parts.join('')),
)
const formats: VersionFormat[] = ['semver', 'minecraft', 'number']

describe('order', () => {
  test('is that of semver', () => {
    fc.assert(
      fc.property(semverText, semverText, (one, other) => {
        expect(compareVersions(one, other, 'semver')).toBe(semver.compare(one, other))
      }),
    )
  })

  test('of the game goes by its stages', () => {
    const ordered = [
      '1.8.9 15w31a 1.9-pre1 1.9 1.14_x'.split(' ').slice(0, 4),
      ['19w14b', '1.14 Pre-Release 1', '1.14 Pre-Release 10', '1.14'],
      '24w03a 24w14a 1.20.5-pre1 1.20.5-rc1 1.20.5 1.20.6-pre1 1.20.6-9 1.20.6-151 1.20.6'.split(' '),
      '24w44a 24w45a 24w46a 1.21.4-pre1 1.21.4-rc3 1.21.4'.split(' '),
      '25w41a 25w46a 1.21.11-pre1 1.21.11-rc1 1.21.11'.split(' '),
      '26.1-snapshot-1 26.1-snapshot-11 26.1-pre-1 26.1-rc-1 26.1 26.1.1-rc-1 26.1.1 26.2-snapshot-1 26.2'.split(' '),
    ].flat()
    for (const [place, one] of ordered.entries())
      for (const [otherPlace, other] of ordered.entries())
        expect([one, other, Math.sign(compareVersions(one, other, 'minecraft'))]).toEqual([
          one,
          other,
          Math.sign(place - otherPlace),
        ])
  })

  test('is one: each two have one order, and three agree', () => {
    const anyText = fc.oneof(semverText, minecraftText, fc.string({ maxLength: 12 }))
    fc.assert(
      fc.property(fc.constantFrom(...formats), anyText, anyText, anyText, (format, one, other, third) => {
        const order = (left: string, right: string) => Math.sign(compareVersions(left, right, format))
        expect(order(one, other) + order(other, one)).toBe(0)
        if (order(one, other) <= 0 && order(other, third) <= 0) expect(order(one, third)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('puts what nobody can read before everything else', () => {
    expect(compareVersions('unknown', '0.0.1', 'semver')).toBe(-1)
    expect(compareVersions('20w14infinite', '1.0', 'minecraft')).toBe(-1)
  })

  test.each([
    ['v1.2', '1.2.0', 0],
    ['1.2.3.4', '1.2.3', 1],
    ['2.0b3', '2.0', -1],
    ['1.0-SNAPSHOT', '1.0', -1],
    ['1.0+build.7', '1.0+build.9', 0],
    ['jdk', '1', -1],
  ])('%s against %s', (one, other, order) => {
    expect(compareVersions(one, other, 'semver')).toBe(order)
  })
})

describe('order of Maven', () => {
  test('is that of another reader of its rules', () => {
    const word = fc.constantFrom('alpha', 'beta', 'rc', 'cr', 'snapshot', 'sp', 'x')
    // A word after a dot and a lone zero are where readers of different years differ; nobody writes it.
    const part = fc.oneof(
      fc.tuple(fc.constantFrom('.', '-'), fc.integer({ min: 1, max: 30 }).map(String)),
      fc.tuple(fc.constantFrom('-', ''), word),
    )
    const text = fc
      .tuple(fc.nat(9), fc.array(part, { maxLength: 4 }))
      .map(([first, rest]) => `${first}${rest.map((pair) => pair.join('')).join('')}`)
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect([one, other, Math.sign(compareMavenVersions(one, other))]).toEqual([
          one,
          other,
          Math.sign(compareMaven(one, other)),
        ])
      }),
      { numRuns: 1000 },
    )
  })

  test('as its documentation has it', () => {
    const ordered = '1-alpha-1 1-alpha2 1-beta 1-milestone 1-rc 1-SNAPSHOT 1 1-sp 1-abc 1-123 1.0.1 1.1'.split(' ')
    for (const [place, one] of ordered.entries())
      for (const [otherPlace, other] of ordered.entries())
        expect(Math.sign(compareMavenVersions(one, other))).toBe(Math.sign(place - otherPlace))
  })

  test('knows the words that mean the release itself', () => {
    for (const word of ['ga', 'final', 'release']) expect(compareMavenVersions('1.0', `1-${word}`)).toBe(0)
  })

  test.each([
    ['[1.0,2.0)', ['1.0', '1.9.9', '2.0-rc1'], ['0.9', '2.0']],
    ['(,1.0],[1.2,)', ['0.1', '1.0', '1.2', '9'], ['1.1']],
    ['[1.5]', ['1.5', '1.5.0'], ['1.5.1']],
    ['[47.1,)', ['47.1', '47.1.3', '48'], ['47.0.9']],
    ['(1.0,2.0]', ['1.0.1', '2'], ['1', '2.0.1']],
    ['1.0', ['0.1', '7'], []],
  ])('%s', (range, inside, outside) => {
    const admits = parseMavenRange(range)!
    expect(inside.filter((version) => !admits(version))).toEqual([])
    expect(outside.filter(admits)).toEqual([])
    expect(inside.every(readRange(`maven:${range}`, 'semver'))).toBe(true)
  })

  test.each(['', '[', '[1.0', '(1.0)', '[1,2,3]', '[1.0,2.0)x', '[1.0]]', '[]'])('%j is no range', (range) => {
    expect(parseMavenRange(range)).toBeNull()
  })
})

describe('ranges', () => {
  test('admit what those of npm do', () => {
    const version = fc.oneof(
      numbers,
      fc.tuple(numbers, fc.constantFrom('alpha', 'rc.1')).map((parts) => parts.join('-')),
    )
    const partial = fc.oneof(
      numbers,
      fc.tuple(small, small).map((parts) => parts.join('.')),
      small.map(String),
    )
    const comparator = fc.tuple(fc.constantFrom('', '=', '^', '~', '>=', '<', '<=', '>'), partial)
    const range = fc
      .array(
        fc.array(
          comparator.map((parts) => parts.join('')),
          { minLength: 1, maxLength: 2 },
        ),
        {
          minLength: 1,
          maxLength: 2,
        },
      )
      .map((parts) => parts.map((part) => part.join(' ')).join(' || '))
    fc.assert(
      fc.property(version, range, (text, expr) => {
        const admits = readRange(expr, 'semver')
        // npm has the pre-releases of a bound inside `<` and keeps no release out by its own: those are told apart below.
        if (!text.includes('-')) expect([expr, text, admits(text)]).toEqual([expr, text, semver.satisfies(text, expr)])
      }),
      { numRuns: 2000 },
    )
  })

  test('paper<1.20.6 does not admit the build 1.20.6-151, which sorts before it', () => {
    for (const format of formats) {
      expect(compareVersions('1.20.6-151', '1.20.6', format)).toBe(-1)
      expect(readRange('<1.20.6', format)('1.20.6-151')).toBe(false)
      expect(readRange('<1.20.6', format)('1.20.5-99')).toBe(true)
      expect(readRange('>=1.20.6', format)('1.20.6-151')).toBe(true)
      expect(readRange('=1.20.6', format)('1.20.6-151')).toBe(true)
      expect(readRange('<=1.20.6', format)('1.20.6-151')).toBe(true)
      expect(readRange('>1.20.6', format)('1.20.6-151')).toBe(false)
      expect(readRange('>=1.20.6-150 <1.20.6-152', format)('1.20.6-151')).toBe(true)
    }
  })

  test('neither < nor >= of a release takes a pre-release of it; <= and > do as the order says', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom('alpha', 'rc.1', 'pre2'), (release, stage) => {
        const early = `${release}-${stage}`
        expect(['<', '>=', '>', '='].filter((sign) => readRange(`${sign}${release}`, 'semver')(early))).toEqual([])
        expect(readRange(`<=${release}`, 'semver')(early)).toBe(true)
      }),
    )
  })

  test.each<[string, VersionFormat, string[], string[]]>([
    ['1.21', 'minecraft', ['1.21', '1.21.0', '1.21-87'], ['1.21.1', '1.21-pre1']],
    ['1.21.x', 'minecraft', ['1.21', '1.21.11', '24w45a'], ['1.20.6', '26.1']],
    ['>=1.20.5 <26.1', 'minecraft', ['1.20.5', '1.21.11', '1.21.4-rc1'], ['26.1', '26.1-pre-1', '1.20.4']],
    ['~1.20', 'minecraft', ['1.20', '1.20.6'], ['1.21']],
    ['26.1 - 26.2', 'minecraft', ['26.1', '26.1.2', '26.2'], ['26.2.1']],
    ['>=21', 'number', ['21', '25'], ['17']],
    ['*', 'semver', ['1', 'nonsense'], []],
    ['', 'semver', ['1', '1-rc'], []],
    ['1.x || >=3.1, <4', 'semver', ['1.9', '3.1.2'], ['2.0', '4.0', '3.0']],
    ['fabric:1.20', 'semver', ['1.20', '1.20.0'], ['1.20.1']],
    ['fabric:>=1.21-', 'minecraft', ['1.21', '1.21-pre1', '24w18a'], ['1.20.6']],
    ['fabric:>=1.20- <1.21-', 'minecraft', ['1.20', '1.20.6', '23w12a'], ['1.21-pre1', '1.21']],
    ['fabric:<1.21', 'minecraft', ['1.21-pre1', '1.20'], ['1.21']],
    ['fabric:^0.2.1', 'semver', ['0.2.1', '0.9'], ['1.0', '0.2.0']],
    ['fabric:~1.2.3', 'semver', ['1.2.3', '1.2.9'], ['1.3', '1.2.2']],
    ['fabric:1.20.*', 'semver', ['1.20.4'], ['1.21']],
    ['[1.20.4,1.21)', 'minecraft', ['1.20.4', '1.20.6'], ['1.21', '1.20.3']],
  ])('%s of %s', (expr, format, inside, outside) => {
    const admits = readRange(expr, format)
    expect(inside.filter((version) => !admits(version))).toEqual([])
    expect(outside.filter(admits)).toEqual([])
  })

  test.each(['>=', '1.2 ||| 2', '^^1', 'a b', '>= x y', '[1', '1.2 <', '1-2-3 - 4 - 5', 'x'.repeat(300)])(
    '%j is none',
    (text) => {
      expect(isRange(text)).toBe(false)
    },
  )
})

describe('odd texts', () => {
  const odd = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '1',
          '9',
          '0',
          '.',
          '-',
          '+',
          '>',
          '<',
          '=',
          '~',
          '^',
          '[',
          ')',
          ',',
          ' ',
          'x',
          'w',
          'rc',
          '||',
        ),
        {
          maxLength: 150,
        },
      )
      .map((parts) => parts.join('')),
  )

  test('throw nothing but the one error, and take no time', () => {
    fc.assert(
      fc.property(odd, odd, fc.constantFrom(...formats), (text, version, format) => {
        const began = performance.now()
        parsePlainVersion(text)
        parseAnyMinecraftVersion(text)
        compareMavenVersions(text, version)
        compareVersions(text, version, format)
        try {
          readRange(text, format)(version)
        } catch (error) {
          expect(error).toBeInstanceOf(VersionRangeError)
        }
        expect(performance.now() - began).toBeLessThan(250)
      }),
      { numRuns: 3000 },
    )
    for (const text of ['1.'.repeat(50_000), '1-'.repeat(50_000), '('.repeat(50_000), `1${' '.repeat(50_000)}x`]) {
      expect(parsePlainVersion(text)).toBeNull()
      expect(isRange(text)).toBe(false)
    }
  })

  test('a version equals itself', () => {
    fc.assert(
      fc.property(odd, (text) => {
        const version = parsePlainVersion(text)
        if (version) expect(compareParsed(version, version)).toBe(0)
        expect(compareMavenVersions(text, text)).toBe(0)
      }),
    )
  })
})
