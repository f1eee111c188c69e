/** Changes what `level.dat` and the files beside it say; the new ones are laid aside. */
import { closeSync, fsyncSync, writeSync } from 'node:fs'
import { writeNbtFile } from '@wakestone/minecraft/nbt-file'
import { changeLevel, type LevelChange, NotInWorld } from '@wakestone/minecraft/worlds/level-change'
import type { LevelPart } from '@wakestone/minecraft/worlds/level'
import { FileError } from '../errors.ts'
import { createFile } from '../own.ts'
import type { Volume } from '../volume.ts'
import { readJava } from './list-worlds.ts'
import type { StagedFile } from './order.ts'

/** @throws FileError invalid_request for what this world does not say */
export function editLevel(
  volume: Volume,
  { folder, change, stage }: { folder: string; change: LevelChange; stage: string },
): { files: StagedFile[] } {
  const world = readJava(volume, folder)
  if (world === undefined) throw new FileError('file_does_not_exist', { path: `${folder}/level.dat` })
  using target = volume.openFolder(stage, 'own')
  const files: StagedFile[] = []
  const lay = (path: string, bytes: Buffer) => {
    const name = String(files.length)
    const file = createFile(target, name)
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    files.push({ name, path })
  }
  const { level, parts } = changed(world, change)
  if (level !== undefined) lay(world.path, writeNbtFile({ ...world.level, tag: level }))
  for (const [part, tag] of Object.entries(parts)) {
    const known = world.files.get(part as LevelPart)!
    lay(known.path, writeNbtFile({ ...known.file, tag }))
  }
  return { files }
}

function changed({ level, trees }: NonNullable<ReturnType<typeof readJava>>, change: LevelChange) {
  try {
    return changeLevel(level.tag, trees, change)
  } catch (error) {
    throw error instanceof NotInWorld
      ? new FileError('invalid_request', { [error.what.slice(0, 60)]: 'unknown' })
      : error
  }
}
