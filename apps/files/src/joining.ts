/** Placing what is in a folder of ours into one of the volume, which may hold things already. */
import { renameSync } from 'node:fs'
import { ownFolders, type UnpackMode } from '@wakestone/protocol/file-values'
import { errnoOf, FileError } from './errors.ts'
import { makeFolders } from './folders.ts'
import { readNames } from './list.ts'
import { freeName } from './naming.ts'
import { makeId, openOwnPath } from './own.ts'
import { lookAt, placeAll, tell } from './placing.ts'
import { type Folder, openFolderIn, type Volume } from './volume.ts'

/**
 * Looks for what is in the way. Folders are joined whatever `overwrite` says: it is about files, and with `keep-both` about
 * what stands at the top of what comes.
 * @returns what then places all of it
 * @throws FileError resource_already_exists with the first `path` and the `count` of all that are in the way, and
 * file_has_other_type
 */
export async function joinInto(
  volume: Volume,
  { from, to, overwrite }: { from: string; to: string; overwrite: UnpackMode },
): Promise<() => Promise<void>> {
  let into = to
  const inTheWay: { first?: string; count: number } = { count: 0 }
  {
    using staged = openOwnFolder(volume, from)
    if (to === '') {
      const ours = ownFolders.find((name) => lookAt(staged, name))
      if (ours !== undefined) throw new FileError('unknown_file_name', { path: ours })
    }
    using target = openThere(volume, to)
    if (target) {
      await check(staged, target, to)
      const { first, count } = inTheWay
      if (first !== undefined) throw new FileError('resource_already_exists', { path: first, count })
      into = target.path // where a link leads, if it is one
    }
  }
  return async () => {
    makeFolders(volume, into.split('/').slice(0, -1).join('/'))
    await placeAll(volume, [{ from, to: into }], 'replace')
  }

  async function check(staged: Folder, target: Folder, path: string, depth = 0): Promise<void> {
    const free: [string, string][] = []
    const skipped: string[] = []
    for await (const names of readNames(staged)) {
      for (const raw of names) {
        const name = tell(raw)
        const there = lookAt(target, name)
        if (!there) continue
        const comes = lookAt(staged, name)
        const at = path === '' ? name : `${path}/${name}`
        if (overwrite === 'keep-both' && depth === 0) {
          const isTaken = (other: string) => lookAt(target, other) !== undefined || lookAt(staged, other) !== undefined
          free.push([name, freeName(name, isTaken)])
        } else if (comes?.isDirectory() && there.isDirectory()) {
          using inner = openFolderIn(staged, name)
          using innerTarget = openFolderIn(target, name)
          await check(inner, innerTarget, at, depth + 1)
        } else if (overwrite === 'skip') skipped.push(name)
        else if (overwrite === 'fail') {
          inTheWay.first ??= at
          inTheWay.count++
        } else if (comes?.isDirectory() !== there.isDirectory())
          throw new FileError('file_has_other_type', { path: at })
      }
    }
    for (const [name, other] of free) renameSync(staged.at(name), staged.at(other))
    if (skipped.length === 0) return
    // It goes with the rest of what is ours.
    using aside = openOwnPath(volume.top, `${from}-skipped`.split('/'))
    for (const name of skipped) renameSync(staged.at(name), aside.at(makeId()))
  }
}

function openOwnFolder(volume: Volume, path: string): Folder {
  using place = volume.find(path, 'own')
  return openFolderIn(place.folder, place.name)
}

function openThere(volume: Volume, path: string): ReturnType<Volume['openFolder']> | undefined {
  try {
    return volume.openFolder(path, 'write')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
