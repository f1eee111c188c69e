/**
 * Measures the solver: worlds of packages by chance, 200 packages of 50 versions, and 40 mods together out of a catalogue
 * of 2 000 projects whose shape is that of Modrinth: a few libraries that many need, several releases for each version
 * of the game, some that do not go together.
 *
 *   node bench/solver.ts
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { WrittenSelector } from '@wakestone/packager/selector'
import type { Candidate, SolveRequest, Wish } from '@wakestone/packager/solve/request'
import { solve, SolverLimitError } from '@wakestone/packager/solve/solve'
import { candidateOf, createRandom } from '@wakestone/packager/solve/test-support/universes'
import { reportFigure } from './fixtures/figure.ts'

const worlds = 300
const worldAllowedMs = 100
const catalogues = 20
const catalogueAllowedMs = 1000

function randomWorld(seed: number): SolveRequest {
  const random = createRandom(seed)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const name = () => `p${upTo(199)}`
  /** Mostly wide, as authors write them: an own floor, a ceiling now and then. */
  const range = () => {
    const from = 1 + upTo(49)
    return random() < 0.5 ? `>=${from}.0.0` : `>=${from}.0.0 <${from + 1 + upTo(30)}.0.0`
  }
  const candidates: Candidate[] = []
  for (let place = 0; place < 200; place += 1) {
    let depends: WrittenSelector[] = []
    for (let version = 1; version <= 50; version += 1) {
      // Most releases need what those before them needed.
      if (version === 1 || random() < 0.15)
        depends = Array.from({ length: upTo(4) }, () => ({ name: name(), expr: range() }))
      const conflicts = random() < 0.02 ? [{ name: name(), expr: range() }] : []
      candidates.push(candidateOf(`p${place}@${version}.0.0`, { depends, ...(conflicts.length > 0 && { conflicts }) }))
    }
  }
  const wishes = Array.from({ length: 5 }, (): Wish => ({ selector: { name: name() }, of: 'owner' }))
  return { candidates, wishes, locked: [] }
}

const games = ['1.20.1', '1.20.4', '1.21', '1.21.1', '1.21.4', '1.21.8', '1.21.11', '26.1']

function catalogue(seed: number): SolveRequest {
  const random = createRandom(seed)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const candidates: Candidate[] = games.map((game) =>
    candidateOf(`fabric@0.${16 + games.indexOf(game)}.0`, {
      labels: { kind: 'engine' },
      provides: [
        { name: 'minecraft', version: game },
        { name: 'fabric-loader', version: `0.${16 + games.indexOf(game)}.0` },
      ],
    }),
  )
  /** The first ones are libraries, and needed the more the earlier they come. */
  const library = () => `mod-${Math.floor(60 * random() ** 3)}`
  for (let project = 0; project < 2000; project += 1) {
    let number = 0
    for (const [place, game] of games.entries())
      for (let count = 1 + upTo(5); count > 0; count -= 1) {
        number += 1
        const needs = Array.from({ length: upTo(project < 60 ? 1 : 4) }, (): WrittenSelector => {
          const expr = random() < 0.6 ? `>=1.${upTo(place * 2)}.0` : random() < 0.7 ? '*' : `<1.${12 + upTo(20)}.0`
          return { name: library(), expr }
        })
        const minecraft = random() < 0.5 ? game : `>=${game} <=${games[Math.min(place + upTo(2), games.length - 1)]}`
        const conflicts = random() < 0.03 ? [{ name: `mod-${60 + upTo(1939)}` }] : []
        candidates.push(
          candidateOf(`mod-${project}@1.${number}.0`, {
            depends: [
              { provides: 'minecraft', expr: minecraft },
              { provides: 'fabric-loader', expr: '>=0.15' },
              ...needs,
            ],
            ...(conflicts.length > 0 && { conflicts }),
          }),
        )
      }
  }
  const wishes: Wish[] = [
    { selector: { name: 'fabric' }, of: 'engine' },
    { selector: { provides: 'minecraft', expr: '1.21.4' }, of: 'game' },
    ...Array.from({ length: 40 }, (): Wish => ({ selector: { name: `mod-${60 + upTo(1939)}` }, of: 'owner' })),
  ]
  return { candidates, wishes, locked: [] }
}

type Run = { ms: number; processorMs: number; isSolved: boolean }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function measure(request: SolveRequest): Run {
  // What making the question left behind is no part of answering it.
  collectGarbage()
  const began = performance.now()
  const usage = process.cpuUsage()
  const taken = () => {
    const { user, system } = process.cpuUsage(usage)
    return { ms: performance.now() - began, processorMs: (user + system) / 1000 }
  }
  try {
    const { isSolved } = solve(request)
    return { ...taken(), isSolved }
  } catch (error) {
    if (!(error instanceof SolverLimitError)) throw error
    return { ms: Infinity, processorMs: Infinity, isSolved: false }
  }
}

/** @returns what the share of the quickest takes at most */
function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1]!
}

function report(what: string, runs: readonly Run[], { share, allowedMs }: { share: number; allowedMs: number }): void {
  const times = runs.map(({ ms }) => ms)
  const solved = runs.filter(({ isSolved }) => isSolved).length
  const processor = quantile(
    runs.map(({ processorMs }) => processorMs),
    share,
  )
  // On a busy machine the two differ: what waits for a processor is not slow by itself.
  console.log(`${what}: ${solved} of ${runs.length} solved; of the processor ${processor.toFixed(0)} ms`)
  console.log(`${what}: half within ${quantile(times, 0.5).toFixed(1)} ms`)
  reportFigure(what, quantile(times, share), 'ms', { atMost: allowedMs })
}

for (let seed = 0; seed < 5; seed += 1) measure(randomWorld(seed))
const requests = Array.from({ length: worlds }, (_, seed) => measure(randomWorld(seed + 100)))
report('solver: 200 packages × 50 versions, p99', requests, { share: 0.99, allowedMs: worldAllowedMs })
const runs = Array.from({ length: catalogues }, (_, seed) => measure(catalogue(seed)))
report('solver: 40 mods of 2 000, longest', runs, { share: 1, allowedMs: catalogueAllowedMs })
