/** Small worlds of packages by chance, and what is right in them by trying everything. */
import { sealManifest } from '../../hash.ts'
import type { Manifest } from '../../manifest.ts'
import { conflictsOf, createMatcher, requirementsOf } from '../../requirements.ts'
import type { WrittenSelector } from '../../selector.ts'
import { buildModel, type Model } from '../problem.ts'
import { MAX_STEPS, type Candidate, type SolveRequest, type Wish } from '../request.ts'
import { fullSet, intersection, valuesOf, without } from '../value-set.ts'

/** The same numbers for the same seed; each from 0 to below 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Written = Partial<
  Pick<Manifest, 'provides' | 'labels' | 'depends' | 'conflicts' | 'recommends' | 'versionFormat' | 'contentVersion'>
> & { channel?: Candidate['channel']; withdrawn?: boolean }

/** A release, `name@version`. */
export function candidateOf(text: string, { channel = 'stable', withdrawn = false, ...rest }: Written = {}): Candidate {
  const [name, version] = text.split('@') as [string, string]
  const manifest = sealManifest({
    manifestVersion: 1,
    name,
    packageVersion: version,
    contentVersion: version,
    versionFormat: 'semver',
    subdir: 'plugins',
    depends: [],
    dependencies: [],
    provides: [],
    setEnv: [],
    labels: {},
    filesHash: null,
    downloadFiles: [],
    ...rest,
  })
  return { manifest, channel, withdrawn }
}

type Size = { packages: number; versions: number; requirements: number; conflicts: number; virtual: boolean }

/** @param size bounds of each count */
export function randomRequest(random: () => number, size: Size): SolveRequest {
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const names = Array.from({ length: size.packages }, (_, place) => `p${place}`)
  const pick = <Item>(items: readonly Item[]): Item => items[upTo(items.length - 1)]!
  const range = () => {
    const version = `${1 + upTo(size.versions - 1)}.0.0`
    return pick(['*', `>=${version}`, `<=${version}`, `=${version}`, `^${version}`, `>${version}`, `<${version}`])
  }
  const selector = (): WrittenSelector => {
    if (size.virtual && random() < 0.3) return { provides: pick(['v0', 'v1']), expr: range() }
    return `${pick(names)}@${range()}`
  }
  const candidates = names.flatMap((name) =>
    Array.from({ length: 1 + upTo(size.versions - 1) }, (_, place) =>
      candidateOf(`${name}@${place + 1}.0.0`, {
        depends: Array.from({ length: upTo(size.requirements) }, selector),
        ...(random() < size.conflicts ? { conflicts: [selector()] } : {}),
        ...(size.virtual && random() < 0.3
          ? { provides: [{ name: pick(['v0', 'v1']), version: `${1 + upTo(size.versions - 1)}.0.0` }] }
          : {}),
        ...(size.virtual && random() < 0.1 ? { labels: { kind: 'engine' } } : {}),
        ...(random() < 0.2 ? { channel: 'latest' as const } : {}),
      }),
    ),
  )
  const wishes = Array.from({ length: 1 + upTo(2) }, (): Wish => {
    const written = selector()
    if (typeof written !== 'string') return { selector: written, of: 'owner' }
    const [name, expr] = written.split('@') as [string, string]
    return { selector: { name, expr }, of: 'owner' }
  })
  const locked = candidates.filter(() => random() < 0.15).map(({ manifest }) => manifest.ManifestHash)
  const update = random() < 0.3 ? [pick(names)] : []
  return { candidates, wishes, locked, update }
}

/** Whether packages can be together and meet the wishes; by the manifests alone. */
export function isWorking(manifests: readonly Manifest[], wishes: readonly Wish[], all: readonly Candidate[]): boolean {
  const isNamed = (name: string) => all.some(({ manifest }) => manifest.name === name)
  return (
    new Set(manifests.map(({ name }) => name)).size === manifests.length &&
    manifests.filter(({ labels }) => labels.kind === 'engine').length <= 1 &&
    wishes.every(({ selector }) => {
      const isMeant = createMatcher(selector)
      const { name } = selector
      return manifests.some(
        (manifest) =>
          isMeant(manifest) &&
          (name === undefined ||
            manifest.name === name ||
            !isNamed(name) ||
            !all.some((other) => other.manifest.name === name && isMeant(other.manifest))),
      )
    }) &&
    manifests.every(
      (manifest) =>
        requirementsOf(manifest).every((selector) => manifests.some(createMatcher(selector))) &&
        conflictsOf(manifest).every(
          (selector) => !manifests.some((other) => other.name !== manifest.name && createMatcher(selector)(other)),
        ),
    )
  )
}

