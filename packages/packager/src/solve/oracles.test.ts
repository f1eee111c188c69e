/** The solver against two others, on worlds that are too large for trying everything. */
import clingo from 'clingo-wasm'
import { solve_deps as solveForElm } from 'elm-solve-deps-wasm'
import { afterAll, expect, test } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { conflictsOf, createMatcher, requirementsOf, selectorKey } from '../requirements.ts'
import type { Selector } from '../selector.ts'
import { attempt } from './attempt.ts'
import type { SolveRequest, Wish } from './request.ts'
import { candidateOf, createRandom, isWorking, randomRequest } from './test-support/universes.ts'

/** `npm run test:long` looks at two thousand worlds with each. */
const rounds = isLong ? 2000 : 10

afterAll(() => clingo.restart?.())

/** The question as a program for an answer set solver; selectors are read by the rules of manifests alone. */
function programFor({ candidates, wishes }: SolveRequest): string {
  const lines = [
    '{in(P,V) : release(P,V)} 1 :- package(P).',
    'met(K) :- in(P,V), means(K,P,V).',
    ':- in(P,V), requires(P,V,K), not met(K).',
    ':- in(P,V), conflicts(P,V,K), in(Q,W), means(K,Q,W), P != Q.',
    ':- wish(K), not met(K).',
    ':- 2 { in(P,V) : engine(P,V) }.',
  ]
  const numbers = new Map<string, number>()
  const numberOf = (selector: Selector, isExact = false) => {
    const key = `${isExact}${selectorKey(selector)}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = numbers.size
    numbers.set(key, number)
    const isMeant = createMatcher(selector)
    const meant = candidates.flatMap(({ manifest }, place) => (isMeant(manifest) ? [{ manifest, place }] : []))
    const named = meant.filter(({ manifest }) => manifest.name === selector.name)
    for (const { manifest, place } of isExact && named.length > 0 ? named : meant)
      lines.push(`means(${number},${manifest.name},${place}).`)
    return number
  }
  for (const [place, { manifest }] of candidates.entries()) {
    const { name, labels } = manifest
    lines.push(`package(${name}). release(${name},${place}).`)
    if (labels.kind === 'engine') lines.push(`engine(${name},${place}).`)
    for (const selector of requirementsOf(manifest)) lines.push(`requires(${name},${place},${numberOf(selector)}).`)
    for (const selector of conflictsOf(manifest)) lines.push(`conflicts(${name},${place},${numberOf(selector)}).`)
  }
  for (const { selector } of wishes) lines.push(`wish(${numberOf(selector, true)}).`)
  return lines.join('\n')
}

test('an answer set solver finds an answer exactly where there is one', { timeout: 3_600_000 }, async () => {
  const count = { solved: 0, impossible: 0 }
  const size = { packages: 12, versions: 6, requirements: 3, conflicts: 0.3, virtual: true }
  for (let seed = 1; seed <= rounds; seed += 1) {
    const request = randomRequest(createRandom(seed), size)
    const outcome = attempt(request)
    const answer = await clingo.run(programFor(request))
    expect([seed, outcome.targets === null ? 'UNSATISFIABLE' : 'SATISFIABLE']).toEqual([seed, answer.Result])
    if (outcome.targets)
      expect([seed, isWorking(outcome.targets, request.wishes, request.candidates)]).toEqual([seed, true])
    count[outcome.targets ? 'solved' : 'impossible'] += 1
  }
  expect(Math.min(count.solved, count.impossible)).toBeGreaterThan(rounds / 20)
})

/** A world in Elm's terms: every range is `from <= v < to`. */
function elmWorld(seed: number) {
  const random = createRandom(seed)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  /** Nothing needs itself: to Elm that is an error. */
  const needs = (most: number, own = -1): Needs =>
    Object.fromEntries(
      Array.from({ length: upTo(most) }, () => {
        const from = 1 + upTo(4)
        return [upTo(11), [from, from + 1 + upTo(2)]] as const
      })
        .filter(([place]) => place !== own)
        .map(([place, range]) => [`p${place}`, range]),
    )
  const releases = Array.from({ length: 12 }, (_, place) =>
    Array.from({ length: 1 + upTo(5) }, (__, version) => ({
      name: `p${place}`,
      version: version + 1,
      needs: needs(3, place),
    })),
  ).flat()
  return { releases, wanted: { ...needs(2), [`p${upTo(11)}`]: [1, 9] as const } }
}

type Needs = Record<string, readonly [number, number]>

const elmJson = (name: string, version: number, needs: Needs) =>
  JSON.stringify({
    type: 'package',
    name: `a/${name}`,
    summary: '',
    license: 'MIT',
    version: `${version}.0.0`,
    'exposed-modules': [],
    'elm-version': '0.19.0 <= v < 0.20.0',
    dependencies: Object.fromEntries(
      Object.entries(needs).map(([other, [from, to]]) => [`a/${other}`, `${from}.0.0 <= v < ${to}.0.0`]),
    ),
    'test-dependencies': {},
  })

test('the solver of Elm, which is that of Rust, does too', { timeout: 3_600_000 }, () => {
  const count = { solved: 0, impossible: 0 }
  for (let seed = 1; seed <= rounds; seed += 1) {
    const { releases, wanted } = elmWorld(seed)
    const written = (needs: Needs) =>
      Object.entries(needs).map(([name, [from, to]]) => ({ name, expr: `>=${from}.0.0 <${to}.0.0` }))
    const request: SolveRequest = {
      candidates: releases.map(({ name, version, needs }) =>
        candidateOf(`${name}@${version}.0.0`, { depends: written(needs) }),
      ),
      wishes: written(wanted).map((selector): Wish => ({ selector, of: 'owner' })),
      locked: [],
    }
    let theirs: boolean
    try {
      solveForElm(
        elmJson('root', 1, wanted),
        false,
        {},
        (name, version) => {
          const found = releases.find((one) => `a/${one.name}` === name && `${one.version}.0.0` === version)!
          return elmJson(found.name, found.version, found.needs)
        },
        (name) =>
          releases
            .filter((one) => `a/${one.name}` === name)
            .map(({ version }) => `${version}.0.0`)
            .toReversed(),
      )
      theirs = true
    } catch (error) {
      // Any other error is ours: of a world that they do not take.
      expect(String(error)).toMatch(/^(Because|There is no version)/)
      theirs = false
    }
    const { targets } = attempt(request)
    expect([seed, targets !== null]).toEqual([seed, theirs])
    count[theirs ? 'solved' : 'impossible'] += 1
  }
  expect(Math.min(count.solved, count.impossible)).toBeGreaterThan(rounds / 20)
})
