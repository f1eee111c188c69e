/** Unpacks `zip` archives that may be hostile, as `unpack.ts` does others. */
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { ArchiveError, findFault, type UnpackOptions } from './unpack.ts'

const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
const MAX_ENTRIES = 100_000

type Entry = { path: string; method: number; packed: number; size: number; offset: number; mode: number }

/**
 * Unpacks an archive into an empty folder. One bad entry spoils the whole, as does what is larger than it says.
 * @throws ArchiveError; what was unpacked until then must be thrown away.
 */
export async function unzipArchive(options: UnpackOptions): Promise<void> {
  const file = await open(options.archive, 'r')
  try {
    const entries = await readDirectory(file, options.maxEntries ?? MAX_ENTRIES)
    checkEntries(entries, options)
    for (const entry of chosenOf(entries, options)) await unpackEntry(file, entry, options)
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError((error as Error).message)
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new ArchiveError('ends too early')
  return bytes
}

async function readDirectory(file: FileHandle, maxEntries: number): Promise<Entry[]> {
  const { size } = await file.stat()
  const tail = await readAt(
    file,
    Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES),
    Math.min(size, END_BYTES + MAX_COMMENT_BYTES),
  )
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end < 0 || tail.length - end < END_BYTES) throw new ArchiveError('no zip')
  const count = tail.readUInt16LE(end + 10)
  const length = tail.readUInt32LE(end + 12)
  if (count > maxEntries || length > MAX_DIRECTORY_BYTES) throw new ArchiveError('too many entries')
  const directory = await readAt(file, tail.readUInt32LE(end + 16), length)
  const entries: Entry[] = []
  for (let at = 0; entries.length < count;) {
    if (directory.length - at < 46 || directory.readUInt32LE(at) !== 0x02014b50) throw new ArchiveError('bad directory')
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    entries.push({
      path: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
      mode: directory.readUInt32LE(at + 38) >>> 16,
    })
    at += 46 + name + extra + comment
  }
  return entries
}

const TYPE_BITS = 0o170_000
const PLAIN_FILE = 0o100_000
const FOLDER = 0o040_000

function checkEntries(entries: Entry[], { maxBytes, strip }: UnpackOptions): void {
  if (entries.length === 0) throw new ArchiveError('holds nothing')
  let bytes = 0
  for (const { path, method, size, mode } of entries) {
    bytes += size
    const type = mode & TYPE_BITS
    const fault =
      bytes > maxBytes
        ? 'too large'
        : type !== 0 && type !== PLAIN_FILE && type !== FOLDER
          ? 'neither file nor folder'
          : method !== 0 && method !== 8
            ? 'packed in an unknown way'
            : findFault({ path, type: 'File', size }, strip)
    if (fault !== undefined) throw new ArchiveError(`${fault}: ${path.slice(0, 200)}`)
  }
}

/** All entries, or those of the wanted folders, of which a later one has its way. None of them is no fault. */
function chosenOf(entries: Entry[], { only, strip }: UnpackOptions): Iterable<Entry> {
  if (only === undefined) return entries
  const chosen = new Map<string, Entry>()
  for (const folder of only)
    for (const entry of entries)
      if (entry.path.startsWith(`${folder}/`)) chosen.set(entry.path.split('/').slice(strip).join('/'), entry)
  return chosen.values()
}

async function unpackEntry(file: FileHandle, entry: Entry, { folder, strip }: UnpackOptions): Promise<void> {
  const inner = entry.path.split('/').slice(strip).join('/')
  if (inner === '') return
  const target = join(folder, inner)
  if (inner.endsWith('/')) {
    await mkdir(target, { recursive: true })
    return
  }
  await mkdir(dirname(target), { recursive: true })
  const header = await readAt(file, entry.offset, 30)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new ArchiveError(`bad entry: ${entry.path.slice(0, 200)}`)
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  let written = 0
  let magic: Buffer | undefined
  async function* bounded(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      magic ??= chunk.subarray(0, 4)
      written += chunk.length
      if (written > entry.size) throw new ArchiveError(`larger than it says: ${entry.path.slice(0, 200)}`)
      yield chunk
    }
  }
  const out = createWriteStream(target, { flags: 'wx' })
  if (entry.packed === 0) await pipeline([], out)
  else {
    const source = file.createReadStream({ start, end: start + entry.packed - 1, autoClose: false })
    if (entry.method === 8) await pipeline(source, createInflateRaw(), bounded, out)
    else await pipeline(source, bounded, out)
  }
  if (written !== entry.size) throw new ArchiveError(`another size than it says: ${entry.path.slice(0, 200)}`)
  await chmod(target, isProgram(entry, magic) ? 0o755 : 0o644)
}

/** Archives made on Windows do not say what can be run. */
function isProgram({ mode }: Entry, magic: Buffer | undefined): boolean {
  return (mode & 0o100) !== 0 || magic?.toString('latin1') === '\u007fELF' || magic?.toString('latin1', 0, 2) === '#!'
}