/** Every choice of at most one release of each package that works; of 31 releases at most, each a bit. */
export function allWorking({ candidates, wishes }: SolveRequest): Manifest[][] {
  const manifests = candidates.map(({ manifest }) => manifest)
  const bitsOf = (isMeant: (manifest: Manifest) => boolean) =>
    manifests.reduce((bits, manifest, place) => (isMeant(manifest) ? bits | (1 << place) : bits), 0)
  const needs = manifests.map((manifest) => requirementsOf(manifest).map((one) => bitsOf(createMatcher(one))))
  const refused = manifests.map(({ name, ...rest }) =>
    conflictsOf({ name, ...rest }).map((one) => bitsOf((other) => other.name !== name && createMatcher(one)(other))),
  )
  const engines = bitsOf(({ labels }) => labels.kind === 'engine')
  const wanted = wishes.map(({ selector }) => {
    const named = bitsOf((manifest) => manifest.name === selector.name && createMatcher(selector)(manifest))
    return named === 0 ? bitsOf(createMatcher(selector)) : named
  })
  const groups = Map.groupBy(manifests.keys(), (place) => manifests[place]!.name)
  let choices = [0]
  for (const group of groups.values())
    choices = choices.flatMap((bits) => [bits, ...group.map((place) => bits | (1 << place))])
  const works = (bits: number) =>
    wanted.every((wish) => (bits & wish) !== 0) &&
    (bits & engines & ((bits & engines) - 1)) === 0 &&
    manifests.every(
      (_, place) =>
        (bits & (1 << place)) === 0 ||
        (needs[place]!.every((need) => (bits & need) !== 0) && refused[place]!.every((other) => (bits & other) === 0)),
    )
  return choices.filter(works).map((bits) => manifests.filter((_, place) => (bits & (1 << place)) !== 0))
}

/** The question with all that could matter in it, not only what a search would look at. */
export function expandedModel(request: SolveRequest): Model {
  const model = buildModel({ ...request, maxSteps: MAX_STEPS })
  for (let variable = 0; variable < model.variables.length; variable += 1) model.needsOf(variable, 0)
  return model
}

/**
 * The answer that the order of wishes asks for, by trying whether each choice leaves anything that works.
 * @param working all that works
 */
export function bestByTrying(request: SolveRequest, working: readonly Manifest[][]): string[] | null {
  if (working.length === 0) return null
  const { problem, variables, rootVariables, needsOf } = expandedModel(request)
  const hashes = working.map((choice) => new Set(choice.map(({ ManifestHash }) => ManifestHash)))
  const domains = problem.sizes.map(fullSet)
  const isTaken = (choice: Set<string>, variable: number, value: number): boolean => {
    const entry = variables[variable]!
    if (entry.kind === 'choice') {
      if (value === 0) return true
      const target = entry.packages[value - 1]!
      return valuesOf(target.set).some((one) => isTaken(choice, target.variable, one))
    }
    if (value > 0) return choice.has(entry.candidates[value - 1]!.manifest.ManifestHash)
    return entry.candidates.every(({ manifest }) => !choice.has(manifest.ManifestHash))
  }
  const isOpen = () =>
    hashes.some((choice) =>
      domains.every((domain, variable) => valuesOf(domain).some((value) => isTaken(choice, variable, value))),
    )
  for (let term = problem.choose(domains); term !== null; term = problem.choose(domains)) {
    const before = domains[term.variable]!
    domains[term.variable] = intersection(before, term.set)
    if (isOpen()) continue
    domains[term.variable] = without(before, term.set)
    if (!isOpen()) throw new Error('nothing works after all')
  }
  const reached = new Set(rootVariables)
  const answer: string[] = []
  for (const variable of reached) {
    const value = valuesOf(domains[variable]!)[0]!
    const entry = variables[variable]!
    if (entry.kind === 'package') answer.push(entry.candidates[value - 1]!.manifest.ManifestHash)
    for (const need of needsOf(variable, value)) reached.add(need)
  }
  return answer
}
