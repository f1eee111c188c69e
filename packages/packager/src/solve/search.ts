/**
 * A conflict-driven search after PubGrub (`doc/solver.md` of dart-lang/pub), over finite variables.
 *
 * A package is a variable, its versions are the values, and value 0 is: not there. A nogood is a list of terms
 * `variable ∈ set` that cannot all hold at once; what pub calls a negative term is a set with 0 in it. Facts are given
 * nogoods, the others are learned from conflicts, each from two others: the empty one is the proof that nothing works.
 */
import { complement, fullSet, intersection, intersects, isSubset, union, without, type ValueSet } from './value-set.ts'

export type Term = { readonly variable: number; readonly set: ValueSet }

export type Nogood = {
  readonly terms: readonly Term[]
  /** A fact by its number, or the two nogoods that it follows from. */
  readonly cause: number | readonly [Nogood, Nogood]
}

export type Problem = {
  /** Count of values of each variable, with 0. Grows when facts are asked for that speak of more variables. */
  sizes: readonly number[]
  /** Facts that hold from the beginning: what was asked for. */
  roots: readonly Nogood[]
  /** Facts that matter once a variable has to have a value other than 0; asked for once each. */
  factsOf(variable: number): readonly Nogood[]
  /**
   * What to try next: a term to make true, of a variable that is still open in it; null: all is well as it stands.
   * Of what is open it must look only at the domains of variables that stand before it in its own order.
   */
  choose(domains: readonly ValueSet[]): Term | null
  /** Nogoods that may be looked at before the search gives up. */
  maxSteps: number
}

export type Found = { domains: readonly ValueSet[]; steps: number }
export type Failed = { proof: Nogood; steps: number }

/** The search was longer than its limit. */
export class StepLimitError extends Error {
  readonly steps: number
  constructor(steps: number) {
    super(`no answer after ${steps} steps`)
    this.steps = steps
  }
}

type Assignment = {
  variable: number
  before: ValueSet
  after: ValueSet
  /** The values that went. */
  removed: ValueSet
  level: number
  /** null: a choice. */
  nogood: Nogood | null
}

/**
 * The same problem has the same answer: each choice stands unless it follows from the facts and the choices before it
 * that it cannot.
 * @throws StepLimitError
 */
