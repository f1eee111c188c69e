/** Works an installation out: what is there, what is wanted, what there is, and what follows. */
import { DomainError } from '@wakestone/contract/errors'
import { isReservedName } from '@wakestone/contract/servers/package-loaders'
import type { installPackagesBody, PackagePreview } from '@wakestone/contract/servers/packages'
import type { Manifest } from '@wakestone/packager/manifest'
import { PackError } from '@wakestone/packager/packs/pack'
import { createMatcher, requirementsOf, versionOf } from '@wakestone/packager/requirements'
import { parseSelector, type Selector, SelectorError } from '@wakestone/packager/selector'
import type { Candidate, SolveRequest, Wish } from '@wakestone/packager/solve/request'
import { solve, SolverLimitError, type SolveResult } from '@wakestone/packager/solve/solve'
import { compareVersions } from '@wakestone/packager/versions/range'
import type { z } from 'zod'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { gatherCandidates, type Gathered, TooManyCandidatesError } from '#src/adapters/packages/gather.ts'
import { type Source, type SourceContext, splitPackageName } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { type Draft, draftOf, withPreview } from './draft.ts'
import { asCandidate, groundWishes, type Inventory, readInventory, sourceContextOf } from './inventory.ts'
import { otherGrounds } from './other-grounds.ts'
import { findPackGround, type Ground } from './grounds.ts'
import { type InstalledPackage, type LockCause, selectPacks } from './repo.ts'
import { findRules } from './rules.ts'

export type Catalogues = Pick<Context, 'db' | 'settings'> & { sources: readonly Source[]; engines: EngineCatalogue }
export type Wanted = Omit<z.output<typeof installPackagesBody>, 'dry_run' | 'in_seconds'> & { cause?: LockCause }

/** Sources are asked for this long at most, all together. */
const patienceMilliseconds = 20_000

export const wantedOf = (changes: Partial<Wanted>): Wanted => ({
  packages: [],
  update: [],
  replace_installed_with: [],
  install_deps: true,
  force: false,
  change_engine: false,
  ...changes,
})

/** @throws DomainError `invalid_selector` */
export function readSelector(written: unknown): Selector {
  try {
    return parseSelector(written)
  } catch (error) {
    if (error instanceof SelectorError) throw new DomainError('invalid_selector', { selector: JSON.stringify(written) })
    throw error
  }
}

/** @returns the draft, all that there was to choose from, and what the solver was asked */
export async function draftInstall(
  deps: Catalogues,
  { server, userId }: { server: ServerRow; userId: string | null },
  wanted: Wanted,
): Promise<{ draft: Draft; inventory: Inventory; gathered: Gathered; asked: Selector[]; request: SolveRequest }> {
  const inventory = await readInventory(deps.db, server.id)
  const { ground, installed } = inventory
  const replaced = readReplaced(inventory, wanted)
  const asked = [
    ...wanted.packages.map((written) => readSelector(written)),
    ...wanted.replace_installed_with.map(({ to }) => readSelector(to)),
  ]
  for (const selector of asked) requireNoGround(selector, ground)
  const named = new Set(asked.map(({ name }) => name))
  const staying = installed.filter(({ Manifest: { name } }) => !replaced.has(name))
  const kept = staying.flatMap(({ InstalledBySelector: selector }) =>
    selector !== undefined && !(selector.name !== undefined && named.has(selector.name)) ? [selector] : [],
  )
  const selectors = [...kept, ...asked]
  const known = [...ground, ...staying.map(({ Manifest: manifest }) => manifest)]
  const context = { ...sourceContextOf(inventory, userId), wanted: selectors }
  const found = await gather(deps.sources, { wanted: selectors, known, context })
  const gathered = { ...found, candidates: [...found.candidates, ...(await findUploaded(deps, server, selectors))] }
  const candidates = [...known.map(asCandidate), ...gathered.candidates]
  const wishes = [...groundWishes(ground), ...selectors.map((selector): Wish => ({ selector, of: 'owner' }))]
  const request = {
    candidates,
    wishes,
    locked: known.map(({ ManifestHash }) => ManifestHash),
    update: wanted.update,
  }
  let result = answer(request)
  const forced = !result.isSolved && wanted.force ? forceInto({ known, ground, candidates, asked, wanted }) : undefined
  const packGround =
    result.isSolved || wanted.force
      ? undefined
      : await findPackGround(deps.engines, server, { inventory, asked, candidates: gathered.candidates })
  if (packGround !== undefined) {
    const base = [...packGround.ground, ...known.filter((manifest) => !ground.includes(manifest))]
    result = answer({
      ...request,
      candidates: [...base.map(asCandidate), ...gathered.candidates],
      wishes: [...groundWishes(packGround.ground), ...selectors.map((selector): Wish => ({ selector, of: 'owner' }))],
      locked: base.map(({ ManifestHash }) => ManifestHash),
    })
  } else if (!result.isSolved && forced === undefined) {
    const others = (await otherGrounds(deps.engines, ground)).map(asCandidate)
    const wider = answer({ ...request, candidates: [...candidates, ...others] })
    // With another Java alone it may fit; the engine brings its own.
    if (!wider.isSolved) result = wider
  }
  const rules = await findRules(deps, server)
  const all = { inventory, server, rules, result, forced, selectors, asked, wanted, gathered, base: packGround }
  const draft = describe(all)
  return { draft, inventory, gathered, asked, request }
}

