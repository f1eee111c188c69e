/** An archive in the volume, opened, and the command that decodes it. */
import { closeSync, readSync } from 'node:fs'
import { FileError } from './errors.ts'
import { nameOf } from './folders.ts'
import type { Context } from './jobs.ts'
import { createFile } from './own.ts'
import { runTool } from './tool.ts'
import type { Folder, Volume } from './volume.ts'

/** Packed alone: `bsdcat` knows what by its first bytes. */
const SINGLE = /^(.+)\.(gz|bz2?|xz|zst|lz4|lz|lzma|lzo|Z)$/i
const TAR = /\.(tar\.\w{1,4}|tgz|tbz2?|txz|tzst|tlz|tzo)$/i
/** The first of several parts; what is in it alone is not whole. */
const FIRST_PART = /^(.+\.)0*01$/
const MOST_PARTS = 1000

export type Archive = {
  command: string
  parameters: string[]
  /** Of the descriptor that the command finds as 3. */
  fd(): number
  /** Bytes, of all parts. */
  size: number
  /** By its name: what packs it minds the whole. */
  isTar: boolean
  /** Name of the one file that is in it, where it is packed alone. */
  single: string | undefined
  /** Where it came in parts: their paths, for who reads them one behind the other. */
  parts: string[]
  /** Puts parts together in a folder of ours. */
  join(stage: Folder, context: Context): Promise<void>
  [Symbol.dispose](): void
}

/** @throws FileError file_does_not_exist, file_has_other_type, invalid_file where a part of it is missing here */
export function openArchive(volume: Volume, path: string): Archive {
  const file = volume.openFile(path)
  let fd = file.fd
  const name = nameOf(path)
  try {
    if (isVolume(name, fd)) throw new FileError('invalid_file', { reason: 'volumes' })
    const parts = FIRST_PART.test(name) ? findParts(volume, path) : []
    const single = TAR.test(name) ? undefined : SINGLE.exec(name)?.[1]
    return {
      command: single === undefined ? 'bsdtar' : 'bsdcat',
      parameters: single === undefined ? ['-cf', '-', '--format=pax', '@/proc/self/fd/3'] : ['/proc/self/fd/3'],
      fd: () => fd,
      parts: parts.length === 0 ? [] : [path, ...parts.map((part) => part.path)],
      size: Math.max(
        1,
        parts.reduce((sum, { size }) => sum + size, Number(file.stats.size)),
      ),
      isTar: TAR.test(name) || name.endsWith('.tar'),
      single,
      async join(stage, { reserve, wrote, signal }) {
        if (parts.length === 0) return
        await reserve(this.size)
        const whole = createFile(stage, 'archive')
        closeSync(fd)
        fd = whole
        for (const part of [{ path, size: Number(file.stats.size) }, ...parts]) {
          const { fd: from } = volume.openFile(part.path)
          try {
            // Appended by a tool: there may be gigabytes.
            await runTool('sh', ['-c', 'cat <&3 >>/proc/self/fd/4'], { fds: [from, whole], signal })
            wrote(part.size)
          } finally {
            closeSync(from)
          }
        }
      },
      [Symbol.dispose]: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function findParts(volume: Volume, path: string): { path: string; size: number }[] {
  const [, stem = '', digits = '001'] = /^(.+\.)(\d+)$/.exec(path) ?? []
  const parts: { path: string; size: number }[] = []
  for (let number = 2; number <= MOST_PARTS; number++) {
    const part = stem + String(number).padStart(digits.length, '0')
    try {
      const { fd, stats } = volume.openFile(part)
      closeSync(fd)
      parts.push({ path: part, size: Number(stats.size) })
    } catch {
      break
    }
  }
  return parts
}

/** One of several volumes of rar or zip: `bsdtar` ends well with files missing. */
function isVolume(name: string, fd: number): boolean {
  if (/\.(part\d+\.rar|r\d\d|z\d\d)$/i.test(name)) return true
  const head = Buffer.alloc(64)
  const length = readSync(fd, head, 0, head.length, 0)
  if (length < 16 || head.toString('latin1', 0, 6) !== 'Rar!\x1a\x07') return false
  // RAR 4: marker, then the archive's header: checksum, type, flags.
  if (head[6] === 0) return head[9] === 0x73 && (head[10]! & 1) === 1
  // RAR 5: marker, checksum, then numbers of seven bits a byte: size, type, flags, perhaps more, flags of the archive.
  let at = 12
  const next = () => {
    let value = 0
    for (let shift = 0; at < length; shift += 7) {
      const byte = head[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value
  }
  next()
  const type = next()
  const flags = next()
  if ((flags & 1) === 1) next()
  return type === 1 && (next() & 1) === 1
}
