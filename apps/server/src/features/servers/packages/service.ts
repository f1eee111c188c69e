/** Packages of a server: looked at, chosen by the solver, changed by operations. */
import { DomainError } from '@wakestone/contract/errors'
import type {
  installedPackageSchema,
  installPackagesBody,
  PackagePreview,
  uninstallPackagesBody,
} from '@wakestone/contract/servers/packages'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import { selectorKey, versionOf } from '@wakestone/packager/requirements'
import { parseSelector, type Selector, SelectorError } from '@wakestone/packager/selector'
import { planRemoval } from '@wakestone/packager/solve/removal'
import type { Candidate, Wish } from '@wakestone/packager/solve/request'
import { solve, SolverLimitError, type SolveResult } from '@wakestone/packager/solve/solve'
import type { z } from 'zod'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { gatherCandidates, type Source, TooManyCandidatesError } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { beginOperation, requireIdle } from '#src/features/servers/operations/service.ts'
import { findSetup, isLive, requireRunnable, type ServerRow } from '#src/features/servers/servers/service.ts'
import { groundWishes, type Inventory, isSamePlan, planWith, readInventory } from './inventory.ts'
import type { PackageInput } from './operations.ts'
import { otherGrounds } from './other-grounds.ts'
import type { InstalledPackage } from './repo.ts'

export { packageInstall, packageUninstall } from './operations.ts'

type Deps = Pick<Context, 'db' | 'boss'>
type Catalogues = Deps & { sources: readonly Source[]; engines: EngineCatalogue }
type Asked = { server: ServerRow; userId: string }

/** What has been worked out, and from which plan. */
type Draft = { preview: PackagePreview; before: InstallPlan; input: PackageInput; isDone: boolean }

export async function listPackages(
  { db }: Pick<Context, 'db'>,
  serverId: string,
): Promise<z.input<typeof installedPackageSchema>[]> {
  return (await readInventory(db, serverId)).installed
}

/** @throws DomainError `packages_do_not_fit` unless it is a dry run, which says why; `invalid_selector` */
export async function installPackages(
  deps: Catalogues,
  { server, userId }: Asked,
  { packages, update, dry_run }: z.output<typeof installPackagesBody>,
) {
  const wanted = packages.map((written) => readSelector(written))
  const draft = await draftInstall(deps, server, { wanted, update })
  if (dry_run) return { preview: draft.preview }
  if (!draft.preview.is_possible) throw new DomainError('packages_do_not_fit')
  // All of it is there, asked for in the same words: nothing is stopped for that.
  if (draft.isDone) return { preview: draft.preview }
  return { id: await begin(deps, { server, userId }, { kind: 'package_install', draft }) }
}

/** @throws DomainError `resource_not_found`, and `packages_do_not_fit` while others need what is to go */
export async function uninstallPackages(
  deps: Deps,
  { server, userId }: Asked,
  { packages, dry_run }: z.output<typeof uninstallPackagesBody>,
) {
  const draft = draftRemoval(await readInventory(deps.db, server.id), { server, names: new Set(packages) })
  if (dry_run) return { preview: draft.preview }
  if (!draft.preview.is_possible)
    throw new DomainError('packages_do_not_fit', {
      packages: draft.preview.missing_dependants.map(({ dependant }) => dependant).join(', '),
    })
  return { id: await begin(deps, { server, userId }, { kind: 'package_uninstall', draft }) }
}

/**
 * The packages of a server in another plan, such as that of another engine.
 * @throws DomainError `packages_do_not_fit` when one of them does not go with it
 */
export async function carryPackages({ db }: Pick<Context, 'db'>, serverId: string, plan: InstallPlan) {
  const { installed } = await readInventory(db, serverId)
  if (installed.length === 0) return plan
  const manifests = installed.map(({ Manifest: manifest }) => manifest)
  const { isSolved } = answer({
    candidates: [...plan.packages, ...manifests].map(asCandidate),
    wishes: [
      ...groundWishes(plan.packages),
      ...manifests.map(({ name }): Wish => ({ selector: { name }, of: 'owner' })),
    ],
    locked: [],
    update: [],
  })
  if (!isSolved)
    throw new DomainError('packages_do_not_fit', { packages: manifests.map(({ name }) => name).join(', ') })
  return planWith(plan, { ground: plan.packages, packages: manifests })
}

