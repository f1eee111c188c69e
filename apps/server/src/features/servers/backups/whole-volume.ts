/** All files of a server as they come to another cluster: by its repository, which that can read. */
import { DomainError } from '@wakestone/contract/errors'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'
import * as restic from '#src/adapters/restic/restic.ts'
import type { Handle } from '#src/db/client.ts'
import type { Step } from '#src/features/servers/operations/service.ts'
import type { Setup } from '#src/features/servers/servers/service.ts'
import { createReporter } from './back-up.ts'
import * as repo from './repo.ts'
import { explaining, openRepository, requireRepository, resticOf, unlocked, withLock } from './repository.ts'

type CopyStep = Step<never, never>

/** What stays behind: the supervisor's own, which is made anew by the plan, and transfers that are cut off anyway. */
const leftBehind = ['.wakestone', '.transfers'] as const
const tagOf = ({ operationId }: CopyStep) => `move:${operationId}`

/**
 * Copies all files into the repository, of which only what has changed is written. Copies of workers that were killed
 * before they could note them are forgotten.
 * @returns the copy, and how many bytes are in it
 */
export async function copyVolume(step: CopyStep): Promise<{ snapshot: string; bytes: number }> {
  const { deps, serverId, signal } = step
  const row = await openRepository(deps, serverId)
  const access = unlocked(deps, row)
  const made = await explaining(async () => {
    const untold = await restic.findSnapshots(resticOf(deps), access, tagOf(step))
    const copy = await withLock(deps, row, signal, () =>
      restic.makeSnapshot(resticOf(deps), access, {
        tags: [`server:${serverId}`, tagOf(step)],
        skipsUnchanged: false,
        leavesOut: leftBehind,
        onProgress: createReporter(step),
        signal,
      }),
    )
    await withLock(deps, row, signal, () => restic.forgetSnapshots(resticOf(deps), access, untold))
    return copy
  })
  if (made === 'unchanged') throw new Error('a copy was not made')
  // A file that cannot be read would be missing there, and gone with the volume here.
  if (made.incomplete) throw new Error(`files could not be read: ${made.fileErrors.join('; ')}`)
  return { snapshot: made.details.snapshot_id, bytes: made.details.total_bytes_processed }
}

/** A backup that a server can be brought up from. */
export type WholeBackup = {
  id: string
  snapshot: string
  madeAt: Date
  name: string | null
  /** Bytes of the files in it. */
  bytes: number
  /** What they belong to. */
  setup: Setup
}

/** Newest first. */
export async function listWholeBackups(db: Handle, serverId: string): Promise<WholeBackup[]> {
  const rows = await repo.selectWholeBackups(db, serverId)
  return rows.map((row) => ({
    id: row.id,
    snapshot: row.snapshot_id,
    madeAt: row.created_at,
    name: row.name,
    bytes: row.details.total_bytes_processed,
    setup: { engine: row.engine, version: row.engine_version, plan: row.plan } as unknown as Setup,
  }))
}

/** Sees that a cluster reads the repository, and finds a snapshot in it. @throws DomainError where it does not */
export async function requireSnapshot(step: CopyStep, cluster: Cluster, snapshot: string): Promise<void> {
  const { deps, serverId } = step
  const access = unlocked(deps, await requireRepository(deps, serverId))
  const there = await explaining(() => restic.listSnapshots({ ...resticOf(deps), cluster }, access))
  if (!there.has(snapshot)) throw new DomainError('no_server_backup_found')
}

/**
 * Makes the volume on a cluster what a copy or a backup is; what is as it should be already is not written again.
 * @param verifies whether all files are read again there, and compared with their checksums
 */
export async function pourVolume(
  step: CopyStep,
  cluster: Cluster,
  { snapshot, verifies }: { snapshot: string; verifies: boolean },
): Promise<void> {
  const { deps, serverId, signal } = step
  const access = unlocked(deps, await requireRepository(deps, serverId))
  await explaining(() =>
    restic.restoreSnapshot({ ...resticOf(deps), cluster }, access, {
      snapshot,
      target: '',
      paths: null,
      leavesOut: leftBehind,
      verifies,
      onProgress: createReporter(step),
      signal,
    }),
  )
}

/** Forgets the copies of an operation; a storage that only takes keeps them. */
export async function forgetCopies(step: CopyStep): Promise<void> {
  const { deps, serverId, signal } = step
  const row = await repo.findRepository(deps.db, serverId)
  if (row === undefined || row.made_at === null || deps.settings.BACKUP_APPEND_ONLY) return
  const access = unlocked(deps, row)
  const copies = await restic.findSnapshots(resticOf(deps), access, tagOf(step))
  if (copies.length === 0) return
  await withLock(deps, row, signal, () => restic.forgetSnapshots(resticOf(deps), access, copies))
  await repo.updateRepository(deps.db, row.id, { prune_wanted: true })
}
