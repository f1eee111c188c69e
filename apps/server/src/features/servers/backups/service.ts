/** Backups of servers: asked for, named, deleted, brought back and restored. The work itself is done by operations. */
import {
  type Backup,
  type BackupCause,
  type BackupKind,
  type BackupPlan,
  deletedDays,
  playerOf,
  worldOf,
} from '@wakestone/contract/servers/backups'
import type * as schemas from '@wakestone/contract/servers/backups'
import { DomainError } from '@wakestone/contract/errors'
import type { Operation } from '@wakestone/contract/servers/operations'
import type { z } from 'zod'
import { NoRestic, provideRestic } from '#src/adapters/restic/program.ts'
import * as volume from '#src/adapters/restic/volume.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { beginOperation, getOperation } from '#src/features/servers/operations/service.ts'
import { isLive, requireRunnable, type ServerRow } from '#src/features/servers/servers/service.ts'
import type { BackupWish } from './back-up.ts'
import { type Download, downloadFromBackup } from './download.ts'
import { amongFew } from './few-at-once.ts'
import {
  bytesOf,
  compare,
  findEntry,
  findListing,
  folderOf,
  pathsOfPlayer,
  worldPartsOf,
  worldsOf,
} from './listings.ts'
import * as repo from './repo.ts'
import { requireRepository, resticOf, unlocked } from './repository.ts'
import type { RestoreInput } from './restore.ts'
import { removalOf } from './retention.ts'

export { backUp, discardBackup, verifyBackup } from './back-up.ts'
export { findBackupOfOperation } from './repo.ts'
export { backup, backupRestore, backupRetrieve } from './operations.ts'
export { listRecoverable, recoverServers, resetForRecovery } from './recovery.ts'
export { checkBackupStorage } from './storage-check.ts'
export type { StorageState } from './storage-check.ts'
export {
  copyVolume,
  forgetCopies,
  listWholeBackups,
  pourVolume,
  requireSnapshot,
  type WholeBackup,
} from './whole-volume.ts'
export { flushWorld, withHeldWorld } from './world-hold.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>
type ReadingDeps = Pick<Context, 'db' | 'fleet' | 'settings' | 'secrets' | 'logger'>
type Asked = { server: ServerRow; userId: string | null }

const tenMinutes = 10 * 60_000
const hour = 60 * 60_000
const day = 24 * hour

export async function listBackups(db: Handle, serverId: string): Promise<Backup[]> {
  const [rows, rule] = await Promise.all([repo.selectBackups(db, serverId), repo.findRule(db, serverId)])
  return rows.map((row) => describe(row, rule))
}

function describe(row: repo.ShownBackup, rule: schemas.BackupRule | null): Backup {
  return {
    id: row.id,
    repo_id: row.repo_id,
    service_id: row.service_id,
    created_at: row.created_at.toISOString(),
    ...(row.deleted_at !== null && { deleted_at: row.deleted_at.toISOString() }),
    removed_at: removalOf(row, rule)?.toISOString() ?? null,
    cannot_be_restored: row.damaged_at !== null,
    tags: [row.kind, row.cause, ...(row.pinned ? ['pinned'] : []), ...(row.incomplete ? ['incomplete'] : [])],
    details: row.details,
    kind: row.kind,
    cause: row.cause,
    name: row.name,
    pinned: row.pinned,
    incomplete: row.incomplete,
    verified_at: row.verified_at?.toISOString() ?? null,
    engine: row.engine,
    engine_version: row.engine_version,
    executor: row.user_id === null || row.username === null ? null : { id: row.user_id, username: row.username },
    undoes: row.kind === 'safety' && row.cause === 'restore' ? row.operation_id : null,
  }
}

async function getBackup(db: Handle, serverId: string, id: string): Promise<Backup> {
  const found = (await listBackups(db, serverId)).find((backup) => backup.id === id)
  if (found === undefined) throw new DomainError('no_server_backup_found')
  return found
}