/** Packs that were brought as a file, of which one is asked for. */
async function findUploaded(
  { db }: Catalogues,
  server: ServerRow,
  selectors: readonly Selector[],
): Promise<Candidate[]> {
  const names = new Set(selectors.flatMap(({ name }) => (name?.startsWith('upload:') ? [name] : [])))
  if (names.size === 0) return []
  return (await selectPacks(db, server.id)).filter(({ name }) => names.has(name)).map(asCandidate)
}

function readReplaced({ installed }: Inventory, { replace_installed_with: pairs }: Wanted): Set<string> {
  for (const { from } of pairs)
    if (!installed.some(({ Manifest: { name } }) => name === from))
      throw new DomainError('resource_not_found', { resource: 'package', name: from })
  return new Set(pairs.map(({ from }) => from))
}

function requireNoGround({ name, provides }: Selector, ground: readonly Manifest[]): void {
  const subject = name ?? provides ?? ''
  const isOther = splitPackageName(subject).source !== 'wakestone'
  if (isOther || (!isReservedName(subject) && ground.every((manifest) => manifest.name !== subject))) return
  throw new DomainError('module_parameter_not_allowed', { selector: subject })
}

async function gather(
  sources: readonly Source[],
  request: { wanted: readonly Selector[]; known: readonly Manifest[]; context: SourceContext },
): Promise<Gathered> {
  try {
    return await gatherCandidates(sources, { ...request, signal: AbortSignal.timeout(patienceMilliseconds) })
  } catch (error) {
    if (error instanceof PackError)
      throw new DomainError('kloceg_install_failed', {
        reason: 'pack_unreadable',
        packages: request.wanted.flatMap(({ name }) => name ?? []).join(', '),
        detail: error.message.slice(0, 300),
      })
    throw error instanceof TooManyCandidatesError ? new DomainError('too_many_packages') : error
  }
}

/** @throws DomainError `too_many_packages` */
export function answer(request: SolveRequest): SolveResult {
  try {
    // A request that holds the process up longer than this is not worth an answer.
    return solve({ ...request, maxSteps: 2_000_000 })
  } catch (error) {
    throw error instanceof SolverLimitError ? new DomainError('too_many_packages') : error
  }
}

/** What is there with the best of what was asked for, and of what that needs, whether it fits or not. */
function forceInto({
  known,
  ground,
  candidates,
  asked,
  wanted,
}: {
  known: readonly Manifest[]
  ground: readonly Manifest[]
  candidates: readonly Candidate[]
  asked: readonly Selector[]
  wanted: Wanted
}): Manifest[] | undefined {
  const base = new Set(ground.map(({ name }) => name))
  const chosen = new Map(known.filter(({ name }) => !base.has(name)).map((manifest) => [manifest.name, manifest]))
  const best = (selector: Selector) =>
    candidates
      .filter(({ channel, withdrawn }) => !withdrawn && (channel !== 'private' || selector.tag === 'private'))
      .map(({ manifest, channel }) => ({ manifest, channel }))
      .filter(({ manifest }) => !base.has(manifest.name) && createMatcher(selector)(manifest))
      .toSorted(
        (one, other) =>
          Number(other.manifest.name === selector.name) - Number(one.manifest.name === selector.name) ||
          Number(one.channel !== 'stable') - Number(other.channel !== 'stable') ||
          compareVersions(versionOf(other.manifest).version, versionOf(one.manifest).version, 'semver'),
      )[0]?.manifest
  const queue = [...asked, ...wanted.update.map((name): Selector => ({ name }))]
  const isAsked = queue.length
  for (const [place, selector] of queue.entries()) {
    if (place >= isAsked && [...chosen.values(), ...ground].some(createMatcher(selector))) continue
    const manifest = best(selector)
    if (manifest === undefined) {
      if (place < isAsked) return undefined
      continue
    }
    chosen.set(manifest.name, manifest)
    if (wanted.install_deps) queue.push(...requirementsOf(manifest))
    if (queue.length > 500) return undefined
  }
  return [...chosen.values()]
}

type Found = {
  inventory: Inventory
  server: ServerRow
  rules: Awaited<ReturnType<typeof findRules>>
  result: SolveResult
  forced: Manifest[] | undefined
  selectors: readonly Selector[]
  asked: readonly Selector[]
  wanted: Wanted
  gathered: Gathered
  /** What the server is to run instead. */
  base: Ground | undefined
}

