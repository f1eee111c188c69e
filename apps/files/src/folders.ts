/** Making folders, and moving things between them. */
import { mkdirSync } from 'node:fs'
import { errnoOf, FileError } from './errors.ts'
import { placeAll, type Step } from './placing.ts'
import type { Volume } from './volume.ts'
import type { OverwriteMode } from '@wakestone/protocol/file-values'

/** Makes a folder and those above it, as far as they are missing. */
export function makeFolders(volume: Volume, path: string): void {
  try {
    volume.openFolder(path, 'write')[Symbol.dispose]()
    return
  } catch (error) {
    const isMissing = errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR'
    if (!isMissing) throw error
  }
  const names = path.split('/')
  for (const index of names.keys()) {
    const part = names.slice(0, index + 1).join('/')
    try {
      volume.openFolder(part, 'write')[Symbol.dispose]()
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT')
        throw errnoOf(error) === 'ENOTDIR' ? new FileError('file_has_other_type', { path: part }) : error
      using place = volume.find(part, 'write')
      mkdirSync(place.at, { mode: 0o755 })
    }
  }
}

/** @throws FileError resource_already_exists */
export function makeFolder(volume: Volume, path: string): void {
  const above = path.split('/').slice(0, -1).join('/')
  makeFolders(volume, above)
  using place = volume.find(path, 'write')
  if (place.name === '.') throw new FileError('resource_already_exists', { path })
  mkdirSync(place.at, { mode: 0o755 })
}

export const joinPath = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** @returns where each is now */
export async function moveAll(volume: Volume, steps: Step[], overwrite: OverwriteMode): Promise<string[]> {
  for (const { from } of steps) {
    // Only what an asker may write to can be taken from there.
    using place = volume.find(from, 'write')
    if (place.name === '.') throw new FileError('invalid_request', { from: 'invalid' })
  }
  return placeAll(volume, steps, overwrite)
}
