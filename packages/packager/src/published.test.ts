import { expect, test } from 'vitest'
import { readPublished, type Published } from './published.ts'
import { createMatcher } from './requirements.ts'
import { solve } from './solve/solve.ts'
import { candidateOf } from './solve/test-support/universes.ts'

const published = (changes: Partial<Published['manifest']> = {}, gameVersions = ['1.20.4', '1.21']): Published => ({
  manifest: {
    packageVersion: '2.0.0',
    subdir: '',
    contentVersion: null,
    depends: ['vault', { provides: 'economy', expr: '>=1', labels: ['paper'] }],
    dependencies: [
      { selector: { name: 'lib', expr: '^2.0.0' }, kind: 'required' },
      { selector: 'maps', kind: 'optional' },
      { selector: 'rival', kind: 'incompatible' },
      { selector: 'inner', kind: 'embedded' },
    ],
    provides: [],
    setEnv: [],
    labels: ['paper', 'mc-1-21'],
    filesHash: 'a'.repeat(64),
    downloadFiles: [{ name: 'shops.jar', url: '/one', hash: 'b'.repeat(64) }],
    ...changes,
  },
  name: 'shops',
  kind: 'plugin',
  gameVersions,
  loaders: ['paper', 'spigot'],
  sizes: new Map([['b'.repeat(64), 7]]),
  project: 'project-1',
  release: 'release-1',
})
const urlOf = ({ hash }: { hash: string }) => `https://example.test/${hash}`
const read = (release: Published, loads: readonly string[] | null = null) => readPublished(release, { urlOf, loads })

test('kinds of dependencies become what the solver knows', () => {
  const manifest = read(published())!
  expect(manifest).toMatchObject({
    subdir: 'plugins',
    depends: [
      'vault',
      { provides: 'economy', expr: '>=1', labels: { paper: 'true' } },
      { name: 'lib', expr: '^2.0.0' },
      { provides: 'minecraft', expr: '=1.20.4 || =1.21' },
    ],
    conflicts: ['rival'],
    recommends: ['maps'],
    provides: [{ name: 'inner', version: '2.0.0' }],
    labels: { kind: 'plugin', loaders: 'paper,spigot', project: 'project-1', release: 'release-1', paper: 'true' },
    downloadFiles: [
      { url: `https://example.test/${'b'.repeat(64)}`, hash: `sha256:${'b'.repeat(64)}`, size: 7, unpack: 'none' },
    ],
  })
  expect(createMatcher({ name: 'shops', labels: { paper: 'true' } })(manifest)).toBe(true)
})

test('it is chosen for the versions of the game that it names, and for no other', () => {
  const manifest = read(published({ depends: [], dependencies: [] }))!
  const game = (version: string) =>
    candidateOf('game@1.0.0', {
      labels: { kind: 'engine' },
      provides: [{ name: 'minecraft', version }],
    })
  const isChosen = (version: string) =>
    solve({
      candidates: [{ manifest, channel: 'stable', withdrawn: false }, game(version)],
      wishes: [
        { selector: { name: 'shops' }, of: 'owner' },
        { selector: { name: 'game' }, of: 'engine' },
      ],
      locked: [],
    }).isSolved
  expect(['1.20.4', '1.21', '1.21.4', '1.20'].map(isChosen)).toEqual([true, true, false, false])
})

test('what nobody can read is no package to choose', () => {
  expect(read(published({ depends: [{ name: 'lib', expr: '>= what' }] }))).toBeNull()
  expect(read(published({ downloadFiles: [{ name: 'a.tgz', url: '', hash: 'zz' }] }))).toBeNull()
})

test('what another engine loads needs what nobody provides, and is the same release on one that loads it', () => {
  expect(read(published(), ['spigot', 'bukkit'])).toEqual(read(published()))
  expect(read(published(), ['fabric'])!.depends).toContainEqual({ provides: 'paper' })
})

test('a folder of the author lies within what its kind may write to', () => {
  const subdirOf = (subdir: string) => read(published({ subdir }))!.subdir
  expect(subdirOf('plugins/shops')).toBe('plugins/shops')
  expect(subdirOf('world/region')).toBe('plugins')
  expect(subdirOf('.')).toBe('plugins')
})

test.each([
  ['mod', 'a.jar', { subdir: 'mods' }, 'none'],
  ['datapack', 'a.zip', { subdir: '{world}/datapacks' }, 'none'],
  ['config', 'a.zip', { subdir: '{server}', place: 'keep' }, 'zip'],
  ['map', 'a.tgz', { subdir: 'shops', place: 'once' }, 'tar.gz'],
] as const)('a %s goes where its kind belongs', (kind, name, placement, unpack) => {
  const manifest = read({ ...published({ downloadFiles: [{ name, url: '', hash: 'b'.repeat(64) }] }), kind })!
  expect(manifest).toMatchObject({ ...placement, downloadFiles: [{ unpack }] })
})

test('an engine is nothing to install, and a pack of resources stands alone', () => {
  expect(read({ ...published(), kind: 'engine' })).toBeNull()
  const packOf = (name: string) =>
    readPublished(
      { ...published({ depends: [], dependencies: [] }, []), kind: 'resourcepack', name },
      { urlOf, loads: null, offerOf: () => ({ url: 'https://example.test/pack', sha1: 'c'.repeat(40) }) },
    )!
  expect(packOf('one').labels).toMatchObject({ 'resource-pack': 'https://example.test/pack' })
  const both = solve({
    candidates: ['one', 'two'].map((name) => ({ manifest: packOf(name), channel: 'stable', withdrawn: false })),
    wishes: [
      { selector: { name: 'one' }, of: 'owner' },
      { selector: { name: 'two' }, of: 'owner' },
    ],
    locked: [],
  })
  expect(both.isSolved).toBe(false)
})
