/** What repositories need by and by: due backups begun, room given back, data read again, one restored for a trial. */
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import * as restic from '#src/adapters/restic/restic.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findAdministratorIds, notify } from '#src/features/ground/notifications/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { forgetOld, removeForgotten } from './forget.ts'
import * as repo from './repo.ts'
import { type RepositoryDeps, resticOf, unlocked, withLock } from './repository.ts'
import { canBackUp, createAutomaticBackup } from './service.ts'

type Deps = RepositoryDeps & Pick<Context, 'boss'>

const hour = 3_600_000
/** Each repository is looked after once a night, whenever its turn comes. */
const upkeepMilliseconds = 22 * hour
/** How long somebody who looks after one may be silent. */
const leaseMilliseconds = 120_000
/** Of its data a seventh is read each time. */
const parts = 7

/** Begins automatic backups whose time has come, no more at once than may be. */
export async function beginDueBackups(deps: Deps, now = new Date()): Promise<void> {
  const room = deps.settings.BACKUPS_AT_ONCE - (await repo.countAutomaticOpen(deps.db))
  if (room <= 0) return
  for (const { id } of await repo.selectDueServers(deps.db, room, now)) {
    const server = await findServer(deps.db, id)
    if (server === undefined) continue
    if (!(await canBackUp(deps, id))) return
    await createAutomaticBackup(deps, server).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error // something else is under way by now
    })
  }
}

/** Looks after those repositories whose turn it is. */
export async function lookAfterRepositories(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = Date.now()
    const times = { before: new Date(now - upkeepMilliseconds), until: new Date(now + leaseMilliseconds) }
    const row = await repo.takeForUpkeep(deps.db, times)
    if (row === undefined) return
    const renewing = setInterval(
      () =>
        void repo
          .updateRepository(deps.db, row.id, { kept_until: new Date(Date.now() + leaseMilliseconds) })
          .catch(() => undefined),
      leaseMilliseconds / 4,
    )
    let kept: Parameters<typeof repo.updateRepository>[2] = {}
    try {
      kept = await lookAfter(deps, row, signal)
    } catch (error) {
      if (signal.aborted) return
      deps.logger.warn({ error, serverId: row.server_id }, 'a repository of backups cannot be looked after')
      if (error instanceof restic.ResticError && error.fault === 'damaged')
        await tellAdministrators(deps, row.server_id)
    } finally {
      clearInterval(renewing)
      await repo.updateRepository(deps.db, row.id, { ...kept, kept_at: new Date(), kept_until: null })
    }
  }
}

async function lookAfter(deps: Deps, row: repo.RepositoryRow, signal: AbortSignal) {
  if (await repo.isServerGone(deps.db, row.server_id)) {
    await removeRepository(deps, row, signal)
    return { removed_at: new Date() }
  }
  const access = unlocked(deps, row)
  const tools = resticOf(deps)
  // Locks of processes that are gone would be in the way.
  await restic.unlockRepository(tools, access, { all: false })
  await forgetOld(deps.db, row.server_id)
  await removeForgotten(deps, row, signal)
  const isPruned =
    !deps.settings.BACKUP_APPEND_ONLY && (await repo.findRepository(deps.db, row.server_id))?.prune_wanted
  if (isPruned === true) {
    await withLock(deps, row, signal, () => restic.pruneRepository(tools, access))
    await repo.updateRepository(deps.db, row.id, { prune_wanted: false })
  }
  const part = (row.read_part % parts) + 1
  await restic.checkRepository(tools, access, { part, signal })
  const size = await restic.measureRepository(tools, access)
  return { read_part: part, ...(size !== undefined && { stored_bytes: size }) }
}

/** Its server is over: nobody may have its backups any more. */
async function removeRepository(deps: Deps, row: repo.RepositoryRow, signal: AbortSignal): Promise<void> {
  if (restic.isFolder(row.location)) await rm(row.location, { recursive: true, force: true })
  else if (!deps.settings.BACKUP_APPEND_ONLY) {
    const access = unlocked(deps, row)
    const ids = await restic.listSnapshots(resticOf(deps), access)
    await restic.forgetSnapshots(resticOf(deps), access, [...ids])
    signal.throwIfAborted()
    await restic.pruneRepository(resticOf(deps), access)
  }
  await inTransaction(deps.db, (trx) => repo.writeAllForgotten(trx, row.id))
  await rm(join(resolve(deps.settings.DATA_DIR), 'cache', 'backups', row.server_id), { recursive: true, force: true })
}

/** Restores one backup, picked by chance, into an empty folder, and compares what was written with its checksums. */
export async function drillBackup(deps: Deps, signal: AbortSignal): Promise<repo.BackupRow | undefined> {
  const backup = await repo.findRandomBackup(deps.db)
  const row = backup && (await repo.findRepository(deps.db, backup.server_id))
  if (backup === undefined || row === undefined) return undefined
  const folder = join(resolve(deps.settings.DATA_DIR), 'cache', 'drill', backup.server_id)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < 2 * backup.details.total_bytes_processed) {
      deps.logger.warn({ backup: backup.id }, 'no room to restore a backup for a trial')
      return undefined
    }
    await restic.proveSnapshot(resticOf(deps), unlocked(deps, row), { snapshot: backup.snapshot_id, folder, signal })
    await repo.updateRepository(deps.db, row.id, { drilled_at: new Date() })
    return backup
  } catch (error) {
    // A storage that is away says nothing about what it holds.
    if (signal.aborted || !(await isReachable(deps, row))) throw error
    deps.logger.error({ error, backup: backup.id, serverId: backup.server_id }, 'a backup cannot be restored')
    await repo.updateBackup(deps.db, backup.id, { damaged_at: new Date() })
    await tellAdministrators(deps, backup.server_id)
    return backup
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isReachable(deps: Deps, row: repo.RepositoryRow): Promise<boolean> {
  return restic.listSnapshots(resticOf(deps), unlocked(deps, row)).then(
    () => true,
    () => false,
  )
}

async function tellAdministrators({ db }: Pick<Context, 'db'>, serverId: string): Promise<void> {
  const server = await repo.findNames(db, serverId)
  if (server === undefined) return
  const today = new Date().toISOString().slice(0, 10)
  await inTransaction(db, async (trx) => {
    for (const userId of await findAdministratorIds(trx))
      await notify(trx, {
        userId,
        resource: { type: 'server', id: serverId },
        kind: 'BACKUP_DAMAGED',
        fields: { server: server.name },
        dedupeKey: `backup-damaged ${serverId} ${today}`,
      })
  })
}