export async function describePlan(db: Handle, server: ServerRow): Promise<BackupPlan> {
  const [rule, row, manual] = await Promise.all([
    repo.findRule(db, server.id),
    repo.findRepository(db, server.id),
    repo.countManual(db, server.id),
  ])
  const last = row?.tried_at ?? server.prepared_at
  const next = rule === null || last === null ? null : new Date(last.getTime() + rule.every_hours * hour)
  const isUsed = isLive(server.phase) && server.phase !== 'frozen'
  const mayHaveChanged = isUsed || (server.exit_at !== null && (row?.seen_at == null || server.exit_at > row.seen_at))
  return {
    rule,
    manual_count: manual,
    next_at: mayHaveChanged ? (next?.toISOString() ?? null) : null,
    stored_bytes: row?.stored_bytes == null ? null : Number(row.stored_bytes),
    last_failure:
      row?.failed_at == null ? null : { at: row.failed_at.toISOString(), code: row.failure ?? 'service_unavailable' },
    drilled_at: row?.drilled_at?.toISOString() ?? null,
  }
}

/** Whether backups of a server can be made at all: its plan has some, and there is a program for them. */
export async function canBackUp(
  { db, settings, logger }: Pick<Context, 'db' | 'settings' | 'logger'>,
  serverId: string,
): Promise<boolean> {
  if ((await repo.findRule(db, serverId)) === null) return false
  try {
    await provideRestic(settings)
    return true
  } catch (error) {
    if (!(error instanceof NoRestic)) throw error
    logger.warn(error.message)
    return false
  }
}

/** @throws DomainError when the server may not be backed up, or has been so often enough. */
export async function createBackup(
  deps: Deps,
  { server, userId }: Asked,
  { name, pinned, cause = 'asked' }: { name: string | null; pinned: boolean; cause?: BackupCause },
): Promise<Operation> {
  requireRunnable(server)
  await requireRoomForManual(deps.db, server.id)
  if (cause === 'asked') await requireFewBackups(deps, server.id)
  const wish: BackupWish = { kind: 'manual', cause, name: name === '' ? null : name, pinned, skipsUnchanged: false }
  return begin(deps, { server, userId }, wish)
}

/** Of one that comes by itself: nothing is kept where nothing has changed. */
export function createAutomaticBackup(deps: Deps, server: ServerRow): Promise<Operation> {
  const wish: BackupWish = { kind: 'auto', cause: 'plan', name: null, pinned: false, skipsUnchanged: true }
  return begin(deps, { server, userId: null }, wish)
}

function begin(deps: Deps, { server, userId }: Asked, wish: BackupWish): Promise<Operation> {
  return inTransaction(deps.db, async (trx) => {
    const about: Operation['about'] = wish.name === null ? {} : { name: wish.name }
    const id = await beginOperation(deps, trx, { serverId: server.id, kind: 'backup', input: wish, about, userId })
    return getOperation(trx, server.id, id)
  })
}

async function requireRoomForManual(db: Handle, serverId: string): Promise<void> {
  const limit = (await repo.findRule(db, serverId))?.manual ?? 0
  if ((await repo.countManual(db, serverId)) >= limit)
    throw new DomainError('too_many_requests', { resource: 'manual_backups_count', limit })
}

async function requireFewBackups({ db, settings }: Deps, serverId: string): Promise<void> {
  const begun = await repo.selectBegun(db, serverId, { kinds: ['backup'], since: new Date(Date.now() - tenMinutes) })
  requireFewer(begun, { limit: settings.LIMIT_MANUAL_BACKUPS, span: tenMinutes, resource: 'manual_backups_count' })
}

function requireFewer(
  begun: Date[],
  {
    limit,
    span,
    resource,
  }: { limit: number; span: number; resource: 'manual_backups_count' | 'backup_restores_count' },
): void {
  const first = begun.at(-limit)
  if (limit === 0 || begun.length < limit || first === undefined) return
  const wait = Math.ceil((first.getTime() + span - Date.now()) / 1000)
  throw new DomainError('too_many_requests', { resource, retry_after: Math.max(1, wait) })
}

/** One that people are shown. @throws DomainError `no_server_backup_found`, `backup_deleted` */
async function findShown(db: Handle, serverId: string, id: string): Promise<repo.BackupRow> {
  const backup = await repo.findBackup(db, serverId, id)
  if (backup === undefined) throw new DomainError('no_server_backup_found')
  if (backup.forgotten_at !== null) throw new DomainError('backup_deleted')
  return backup
}

