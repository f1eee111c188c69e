/**
 * The solver's question as variables, values and facts.
 *
 * Each package is a variable, its releases are the values from 1 on, the best first. What several packages can serve
 * is a variable too, whose values are those packages; such variables come up as packages are looked at.
 */
import { createOfferTest, hasRest, readWritten, selectorKey, writtenKey, writtenRequirements } from '../requirements.ts'
import type { Selector, WrittenSelector } from '../selector.ts'
import { channelTest, groupByName, indexNames, type PackageVariable } from './releases.ts'
import type { SolveRequest, Wish } from './request.ts'
import type { Nogood, Problem, Term } from './search.ts'
import { complement, has, intersects, isSubset, setOf, valuesOf, type ValueSet } from './value-set.ts'

/** What is known beforehand, by which conflicts are explained. */
export type Fact =
  | { kind: 'wish'; wish: Wish; isMissing: boolean }
  | { kind: 'requires'; variable: number; values: number[]; selector: Selector; isMissing: boolean }
  | { kind: 'serves'; variable: number }
  | { kind: 'conflicts'; variable: number; values: number[]; selector: Selector; other: number }
  | { kind: 'one-engine'; variable: number; other: number }

export type ChoiceVariable = { kind: 'choice'; selector: Selector; packages: { variable: number; set: ValueSet }[] }
export type Variable = PackageVariable | ChoiceVariable

export type Model = {
  problem: Problem
  variables: readonly Variable[]
  facts: readonly Fact[]
  /** Variables of what has to be there, in the order of the wishes. */
  rootVariables: readonly number[]
  /** What a value of a variable needs, in the order of its manifest. */
  needsOf(variable: number, value: number): readonly number[]
  /** All nogoods of what has been looked at so far. */
  allNogoods(): readonly Nogood[]
}

type Served = { variable: number; set: ValueSet } | null

export function buildModel({
  candidates,
  wishes,
  locked,
  update = [],
  maxSteps,
}: SolveRequest & { maxSteps: number }): Model {
  const rankOf = new Map(locked.map((hash, rank) => [hash, rank]))
  const renewed = new Set(update)
  const variables: Variable[] = groupByName(candidates, { wishes, rankOf, renewed })
  const packages = variables.slice() as PackageVariable[]
  const sizes = packages.map(({ usable }) => usable.length + 1)
  const facts: Fact[] = []
  const given: Nogood[][] = packages.map(() => [])
  /** Per variable and value. */
  const needs: number[][][] = packages.map(() => [])
  const isExpanded: boolean[] = packages.map(() => false)
  const served = new Map<string, Served>()
  const byName = indexNames(packages)

  const fact = (entry: Fact, terms: Term[]): Nogood => ({ terms, cause: facts.push(entry) - 1 })

  /** The values of each package that a selector means, the package of that name first. */
  function match(selector: Selector): { variable: number; set: ValueSet }[] {
    const admits = createOfferTest(selector)
    const isInChannel = channelTest(selector)
    const found: { variable: number; set: ValueSet }[] = []
    const subject = selector.name ?? selector.provides!
    for (const variable of byName.get(subject) ?? []) {
      const { candidates: own, offers } = packages[variable]!
      const values: number[] = []
      // Plain loops: this is where most of the time goes.
      for (let place = 0; place < own.length; place += 1) {
        const candidate = own[place]!
        for (const offer of offers[place]!) {
          if (offer.name !== subject || !admits(offer)) continue
          if (isInChannel(candidate) && hasRest(selector, candidate.manifest)) values.push(place + 1)
          break
        }
      }
      if (values.length > 0) found.push({ variable, set: setOf(sizes[variable]!, values) })
    }
    if (found.length < 2) return found
    const byRank = ({ variable }: { variable: number }) => {
      const { name, usable } = packages[variable]!
      if (name === selector.name) return -1
      return Math.min(...usable.map(({ manifest }) => rankOf.get(manifest.ManifestHash) ?? locked.length))
    }
    return found.toSorted((one, other) => byRank(one) - byRank(other) || one.variable - other.variable)
  }

  /** The variable and the values that serve a selector; several packages become one variable to choose by. */
  function serve(selector: Selector, isExact: boolean): Served {
    const key = `${isExact}${selectorKey(selector)}`
    const known = served.get(key)
    if (known !== undefined) return known
    let found = match(selector)
    // Who asks for a package by name wants that one, not one that could stand in for it.
    if (isExact && found.some(({ variable }) => packages[variable]!.name === selector.name)) found = found.slice(0, 1)
    let result: Served = found[0] ?? null
    if (found.length > 1) {
      const variable = variables.push({ kind: 'choice', selector, packages: found }) - 1
      const size = sizes[sizes.push(found.length + 1) - 1]!
      isExpanded.push(true)
      needs.push([[], ...found.map((target) => [target.variable])])
      given.push(
        found.map((target, place) =>
          fact({ kind: 'serves', variable }, [
            { variable, set: setOf(size, [place + 1]) },
            { variable: target.variable, set: complement(sizes[target.variable]!, target.set) },
          ]),
        ),
      )
      result = { variable, set: complement(size, setOf(size, [0])) }
    }
    served.set(key, result)
    return result
  }

  const unmet = ({ variable, set }: { variable: number; set: ValueSet }): Term => ({
    variable,
    set: complement(sizes[variable]!, set),
  })

  function expand(variable: number): void {
    if (isExpanded[variable]) return
    isExpanded[variable] = true
    const own = packages[variable]!
    const size = sizes[variable]!
    const wanted = new Map<string, { selector: Selector; values: number[] }>()
    const refused = new Map<string, { selector: Selector; values: number[] }>()
    const collect = (into: typeof wanted, written: readonly WrittenSelector[], value: number) => {
      for (const one of written) {
        const key = writtenKey(one)
        const entry = into.get(key)
        if (!entry) into.set(key, { selector: readWritten(one), values: [value] })
        else if (entry.values.at(-1) !== value) entry.values.push(value)
      }
    }
    const lists: number[][] = [[]]
    for (const [place, { manifest }] of own.candidates.entries()) {
      collect(wanted, writtenRequirements(manifest), place + 1)
      collect(refused, manifest.conflicts ?? [], place + 1)
      lists.push([])
    }
    for (const { selector, values } of wanted.values()) {
      const target = serve(selector, false)
      const set = setOf(size, values)
      const isOwn = target?.variable === variable
      if (isOwn && values.every((value) => has(target.set, value))) continue
      const terms = [
        {
          variable,
          set: isOwn
            ? setOf(
                size,
                values.filter((value) => !has(target.set, value)),
              )
            : set,
        },
      ]
      if (target !== null && !isOwn) terms.push(unmet(target))
      const entry = { kind: 'requires', variable, values, selector, isMissing: target === null } as const
      given[variable]!.push(fact(entry, terms))
      if (target !== null && !isOwn) for (const value of values) lists[value]!.push(target.variable)
    }
    for (const { selector, values } of refused.values()) {
      for (const target of match(selector)) {
        if (target.variable === variable) continue
        const nogood = fact({ kind: 'conflicts', variable, values, selector, other: target.variable }, [
          { variable, set: setOf(size, values) },
          target,
        ])
        given[variable]!.push(nogood)
      }
    }
    needs[variable] = lists
  }

  // Two engines cannot run one server.
  const engines = packages.flatMap((one, variable) => {
    if (one.usable.every(({ manifest }) => manifest.labels.kind !== 'engine')) return []
    const values = one.candidates.flatMap(({ manifest }, place) =>
      manifest.labels.kind === 'engine' ? [place + 1] : [],
    )
    return [{ variable, set: setOf(sizes[variable]!, values) }]
  })
  for (const [place, one] of engines.entries())
    for (const other of engines.slice(place + 1)) {
      const nogood = fact({ kind: 'one-engine', variable: one.variable, other: other.variable }, [one, other])
      given[one.variable]!.push(nogood)
      given[other.variable]!.push(nogood)
    }

  const rootVariables: number[] = []
  const roots = wishes.map((wish) => {
    const target = serve(wish.selector, true)
    if (target !== null) rootVariables.push(target.variable)
    return fact({ kind: 'wish', wish, isMissing: target === null }, target === null ? [] : [unmet(target)])
  })

  const needsOf = (variable: number, value: number) => {
    expand(variable)
    return needs[variable]![value]!
  }
  const kept = packages.flatMap((one, variable) => {
    if (renewed.has(one.name) || one.usable.every(({ manifest }) => !rankOf.has(manifest.ManifestHash))) return []
    const own = one.candidates
    const place = own.findIndex(({ manifest }) => rankOf.has(manifest.ManifestHash))
    return [{ variable, value: place + 1, rank: rankOf.get(own[place]!.manifest.ManifestHash)! }]
  })
  const order = {
    update: renewed,
    kept: kept.toSorted((one, other) => one.rank - other.rank),
  }
  return {
    problem: {
      sizes,
      roots,
      factsOf(variable) {
        expand(variable)
        return given[variable]!
      },
      choose: (domains) => choose(domains, { variables, rootVariables, needsOf, sizes, order }),
      maxSteps,
    },
    variables,
    facts,
    rootVariables,
    needsOf,
    allNogoods: () => [...new Set([...roots, ...given.flat()])],
  }
}

