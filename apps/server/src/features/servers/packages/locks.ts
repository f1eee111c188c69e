/** The history of a server's packages, and the way back to a part of it. */
import { DomainError } from '@wakestone/contract/errors'
import type { PackageLock, packageLocksQuery } from '@wakestone/contract/servers/packages'
import type { Manifest } from '@wakestone/packager/manifest'
import { versionOf } from '@wakestone/packager/requirements'
import type { Wish } from '@wakestone/packager/solve/request'
import type { z } from 'zod'
import { type Source, splitPackageName } from '#src/adapters/packages/source.ts'
import type { Handle } from '#src/db/client.ts'
import { requireNoDowngrade, type ServerRow, worldsOf } from '#src/features/servers/servers/service.ts'
import { type Draft, differencesOf, draftOf, withPreview } from './draft.ts'
import { answer, type Catalogues } from './install.ts'
import { asCandidate, groundWishes, readInventory, sourceContextOf } from './inventory.ts'
import { groundOf, isSameGround } from './grounds.ts'
import { findGround, findLock, type InstalledPackage, type LockRow, selectLockRows } from './repo.ts'
import { findRules } from './rules.ts'

export async function listLocks(
  db: Handle,
  serverId: string,
  { after, limit }: z.output<typeof packageLocksQuery>,
): Promise<{ has_more: boolean; locks: PackageLock[] }> {
  const [{ installed }, rows, [newest]] = await Promise.all([
    readInventory(db, serverId),
    // One more tells what the last one of the page has changed, and whether there are others.
    selectLockRows(db, serverId, { after, limit: limit + 1 }),
    after === undefined ? [undefined] : selectLockRows(db, serverId, { after: undefined, limit: 1 }),
  ])
  const present = hashesOf(installed)
  const current = (newest ?? rows[0])?.id
  return {
    has_more: rows.length > limit,
    locks: rows.slice(0, limit).map((row, place) => {
      const isCurrent = row.id === current && hashesOf(row.entries) === present
      return describe(row, { before: rows[place + 1]?.entries ?? [], isCurrent })
    }),
  }
}

const hashesOf = (entries: readonly InstalledPackage[]) =>
  entries
    .map(({ ManifestHash }) => ManifestHash)
    .toSorted()
    .join()

const release = (manifest: Manifest) => ({ name: manifest.name, version: versionOf(manifest).version })
const manifestsOf = (entries: readonly InstalledPackage[]) => entries.map(({ Manifest: manifest }) => manifest)

function describe(
  row: LockRow,
  { before, isCurrent }: { before: readonly InstalledPackage[]; isCurrent: boolean },
): PackageLock {
  const { added, changed, removed } = differencesOf(manifestsOf(before), manifestsOf(row.entries))
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    cause: row.cause,
    process_id: row.operation_id,
    executor: row.user_id === null || row.username === null ? null : { id: row.user_id, username: row.username },
    is_current: isCurrent,
    packages: row.entries.map(({ Manifest: manifest, InstalledBySelector: by }) => ({
      ...release(manifest),
      asked: by !== undefined,
      source: splitPackageName(manifest.name).source,
    })),
    added: added.map(release),
    changed: changed.map(({ was, manifest }) => ({
      name: manifest.name,
      from: versionOf(was).version,
      to: versionOf(manifest).version,
    })),
    removed: removed.map(release),
  }
}

/** @throws DomainError `resource_not_found` */
export async function draftRollBack(
  deps: Catalogues,
  { server, userId, lockId }: { server: ServerRow; userId: string | null; lockId: string },
): Promise<Draft> {
  const lock = await findLock(deps.db, server.id, lockId)
  if (lock === undefined) throw new DomainError('resource_not_found')
  const inventory = await readInventory(deps.db, server.id)
  const context = sourceContextOf(inventory, userId)
  const renewed = await Promise.all(lock.entries.map((entry) => renew(deps.sources, entry, context)))
  const gone = renewed.flatMap((entry, place) => (entry === undefined ? [lock.entries[place]!.Manifest.name] : []))
  const entries = renewed.filter((entry) => entry !== undefined)
  const rules = await findRules(deps, server)
  const setup = await findGround(deps.db, server.id, lockId)
  const base = setup === undefined || isSameGround(groundOf(setup), inventory) ? inventory : groundOf(setup)
  if (base !== inventory) for (const world of worldsOf(server)) requireNoDowngrade(world, base.setup.version)
  const packages = manifestsOf(entries)
  const draft = draftOf(inventory, { server, rules, cause: 'rollback', packages, entries, base })
  if (gone.length > 0) return withPreview(draft, { is_possible: false, obstacle: 'gone' })
  if (!draft.preview.is_possible) return draft
  const result = answer({
    candidates: [...base.ground, ...packages].map(asCandidate),
    wishes: [...groundWishes(base.ground), ...packages.map(({ name }): Wish => ({ selector: { name }, of: 'owner' }))],
    locked: [],
  })
  if (result.isSolved) return draft
  return withPreview(draft, { is_possible: false, obstacle: 'conflicts', conflicts: result.conflicts })
}

/** A release of ours as it is to be had today: what was taken for malice since is not. */
async function renew(
  sources: readonly Source[],
  entry: InstalledPackage,
  context: ReturnType<typeof sourceContextOf>,
): Promise<InstalledPackage | undefined> {
  const { name, labels } = entry.Manifest
  if (labels.release === undefined || splitPackageName(name).source !== 'wakestone') return entry
  const own = sources.filter(({ id }) => id === 'wakestone')
  for (const source of own) {
    const candidates = await source.versions(name, context, AbortSignal.timeout(10_000))
    const found = candidates.find(({ manifest }) => manifest.labels.release === labels.release)
    if (found) return { ...entry, Manifest: found.manifest, ManifestHash: found.manifest.ManifestHash }
  }
  // A private release is found by its members alone, and stays with whoever has it.
  const isRefused = await Promise.all(own.map((source) => source.refused?.(entry.Manifest) ?? false))
  return isRefused.includes(true) ? undefined : entry
}