export function search(problem: Problem): Found | Failed {
  const { sizes, maxSteps } = problem
  const full = sizes.map(fullSet)
  const domains: ValueSet[] = [...full]
  const trail: Assignment[] = []
  /** Places in the trail of each variable. */
  const places: number[][] = sizes.map(() => [])
  const nogoodsOf: Nogood[][] = sizes.map(() => [])
  const isLoaded = new Set<number>()
  let level = 0
  let steps = 0

  function learn(nogood: Nogood): void {
    for (const { variable } of nogood.terms) nogoodsOf[variable]!.push(nogood)
  }

  function assign(variable: number, after: ValueSet, nogood: Nogood | null): void {
    const before = domains[variable]!
    places[variable]!.push(trail.length)
    const removed = nogood
      ? nogood.terms.find((term) => term.variable === variable)!.set
      : complement(sizes[variable]!, after)
    trail.push({ variable, before, after, removed, level, nogood })
    domains[variable] = after
  }

  function backtrack(to: number): void {
    while (trail.length > 0 && trail.at(-1)!.level > to) {
      const { variable, before } = trail.pop()!
      places[variable]!.pop()
      domains[variable] = before
    }
    level = to
  }

  /** @returns a nogood whose terms all hold, the variable that it narrowed, or null when it says nothing now */
  function apply(nogood: Nogood): 'conflict' | number | null {
    steps += 1
    if (steps > maxSteps) throw new StepLimitError(maxSteps)
    let open: Term | null = null
    for (const term of nogood.terms) {
      const domain = domains[term.variable]!
      if (isSubset(domain, term.set)) continue
      if (open !== null || !intersects(domain, term.set)) return null
      open = term
    }
    if (open === null) return 'conflict'
    assign(open.variable, without(domains[open.variable]!, open.set), nogood)
    return open.variable
  }

  /** Of what has to be there all facts count. */
  function load(variable: number): void {
    if ((domains[variable]![0]! & 1) !== 0 || isLoaded.has(variable)) return
    isLoaded.add(variable)
    const facts = problem.factsOf(variable)
    for (let added = domains.length; added < sizes.length; added += 1) {
      const all = fullSet(sizes[added]!)
      full.push(all)
      domains.push(all)
      places.push([])
      nogoodsOf.push([])
    }
    for (const fact of facts) learn(fact)
  }

  /** @returns the first nogood that is broken, if any */
  function propagate(start: readonly number[]): Nogood | null {
    const queue = [...start]
    const isQueued = new Set(queue)
    for (let place = 0; place < queue.length; place += 1) {
      const variable = queue[place]!
      isQueued.delete(variable)
      load(variable)
      const nogoods = nogoodsOf[variable]!
      // What was learned last says most.
      for (let index = nogoods.length - 1; index >= 0; index -= 1) {
        const outcome = apply(nogoods[index]!)
        if (outcome === 'conflict') return nogoods[index]!
        if (outcome === null || isQueued.has(outcome)) continue
        isQueued.add(outcome)
        queue.push(outcome)
      }
    }
    return null
  }

  /** Place in the trail where a term began to hold. */
  function satisfierOf({ variable, set }: Term): number {
    return places[variable]!.find((place) => isSubset(trail[place]!.after, set))!
  }

  /** @returns what the conflict teaches, after going back to where it tells something; or the proof */
  function resolve(conflict: Nogood): { learned: Nogood } | { proof: Nogood } {
    let nogood = conflict
    for (;;) {
      if (nogood.terms.length === 0) return { proof: nogood }
      let last = -1
      let lastTerm: Term | null = null
      let previousLevel = 0
      for (const term of nogood.terms) {
        const place = satisfierOf(term)
        if (place > last) {
          if (last >= 0) previousLevel = Math.max(previousLevel, trail[last]!.level)
          last = place
          lastTerm = term
        } else previousLevel = Math.max(previousLevel, trail[place]!.level)
      }
      const satisfier = trail[last]!
      const { variable } = satisfier
      // What the last assignment did not do by itself, one before it did.
      const rest = union(lastTerm!.set, satisfier.removed)
      const isWhole = isSubset(full[variable]!, rest)
      if (!isWhole) previousLevel = Math.max(previousLevel, trail[satisfierOf({ variable, set: rest })]!.level)
      if (satisfier.nogood === null || previousLevel < satisfier.level) {
        backtrack(previousLevel)
        if (nogood !== conflict) learn(nogood)
        return { learned: nogood }
      }
      nogood = combine(nogood, satisfier.nogood, { variable, rest: isWhole ? null : rest })
      steps += 1
      if (steps > maxSteps) throw new StepLimitError(maxSteps)
    }
  }

  function settle(start: readonly number[]): Nogood | null {
    for (let changed = start; ;) {
      const conflict = propagate(changed)
      if (conflict === null) return null
      const outcome = resolve(conflict)
      if ('proof' in outcome) return outcome.proof
      const narrowed = apply(outcome.learned)
      if (typeof narrowed !== 'number') throw new Error('a learned nogood tells nothing')
      changed = [narrowed]
    }
  }

  for (const root of problem.roots) learn(root)
  const changed: number[] = []
  for (const root of problem.roots) {
    const outcome = apply(root)
    if (typeof outcome === 'number') changed.push(outcome)
    if (outcome !== 'conflict') continue
    // Without a choice, all of it is a proof.
    const resolved = resolve(root)
    if ('proof' in resolved) return { proof: resolved.proof, steps }
  }
  for (let start = changed; ;) {
    const proof = settle(start)
    if (proof !== null) return { proof, steps }
    const choice = problem.choose(domains)
    if (choice === null) return { domains, steps }
    level += 1
    const after = intersection(domains[choice.variable]!, choice.set)
    assign(choice.variable, after, null)
    start = [choice.variable]
  }
}

/** Both at once: what they say of other variables, and of this one what neither leaves. */
function combine(one: Nogood, other: Nogood, { variable, rest }: { variable: number; rest: ValueSet | null }): Nogood {
  const sets = new Map<number, ValueSet>()
  for (const { terms } of [one, other]) {
    for (const term of terms) {
      if (term.variable === variable) continue
      const before = sets.get(term.variable)
      sets.set(term.variable, before ? intersection(before, term.set) : term.set)
    }
  }
  if (rest !== null) sets.set(variable, rest)
  const terms = [...sets].map(([key, set]) => ({ variable: key, set }))
  return { terms, cause: [one, other] }
}

/** The facts that a proof stands on, each once, in the order in which it uses them. */
export function factsOfProof(proof: Nogood): number[] {
  const facts = new Set<number>()
  const seen = new Set<Nogood>()
  const open = [proof]
  while (open.length > 0) {
    const { cause } = open.pop()!
    if (typeof cause === 'number') facts.add(cause)
    else
      for (const nogood of cause.toReversed())
        if (!seen.has(nogood)) {
          seen.add(nogood)
          open.push(nogood)
        }
  }
  return [...facts]
}
