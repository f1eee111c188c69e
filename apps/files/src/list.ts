/** What is in a folder. */
import { lstatSync, opendirSync } from 'node:fs'
import { type FileLine, nameOfBytes, ownFolders } from '@wakestone/protocol/file-values'
import { typeOf } from './describe.ts'
import type { Lines } from './lines.ts'
import { nameOfLink, readLink, type Folder, type Volume } from './volume.ts'

const SLICE = 512

export async function listFolder(
  volume: Volume,
  { path, hidden }: { path: string; hidden: boolean },
  lines: Lines,
): Promise<undefined> {
  using folder = volume.openFolder(path, 'read')
  const isTop = folder.path === ''
  for await (const names of readNames(folder)) {
    inside(folder, () => {
      for (const name of names) {
        if (!hidden && isHidden(name)) continue
        const line = lineOf(name)
        if (line && !(isTop && ownFolders.includes(line[0]))) lines.add(line)
      }
    })
    if (!(await lines.breathe())) return undefined
  }
  return undefined
}

const isHidden = (name: Name) => (typeof name === 'string' ? name.startsWith('.') : name[0] === 0x2e)

function lineOf(name: Name): FileLine | undefined {
  const stats = lstatSync(name, { throwIfNoEntry: false })
  if (!stats) return undefined
  const type = typeOf(stats)
  const told = typeof name === 'string' ? name : nameOfBytes(name)
  const line = [told, type, stats.size, Math.trunc(stats.mtimeMs), stats.mode & 0o7777] satisfies FileLine
  const target = type === 'link' ? readLink(name) : undefined
  return target ? [...line, nameOfLink(target)] : line
}

/** A name as the disk has it: text, or bytes where those are told in the percent form. */
type Name = string | Buffer

/** The names in a folder, some at a time: of any number of them a few are held. */
export async function* readNames(folder: Folder): AsyncGenerator<Name[]> {
  let areOdd = false
  for (const encoding of ['utf8', 'buffer'] as const) {
    if (encoding === 'buffer' && !areOdd) return
    // Most folders have plain names only, which are read in a third of the time.
    const options = { encoding: encoding as 'utf8', bufferSize: SLICE }
    using folderNames = opendirSync(folder.at('.') as string, options)
    let names: Name[] = []
    for (let entry = folderNames.readSync(); entry; entry = folderNames.readSync()) {
      const name = entry.name as Name
      const isOdd =
        typeof name === 'string' ? name.includes('\uFFFD') || name.startsWith('%!') : nameOfBytes(name).startsWith('%!')
      if (encoding === 'utf8' && isOdd) areOdd = true
      else if (encoding === 'utf8' || isOdd || name.includes('\uFFFD')) names.push(name)
      if (names.length >= SLICE) {
        yield names
        names = []
      }
    }
    if (names.length > 0) yield names
  }
}

/**
 * Runs what asks for many names of a folder by those alone, in half the time; it must not wait, since meanwhile that folder
 * is where this process is.
 */
export function inside<T>(folder: Folder, look: () => T): T {
  const before = process.cwd()
  process.chdir(`/proc/self/fd/${folder.fd}`)
  try {
    return look()
  } finally {
    process.chdir(before)
  }
}
