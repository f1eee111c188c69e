/** A change of packages as it was worked out: what it does, from which plan, and what the operation is given. */
import type { EngineId } from '@wakestone/contract/servers/server'
import type { PackageObstacle, PackagePreview } from '@wakestone/contract/servers/packages'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import { findPathConflicts, isPluginKind, kindOf, plainPathsOf } from '@wakestone/packager/placement'
import { packLabels } from '@wakestone/packager/packs/seal'
import { selectorKey, versionOf } from '@wakestone/packager/requirements'
import { compareVersions } from '@wakestone/packager/versions/range'
import { splitPackageName } from '#src/adapters/packages/source.ts'
import { isLive, type ServerRow, type Setup } from '#src/features/servers/servers/service.ts'
import { type Ground, isPack, isSameGround, namesNotLoaded, setupOf } from './grounds.ts'
import { type Inventory, isSamePlan, planWith } from './inventory.ts'
import type { PackageInput } from './operations.ts'
import type { InstalledPackage, LockCause } from './repo.ts'
import type { Rules } from './rules.ts'

export type Draft = {
  preview: PackagePreview
  before: InstallPlan
  input: PackageInput
  /** All of it is there, asked for in the same words. */
  isDone: boolean
}

const releaseOf = (manifest: Manifest) => ({ name: manifest.name, version: versionOf(manifest).version })
const bytesOf = ({ downloadFiles }: Manifest) => downloadFiles.reduce((sum, { size }) => sum + (size ?? 0), 0)
const describeGround = ({ engine, version }: Setup) => ({ engine: engine as EngineId, version })

/** Plugins and mods that a package is, or brings as a pack. */
function countPlugins(manifest: Manifest): number {
  if (isPluginKind(kindOf(manifest))) return 1
  return plainPathsOf(manifest).filter((path) => /^(?:mods|plugins)\/[^/]+\.jar$/i.test(path)).length
}

export function describePack(manifest: Manifest): PackagePreview['packs'][number] {
  const { name, labels, downloadFiles } = manifest
  return {
    name,
    minecraft: labels[packLabels.minecraft] ?? '',
    engine: labels[packLabels.engine] ?? '',
    files: downloadFiles.filter(({ unpack }) => unpack === 'none').length,
    left_out: Number(labels[packLabels.leftOut] ?? 0),
    by_hand: (labels[packLabels.byHand] ?? '').split('\n').filter((one) => one !== ''),
  }
}

const sourceOf = ({ name }: Manifest) => splitPackageName(name).source

export function differencesOf(before: readonly Manifest[], after: readonly Manifest[]) {
  const old = new Map(before.map((manifest) => [manifest.name, manifest]))
  const now = new Map(after.map((manifest) => [manifest.name, manifest]))
  return {
    added: [...now.values()].filter(({ name }) => !old.has(name)),
    changed: [...now.values()].flatMap((manifest) => {
      const was = old.get(manifest.name)
      return was === undefined || was.ManifestHash === manifest.ManifestHash ? [] : [{ was, manifest }]
    }),
    removed: [...old.values()].filter(({ name }) => !now.has(name)),
  }
}

type Given = {
  server: ServerRow
  rules: Rules
  cause: LockCause
  /** Null: there is no answer, everything stays. */
  packages: Manifest[] | null
  entries: InstalledPackage[]
  input?: Partial<PackageInput>
  /** What the server is to run instead; undefined: it stays as it is. */
  base?: Ground | undefined
}

