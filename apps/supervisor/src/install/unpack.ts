/** Unpacks `tar.gz` archives that may be hostile. */
import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import { pipeline } from 'node:stream/promises'

const MAX_ENTRIES = 100_000
const MAX_DEPTH = 64

export class ArchiveError extends Error {}

export type UnpackOptions = {
  archive: string
  folder: string
  /** Leading path elements to drop. */
  strip: number
  /** Folders at the top that are unpacked, what later ones have over earlier ones; of a `zip` alone. */
  only?: readonly string[] | undefined
  /** Most bytes all entries may take unpacked. */
  maxBytes: number
  maxEntries?: number
}

type Entry = { path: string; type: string; size: number; linkpath?: string | undefined }

/**
 * Unpacks an archive into an empty folder. One bad entry spoils the whole: absolute paths, `..`, links that leave
 * the folder, devices, too many entries or bytes.
 * @throws ArchiveError; what was unpacked until then must be thrown away.
 */
export async function unpackArchive(options: UnpackOptions): Promise<void> {
  const { archive, folder, strip, maxBytes, maxEntries = MAX_ENTRIES } = options
  const { Unpack } = await import('tar')
  const source = createReadStream(archive)
  let entries = 0
  let bytes = 0

  const unpack = new Unpack({
    cwd: folder,
    strip,
    strict: true,
    preserveOwner: false,
    noMtime: true,
    maxDepth: MAX_DEPTH,
    filter(_path, entry) {
      entries++
      bytes += entry.size ?? 0
      // The game reads its packages as another user than the one who unpacks them.
      const { mode } = entry as { mode?: number }
      if (mode !== undefined)
        Object.assign(entry, { mode: mode | 0o444 | ((mode & 0o100) >> 3) | ((mode & 0o100) >> 6) })
      const fault =
        entries > maxEntries ? 'too many entries' : bytes > maxBytes ? 'too large' : findFault(entry as Entry, strip)
      if (fault === undefined) return true
      source.destroy(new ArchiveError(`${fault}: ${(entry as Entry).path.slice(0, 200)}`))
      return false
    },
  })
  try {
    await pipeline(source, unpack as unknown as NodeJS.WritableStream)
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError((error as Error).message)
  }
  if (entries === 0) throw new ArchiveError('holds nothing')
}

const PLAIN_TYPES = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir'])

/** Says what is wrong with an entry; undefined when it may be unpacked. */
export function findFault({ path, type, linkpath }: Entry, strip: number): string | undefined {
  if (leaves(path)) return 'path leaves the folder'
  if (PLAIN_TYPES.has(type)) return undefined
  if (type !== 'SymbolicLink' && type !== 'Link') return `entry of type ${type}`
  if (!linkpath || linkpath.includes('\0') || linkpath.startsWith('/')) return 'link leaves the folder'
  // A symbolic link is read from where it lies after stripping, a hard link from the root of the archive.
  const lies = posix.normalize(path).split('/').slice(strip)
  const target = type === 'Link' ? linkpath : posix.join(...lies.slice(0, -1), linkpath)
  return leaves(posix.normalize(target)) || leaves(target) ? 'link leaves the folder' : undefined
}

function leaves(path: string): boolean {
  return path.startsWith('/') || path.includes('\0') || path.includes('\\') || path.split('/').includes('..')
}
