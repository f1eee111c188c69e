/** Backs a server up, as a phase of an operation, and takes that back: once per operation, however often it is begun. */
import type { BackupCause, BackupKind } from '@wakestone/contract/servers/backups'
import { DomainError } from '@wakestone/contract/errors'
import type { Operation } from '@wakestone/contract/servers/operations'
import * as restic from '#src/adapters/restic/restic.ts'
import { dumpMysql, forgetDump } from '#src/features/servers/mysql/service.ts'
import { findOperationUser, type Step } from '#src/features/servers/operations/service.ts'
import { findSetup } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'
import { explaining, openRepository, resticOf, unlocked, withLock } from './repository.ts'
import { withHeldWorld } from './world-hold.ts'

export type BackupWish = {
  kind: BackupKind
  cause: BackupCause
  name: string | null
  pinned: boolean
  /** Nothing is kept where nothing has changed since the backup before. */
  skipsUnchanged: boolean
}
type BackupStep = Step<never, never>

const tagOf = (operationId: string) => `operation:${operationId}`

/** @returns the backup; undefined where nothing has changed. */
export async function backUp(step: BackupStep, wish: BackupWish): Promise<repo.BackupRow | undefined> {
  const { deps, operationId, serverId, signal } = step
  const known = await repo.findBackupOfOperation(deps.db, operationId)
  if (known !== undefined) return known
  const row = await openRepository(deps, serverId)
  const access = unlocked(deps, row)
  const tag = tagOf(operationId)
  const seenAt = new Date()
  const hasTables = await dumpMysql(step)
  const made = await explaining(async () => {
    // Made by workers that were killed before they could write that down. Whether restic could read all files it said to
    // them alone, so another takes their place: it reads only what has changed since.
    const untold = await restic.findSnapshots(resticOf(deps), access, tag)
    const snapshot = await withLock(deps, row, signal, () =>
      withHeldWorld(step, () =>
        restic.makeSnapshot(resticOf(deps), access, {
          tags: [`server:${serverId}`, `kind:${wish.kind}`, tag],
          skipsUnchanged: wish.skipsUnchanged && untold.length === 0,
          onProgress: createReporter(step),
          signal,
        }),
      ),
    )
    await forgetUntold(step, row, untold)
    return snapshot
  }).finally(() => forgetDump(step))
  await repo.updateRepository(deps.db, row.id, { seen_at: seenAt })
  if (made === 'unchanged') return undefined
  if (made.incomplete) deps.logger.warn({ serverId, errors: made.fileErrors }, 'files could not be backed up')
  const setup = await findSetup(deps.db, serverId)
  const userId = await findOperationUser(deps.db, operationId)
  await step.write((trx) =>
    repo.insertBackup(trx, {
      repoId: row.id,
      serverId,
      operationId,
      kind: wish.kind,
      cause: wish.cause,
      name: wish.name,
      pinned: wish.pinned,
      details: made.details,
      incomplete: made.incomplete || !hasTables,
      setup,
      userId,
    }),
  )
  return repo.findBackupOfOperation(deps.db, operationId)
}

/** Removes snapshots that no row tells of. A storage that only takes keeps them, and nobody is shown them. */
async function forgetUntold({ deps, signal }: BackupStep, row: repo.RepositoryRow, ids: readonly string[]) {
  if (ids.length === 0 || deps.settings.BACKUP_APPEND_ONLY) return
  await withLock(deps, row, signal, () => restic.forgetSnapshots(resticOf(deps), unlocked(deps, row), ids))
}

/** Tells how far restic is, and how fast. */
export function createReporter(step: Pick<BackupStep, 'report'>) {
  const began = Date.now()
  return ({ share, item, bytesDone, bytesTotal, secondsLeft }: restic.ResticProgress) => {
    const seconds = (Date.now() - began) / 1000
    const figures: Operation['figures'] = {
      bytes_done: bytesDone,
      bytes_total: bytesTotal,
      bytes_per_second: seconds < 0.5 ? null : Math.round(bytesDone / seconds),
      seconds_left: secondsLeft,
    }
    step.report(share, item, figures)
  }
}

/** Sees that a backup can be read. @throws DomainError `no_backup_repository_backup` where something is damaged */
export async function verifyBackup(step: BackupStep): Promise<void> {
  const { deps, operationId, signal } = step
  const backup = await repo.findBackupOfOperation(deps.db, operationId)
  if (backup === undefined || backup.verified_at !== null) return
  const row = await openRepository(deps, step.serverId)
  const access = unlocked(deps, row)
  await explaining(async () => {
    try {
      await restic.checkRepository(resticOf(deps), access, { signal })
    } catch (error) {
      if (!(error instanceof restic.ResticError) || error.fault !== 'damaged') throw error
      deps.logger.error({ serverId: step.serverId, error }, 'a repository of backups is damaged')
      throw new DomainError('no_backup_repository_backup', { reason: 'damaged' })
    }
  })
  await step.write((trx) => repo.updateBackup(trx, backup.id, { verified_at: new Date() }))
}

/** Takes back what `backUp` has made, however far it has come. */
export async function discardBackup(step: BackupStep): Promise<void> {
  const { deps, operationId, serverId } = step
  const known = await repo.findBackupOfOperation(deps.db, operationId)
  if (known !== undefined) return step.write((trx) => repo.writeForgotten(trx, [known.id]))
  const row = await repo.findRepository(deps.db, serverId)
  if (row === undefined || row.made_at === null) return
  await forgetUntold(step, row, await restic.findSnapshots(resticOf(deps), unlocked(deps, row), tagOf(operationId)))
}
