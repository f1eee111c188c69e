/** Small files and folders of a world, as far as they are what they should be. */
import { closeSync, readSync } from 'node:fs'
import { type NbtFile, readNbtFile } from '@wakestone/minecraft/nbt-file'
import type { Entry } from '@wakestone/minecraft/worlds/layout'
import { levelBytes, levelTags } from '@wakestone/protocol/world-values'
import { FileError } from '../errors.ts'
import { readNames } from '../list.ts'
import { lookAt, tell } from '../placing.ts'
import type { Access, Volume } from '../volume.ts'

/** Of a folder in which anything may be. */
const MOST_ENTRIES = 5_000

/** What is in a folder, without following links; nothing where there is none. */
export const lister = (volume: Volume, access: Access) => async (path: string) => {
  const entries: Entry[] = []
  try {
    using folder = volume.openFolder(path, access)
    for await (const names of readNames(folder))
      for (const raw of names) {
        const name = tell(raw)
        const stats = lookAt(folder, name)
        if (stats !== undefined && entries.length < MOST_ENTRIES) entries.push({ name, isFolder: stats.isDirectory() })
      }
  } catch {
    // Not there, or no folder.
  }
  return entries
}

/** Undefined where there is no such file, or a larger one. */
export function readSmall(
  volume: Volume,
  path: string,
  access: Access = 'read',
  most = levelBytes,
): Buffer | undefined {
  let file: ReturnType<Volume['openFile']>
  try {
    file = volume.openFile(path, access)
  } catch {
    return undefined
  }
  try {
    const size = Number(file.stats.size)
    if (size > most) return undefined
    const bytes = Buffer.alloc(size)
    return bytes.subarray(0, readSync(file.fd, bytes, 0, size, 0))
  } finally {
    closeSync(file.fd)
  }
}

/** @returns undefined where it is missing. @throws FileError invalid_file where it is damaged */
export function readNbt(
  volume: Volume,
  path: string,
  edition: 'java' | 'bedrock',
  access: Access = 'read',
): NbtFile | undefined {
  const bytes = readSmall(volume, path, access)
  if (bytes === undefined) return undefined
  try {
    return readNbtFile(bytes, { edition, maxBytes: levelBytes, limits: { tags: levelTags } })
  } catch {
    throw new FileError('invalid_file', { reason: 'damaged', path })
  }
}
