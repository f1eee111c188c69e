/**
 * The solver's question as variables, values and facts.
 *
 * Each package is a variable, its releases are the values from 1 on, the best first. What several packages can serve
 * is a variable too, whose values are those packages.
 */
import {
  createOfferTest,
  hasRest,
  offersOf,
  readWritten,
  selectorKey,
  versionOf,
  writtenKey,
  writtenRequirements,
  type Offer,
} from '../requirements.ts'
import type { Selector, WrittenSelector } from '../selector.ts'
import { compareRead } from '../versions/range.ts'
import type { Candidate, SolveRequest, Wish } from './request.ts'
import type { Nogood, Problem, Term } from './search.ts'
import { complement, has, intersects, setOf, valuesOf, type ValueSet } from './value-set.ts'

/** What is known beforehand, by which conflicts are explained. */
export type Fact =
  | { kind: 'wish'; wish: Wish; isMissing: boolean }
  | { kind: 'requires'; variable: number; values: number[]; selector: Selector; isMissing: boolean }
  | { kind: 'serves'; variable: number }
  | { kind: 'conflicts'; variable: number; values: number[]; selector: Selector; other: number }
  | { kind: 'one-engine'; variable: number; other: number }

export type PackageVariable = {
  kind: 'package'
  name: string
  candidates: readonly Candidate[]
  /** Of each candidate, its own name first. */
  offers: readonly (readonly Offer[])[]
}
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
  /** All nogoods, for a small problem that is looked at whole. */
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
  const sizes = packages.map((one) => one.candidates.length + 1)
  const facts: Fact[] = []
  const given: Nogood[][] = packages.map(() => [])
  /** Per variable and value. */
  const needs: number[][][] = packages.map(() => [])
  const isExpanded: boolean[] = packages.map(() => false)
  const served = new Map<string, Served>()
  const byOffer = indexOffers(packages)

  const fact = (entry: Fact, terms: Term[]): Nogood => ({ terms, cause: facts.push(entry) - 1 })

  /** The values of each package that a selector means, the package of that name first. */
  function match(selector: Selector): { variable: number; set: ValueSet }[] {
    const admits = createOfferTest(selector)
    const isInChannel = channelTest(selector)
    const found: { variable: number; set: ValueSet }[] = []
    for (const { variable, offers } of byOffer.get(selector.name ?? selector.provides!) ?? []) {
      const { candidates: own } = packages[variable]!
      const values: number[] = []
      for (const { value, offer } of offers) {
        const candidate = own[value - 1]!
        if (admits(offer) && isInChannel(candidate) && hasRest(selector, candidate.manifest)) values.push(value)
      }
      if (values.length > 0) found.push({ variable, set: setOf(sizes[variable]!, values) })
    }
    if (found.length < 2) return found
    const byRank = ({ variable }: { variable: number }) => {
      const { name, candidates: own } = packages[variable]!
      if (name === selector.name) return -1
      return Math.min(...own.map(({ manifest }) => rankOf.get(manifest.ManifestHash) ?? locked.length))
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
  const engines = packages.flatMap(({ candidates: own }, variable) => {
    const values = own.flatMap(({ manifest }, place) => (manifest.labels.kind === 'engine' ? [place + 1] : []))
    return values.length > 0 ? [{ variable, set: setOf(sizes[variable]!, values) }] : []
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
  const kept = packages.flatMap(({ name, candidates: own }, variable) => {
    if (renewed.has(name)) return []
    const place = own.findIndex(({ manifest }) => rankOf.has(manifest.ManifestHash))
    if (place < 0) return []
    return [{ variable, value: place + 1, rank: rankOf.get(own[place]!.manifest.ManifestHash)! }]
  })
  const order = {
    update: renewed,
    kept: kept.toSorted((one, other) => one.rank - other.rank),
  }
  // Variables to choose by come up as packages are looked at; the search needs to know all of them beforehand.
  const reachable = new Set(rootVariables)
  for (const variable of reachable) {
    expand(variable)
    for (const list of needs[variable]!) for (const need of list) reachable.add(need)
  }
  return {
    problem: {
      sizes,
      roots,
      factsOf: (variable) => given[variable]!,
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
    if (!has(domain, value) || !intersects(domain, complement(sizes[variable]!, stay))) continue
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

/** Packages in the order of their names, the releases of each in the order of how much they are wished for. */
function groupByName(
  candidates: readonly Candidate[],
  { wishes, rankOf, renewed }: { wishes: readonly Wish[]; rankOf: Map<string, number>; renewed: ReadonlySet<string> },
): PackageVariable[] {
  const groups = new Map<string, Candidate[]>()
  const seen = new Set<string>()
  for (const candidate of candidates) {
    const { name, ManifestHash } = candidate.manifest
    if (seen.has(ManifestHash)) continue
    seen.add(ManifestHash)
    const group = groups.get(name)
    if (group) group.push(candidate)
    else groups.set(name, [candidate])
  }
  const names = [...groups.keys()].toSorted((one, other) => (one < other ? -1 : 1))
  return names.map((name) => {
    const asked = wishes.filter(({ selector }) => selector.name === name)
    const isPinned = ({ manifest }: Candidate) =>
      rankOf.has(manifest.ManifestHash) || asked.some(({ selector }) => pins(selector, manifest))
    const usable = groups.get(name)!.filter((one) => (one.channel !== 'private' && !one.withdrawn) || isPinned(one))
    const isByAge = asked.some(({ selector }) => selector.tag === 'latest')
    const read = usable.map((candidate) => ({ candidate, offers: offersOf(candidate.manifest) }))
    const sorted = sortByWish(read, { kept: renewed.has(name) ? new Map() : rankOf, isByAge })
    return {
      kind: 'package',
      name,
      candidates: sorted.map(({ candidate }) => candidate),
      offers: sorted.map(({ offers }) => offers),
    }
  })
}

/** A selector pins a release that it names exactly, or by the channel that nobody gets by chance. */
function pins(selector: Selector, manifest: Candidate['manifest']): boolean {
  if (selector.tag === 'private') return true
  return selector.expr !== undefined && selector.expr.replace(/^=\s*/, '') === versionOf(manifest).version
}

const channelRank = { stable: 0, latest: 1, private: 2 }

type Offered = { candidate: Candidate; offers: readonly Offer[] }

function sortByWish(
  candidates: readonly Offered[],
  { kept, isByAge }: { kept: ReadonlyMap<string, number>; isByAge: boolean },
): Offered[] {
  const rank = ({ manifest, withdrawn, channel }: Candidate) =>
    (kept.has(manifest.ManifestHash) ? 0 : 8) + (withdrawn ? 4 : 0) + (isByAge ? 0 : channelRank[channel])
  return candidates.toSorted(
    (one, other) => rank(one.candidate) - rank(other.candidate) || compareRead(other.offers[0]!, one.offers[0]!),
  )
}

function channelTest({ tag }: Selector): (candidate: Candidate) => boolean {
  if (tag === undefined || tag === 'latest') return () => true
  return ({ channel, manifest }) => channel === tag || manifest.labels.channel === tag
}

type Offering = { variable: number; offers: { value: number; offer: Offer }[] }

/** What answers to each name. */
function indexOffers(packages: readonly PackageVariable[]): Map<string, Offering[]> {
  const index = new Map<string, Offering[]>()
  for (const [variable, { offers }] of packages.entries())
    for (const [place, list] of offers.entries())
      for (const offer of list) {
        let offerings = index.get(offer.name)
        if (!offerings) index.set(offer.name, (offerings = []))
        let last = offerings.at(-1)
        if (last?.variable !== variable) offerings.push((last = { variable, offers: [] }))
        last.offers.push({ value: place + 1, offer })
      }
  return index
}
