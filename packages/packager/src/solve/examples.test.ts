/** What the solver answers to questions that people have. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSelector } from '../selector.ts'
import { planRemoval } from './removal.ts'
import type { Candidate, SolveRequest, Wish } from './request.ts'
import { solve, SolverLimitError } from './solve.ts'
import { candidateOf } from './test-support/universes.ts'

const paper = (game: string) =>
  candidateOf(`paper@151`, {
    versionFormat: 'number',
    contentVersion: game,
    labels: { kind: 'engine' },
    depends: [`java@>=${game.startsWith('1.20') ? 17 : 21}`],
    provides: [
      { name: 'minecraft', version: game },
      { name: 'bukkit', version: game },
    ],
  })
const java = (major: number) =>
  candidateOf(`temurin-${major}-jre@${major}.0.0`, { provides: [{ name: 'java', version: String(major) }] })
const ground = [paper('1.20.6'), paper('1.21.4'), java(17), java(21)]
const wish = (written: unknown, of: Wish['of'] = 'owner'): Wish => ({ selector: parseSelector(written), of })
const onPaper = [wish('paper', 'engine'), wish('provides:minecraft@=1.21.4', 'game')]

const ask = (candidates: Candidate[], wishes: Wish[], rest: Partial<SolveRequest> = {}) =>
  solve({ candidates: [...ground, ...candidates], wishes: [...onPaper, ...wishes], locked: [], ...rest })
const names = (result: ReturnType<typeof solve>) =>
  result.targets_manifests.map(({ name, packageVersion }) => `${name}@${packageVersion}`)
const hashOf = (candidate: Candidate) => candidate.manifest.ManifestHash

const vault = candidateOf('vault@1.7.0', { depends: ['provides:bukkit'] })
const shops1 = candidateOf('shops@1.0.0', { depends: ['vault'] })
const shops2 = candidateOf('shops@2.0.0', { depends: ['vault@>=1.7', 'minecraft@>=1.21'] })
const shops3 = candidateOf('shops@3.0.0-rc.1', { channel: 'latest', depends: ['vault'] })

test('a plugin comes with what it needs, on the engine and the Java that are there', () => {
  const result = ask([vault, shops1, shops2, shops3], [wish('shops')])
  expect(names(result)).toEqual(['paper@151', 'shops@2.0.0', 'temurin-21-jre@21.0.0', 'vault@1.7.0'])
  expect(result).toMatchObject({ isSolved: true, conflicts: [], alternatives: [], uninstall_queue: [] })
})

test('channels: stable before newer ones that are not, unless those are asked for', () => {
  const all = [vault, shops1, shops2, shops3]
  expect(names(ask(all, [wish('shops#latest')]))).toContain('shops@3.0.0-rc.1')
  expect(names(ask(all, [wish('shops#stable')]))).toContain('shops@2.0.0')
  expect(names(ask([vault, shops3], [wish('shops')]))).toContain('shops@3.0.0-rc.1')
  expect(ask([vault, shops3], [wish('shops#stable')]).isSolved).toBe(false)
})

test('private and withdrawn releases are for those who pin them', () => {
  const secret = candidateOf('shops@4.0.0', { channel: 'private' })
  const gone = candidateOf('shops@5.0.0', { withdrawn: true })
  const all = [vault, shops2, secret, gone]
  expect(names(ask(all, [wish('shops')]))).toContain('shops@2.0.0')
  expect(names(ask(all, [wish('shops@>=4')]))).toEqual([])
  expect(names(ask(all, [wish('shops@=4.0.0')]))).toContain('shops@4.0.0')
  expect(names(ask(all, [wish('shops#private')]))).toContain('shops@4.0.0')
  expect(names(ask(all, [wish('shops@5.0.0')]))).toContain('shops@5.0.0')
  expect(names(ask(all, [wish('shops')], { locked: [hashOf(gone)] }))).toContain('shops@5.0.0')
})

test('what is installed stays, unless it is to be updated or cannot stay', () => {
  const all = [vault, shops1, shops2]
  const locked = [hashOf(shops1), hashOf(vault)]
  expect(names(ask(all, [wish('shops')], { locked }))).toContain('shops@1.0.0')
  expect(names(ask(all, [wish('shops')], { locked, update: ['shops'] }))).toContain('shops@2.0.0')
  expect(names(ask(all, [wish('shops@>=2')], { locked }))).toContain('shops@2.0.0')
  const needy = candidateOf('market@1.0.0', { depends: ['shops@>=2'] })
  expect(names(ask([...all, needy], [wish('shops'), wish('market')], { locked }))).toContain('shops@2.0.0')
})

test('what nothing needs any more goes, and what needs others goes first', () => {
  const all = [vault, shops2]
  const result = ask(all, [], { locked: [hashOf(vault), hashOf(shops2)] })
  expect(result.uninstall_queue).toEqual([hashOf(shops2), hashOf(vault)])
})

test('two that want different versions of a third: why, and what would work', () => {
  const all = [
    candidateOf('lib@1.0.0'),
    candidateOf('lib@2.0.0'),
    candidateOf('maps@3.0.0', { depends: ['lib@>=2'] }),
    candidateOf('maps@2.1.0', { depends: ['lib@<2'] }),
    candidateOf('chat@1.0.0', { depends: ['lib@<2'] }),
  ]
  const { isSolved, conflicts, alternatives } = ask(all, [wish('maps@>=3'), wish('chat')])
  expect(isSolved).toBe(false)
  expect(conflicts.at(-1)!.conclusion).toEqual({ kind: 'end' })
  const reasons = conflicts.flatMap(({ because }) => because).filter((reason) => 'kind' in reason)
  expect(reasons).toHaveLength(4)
  expect(reasons).toEqual(
    expect.arrayContaining([
      { kind: 'wish', of: 'owner', selector: { name: 'chat' }, isMissing: false },
      { kind: 'wish', of: 'owner', selector: { name: 'maps', expr: '>=3' }, isMissing: false },
      {
        kind: 'requires',
        package: 'maps',
        versions: ['3.0.0'],
        selector: { name: 'lib', expr: '>=2' },
        isMissing: false,
      },
      { kind: 'requires', package: 'chat', versions: null, selector: { name: 'lib', expr: '<2' }, isMissing: false },
    ]),
  )
  expect(alternatives.map(({ changes }) => changes)).toEqual(
    expect.arrayContaining([
      [{ kind: 'version', package: 'maps', version: '2.1.0' }],
      [{ kind: 'remove', package: 'maps' }],
      [{ kind: 'remove', package: 'chat' }],
    ]),
  )
})

test('a plugin of another version of the game: that version is offered', () => {
  const old = candidateOf('relic@1.0.0', { depends: ['minecraft@<1.21'] })
  const { conflicts, alternatives } = ask([old], [wish('relic')])
  expect(alternatives.map(({ changes }) => changes)).toEqual([
    [{ kind: 'remove', package: 'relic' }],
    [{ kind: 'ground', of: 'game', name: 'minecraft', version: '1.20.6' }],
  ])
  expect(alternatives[1]!.targets_manifests.map(({ contentVersion }) => contentVersion)).toContain('1.20.6')
  expect(conflicts.flatMap(({ because }) => because)).toContainEqual({
    kind: 'wish',
    of: 'game',
    selector: { provides: 'minecraft', expr: '=1.21.4' },
    isMissing: false,
  })
})

test('paper<1.20.6 does not take the build 1.20.6-151', () => {
  const addon = candidateOf('addon@1.0.0', { depends: ['paper@<1.20.6'] })
  const wishes = [wish('addon'), wish('paper', 'engine')]
  expect(solve({ candidates: [...ground, addon], wishes, locked: [] }).isSolved).toBe(false)
  expect(solve({ candidates: [...ground, paper('1.20.4'), addon], wishes, locked: [] }).isSolved).toBe(true)
})

test('what is nowhere to be had is named, with who needs it', () => {
  const lonely = candidateOf('lonely@1.0.0', { depends: ['ghost@>=2'] })
  const result = ask([lonely], [wish('lonely')])
  expect(result.missing_dependants).toEqual([{ dependant: 'lonely', selector: { name: 'ghost', expr: '>=2' } }])
  const unknown = ask([], [wish('nothing')])
  expect(unknown.conflicts).toEqual([
    {
      because: [{ kind: 'wish', of: 'owner', selector: { name: 'nothing' }, isMissing: true }],
      conclusion: { kind: 'end' },
    },
  ])
})

test('what does not go together does not come together, and what is recommended is offered', () => {
  const one = candidateOf('one@1.0.0', { conflicts: ['two@<2'], recommends: ['extra', 'vault'] })
  const both = [candidateOf('two@1.0.0'), candidateOf('two@2.0.0', { channel: 'latest' }), vault]
  expect(names(ask([one, ...both], [wish('one'), wish('two'), wish('vault')]))).toContain('two@2.0.0')
  expect(ask([one, ...both], [wish('one'), wish('two@1.0.0')]).isSolved).toBe(false)
  expect(ask([one, ...both], [wish('one'), wish('vault')]).recommended).toEqual([{ name: 'extra' }])
})

test('of packages that can stand in for each other, one that is there is taken', () => {
  const needy = candidateOf('needy@1.0.0', { depends: ['provides:economy'] })
  const coins = candidateOf('coins@1.0.0', { provides: [{ name: 'economy', version: '1.0.0' }] })
  const bank = candidateOf('bank@1.0.0', { provides: [{ name: 'economy', version: '1.0.0' }] })
  expect(names(ask([needy, coins, bank], [wish('needy')]))).toContain('bank@1.0.0')
  const withCoins = names(ask([needy, coins, bank], [wish('coins'), wish('needy')]))
  expect(withCoins).toContain('coins@1.0.0')
  expect(withCoins).not.toContain('bank@1.0.0')
  expect(names(ask([needy, coins, bank], [wish('needy')], { locked: [hashOf(coins)] }))).toContain('coins@1.0.0')
})

test('a server has one engine', () => {
  const purpur = candidateOf('purpur@1.0.0', {
    labels: { kind: 'engine' },
    provides: [{ name: 'purpur-api', version: '1' }],
  })
  const fan = candidateOf('fan@1.0.0', { depends: ['purpur-api'] })
  const { conflicts } = ask([purpur, fan], [wish('fan')])
  expect(conflicts.flatMap(({ because }) => because)).toContainEqual({
    kind: 'one-engine',
    package: 'paper',
    other: 'purpur',
  })
})

test('the answer does not depend on the order of the releases', () => {
  const all = [vault, shops1, shops2, shops3, candidateOf('maps@3.0.0', { depends: ['vault'] })]
  const expected = ask(all, [wish('shops'), wish('maps')])
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(ask(shuffled, [wish('shops'), wish('maps')])).toEqual(expected)
    }),
  )
})

test('a question that is too hard is given up, in a bounded count of steps', () => {
  expect(() => ask([vault, shops2], [wish('shops')], { maxSteps: 3 })).toThrow(SolverLimitError)
})

test('taking away: who would miss it, and what goes along', () => {
  const extra = candidateOf('extra@1.0.0', { depends: ['shops'] })
  const installed = [extra, shops2, vault, ...ground.slice(1, 2), ground[3]!].map(({ manifest }) => manifest)
  const asked = new Set(['shops', 'extra', 'paper'])
  const removal = planRemoval({ installed, asked, remove: new Set(['shops']) })
  expect(removal.missing_dependants).toEqual([{ dependant: 'extra', selector: { name: 'shops' } }])
  const both = planRemoval({ installed, asked, remove: new Set(['shops', 'extra']) })
  expect(both.missing_dependants).toEqual([])
  expect(both.uninstall_queue.map(({ name }) => name)).toEqual(['extra', 'shops', 'vault'])
})
