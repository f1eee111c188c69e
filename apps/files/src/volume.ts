/**
 * Ways into the volume. A path is opened name by name, each folder by its descriptor (`/proc/self/fd/N/name`, as `openat`
 * would), never through a link: what the game puts in the way meanwhile leads nowhere. Links that stay within the volume are
 * read and walked again from the top, as `openat2` does with `RESOLVE_BENEATH`.
 */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { bytesOfName, nameOfBytes, ownFolders, splitPath, trashFolder } from '@wakestone/protocol/file-values'
import { errnoOf, FileError } from './errors.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NOCTTY, O_RDONLY } = constants
/** Opens the thing itself, without reading it or having the right to: links, pipes and devices too. */
const O_PATH = 0o10000000
/** Links, and steps up in them, of one path. */
const MOST_LINKS = 80

/** A folder that stays the same one whatever happens to its path. */
export type Folder = {
  fd: number
  /** What a name in it is called for `node:fs`, for as long as the folder is open. */
  at(name: string): string | Buffer
  [Symbol.dispose](): void
}

/** A name in a folder that is open; nothing may be there. */
export type Place = {
  folder: Folder
  /** As it is told; '.' for the volume itself. */
  name: string
  /** For `node:fs`; the last part is not to be followed. */
  at: string | Buffer
  /** Without links, as it is told. */
  path: string
  [Symbol.dispose](): void
}

export function folderOf(fd: number): Folder {
  const prefix = `/proc/self/fd/${fd}/`
  return {
    fd,
    at(name) {
      const bytes = bytesOfName(name)
      if (bytes === undefined) throw new FileError('unknown_file_name')
      return typeof bytes === 'string' ? prefix + bytes : Buffer.concat([Buffer.from(prefix), bytes])
    },
    [Symbol.dispose]: () => closeSync(fd),
  }
}

/** Opens a folder in an open one; links are none. */
export const openFolderIn = (folder: Folder, name: string): Folder =>
  folderOf(openSync(folder.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW))

/** `read` reaches into the trash too, which nobody else changes; `own` into all of our folders, for ourselves. */
export type Access = 'read' | 'write' | 'own'

export type Volume = ReturnType<typeof openVolume>

