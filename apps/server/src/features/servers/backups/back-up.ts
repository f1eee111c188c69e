/** Backs a server up, as a phase of an operation, and takes that back: once per operation, however often it is begun. */
import type { BackupCause, BackupKind } from '@wakestone/contract/servers/backups'
import { DomainError } from '@wakestone/contract/errors'
import type { Operation } from '@wakestone/contract/servers/operations'
import * as restic from '#src/adapters/restic/restic.ts'
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
  const made = await explaining(async () => {
    // Made by a worker that was killed before it could write that down.
    const details = await restic.findSnapshot(resticOf(deps), access, tag)
    if (details !== undefined) return { details, incomplete: false, fileErrors: [] }
    return withLock(deps, row, signal, () =>
      withHeldWorld(step, () =>
        restic.makeSnapshot(resticOf(deps), access, {
          tags: [`server:${serverId}`, `kind:${wish.kind}`, tag],
          skipsUnchanged: wish.skipsUnchanged,
          onProgress: createReporter(step),
          signal,
        }),
      ),
    )
  })
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
      incomplete: made.incomplete,
      setup,
      userId,
    }),
  )
  return repo.findBackupOfOperation(deps.db, operationId)
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
  const access = unlocked(deps, row)
  const found = await restic.findSnapshot(resticOf(deps), access, tagOf(operationId))
  if (found === undefined) return
  await withLock(deps, row, step.signal, () => restic.forgetSnapshots(resticOf(deps), access, [found.snapshot_id]))
}
