/**
 * Putting things where they are to be, by renaming alone. What takes more than one step is noted before the first one, and
 * brought to its end by the next service if this one is killed: an entry is where it was or where it was to be, and nothing
 * is lost between.
 */
import { lstatSync, type Stats } from 'node:fs'
import type { OverwriteMode } from '@wakestone/protocol/file-values'
import { errnoOf, FileError } from './errors.ts'
import { readNames } from './list.ts'
import { freeName } from './naming.ts'
import { dropFile, dropFolder, makeId, moveEntry, openOwnPath, readNote, syncFolder, writeNote } from './own.ts'
import { nameOfBytes } from '@wakestone/protocol/file-values'
import { type Folder, openFolderIn, type Place, type Volume } from './volume.ts'

const NOTES = ['.transfers', 'placing']

export type Step = {
  /** Where it is: a path of the volume, or below a folder of ours. */
  from: string
  to: string
}

export const lookAt = (folder: Folder, name: string): Stats | undefined =>
  lstatSync(folder.at(name), { throwIfNoEntry: false })

/**
 * Renames each to where it is to be; all of them or, where something is in the way, none.
 * @param options `settled` learns the paths where they will be, before anything is touched
 * @returns the paths where they are now
 * @throws FileError resource_already_exists, file_has_other_type, file_does_not_exist
 */
export async function placeAll(
  volume: Volume,
  steps: Step[],
  overwrite: OverwriteMode,
  { settled: onSettled }: { settled?: (paths: string[]) => void } = {},
): Promise<string[]> {
  const taken = new Set<string>()
  const settled: Step[] = []
  let isOneRename = steps.length === 1
  for (const { from, to } of steps) {
    using source = volume.find(from, 'own')
    using target = volume.find(to, 'write')
    const moved = lookAt(source.folder, source.name)
    if (!moved || source.name === '.') throw new FileError('file_does_not_exist', { path: from })
    const isTop = target.name === '.'
    if (isTop && (overwrite !== 'replace' || !moved.isDirectory()))
      throw new FileError('resource_already_exists', { path: to })
    if (isWithin(target.path, source.path)) throw new FileError('invalid_request', { to: 'within' })
    const isTaken = (name: string) =>
      taken.has(pathIn(target, name)) ||
      (lookAt(target.folder, name) !== undefined && pathIn(target, name) !== source.path)
    let name = target.name
    if (isTop) isOneRename = false
    else if (isTaken(name)) {
      if (overwrite === 'fail') throw new FileError('resource_already_exists', { path: to })
      if (overwrite === 'keep-both') name = freeName(name, isTaken)
      else {
        await checkJoining(source, target)
        if (moved.isDirectory()) isOneRename = false
      }
    }
    const path = isTop ? '' : pathIn(target, name)
    taken.add(path)
    settled.push({ from: source.path, to: path })
  }
  onSettled?.(settled.map(({ to }) => to))
  await renameAll(volume, settled, isOneRename)
  return settled.map(({ to }) => to)
}

/** Renames each, whatever is in the way; after a kill the next service goes on with it. `isOne`: by a single step of the system. */
export async function renameAll(volume: Volume, steps: Step[], isOne = steps.length === 1): Promise<void> {
  using notes = openOwnPath(volume.top, NOTES)
  const id = makeId()
  if (!isOne) {
    writeNote(notes, id, { steps })
    await syncFolder(notes)
  }
  for (const step of steps) await place(volume, step)
  for (const parent of new Set(steps.map(({ to }) => to.slice(0, Math.max(0, to.lastIndexOf('/')))))) {
    using folder = volume.openFolder(parent, 'own')
    await syncFolder(folder)
  }
  if (!isOne) dropFile(notes, id)
}

/** Brings to its end what an earlier service had begun. */
export async function resumePlacing(volume: Volume): Promise<void> {
  using notes = openOwnPath(volume.top, NOTES)
  for await (const names of readNames(notes)) {
    for (const name of names as string[]) {
      const steps = readNote(notes, name)?.['steps']
      for (const step of Array.isArray(steps) ? (steps as Step[]) : []) {
        // What is not there any more has been placed.
        await place(volume, step).catch(() => {})
      }
      dropFile(notes, name)
    }
  }
}

async function place(volume: Volume, { from, to }: Step): Promise<void> {
  using source = volume.find(from, 'own')
  using target = volume.find(to, 'own')
  await rename(source.folder, source.name, target.folder, target.name)
}

/** How often a folder is gone through until nothing is left in it. */
const MOST_PASSES = 5

/** A folder joins one that is there; files take the place of files. */
async function rename(from: Folder, name: string, to: Folder, newName: string): Promise<void> {
  try {
    if (newName !== '.') return moveEntry(from, name, to, newName)
  } catch (error) {
    // A folder that is not empty is in the way.
    if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw renameError(error)
  }
  for (let pass = 0; lookAt(from, name); pass++) {
    if (pass === MOST_PASSES) throw new FileError('resource_already_exists', { path: newName })
    using inner = openFolderIn(from, name)
    using target = openFolderIn(to, newName)
    for await (const names of readNames(inner))
      for (const child of names) await rename(inner, tell(child), target, tell(child))
    dropFolder(from, name)
  }
}

/** A folder cannot take the place of a file, nor the other way round; looked for before anything is touched. */
async function checkJoining(source: Place, target: Place): Promise<void> {
  await check(source.folder, source.name, target.folder, target.name)

  async function check(from: Folder, name: string, to: Folder, newName: string) {
    const [one, other] = [lookAt(from, name), lookAt(to, newName)]
    if (!one || !other) return
    if (one.isDirectory() !== other.isDirectory()) throw new FileError('file_has_other_type', { path: newName })
    if (!one.isDirectory()) return
    using inner = openFolderIn(from, name)
    using there = openFolderIn(to, newName)
    for await (const names of readNames(inner))
      for (const child of names) await check(inner, tell(child), there, tell(child))
  }
}

/** A name as it is told. */
export const tell = (name: string | Buffer) => (typeof name === 'string' ? name : nameOfBytes(name))
const pathIn = ({ path, name }: Place, other: string) => path.slice(0, path.length - name.length) + other
const isWithin = (path: string, folder: string) => path.startsWith(`${folder}/`)

function renameError(error: unknown): unknown {
  if (errnoOf(error) === 'EISDIR' || errnoOf(error) === 'ENOTDIR') return new FileError('file_has_other_type')
  return errnoOf(error) === 'EINVAL' ? new FileError('invalid_request', { to: 'within' }) : error
}
