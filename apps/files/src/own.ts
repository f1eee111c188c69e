/**
 * The service's own things in the volume. The game can write there as well: whatever is read here is looked at as anything
 * else that is a customer's, and what lies in the way is taken away.
 */
import {
  chmodSync,
  constants,
  closeSync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { errnoOf } from './errors.ts'
import { type Folder, openFolderIn, openPlainFile } from './volume.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants
const LONGEST_NOTE = 16 * 1024 * 1024
export const syncFile = promisify(fsync)

export const makeId = () => randomBytes(12).toString('hex')
export const isId = (text: string) => /^[0-9a-f]{24}$/.test(text)

/** Opens a folder, which is made where it is missing. */
export function openOwn(parent: Folder, name: string): Folder {
  for (let attempt = 0; ; attempt++) {
    try {
      mkdirSync(parent.at(name), { mode: 0o700 })
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
    try {
      return openFolderIn(parent, name)
    } catch (error) {
      if (errnoOf(error) !== 'ENOTDIR' || attempt > 3) throw error
      unlinkSync(parent.at(name))
    }
  }
}

/** Opens a folder further down, made where it is missing. */
export function openOwnPath(parent: Folder, names: readonly string[]): Folder {
  let folder = openOwn(parent, names[0]!)
  for (const name of names.slice(1)) {
    using above = folder
    folder = openOwn(above, name)
  }
  return folder
}

/** A file that was not there before; the caller closes it. */
export const createFile = (folder: Folder, name: string, mode = 0o644): number =>
  openSync(folder.at(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode)

/** Keeps a value so that it is whole or as it was, whatever is killed. What the power ends may be lost: `syncFile` if that matters. */
export function writeNote(folder: Folder, name: string, value: unknown): void {
  const draft = `${name}.${randomBytes(4).toString('hex')}`
  const fd = createFile(folder, draft, 0o600)
  try {
    writeFileSync(fd, JSON.stringify(value))
  } finally {
    closeSync(fd)
  }
  renameSync(folder.at(draft), folder.at(name))
}

/** Undefined when it is missing or no object: what it says is the customer's word. */
export function readNote(folder: Folder, name: string): Record<string, unknown> | undefined {
  let fd: number | undefined
  try {
    fd = openPlainFile(folder.at(name)).fd
    if (fstatSync(fd).size > LONGEST_NOTE) return undefined
    const value: unknown = JSON.parse(readFileSync(fd, 'utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/**
 * Renames, also a folder that its owner may not write to: that it has another parent is written in it.
 * @throws the system's errors
 */
export function moveEntry(from: Folder, name: string, to: Folder, newName: string): void {
  try {
    renameSync(from.at(name), to.at(newName))
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    using folder = openFolderIn(from, name)
    const { mode } = fstatSync(folder.fd)
    chmodSync(folder.at('.'), (mode & 0o777) | 0o700)
    try {
      renameSync(from.at(name), to.at(newName))
    } finally {
      chmodSync(folder.at('.'), mode & 0o777)
    }
  }
}

/** Takes a file away, if there is one. */
export function dropFile(folder: Folder, name: string): void {
  try {
    unlinkSync(folder.at(name))
  } catch (error) {
    if (errnoOf(error) === 'EISDIR') throw error
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** Takes an empty folder away; one that is not stays. */
export function dropFolder(folder: Folder, name: string): void {
  try {
    rmdirSync(folder.at(name))
  } catch {
    // Not empty, or gone.
  }
}

/** Has what was renamed into a folder outlast the power. */
export async function syncFolder(folder: Folder): Promise<void> {
  const fd = openSync(folder.at('.'), constants.O_RDONLY)
  try {
    await syncFile(fd)
  } finally {
    closeSync(fd)
  }
}
