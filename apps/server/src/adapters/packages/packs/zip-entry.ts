/** Reads one small entry of a zip archive that may be hostile; the rest of it is only passed over. */
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { PackError } from '@wakestone/packager/packs/pack'

const inflate = promisify(inflateRaw)

const endBytes = 22
const mostCommentBytes = 65_535
const mostDirectoryBytes = 32 * 1024 * 1024
const mostEntries = 50_000

/**
 * @returns undefined where there is no such entry
 * @throws PackError for what is no archive, has the entry twice, or has more in it than may be
 */
export async function readZipEntry(
  file: FileHandle,
  name: string,
  { mostBytes }: { mostBytes: number },
): Promise<Buffer | undefined> {
  const found = (await readDirectory(file)).filter((entry) => entry.name === name)
  const [entry] = found
  if (entry === undefined) return undefined
  if (found.length > 1) throw new PackError(`${name} is there twice`)
  if (entry.size > mostBytes || entry.packed > mostBytes) throw new PackError(`${name} is too large`)
  const header = await readAt(file, entry.offset, 30)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new PackError('bad entry')
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = await readAt(file, start, entry.packed)
  const bytes = entry.method === 8 ? await inflateWithin(packed, mostBytes) : packed
  if (bytes.length !== entry.size) throw new PackError(`${name} has another size than it says`)
  return bytes
}

async function inflateWithin(packed: Buffer, mostBytes: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: mostBytes })
  } catch {
    throw new PackError('an entry cannot be unpacked, or is larger than it says')
  }
}

type Entry = { name: string; method: number; packed: number; size: number; offset: number }

async function readDirectory(file: FileHandle): Promise<Entry[]> {
  const { size } = await file.stat()
  const length = Math.min(size, endBytes + mostCommentBytes)
  const tail = await readAt(file, size - length, length)
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end < 0 || tail.length - end < endBytes) throw new PackError('no zip archive')
  const count = tail.readUInt16LE(end + 10)
  const bytes = tail.readUInt32LE(end + 12)
  if (count > mostEntries || bytes > mostDirectoryBytes) throw new PackError('too many entries')
  const directory = await readAt(file, tail.readUInt32LE(end + 16), bytes)
  const entries: Entry[] = []
  for (let at = 0; entries.length < count;) {
    if (directory.length - at < 46 || directory.readUInt32LE(at) !== 0x02014b50) throw new PackError('bad directory')
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const method = directory.readUInt16LE(at + 10)
    if (method !== 0 && method !== 8) throw new PackError('packed in an unknown way')
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method,
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    })
    at += 46 + name + extra + comment
  }
  return entries
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat()
  if (position < 0 || position + length > size) throw new PackError('the archive ends too early')
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new PackError('the archive ends too early')
  return bytes
}