/** @param root the folder's path, as links within it would name it */
export function openVolume(root: string) {
  const top = folderOf(openSync(root, O_PATH | O_DIRECTORY))

  function namesOf(path: string, access: Access): string[] {
    const names = splitPath(path)
    if (names === undefined) throw new FileError('unknown_file_name')
    checkReach(names, access)
    return names
  }

  function checkReach(names: string[], access: Access): void {
    const [first] = names
    if (first === undefined || !ownFolders.includes(first)) return
    if (access === 'own' || (first === trashFolder && access === 'read')) return
    throw new FileError('file_does_not_exist')
  }

  /**
   * The place of a path: its folder must be there.
   * @throws FileError unknown_file_name, file_does_not_exist
   */
  function find(path: string, access: Access, options: { followLast?: boolean } = {}): Place {
    let names = namesOf(path, access)
    for (let links = 0; links <= MOST_LINKS; links++) {
      const found = walk(names, options.followLast ?? false)
      if ('folder' in found) return found
      names = 'up' in found ? names.toSpliced(found.up - 1, 2) : expand(names, found)
      checkReach(names, access)
    }
    throw new FileError('file_does_not_exist')
  }

  /** Down to the folder of the last name, or to a link or a `..` of one on the way: all before that are folders. */
  function walk(names: string[], followLast: boolean): Place | { link: number; target: Buffer } | { up: number } {
    let folder = folderOf(openSync(top.at('.'), O_PATH | O_DIRECTORY))
    let isKept = false
    try {
      for (const [index, name] of names.entries()) {
        if (name === '..') {
          if (index === 0) throw new FileError('file_does_not_exist')
          return { up: index }
        }
        if (index === names.length - 1) {
          const target = followLast ? readLink(folder.at(name)) : undefined
          if (target) return { link: index, target }
          isKept = true
          return placeIn(folder, name, names.join('/'))
        }
        let next: Folder
        try {
          next = openFolderIn(folder, name)
        } catch (error) {
          const target =
            errnoOf(error) === 'ENOTDIR' || errnoOf(error) === 'ELOOP' ? readLink(folder.at(name)) : undefined
          if (target) return { link: index, target }
          throw error
        }
        folder[Symbol.dispose]()
        folder = next
      }
      isKept = true
      return placeIn(folder, '.', '')
    } finally {
      if (!isKept) folder[Symbol.dispose]()
    }
  }

  /** The names that a link leads to, `..` among them: what stands before one may be a link in turn. */
  function expand(names: string[], { link, target }: { link: number; target: Buffer }): string[] {
    const text = nameOfLink(target)
    const isAbsolute = text.startsWith('/')
    if (isAbsolute && text !== root && !text.startsWith(`${root}/`)) throw new FileError('file_does_not_exist')
    const found = (isAbsolute ? text.slice(root.length) : text).split('/').filter((name) => name !== '' && name !== '.')
    const all = [...(isAbsolute ? [] : names.slice(0, link)), ...found, ...names.slice(link + 1)]
    if (splitPath(all.filter((name) => name !== '..').join('/')) === undefined)
      throw new FileError('file_does_not_exist')
    return all
  }

  return {
    root,
    top,
    find,
    close: () => top[Symbol.dispose](),
    /** Opens the folder of a path; links that stay within the volume are followed. */
    openFolder(path: string, access: Access): Folder & { path: string } {
      using place = find(path, access, { followLast: true })
      try {
        return { ...openFolderIn(place.folder, place.name), path: place.path }
      } catch (error) {
        throw errnoOf(error) === 'ENOTDIR' ? new FileError('file_has_other_type') : error
      }
    },
    /** Opens a file for reading, by its descriptor: never a pipe or a device. The caller closes it. */
    openFile(path: string, access: Access = 'read'): { fd: number; stats: BigIntStats; path: string } {
      using place = find(path, access, { followLast: true })
      return { ...openPlainFile(place.at), path: place.path }
    },
  }
}

/** Opens what is there, if it is a plain file. Looked at before it is opened: opening alone does something to pipes and devices. */
export function openPlainFile(at: string | Buffer, flags = O_RDONLY): { fd: number; stats: BigIntStats } {
  const itself = openSync(at, O_PATH | O_NOFOLLOW)
  try {
    if (!fstatSync(itself).isFile()) throw new FileError('file_has_other_type')
    const fd = openSync(`/proc/self/fd/${itself}`, flags | O_NOCTTY)
    return { fd, stats: fstatSync(fd, { bigint: true }) }
  } finally {
    closeSync(itself)
  }
}

/** Opens what is there without touching it, links themselves too; for `fstat`, and for `/proc/self/fd/N`. */
export const openItself = (at: string | Buffer): number => openSync(at, O_PATH | O_NOFOLLOW)

const placeIn = (folder: Folder, name: string, path: string): Place => ({
  folder,
  name,
  at: folder.at(name),
  path,
  [Symbol.dispose]: () => folder[Symbol.dispose](),
})

/** Where a link leads, as text whose names are told as all are; undefined for what is no link. */
export function readLink(at: string | Buffer): Buffer | undefined {
  try {
    return readlinkSync(at, { encoding: 'buffer' })
  } catch {
    return undefined
  }
}

export function nameOfLink(target: Buffer): string {
  const names: string[] = []
  for (let start = 0, end; start <= target.length; start = end + 1) {
    end = target.indexOf('/', start)
    if (end < 0) end = target.length
    names.push(nameOfBytes(target.subarray(start, end)))
  }
  return names.join('/')
}
