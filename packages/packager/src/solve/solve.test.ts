import { describe, expect, test, vi } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { attempt } from './attempt.ts'
import { proveFrom } from './core.ts'
import { solve } from './solve.ts'
import { allWorking, bestByTrying, createRandom, isWorking, randomRequest } from './test-support/universes.ts'

/** Small ones by default; `npm run test:long` looks at a hundred times as many. */
const rounds = isLong ? 100_000 : 1000

vi.setConfig({ testTimeout: isLong ? 3_600_000 : 20_000 })

const smallSize = { packages: 5, versions: 3, requirements: 2, conflicts: 0.2, virtual: true }

describe('against trying everything', () => {
  test('finds what works, the same that the order of wishes asks for, or nothing where nothing works', () => {
    const count = { solved: 0, impossible: 0 }
    // The last one once had another answer, by what the search had learned on its way.
    for (const seed of [...Array.from({ length: rounds }, (_, place) => place + 1), 10_192]) {
      const request = randomRequest(createRandom(seed), smallSize)
      const working = allWorking(request)
      const outcome = attempt(request)
      const found = outcome.targets?.map(({ ManifestHash }) => ManifestHash) ?? null
      expect([seed, found]).toEqual([seed, bestByTrying(request, working)])
      if (outcome.targets)
        expect([seed, isWorking(outcome.targets, request.wishes, request.candidates)]).toEqual([seed, true])
      count[outcome.targets ? 'solved' : 'impossible'] += 1
    }
    // Neither answer is rare, so neither is taken on trust.
    expect(Math.min(count.solved, count.impossible)).toBeGreaterThan(rounds / 10)
  })

  test('each explanation names a real conflict: its facts alone are one, and without any of them there is none', () => {
    let looked = 0
    for (let seed = 1; seed <= rounds / 2; seed += 1) {
      const request = randomRequest(createRandom(seed), { ...smallSize, requirements: 3, conflicts: 0.4 })
      const outcome = attempt(request)
      if (outcome.targets) continue
      looked += 1
      const { nogoods, sizes } = outcome.core
      expect([seed, proveFrom(nogoods, sizes) !== null]).toEqual([seed, true])
      for (const nogood of nogoods) {
        const rest = nogoods.filter((one) => one !== nogood)
        expect([seed, proveFrom(rest, sizes)]).toEqual([seed, null])
      }
    }
    expect(looked).toBeGreaterThan(rounds / 20)
  })

  test('each alternative works, and changes nothing but what it says', () => {
    let looked = 0
    for (let seed = 1; seed <= rounds / 4; seed += 1) {
      const request = randomRequest(createRandom(seed), { ...smallSize, requirements: 3, conflicts: 0.4 })
      const result = solve(request)
      for (const { changes, targets_manifests: targets } of result.alternatives) {
        looked += 1
        expect(changes.length).toBeGreaterThan(0)
        const changed = new Set(changes.map((change) => (change.kind === 'ground' ? change.name : change.package)))
        const kept = request.wishes.filter(({ selector }) => !changed.has(selector.name ?? selector.provides!))
        expect([seed, isWorking(targets, kept, request.candidates)]).toEqual([seed, true])
      }
    }
    expect(looked).toBeGreaterThan(rounds / 20)
  })
})
