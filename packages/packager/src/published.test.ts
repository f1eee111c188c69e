import { expect, test } from 'vitest'
import { readPublished, type Published } from './published.ts'
import { createMatcher } from './requirements.ts'
import { solve } from './solve/solve.ts'
import { candidateOf } from './solve/test-support/universes.ts'

const published = (changes: Partial<Published['manifest']> = {}, gameVersions = ['1.20.4', '1.21']): Published => ({
  manifest: {
    packageVersion: '2.0.0',
    name: 'shops',
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
  gameVersions,
  folder: 'plugins',
})
const read = (release: Published) => readPublished(release, ({ url }) => `https://example.test${url}`)

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
    downloadFiles: [{ url: 'https://example.test/one', hash: `sha256:${'b'.repeat(64)}`, unpack: 'none' }],
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