/** One whose files can be had; also one that is deleted can be looked into. */
async function findReadable(db: Handle, serverId: string, id: string): Promise<repo.BackupRow> {
  const backup = await findShown(db, serverId, id)
  if (backup.damaged_at !== null) throw new DomainError('cannot_be_restored')
  return backup
}

export async function changeBackup(
  db: Context['db'],
  { server }: Asked,
  id: string,
  { name, pinned }: z.output<typeof schemas.changeBackupBody>,
): Promise<Backup> {
  const backup = await findShown(db, server.id, id)
  if (backup.deleted_at !== null) throw new DomainError('backup_deleted')
  await repo.updateBackup(db, backup.id, {
    ...(name !== undefined && { name: name === '' ? null : name }),
    ...(pinned !== undefined && { pinned }),
  })
  return getBackup(db, server.id, backup.id)
}

const deletable: readonly BackupKind[] = ['manual']

export async function deleteBackup(db: Context['db'], { server, userId }: Asked, id: string): Promise<Backup> {
  return inTransaction(db, async (trx) => {
    const backup = await findShown(trx, server.id, id)
    if (!deletable.includes(backup.kind)) throw new DomainError('only_manual_backups_can_be_deleted')
    if (backup.deleted_at === null) {
      await repo.updateBackup(trx, backup.id, { deleted_at: new Date() })
      await recordServerEvent(trx, server.id, {
        action: 'SERVER_BACKUP_DELETION',
        data: { ...(userId !== null && { executor: userId }), backup_id: backup.id },
      })
    }
    return getBackup(trx, server.id, backup.id)
  })
}

/** @throws DomainError `too_many_requests` where others have taken its place. */
export async function bringBackBackup(db: Context['db'], { server, userId }: Asked, id: string): Promise<Backup> {
  return inTransaction(db, async (trx) => {
    const backup = await findShown(trx, server.id, id)
    if (backup.deleted_at !== null) {
      if (Date.now() - backup.deleted_at.getTime() > deletedDays * day) throw new DomainError('backup_deleted')
      await requireRoomForManual(trx, server.id)
      await repo.updateBackup(trx, backup.id, { deleted_at: null })
      await recordServerEvent(trx, server.id, {
        action: 'SERVER_BACKUP_DELETION',
        data: { ...(userId !== null && { executor: userId }), backup_id: backup.id, brought_back: true },
      })
    }
    return getBackup(trx, server.id, backup.id)
  })
}

export async function listFiles(deps: ReadingDeps, server: ServerRow, id: string, path: string) {
  return folderOf(await findListing(deps, await findReadable(deps.db, server.id, id)), path)
}

export async function listWorlds(deps: ReadingDeps, server: ServerRow, id: string): Promise<schemas.BackupWorlds> {
  return worldPartsOf(await findListing(deps, await findReadable(deps.db, server.id, id)))
}

export async function findPlayer(deps: ReadingDeps, server: ServerRow, id: string, playerId: string) {
  const listing = await findListing(deps, await findReadable(deps.db, server.id, id))
  const paths = pathsOfPlayer(listing, playerId)
  return { paths, bytes: bytesOf(listing, paths) }
}

export async function compareBackup(deps: ReadingDeps, server: ServerRow, id: string, until: string) {
  const before = await findListing(deps, await findReadable(deps.db, server.id, id))
  const after =
    until === 'now'
      ? await amongFew(server.id, () => volume.listVolume(resticOf(deps), { serverId: server.id }))
      : await findListing(deps, await findReadable(deps.db, server.id, until))
  return compare(before, after)
}

/**
 * Puts files back. What the game has open is put back with the game down; other files while it runs.
 * @throws DomainError `server_is_running` where it would have to be stopped, and may not be.
 */
