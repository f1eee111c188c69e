import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical.ts'
import { hashManifest, hashPlan, sealManifest } from './hash.ts'
import { manifestSchema, type Launch, type Manifest } from './manifest.ts'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from './minecraft-version.ts'
import { buildInstallPlan, PlanError } from './plan.ts'
import { createMatcher, requirementsOf } from './requirements.ts'
import { formatSelector, parseSelector, SelectorError } from './selector.ts'
import { isWorldNewer, nameWorldVersion } from './world-version.ts'

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
/** `__proto__` is no label: the schema drops it, as reading JSON with care does. */
const anyLabels = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  fc.string(),
)
const anyName = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,30}$/)
const anyExpr = fc.constantFrom('*', '>=1.2 <2', '^3', '[1.0,2.0)', 'fabric:>=1.21-', '1.20.6-151')
const anyWritten = fc.oneof(
  anyName,
  fc.tuple(anyName, anyExpr).map(([name, expr]) => `${name}@${expr}`),
  fc.record({ name: anyName, expr: anyExpr }),
  fc.record({ provides: anyName, labels: anyLabels }),
)
const anyManifest: fc.Arbitrary<Manifest> = fc
  .record({
    manifestVersion: fc.constant(1 as const),
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
    packageVersion: fc.string(),
    contentVersion: fc.string(),
    versionFormat: fc.constantFrom('semver' as const, 'minecraft' as const, 'number' as const),
    subdir: fc.constant('.'),
    depends: fc.array(anyWritten),
    dependencies: fc.array(anyWritten),
    provides: fc.array(fc.record({ name: fc.string(), version: fc.string() })),
    setEnv: fc.array(fc.record({ key: fc.string(), value: fc.string() })),
    labels: anyLabels,
    filesHash: fc.option(fc.string()),
    downloadFiles: fc.array(
      fc.record({
        name: fc.string(),
        url: fc.webUrl(),
        hash: hex.map((digits) => `sha256:${digits}`),
        size: fc.option(fc.nat()),
        unpack: fc.constantFrom('none' as const, 'tar.gz' as const, 'zip' as const),
        strip: fc.nat(3),
      }),
    ),
  })
  .map((manifest) => sealManifest(manifest))