function describe({
  inventory,
  server,
  rules,
  result,
  forced,
  selectors,
  asked,
  wanted,
  gathered,
  base,
}: Found): Draft {
  const isGround = new Set((base ?? inventory).ground.map(({ ManifestHash }) => ManifestHash))
  const packages = forced ?? result.targets_manifests.filter(({ ManifestHash }) => !isGround.has(ManifestHash))
  const entries = entriesOf(inventory, { packages, selectors })
  const isFound = result.isSolved || forced !== undefined
  const draft = draftOf(inventory, {
    server,
    rules,
    cause: wanted.cause ?? (wanted.update.length > 0 && asked.length === 0 ? 'update' : 'install'),
    packages: isFound ? packages : null,
    entries,
    base,
    input: { selectors: asked, force: wanted.force, installDeps: wanted.install_deps },
  })
  const { conflicts, alternatives, missing_dependants, recommended } = result
  const along = draft.preview.added.filter(({ asked: isAsked }) => !isAsked)
  const obstacle = !isFound
    ? ('conflicts' as const)
    : (draft.preview.obstacle ??
      (base !== undefined && !wanted.change_engine ? ('needs_engine' as const) : null) ??
      (!wanted.install_deps && along.length > 0 ? ('needs_others' as const) : null))
  const unavailable = gathered.unavailable.map((name) => ({ kind: 'source_unavailable' as const, name }))
  return withPreview(draft, {
    is_possible: obstacle === null,
    obstacle,
    is_forced: forced !== undefined,
    conflicts,
    alternatives: alternatives.map(({ changes }) => changes) as PackagePreview['alternatives'],
    missing_dependants,
    recommended,
    warnings: [...draft.preview.warnings, ...unavailable],
  })
}

export function entriesOf(
  { installed }: Inventory,
  { packages, selectors }: { packages: readonly Manifest[]; selectors: readonly Selector[] },
): InstalledPackage[] {
  return packages.map((manifest): InstalledPackage => {
    const selector =
      selectors.find(({ name, provides }) => (name ?? provides) === manifest.name) ??
      // What was asked for by what it provides.
      selectors.find((one) => one.name === undefined && createMatcher(one)(manifest))
    const before = installed.find(({ ManifestHash }) => ManifestHash === manifest.ManifestHash)
    return {
      ...(selector && { InstalledBySelector: selector }),
      ManifestHash: manifest.ManifestHash,
      InstalledDate: before?.InstalledDate ?? new Date().toISOString(),
      Manifest: manifest,
    }
  })
}

/** @throws DomainError that says why it cannot be begun, where it cannot. */
export function requirePossible(
  { preview }: Draft,
  { asked, gathered, inventory }: { asked: readonly Selector[]; gathered: Gathered; inventory: Inventory },
): void {
  if (preview.is_possible) return
  const names = asked.map(({ name, provides }) => name ?? provides).join(', ')
  switch (preview.obstacle) {
    case 'too_many_plugins':
      throw new DomainError('too_many_plugins_on_server', {
        limit: preview.plugins.limit ?? 0,
        count: preview.plugins.count,
      })
    case 'not_allowed':
      throw new DomainError('module_is_not_supported', { reason: 'not_allowed', packages: names })
    case 'same_path': {
      const [conflict] = preview.path_conflicts
      throw new DomainError('kloceg_install_failed', {
        reason: 'same_path',
        packages: conflict?.packages.join(', ') ?? '',
        path: conflict?.path ?? '',
      })
    }
    case 'needs_others':
      throw new DomainError('kloceg_install_failed', {
        reason: 'needs_others',
        packages: preview.added.flatMap(({ name, asked: isAsked }) => (isAsked ? [] : [name])).join(', '),
      })
    default:
  }
  for (const selector of asked) requireFound(selector, { gathered, inventory })
  throw new DomainError('kloceg_install_failed', { reason: preview.obstacle ?? 'conflicts', packages: names })
}

/** @throws DomainError for what is nowhere to be had, or only for other engines. */
function requireFound(selector: Selector, { gathered, inventory }: { gathered: Gathered; inventory: Inventory }): void {
  const { name, provides } = selector
  const subject = name ?? provides ?? ''
  const isAny = createMatcher(name === undefined ? { provides } : { name })
  const there = [
    ...gathered.candidates.map(({ manifest }) => manifest),
    ...inventory.installed.map((one) => one.Manifest),
  ]
  const found = there.filter(isAny)
  if (found.length === 0) {
    const { source } = splitPackageName(subject)
    if (gathered.unavailable.includes(source)) throw new DomainError('package_source_unavailable', { source })
    if (name === undefined) throw new DomainError('modules_not_implementing_given_interface', { selector: subject })
    throw new DomainError('resource_not_found', { resource: 'package', name: subject })
  }
  const { loaders } = sourceContextOf(inventory, null)
  const isLoaded = ({ labels }: Manifest) =>
    labels.loaders === undefined ||
    labels.loaders === '' ||
    labels.loaders.split(',').some((one) => loaders.includes(one))
  if (!found.some(isLoaded))
    throw new DomainError('module_is_not_supported', {
      reason: 'engine',
      packages: subject,
      engine: inventory.setup.engine,
      loaders: found[0]?.labels.loaders ?? '',
    })
}
