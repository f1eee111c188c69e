/** Why there is no answer: a proof as steps that can be told in any language. */
import { versionOf } from '../requirements.ts'
import type { Selector } from '../selector.ts'
import { compareVersions } from '../versions/range.ts'
import type { Fact, Model } from './problem.ts'
import type { Wish } from './request.ts'
import type { Nogood, Term } from './search.ts'
import { complement, has, valuesOf } from './value-set.ts'

/** Releases of a package, oldest first; null: whichever. */
export type Versions = string[] | null

/** A package in some of its releases, or whatever serves a selector. */
export type Subject = { package: string; versions: Versions } | { selector: Selector }

/** What is known without a proof. */
export type Reason =
  | { kind: 'wish'; of: Wish['of']; selector: Selector; isMissing: boolean }
  | { kind: 'requires'; package: string; versions: Versions; selector: Selector; isMissing: boolean }
  | { kind: 'conflicts'; package: string; versions: Versions; selector: Selector; other: string }
  | { kind: 'one-engine'; package: string; other: string }
  | { kind: 'serves'; selector: Selector; packages: string[] }

/** What follows. Several subjects cannot be there together; the first of `needs` cannot be without the others. */
export type Conclusion =
  | { kind: 'impossible'; subjects: Subject[] }
  | { kind: 'needed'; subjects: Subject[] }
  | { kind: 'needs'; subjects: Subject[]; needed: Subject[] }
  /** The wishes cannot be met together. */
  | { kind: 'end' }

export type Step = { because: (Reason | { step: number })[]; conclusion: Conclusion }

/** Steps in the order of telling; each may lean on those before it, by their place. The last one is the end. */
export function explain(proof: Nogood, model: Model): Step[] {
  const steps: Step[] = []
  const told = new Map<Nogood, number>()

  function tell(nogood: Nogood): void {
    if (told.has(nogood)) return
    if (typeof nogood.cause === 'number') {
      // A wish that nothing can meet is a proof by itself.
      if (nogood === proof) steps.push({ because: [reasonOf(nogood.cause, model)], conclusion: { kind: 'end' } })
      return
    }
    for (const cause of nogood.cause) tell(cause)
    const because = nogood.cause.map((cause) =>
      typeof cause.cause === 'number' ? reasonOf(cause.cause, model) : { step: told.get(cause)! },
    )
    // A step that is only taken on the way to the next one is told with it.
    steps.push({ because, conclusion: concludes(nogood, model) })
    told.set(nogood, steps.length - 1)
  }

  tell(proof)
  return merge(steps)
}

/** Steps that one later step leans on, and that it follows at once, become one with it, three reasons at most. */
function merge(steps: readonly Step[]): Step[] {
  const uses = steps.map(() => 0)
  for (const { because } of steps) for (const reason of because) if ('step' in reason) uses[reason.step]! += 1
  const merged: Step[] = []
  const placeOf = new Map<number, number>()
  for (const [place, step] of steps.entries()) {
    const because = step.because.flatMap((reason): Step['because'] => {
      if (!('step' in reason)) return [reason]
      const target = placeOf.get(reason.step)!
      const before = merged[target]!
      const isLast = target === merged.length - 1 && uses[reason.step] === 1
      if (!isLast || before.because.length + step.because.length > 4) return [{ step: target }]
      merged.pop()
      return before.because
    })
    placeOf.set(place, merged.push({ because, conclusion: step.conclusion }) - 1)
  }
  return merged
}

function concludes({ terms }: Nogood, model: Model): Conclusion {
  if (terms.length === 0) return { kind: 'end' }
  const there = terms.filter(({ set }) => !has(set, 0)).map((term) => subjectOf(term, model))
  const needed = terms
    .filter(({ set }) => has(set, 0))
    .map(({ variable, set }) => subjectOf({ variable, set: complement(model.problem.sizes[variable]!, set) }, model))
  if (needed.length === 0) return { kind: 'impossible', subjects: there }
  if (there.length === 0) return { kind: 'needed', subjects: needed }
  return { kind: 'needs', subjects: there, needed }
}

function subjectOf({ variable, set }: Term, model: Model): Subject {
  const entry = model.variables[variable]!
  if (entry.kind === 'choice') return { selector: entry.selector }
  return { package: entry.name, versions: versionsOf(variable, valuesOf(set), model) }
}

function versionsOf(variable: number, values: readonly number[], { variables }: Model): Versions {
  const entry = variables[variable]!
  if (entry.kind === 'choice' || values.length === entry.candidates.length) return null
  const found = values.map((value) => versionOf(entry.candidates[value - 1]!.manifest))
  return found
    .toSorted((one, other) => compareVersions(one.version, other.version, one.format))
    .map(({ version }) => version)
}

const nameOf = (variable: number, { variables }: Model): string => {
  const entry = variables[variable]!
  return entry.kind === 'package' ? entry.name : (entry.selector.name ?? entry.selector.provides!)
}

function reasonOf(number: number, model: Model): Reason {
  const fact: Fact = model.facts[number]!
  switch (fact.kind) {
    case 'wish': {
      const { of, selector } = fact.wish
      return { kind: 'wish', of, selector, isMissing: fact.isMissing }
    }
    case 'serves': {
      const { selector, packages } = model.variables[fact.variable] as Extract<
        Model['variables'][number],
        { kind: 'choice' }
      >
      return { kind: 'serves', selector, packages: packages.map(({ variable }) => nameOf(variable, model)) }
    }
    case 'one-engine':
      return { kind: 'one-engine', package: nameOf(fact.variable, model), other: nameOf(fact.other, model) }
    case 'conflicts':
    case 'requires': {
      const { variable, values, selector } = fact
      const subject = { package: nameOf(variable, model), versions: versionsOf(variable, values, model), selector }
      return fact.kind === 'requires'
        ? { kind: 'requires', ...subject, isMissing: fact.isMissing }
        : { kind: 'conflicts', ...subject, other: nameOf(fact.other, model) }
    }
  }
}
