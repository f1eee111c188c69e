/** Going through all that is in a folder. */
import type { Stats } from 'node:fs'
import { folderDepth, nameOfBytes, ownFolders } from '@wakestone/protocol/file-values'
import { errnoOf, FileError } from './errors.ts'
import { readNames } from './list.ts'
import { lookAt } from './placing.ts'
import { type Folder, openFolderIn, type Volume } from './volume.ts'

export type Found = { folder: Folder; name: string; path: string; stats: Stats }

export type WalkOptions = {
  /** Awaited at every thing; it may throw to end the walk. */
  turn: () => Promise<unknown>
  /** Says `false` for a folder that is not to be gone into. */
  visit: (found: Found) => boolean | void | Promise<boolean | void>
  depth?: number
}

/**
 * Each thing at and below a path, a folder before what is in it; links are not followed, and what vanishes meanwhile is
 * left out. Our own folders are not there.
 * @throws FileError file_does_not_exist for the path itself
 */
export async function walk(volume: Volume, path: string, options: WalkOptions): Promise<void> {
  if (path === '') {
    using top = volume.openFolder('', 'read')
    await walkInside(top, '', { ...options, isTop: true })
    return
  }
  using place = volume.find(path, 'read')
  const stats = lookAt(place.folder, place.name)
  if (!stats) throw new FileError('file_does_not_exist', { path })
  await walkOne({ folder: place.folder, name: place.name, path: place.path, stats }, options)
}

async function walkOne(found: Found, options: WalkOptions): Promise<void> {
  await options.turn()
  if ((await options.visit(found)) === false || !found.stats.isDirectory()) return
  let folder: Folder
  try {
    folder = openFolderIn(found.folder, found.name)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return
    throw error
  }
  using inner = folder
  await walkInside(inner, found.path, options)
}

export async function walkInside(
  folder: Folder,
  path: string,
  options: WalkOptions & { isTop?: boolean },
): Promise<void> {
  const { depth = 0, isTop = false } = options
  if (depth >= folderDepth) throw new FileError('invalid_file', { reason: 'depth', path })
  for await (const names of readNames(folder)) {
    for (const raw of names) {
      const name = typeof raw === 'string' ? raw : nameOfBytes(raw)
      if (isTop && ownFolders.includes(name)) continue
      const stats = lookAt(folder, name)
      if (stats)
        await walkOne(
          { folder, name, path: path === '' ? name : `${path}/${name}`, stats },
          { ...options, depth: depth + 1 },
        )
    }
  }
}