export const stopOf = (server: ServerRow, id: string) => (isLive(server.phase) ? id : null)

async function begin(
  deps: Deps,
  { server, userId }: Asked,
  { kind, draft }: { kind: 'package_install' | 'package_uninstall'; draft: Draft },
): Promise<string> {
  requireRunnable(server)
  await requireIdle(deps.db, server.id)
  return inTransaction(deps.db, async (trx) => {
    const about = { packages: draft.input.names }
    const id = await beginOperation(deps, trx, { serverId: server.id, kind, input: draft.input, about, userId })
    // Something else has changed the server since this was worked out.
    const { plan } = await findSetup(trx, server.id)
    if (!isSamePlan(plan, draft.before)) throw new DomainError('packages_do_not_fit')
    return id
  })
}

async function draftInstall(
  { db, sources, engines }: Catalogues,
  server: ServerRow,
  { wanted, update }: { wanted: readonly Selector[]; update: readonly string[] },
): Promise<Draft> {
  const inventory = await readInventory(db, server.id)
  const { ground, installed } = inventory
  const named = new Set(wanted.map(({ name }) => name))
  const kept = installed.flatMap(({ InstalledBySelector: selector }) =>
    selector !== undefined && !(selector.name !== undefined && named.has(selector.name)) ? [selector] : [],
  )
  const selectors = [...kept, ...wanted]
  const known = [...ground, ...installed.map(({ Manifest: manifest }) => manifest)]
  const found = await gather(sources, { wanted: selectors, known })
  const candidates = [...known.map(asCandidate), ...found]
  const wishes = [...groundWishes(ground), ...selectors.map((selector): Wish => ({ selector, of: 'owner' }))]
  const locked = known.map(({ ManifestHash }) => ManifestHash)
  const request = { candidates, wishes, locked, update }
  let result = answer(request)
  if (!result.isSolved) {
    const others = (await otherGrounds(engines, ground)).map(asCandidate)
    const wider = answer({ ...request, candidates: [...candidates, ...others] })
    // With another Java alone it may fit; the engine brings its own.
    if (!wider.isSolved) result = wider
  }
  return describe(inventory, { server, result, selectors })
}

/** @throws DomainError `too_many_packages` */
async function gather(sources: readonly Source[], request: Parameters<typeof gatherCandidates>[1]) {
  try {
    return await gatherCandidates(sources, request)
  } catch (error) {
    throw error instanceof TooManyCandidatesError ? new DomainError('too_many_packages') : error
  }
}

function answer(request: Parameters<typeof solve>[0]): SolveResult {
  try {
    // A request that holds the process up longer than this is not worth an answer.
    return solve({ ...request, maxSteps: 2_000_000 })
  } catch (error) {
    throw error instanceof SolverLimitError ? new DomainError('too_many_packages') : error
  }
}

function describe(
  inventory: Inventory,
  { server, result, selectors }: { server: ServerRow; result: SolveResult; selectors: readonly Selector[] },
): Draft {
  const { setup, ground, installed } = inventory
  const base = new Set(ground.map(({ ManifestHash }) => ManifestHash))
  const packages = result.targets_manifests.filter(({ ManifestHash }) => !base.has(ManifestHash))
  const entries = packages.map((manifest): InstalledPackage => {
    const selector = selectors.find(({ name, provides }) => (name ?? provides) === manifest.name)
    const before = installed.find(({ ManifestHash }) => ManifestHash === manifest.ManifestHash)
    return {
      ...(selector && { InstalledBySelector: selector }),
      ManifestHash: manifest.ManifestHash,
      InstalledDate: before?.InstalledDate ?? new Date().toISOString(),
      Manifest: manifest,
    }
  })
  const draft = draftOf(inventory, { server, packages: result.isSolved ? packages : null, entries })
  const { conflicts, alternatives, missing_dependants, recommended } = result
  return {
    ...draft,
    preview: {
      ...draft.preview,
      is_possible: result.isSolved,
      conflicts,
      alternatives: alternatives.map(({ changes }) => changes),
      missing_dependants,
      recommended,
    },
    input: { ...draft.input, setup: { ...setup, plan: draft.input.setup.plan } },
  }
}

