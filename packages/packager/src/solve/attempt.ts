/** One search, told in packages. */
import type { Manifest } from '../manifest.ts'
import type { Selector } from '../selector.ts'
import { shortestProof } from './core.ts'
import { explain, type Step } from './explanation.ts'
import { buildModel, type Model } from './problem.ts'
import { MAX_STEPS, type SolveRequest, type Wish } from './request.ts'
import { factsOfProof, search, type Nogood } from './search.ts'
import { valuesOf } from './value-set.ts'

/** Something that needs what is nowhere to be had. */
export type MissingDependant = { dependant: string; selector: Selector }

export type Attempt =
  | { targets: Manifest[]; steps: number }
  | {
      targets: null
      steps: number
      /** The facts that cannot hold together, and the variables that they speak of. */
      core: { nogoods: Nogood[]; sizes: readonly number[] }
      wishes: Wish[]
      missing: MissingDependant[]
      conflicts: () => Step[]
    }

/** @throws StepLimitError */
export function attempt(request: SolveRequest): Attempt {
  const model = buildModel({ ...request, maxSteps: request.maxSteps ?? MAX_STEPS })
  const outcome = search(model.problem)
  if ('domains' in outcome) {
    const values = outcome.domains.map((domain) => valuesOf(domain)[0]!)
    return { targets: collectTargets(model, values), steps: outcome.steps }
  }
  const nogoods = model.allNogoods()
  const { sizes } = model.problem
  const proof = shortestProof(outcome.proof, { sizes, nogoods })
  const numbers = factsOfProof(proof)
  const facts = numbers.map((number) => model.facts[number]!)
  return {
    targets: null,
    steps: outcome.steps,
    core: { nogoods: nogoods.filter(({ cause }) => numbers.includes(cause as number)), sizes },
    wishes: facts.flatMap((fact) => (fact.kind === 'wish' ? [fact.wish] : [])),
    missing: facts.flatMap((fact) => {
      if (fact.kind !== 'requires' || !fact.isMissing) return []
      const entry = model.variables[fact.variable]!
      return entry.kind === 'package' ? [{ dependant: entry.name, selector: fact.selector }] : []
    }),
    conflicts: () => explain(proof, model),
  }
}

/** What is needed from the wishes on, each once. */
function collectTargets({ variables, rootVariables, needsOf }: Model, values: readonly number[]): Manifest[] {
  const reached = new Set(rootVariables)
  const targets: Manifest[] = []
  for (const variable of reached) {
    const value = values[variable]!
    const entry = variables[variable]!
    if (entry.kind === 'package') targets.push(entry.candidates[value - 1]!.manifest)
    for (const need of needsOf(variable, value)) reached.add(need)
  }
  return targets
}
