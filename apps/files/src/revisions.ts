/**
 * The texts that an editor wrote over: `.revisions/<hash of the path>/<id>`. A file that is moved leaves them behind.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, readSync, writeSync } from 'node:fs'
import { revisionBytes, revisionsKept } from '@wakestone/protocol/file-values'
import type { Revision } from '@wakestone/protocol/files'
import { errnoOf, FileError } from './errors.ts'
import { readNames } from './list.ts'
import { createFile, dropFile, dropFolder, makeId, openOwn } from './own.ts'
import { lookAt } from './placing.ts'
import { doom, removeDoomed } from './remove.ts'
import { type Folder, openFolderIn, type Volume } from './volume.ts'

const FOLDER = '.revisions'
const FORGOTTEN_MS = 90 * 24 * 60 * 60 * 1000
const ID = /^\d{14}-[0-9a-f]{24}$/

const keyOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 32)

/** Keeps what an open file holds, if it is not too long. */
export function keepRevision(volume: Volume, path: string, fd: number, size: number): void {
  if (size > revisionBytes || size === 0) return
  const bytes = Buffer.allocUnsafe(size)
  const length = readSync(fd, bytes, 0, size, 0)
  using all = openOwn(volume.top, FOLDER)
  using folder = openOwn(all, keyOf(path))
  const file = createFile(folder, `${Date.now().toString().padStart(14, '0')}-${makeId()}`, 0o600)
  try {
    writeSync(file, bytes, 0, length)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function readIds(folder: Folder): Promise<string[]> {
  const ids: string[] = []
  for await (const names of readNames(folder))
    for (const name of names) if (typeof name === 'string' && ID.test(name)) ids.push(name)
  return ids.toSorted().reverse()
}

/** Newest first; older ones than are kept go. */
export async function listRevisions(volume: Volume, path: string): Promise<Revision[]> {
  using all = openOwn(volume.top, FOLDER)
  let folder: Folder
  try {
    folder = openFolderIn(all, keyOf(path))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
  using kept = folder
  const ids = await readIds(kept)
  for (const id of ids.slice(revisionsKept)) dropFile(kept, id)
  return ids.slice(0, revisionsKept).flatMap((id) => {
    const stats = lookAt(kept, id)
    return stats?.isFile() ? [{ id, savedAt: new Date(Number(id.slice(0, 14))).toISOString(), size: stats.size }] : []
  })
}

/** Where a revision lies, for reading. */
export function revisionPath(path: string, id: string | null): string {
  if (id === null || !ID.test(id)) throw new FileError('file_does_not_exist')
  return `${FOLDER}/${keyOf(path)}/${id}`
}

/** Those of files that nobody has edited for long. */
export async function removeOldRevisions(volume: Volume, now = Date.now()): Promise<void> {
  using all = openOwn(volume.top, FOLDER)
  for await (const names of readNames(all)) {
    for (const name of names as string[]) {
      const stats = lookAt(all, name)
      if (!stats || now - stats.mtimeMs < FORGOTTEN_MS) continue
      dropFolder(all, name)
      if (lookAt(all, name)) await removeDoomed(volume, doom(volume, all, name))
    }
  }
}

/** Of one file: nothing of what it was before is left. */
export async function dropRevisions(volume: Volume, path: string): Promise<void> {
  using all = openOwn(volume.top, FOLDER)
  if (lookAt(all, keyOf(path))) await removeDoomed(volume, doom(volume, all, keyOf(path)))
}