export async function restoreBackup(
  deps: Deps & ReadingDeps,
  { server, userId }: Asked,
  id: string,
  {
    paths,
    safety,
    stop,
    in_seconds,
    isUndo = false,
  }: z.output<typeof schemas.restoreBackupBody> & { isUndo?: boolean },
): Promise<Operation> {
  requireRunnable(server)
  const backup = await findReadable(deps.db, server.id, id)
  const kinds = ['backup_restore', 'backup_retrieve']
  const begun = await repo.selectBegun(deps.db, server.id, { kinds, since: new Date(Date.now() - hour) })
  requireFewer(begun, { limit: deps.settings.LIMIT_BACKUP_RESTORES, span: hour, resource: 'backup_restores_count' })
  const wanted = paths === null ? null : withoutInner(paths)
  let bytes = backup.details.total_bytes_processed
  let mayRun = false
  if (wanted !== null) {
    const listing = await findListing(deps, backup)
    const missing = wanted.find((path) => findEntry(listing, path) === undefined)
    // What was not there before a restore goes when that is taken back.
    if (missing !== undefined && !isUndo) throw new DomainError('file_does_not_exist', { path: missing })
    bytes = bytesOf(listing, wanted)
    mayRun = wanted.every((path) => isFree(path, worldsOf(listing), server))
    if (!mayRun && isLive(server.phase) && !stop) throw new DomainError('server_is_running', { resource: 'server' })
  }
  const input: RestoreInput = {
    backupId: backup.id,
    snapshot: backup.snapshot_id,
    paths: wanted,
    bytes,
    safety,
    warning: { seconds: in_seconds },
  }
  const about = {
    made_at: backup.created_at.toISOString(),
    ...(backup.name !== null && { name: backup.name }),
    ...(wanted === null ? { whole: true } : { paths: wanted }),
    ...(isUndo && { undo: true }),
  }
  return inTransaction(deps.db, async (trx) => {
    const kind = mayRun ? 'backup_retrieve' : 'backup_restore'
    const operationId = await beginOperation(deps, trx, { serverId: server.id, kind, input, about, userId })
    return getOperation(trx, server.id, operationId)
  })
}

/**
 * Takes a restore back, by the backup that was made before it.
 * @throws DomainError `process_not_found` for what was no restore, or is not done; `no_server_backup_found` without a backup
 */
export async function undoRestore(
  deps: Deps & ReadingDeps,
  asked: Asked,
  processId: string,
  { safety, stop, in_seconds }: z.output<typeof schemas.undoRestoreBody>,
): Promise<Operation> {
  const { kind, state, about } = await getOperation(deps.db, asked.server.id, processId)
  if (!['backup_restore', 'backup_retrieve'].includes(kind) || state !== 'done')
    throw new DomainError('process_not_found', { resource: 'process' })
  const backup = await repo.findBackupOfOperation(deps.db, processId)
  const paths = Array.isArray(about['paths']) ? about['paths'] : null
  if (backup === undefined || (paths === null && about['whole'] !== true))
    throw new DomainError('no_server_backup_found')
  return restoreBackup(deps, asked, backup.id, { paths, safety, stop, in_seconds, isUndo: true })
}

/** Whether a game that runs has nothing to do with a path, or only when somebody joins. */
function isFree(path: string, worlds: readonly string[], server: ServerRow): boolean {
  if (worldOf(path, worlds) === undefined) return true
  return playerOf(path) !== undefined && server.players_online === 0
}

/** Without those that lie in others. */
const withoutInner = (paths: readonly string[]) =>
  [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))

/** Bytes of a file, or of a folder as an archive. */
export async function download(
  deps: ReadingDeps,
  { id, snapshotId }: { id: string; snapshotId: string },
  asked: { path: string; userId: string },
): Promise<Download> {
  return downloadFromBackup(deps, await findReadable(deps.db, id, snapshotId), asked)
}

/** What opens the backups of a server anywhere. */
export async function tellKey(
  deps: Pick<Context, 'db' | 'secrets'>,
  server: ServerRow,
): Promise<z.input<typeof schemas.backupKeySchema>> {
  const row = await requireRepository(deps, server.id)
  const { password, location } = unlocked(deps, row)
  const restic = `restic -r ${quote(location)}`
  return {
    repository: location,
    password,
    commands: [`${restic} snapshots`, `${restic} check`, `${restic} restore latest --target ./${server.id}`],
  }
}

const quote = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const lateSeconds = 3600

/** Servers whose automatic backup should have begun an hour ago and longer: the latest first, at most so many. */
export async function listLateBackups(db: Handle, limit: number, now = new Date()): Promise<repo.LateBackup[]> {
  const due = await repo.selectDueServers(db, limit, new Date(now.getTime() - lateSeconds * 1000))
  return repo.selectLateBackups(
    db,
    due.map(({ id }) => id),
  )
}