function draftRemoval(inventory: Inventory, { server, names }: { server: ServerRow; names: Set<string> }): Draft {
  const { ground, installed } = inventory
  for (const name of names)
    if (!installed.some(({ Manifest: manifest }) => manifest.name === name))
      throw new DomainError('resource_not_found', { name })
  const manifests = installed.map(({ Manifest: manifest }) => manifest)
  const asked = new Set([
    ...ground.map(({ name }) => name),
    ...installed.flatMap(({ InstalledBySelector: by, Manifest: { name } }) => (by ? [name] : [])),
  ])
  const removal = planRemoval({ installed: [...ground, ...manifests], asked, remove: names })
  const gone = new Set(removal.uninstall_queue)
  const packages = manifests.filter((manifest) => !gone.has(manifest))
  const entries = installed.filter(({ Manifest: manifest }) => !gone.has(manifest))
  const draft = draftOf(inventory, { server, packages, entries })
  const { missing_dependants } = removal
  return {
    ...draft,
    preview: { ...draft.preview, is_possible: missing_dependants.length === 0, missing_dependants },
  }
}

/** @param packages null: there is no answer, everything stays */
function draftOf(
  { setup, ground, installed }: Inventory,
  { server, packages, entries }: { server: ServerRow; packages: Manifest[] | null; entries: InstalledPackage[] },
): Draft {
  const before = new Map(installed.map(({ Manifest: manifest }) => [manifest.name, manifest]))
  const after = new Map((packages ?? [...before.values()]).map((manifest) => [manifest.name, manifest]))
  const release = (manifest: Manifest) => ({ name: manifest.name, version: versionOf(manifest).version })
  const bytes = ({ downloadFiles }: Manifest) => downloadFiles.reduce((sum, { size }) => sum + (size ?? 0), 0)
  const added = [...after.values()].filter(({ name }) => !before.has(name))
  const changed = [...after.values()].flatMap((manifest) => {
    const old = before.get(manifest.name)
    if (old === undefined || old.ManifestHash === manifest.ManifestHash) return []
    const versions = { from: versionOf(old).version, to: versionOf(manifest).version }
    return [{ name: manifest.name, ...versions, bytes: bytes(manifest) }]
  })
  const removed = [...before.values()].filter(({ name }) => !after.has(name))
  const plan = planWith(setup.plan, { ground, packages: [...after.values()] })
  return {
    before: setup.plan,
    isDone: isSamePlan(plan, setup.plan) && wordsOf(entries) === wordsOf(installed),
    preview: {
      is_possible: true,
      added: added.map((manifest) => ({ ...release(manifest), bytes: bytes(manifest) })),
      changed,
      removed: removed.map(release),
      restarts: isLive(server.phase) && !isSamePlan(plan, setup.plan),
      recommended: [],
      conflicts: [],
      alternatives: [],
      missing_dependants: [],
    },
    input: {
      setup: { ...setup, plan },
      entries,
      names: [...added, ...removed].map(({ name }) => name).concat(changed.map(({ name }) => name)),
      replaced: changed.map(({ name, from, to }) => ({ from: `${name} ${from}`, to: `${name} ${to}` })),
    },
  }
}

/** Which packages were asked for, and how. */
const wordsOf = (entries: readonly InstalledPackage[]): string =>
  entries
    .map(({ ManifestHash, InstalledBySelector: by }) => `${ManifestHash} ${by ? selectorKey(by) : ''}`)
    .toSorted()
    .join()

const asCandidate = (manifest: Manifest): Candidate => ({ manifest, channel: 'stable', withdrawn: false })

function readSelector(written: unknown): Selector {
  try {
    return parseSelector(written)
  } catch (error) {
    if (error instanceof SelectorError) throw new DomainError('invalid_selector', { selector: JSON.stringify(written) })
    throw error
  }
}
