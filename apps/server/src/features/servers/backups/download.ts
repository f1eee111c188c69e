/** Bytes out of a backup, as restic writes them: through a pipe, so that nothing is kept and nobody runs ahead of a reader. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, openSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { DomainError } from '@wakestone/contract/errors'
import * as restic from '#src/adapters/restic/restic.ts'
import type { Context } from '#src/context.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { inTransaction } from '#src/db/client.ts'
import { takePlace } from './few-at-once.ts'
import { findEntry, findListing } from './listings.ts'
import type { BackupRow } from './repo.ts'
import { requireRepository, resticOf, unlocked } from './repository.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'settings' | 'secrets' | 'logger'>

export type Download = { name: string; type: string; bytes: number | null; content: Readable }

/** @throws DomainError `file_does_not_exist`, `too_many_requests` */
export async function downloadFromBackup(
  deps: Deps,
  backup: BackupRow,
  { path, userId }: { path: string; userId: string },
): Promise<Download> {
  const entry = path === '' ? undefined : findEntry(await findListing(deps, backup), path)
  if (path !== '' && entry?.[1] !== 'f' && entry?.[1] !== 'd') throw new DomainError('file_does_not_exist')
  const isFolder = entry?.[1] !== 'f'
  const row = await requireRepository(deps, backup.server_id)
  const giveBack = takePlace(backup.server_id)
  const folder = join(resolve(deps.settings.DATA_DIR), 'cache', 'pipes', backup.server_id, randomUUID())
  const ending = new AbortController()
  const end = async () => {
    ending.abort()
    giveBack()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const content = await openPipe(folder)
    const pouring = restic.pourSnapshot(resticOf(deps), unlocked(deps, row), {
      snapshot: backup.snapshot_id,
      path,
      archive: isFolder ? 'zip' : null,
      folder,
      signal: ending.signal,
    })
    pouring.catch((error: Error) => {
      if (ending.signal.aborted) return
      deps.logger.warn({ error, serverId: backup.server_id }, 'a download out of a backup broke off')
      content.destroy(error)
    })
    content.once('close', () => void end())
    await tellDownload(deps, backup, userId)
    const own = path.split('/').at(-1) || `backup-${backup.created_at.toISOString().slice(0, 10)}`
    return {
      name: isFolder ? `${own}.zip` : own,
      type: isFolder ? 'application/zip' : 'application/octet-stream',
      bytes: isFolder ? null : (entry?.[2] ?? null),
      content,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Opened by us before anybody writes: opening waits for nobody, and reading ends when the writer does. */
async function openPipe(folder: string): Promise<Socket> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', ['-m', '666', path])
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  return new Socket({ fd, readable: true, writable: false })
}

function tellDownload({ db }: Pick<Context, 'db'>, backup: BackupRow, userId: string): Promise<unknown> {
  return inTransaction(db, (trx) =>
    recordServerEvent(trx, backup.server_id, {
      action: 'BACKUP_DOWNLOAD',
      data: { executor: userId, backup_id: backup.id },
    }),
  )
}
