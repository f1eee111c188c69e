/** The smallest part of the facts that cannot hold together: each of them is needed for the conflict. */
import { factsOfProof, search, StepLimitError, type Nogood, type Problem } from './search.ts'
import { firstFrom, has, setOf, valuesOf } from './value-set.ts'

/** Facts of one that is too long are left as the search found them: still a conflict, only not the shortest. */
const MOST_FACTS = 150
const MAX_STEPS_EACH = 200_000

/** @returns a proof from facts none of which could be missing */
export function shortestProof(
  proof: Nogood,
  { sizes, nogoods }: { sizes: readonly number[]; nogoods: readonly Nogood[] },
): Nogood {
  const byFact = new Map(nogoods.map((nogood) => [nogood.cause as number, nogood]))
  let facts = factsOfProof(proof)
  let shortest = proof
  if (facts.length > MOST_FACTS) return proof
  for (const fact of facts) {
    if (!facts.includes(fact)) continue
    const rest = facts.filter((one) => one !== fact)
    const found = proveFrom(
      rest.map((one) => byFact.get(one)!),
      sizes,
    )
    if (!found) continue
    shortest = found
    const used = new Set(factsOfProof(found))
    facts = rest.filter((one) => used.has(one))
  }
  return shortest
}

/** @returns null when the facts can hold together, or when nobody can tell in the time */
export function proveFrom(nogoods: readonly Nogood[], sizes: readonly number[]): Nogood | null {
  const problem: Problem = {
    sizes,
    roots: nogoods,
    factsOf: () => [],
    choose(domains) {
      for (const variable of new Set(nogoods.flatMap(({ terms }) => terms.map((term) => term.variable)))) {
        const domain = domains[variable]!
        if (has(domain, 0) || valuesOf(domain).length === 1) continue
        return { variable, set: setOf(sizes[variable]!, [firstFrom(domain, 1)!]) }
      }
      return null
    },
    maxSteps: MAX_STEPS_EACH,
  }
  try {
    const outcome = search(problem)
    return 'proof' in outcome ? outcome.proof : null
  } catch (error) {
    if (error instanceof StepLimitError) return null
    throw error
  }
}