/** The same value with the keys of its objects in another order. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reverseKeys(member)]),
  )
}

describe('canonical JSON', () => {
  test('is JSON of the same value, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reverseKeys(value))).toBe(text)
      }),
    )
  })

  test('refuses what JSON cannot hold', () => {
    for (const value of [Number.NaN, Infinity, 1n, () => 1, Symbol('no'), undefined]) {
      expect(() => canonicalJson(value)).toThrow(TypeError)
    }
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
  })
})

describe('hashes', () => {
  test('name the content, not the address', () => {
    fc.assert(
      fc.property(anyManifest, fc.webUrl(), (manifest, url) => {
        expect(manifestSchema.parse(manifest)).toEqual(manifest)
        const moved = { ...manifest, downloadFiles: manifest.downloadFiles.map((file) => ({ ...file, url })) }
        expect(hashManifest(moved)).toBe(manifest.ManifestHash)
        expect(hashManifest(reverseKeys(manifest) as Manifest)).toBe(manifest.ManifestHash)
        expect(hashManifest({ ...manifest, contentVersion: `${manifest.contentVersion}x` })).not.toBe(
          manifest.ManifestHash,
        )
      }),
    )
  })
})

const launch: Launch = {
  command: ['{NODE}', '{DIR:engine}/server.js', '--port', '{PORT}'],
  env: {},
  stopCommand: 'stop',
}
const manifestOf = (name: string, subdir: string): Manifest =>
  sealManifest({
    manifestVersion: 1,
    name,
    packageVersion: '1',
    contentVersion: '1',
    versionFormat: 'number',
    subdir,
    depends: [],
    dependencies: [],
    provides: [],
    setEnv: [],
    labels: {},
    filesHash: null,
    downloadFiles: [],
  })
const engine = manifestOf('engine', '.')
const java = manifestOf('java', '.')

describe('manifests', () => {
  test('of anything else are refused, and only that', () => {
    const broken = fc
      .tuple(anyManifest, fc.constantFrom(...Object.keys(engine)), fc.jsonValue())
      .map(([manifest, key, value]): unknown => ({ ...manifest, [key]: value }))
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue() as fc.Arbitrary<unknown>, broken), (input) => {
        const result = manifestSchema.safeParse(input)
        if (result.success) for (const selector of requirementsOf(result.data)) createMatcher(selector)(engine)
      }),
      { numRuns: 500 },
    )
  })
})

describe('install plans', () => {
  test('do not depend on the order packages come in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-d][a-z]{1,5}$/), { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (names, keys) => {
          const packages = names.map((name) => manifestOf(name, 'plugins'))
          const shuffled = packages
            .map((manifest) => ({ manifest, key: keys.next().value as number }))
            .toSorted((one, other) => one.key - other.key)
            .map(({ manifest }) => manifest)
          const plan = buildInstallPlan({ engine, java, packages, files: [], launch })
          expect(buildInstallPlan({ engine, java, packages: shuffled, files: [], launch })).toEqual(plan)
          expect(plan.packages.map(({ name }) => name)).toEqual(['java', 'engine', ...names.toSorted()])
          expect(hashPlan(plan)).toBe(plan.hash)
        },
      ),
    )
  })

  test.each([
    ['one name twice', { packages: [manifestOf('engine', 'x')] }],
    ['a package outside the volume', { packages: [manifestOf('map', '../map')] }],
    ['an absolute folder', { packages: [manifestOf('map', '/etc')] }],
    ['a file outside the volume', { files: [{ path: 'a/../../b', content: '', mode: 'replace' as const }] }],
    ['a file twice', { files: [1, 2].map(() => ({ path: 'a', content: '', mode: 'replace' as const })) }],
    ['a package that is not there', { launch: { ...launch, command: ['{DIR:other}'] } }],
    ['Java without Java', { launch: { ...launch, command: ['{JAVA}'] } }],
    ['an unknown placeholder', { launch: { ...launch, env: { A: '{HOME}' } } }],
  ])('refuse %s', (_, change) => {
    expect(() => buildInstallPlan({ engine, packages: [], files: [], launch, ...change })).toThrow(PlanError)
  })
})

describe('versions of Minecraft', () => {
  const ordered =
    '1.8 1.8.8 1.9 1.16.5 1.17 1.17.1 1.18 1.20.4 1.20.5 1.20.6 1.21 1.21.4 1.21.11 26.1 26.1.2 26.2'.split(' ')

  test('are ordered by their numbers', () => {
    const place = fc.nat(ordered.length - 1)
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(Math.sign(compareMinecraftVersions(ordered[one]!, ordered[other]!))).toBe(Math.sign(one - other))
      }),
    )
    expect(compareMinecraftVersions('1.21', '1.21.0')).toBe(0)
  })

  test('are two or three numbers, and nothing else', () => {
    for (const text of ['', '1', '1.2.3.4', '1.21-pre1', '25w14a', '26.3-snapshot-9', ' 1.21', '1..2', '1.21.', 'x']) {
      expect(parseMinecraftVersion(text)).toBeNull()
    }
    fc.assert(fc.property(fc.string(), (text) => void parseMinecraftVersion(text)))
  })

  test.each([
    ['1.8', 8],
    ['1.16.5', 8],
    ['1.17', 16],
    ['1.17.1', 16],
    ['1.18', 17],
    ['1.20.4', 17],
    ['1.20.5', 21],
    ['1.21.11', 21],
    ['26.1', 25],
    ['26.2', 25],
  ])('%s needs Java %i', (version, major) => {
    expect(requiredJava(version)).toBe(major)
    expect(requiredJava(version, 99)).toBe(99)
  })
})

describe('selectors', () => {
  test.each([
    ['paper', { name: 'paper' }],
    ['paper@>=1.2 <2', { name: 'paper', expr: '>=1.2 <2' }],
    ['paper#stable', { name: 'paper', tag: 'stable' }],
    ['provides:java@>=21', { provides: 'java', expr: '>=21' }],
  ])('%s', (text, selector) => {
    expect(parseSelector(text)).toEqual(selector)
    expect(formatSelector(selector)).toBe(text)
  })

  test('read back what they write', () => {
    const name = fc.oneof(anyName, fc.constant('modrinth:P7dR8mSH'))
    const selector = fc.oneof(
      fc.record({ name, expr: anyExpr }, { requiredKeys: ['name'] }),
      fc.record({ name, tag: anyName }),
      fc.record({ provides: name, labels: anyLabels }, { requiredKeys: ['provides'] }),
    )
    fc.assert(
      fc.property(selector, (value) => {
        const text = formatSelector(value)
        if (text !== null) expect(parseSelector(text)).toEqual(value)
        expect(parseSelector(value)).toEqual(value)
      }),
    )
  })

  test('know no label that would be more than one', () => {
    const selector = parseSelector(JSON.parse('{"name": "paper", "labels": {"__proto__": "x", "kind": "y"}}'))
    expect(Object.entries(selector.labels ?? {})).toEqual([['kind', 'y']])
    expect(Object.getPrototypeOf(selector.labels)).toBe(Object.prototype)
  })

  test('of a manifest mean the same in both lists and both spellings', () => {
    const written = [
      { depends: ['java@>=21', 'vault'] },
      { depends: ['vault', { name: 'java', expr: '>=21' }] },
      { dependencies: [{ name: 'java', expr: '>=21' }, 'vault', 'vault'] },
      { depends: [{ name: 'vault' }], dependencies: ['java@>=21', { name: 'vault' }] },
    ]
    for (const lists of written) {
      const keys = requirementsOf({ ...engine, ...lists }).map((selector) => formatSelector(selector))
      expect(keys.toSorted()).toEqual(['java@>=21', 'vault'])
    }
  })

  test('mean a package by its name, by what it provides, and by its labels', () => {
    const paper = sealManifest({
      ...engine,
      name: 'paper',
      packageVersion: '151',
      contentVersion: '1.20.6',
      provides: [{ name: 'minecraft', version: '1.20.6' }],
      labels: { kind: 'engine', game: 'minecraft-java' },
    })
    const isMeant = (selector: unknown) => createMatcher(parseSelector(selector))(paper)
    for (const selector of [
      'paper',
      'paper@>=1.20.6',
      'paper@1.20.6-151',
      'minecraft@1.20.6',
      'provides:minecraft@>=1.20 <1.21',
      { name: 'paper', labels: { kind: 'engine' } },
      { name: 'paper', provides: 'minecraft' },
    ])
      expect([selector, isMeant(selector)]).toEqual([selector, true])
    for (const selector of [
      'paper@<1.20.6',
      'minecraft@1.20',
      'purpur',
      { name: 'paper', labels: { kind: 'mod' } },
      { name: 'paper', provides: 'bukkit' },
    ])
      expect([selector, isMeant(selector)]).toEqual([selector, false])
  })

  test('never throw anything but their own error', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        try {
          parseSelector(value)
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError)
        }
      }),
    )
    for (const text of [
      '',
      'provides:',
      'paper@>=',
      'paper@a b',
      'A:b',
      '@1',
      'a b',
      'Paper',
      'paper@',
      'paper#',
      '../x',
    ])
      expect(() => parseSelector(text)).toThrow(SelectorError)
  })
})

describe('a world against a game', () => {
  const world = (version: string | null, dataVersion: number | null = null) => ({ version, dataVersion })

  test.each([
    ['the same', world('1.21.4', 4189), '1.21.4', false],
    ['an older world', world('1.20.4', 3700), '1.21.4', false],
    ['a newer world', world('1.21.4', 4189), '1.20.4', true],
    ['a release that changed no format', world('1.21', 3953), '1.21.0', false],
    ['a snapshot of what came next', world('25w03a', 4304), '1.21.4', true],
    ['a snapshot of what came before', world('24w45a', 4177), '1.21.4', false],
    ['a world that was renamed by hand', world('1.8', 4189), '1.20.4', true],
    ['names alone', world('1.21.4'), '1.21.1', true],
    ['names alone, the other way', world('1.21.1'), '1.21.4', false],
    ['a format alone', world(null, 4189), '1.20.4', true],
    ['games that are not known yet', world('99.2', 90_000), '99.1', true],
    ['games that are not known yet, the other way', world('99.1', 90_000), '99.2', false],
    ['a snapshot of a game that is not known yet', world('99w01a', 90_000), '99.1', false],
    ['a game between two that are known', world('26.2', 4903), '26.1.9', true],
    ['a game that is no release', world('1.21.4', 4189), '24w45a', false],
  ])('%s', (_, saved, version, isNewer) => {
    expect(isWorldNewer(saved, version)).toBe(isNewer)
  })

  test('has a name in any case', () => {
    expect(nameWorldVersion(world('25w03a', 4304))).toBe('25w03a')
    expect(nameWorldVersion(world(null, 4304))).toBe('DataVersion 4304')
  })
})