/** Obstacles that can be seen in what would be there; what the solver says is added by whoever has asked it. */
export function draftOf(
  { setup, ground, installed }: Inventory,
  { server, rules, cause, packages, entries, input, base = { setup, ground } }: Given,
): Draft {
  const before = installed.map(({ Manifest: manifest }) => manifest)
  const after = packages ?? before
  const { added, changed, removed } = differencesOf(before, after)
  const asked = new Set(entries.flatMap(({ InstalledBySelector: by, ManifestHash }) => (by ? [ManifestHash] : [])))
  const pathConflicts = findPathConflicts(after)
  const plan =
    pathConflicts.length > 0 ? setup.plan : planWith(base.setup.plan, { ground: base.ground, packages: after })
  const isMoved = !isSameGround(base, { setup, ground })
  const count = after.reduce((sum, manifest) => sum + countPlugins(manifest), 0)
  const countBefore = before.reduce((sum, manifest) => sum + countPlugins(manifest), 0)
  const limit = rules.max_plugins
  const refused = [...added, ...changed.map(({ manifest }) => manifest)].filter(
    ({ name, provides }) => !rules.mayHave(name) || provides.some((one) => rules.isRefused(one.name)),
  )
  const obstacle: PackageObstacle | null =
    refused.length > 0
      ? 'not_allowed'
      : pathConflicts.length > 0
        ? 'same_path'
        : limit !== null && count > limit && count > countBefore
          ? 'too_many_plugins'
          : null
  const versions = changed.map(({ was, manifest }) => ({ from: versionOf(was), to: versionOf(manifest), manifest }))
  return {
    before: setup.plan,
    isDone: isSamePlan(plan, setup.plan) && wordsOf(entries) === wordsOf(installed),
    preview: {
      is_possible: obstacle === null,
      obstacle,
      is_forced: false,
      added: added.map((manifest) => ({
        ...releaseOf(manifest),
        bytes: bytesOf(manifest),
        source: sourceOf(manifest),
        asked: asked.has(manifest.ManifestHash),
      })),
      changed: versions.map(({ from, to, manifest }) => ({
        name: manifest.name,
        from: from.version,
        to: to.version,
        bytes: bytesOf(manifest),
      })),
      removed: removed.map(releaseOf),
      restarts: isLive(server.phase) && !isSamePlan(plan, setup.plan),
      recommended: [],
      conflicts: [],
      alternatives: [],
      missing_dependants: [],
      path_conflicts: pathConflicts,
      data_folders: [],
      ground: isMoved ? { from: describeGround(setup), to: describeGround(base.setup) } : null,
      packs: after
        .filter(isPack)
        .flatMap((manifest) =>
          before.some(({ ManifestHash }) => ManifestHash === manifest.ManifestHash) ? [] : [describePack(manifest)],
        ),
      plugins: { count, limit },
      warnings: [
        ...versions.flatMap(({ from, to, manifest: { name } }) =>
          compareVersions(to.version, from.version, to.format) < 0 ? [{ kind: 'downgrade' as const, name }] : [],
        ),
        ...(isMoved
          ? namesNotLoaded(base.setup.engine, after).map((name) => ({ kind: 'not_loaded' as const, name }))
          : []),
      ],
    },
    input: {
      setup: { ...base.setup, plan },
      grounds: isMoved ? { before: setupOf({ setup, ground }), after: setupOf(base) } : undefined,
      entries,
      cause,
      before: installed,
      names: [...added, ...removed].map(({ name }) => name).concat(changed.map(({ manifest }) => manifest.name)),
      ids: [...added, ...removed, ...changed.map(({ manifest }) => manifest)].map(({ ManifestHash }) => ManifestHash),
      replaced: versions.map(({ from, to, manifest: { name } }) => ({
        from: `${name} ${from.version}`,
        to: `${name} ${to.version}`,
      })),
      selectors: [],
      force: false,
      installDeps: true,
      dataFolders: [],
      isBackedUp: false,
      ...input,
    },
  }
}

/** Which packages were asked for, and how. */
const wordsOf = (entries: readonly InstalledPackage[]): string =>
  entries
    .map(({ ManifestHash, InstalledBySelector: by }) => `${ManifestHash} ${by ? selectorKey(by) : ''}`)
    .toSorted()
    .join()

export const withPreview = (draft: Draft, preview: Partial<PackagePreview>): Draft => ({
  ...draft,
  preview: { ...draft.preview, ...preview },
})