type Order = { update: ReadonlySet<string>; kept: { variable: number; value: number }[] }

/** First what is to be new, then what is to stay, then what is needed, in the order in which it is needed. */
export function choose(
  domains: readonly ValueSet[],
  {
    variables,
    rootVariables,
    needsOf,
    sizes,
    order,
  }: Pick<Model, 'variables' | 'rootVariables' | 'needsOf'> & { sizes: readonly number[]; order: Order },
): Term | null {
  const single = (variable: number, value: number): Term => ({ variable, set: setOf(sizes[variable]!, [value]) })
  for (const variable of rootVariables) {
    const entry = variables[variable]!
    if (entry.kind !== 'package' || !order.update.has(entry.name)) continue
    const values = valuesOf(domains[variable]!)
    if (values.length > 1)
      return single(
        variable,
        values.find((value) => value > 0)!,
      )
  }
  for (const { variable, value } of order.kept) {
    const stay = setOf(sizes[variable]!, [0, value])
    const domain = domains[variable]!
    // Whether its version is still possible must not count: that would hang on what the search has found out by now.
    if (!intersects(domain, stay) || isSubset(domain, stay)) continue
    return { variable, set: stay }
  }
  const queue = [...rootVariables]
  const reached = new Set(queue)
  for (const variable of queue) {
    const values = valuesOf(domains[variable]!)
    if (values.length > 1 || values[0] === 0) {
      const entry = variables[variable]!
      // Of packages that serve alike, one that is there already.
      const open = values.filter((value) => value > 0)
      const present =
        entry.kind === 'choice' ? open.find((value) => reached.has(entry.packages[value - 1]!.variable)) : undefined
      return single(variable, present ?? open[0]!)
    }
    for (const need of needsOf(variable, values[0]!)) {
      if (reached.has(need)) continue
      reached.add(need)
      queue.push(need)
    }
  }
  return null
}
