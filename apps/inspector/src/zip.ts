/**
 * Reads zip archives, and takes none that two readers could read in two ways: what stands in the list of entries has to
 * stand before each of them as well, in the same words, and nothing may overlap or lie between.
 */
import { fstatSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  isFolder: boolean
  isLink: boolean
  isEncrypted: boolean
  method: number
  crc: number
  packed: number
  size: number
  /** Of its own header, from the beginning of the file. */
  offset: number
}
export class BadZip extends Error {}

const LIST_BYTES = 64 * 1024 ** 2
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const LISTED = 0x02014b50
const LOCAL = 0x04034b50

function readAt(file: number, offset: number, length: number): Buffer {
  if (offset < 0 || length < 0) throw new BadZip('a place that is not there')
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, offset + done)
    if (read === 0) throw new BadZip('it ends too early')
    done += read
  }
  return bytes
}

/** A number of 64 bits. */
function big(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at))
  if (!Number.isSafeInteger(value)) throw new BadZip('a number that is too large')
  return value
}

type End = { count: number; listBytes: number; listAt: number; endAt: number }

function findEnd(file: number, size: number): End {
  const tailBytes = Math.min(size, 22 + 0xffff)
  const tail = readAt(file, size - tailBytes, tailBytes)
  for (let at = tail.length - 22; at >= 0; at--) {
    // Its comment reaches exactly to the end: no second one can hide in it.
    if (tail.readUInt32LE(at) !== END || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue
    const endAt = size - tailBytes + at
    const [disk, listDisk, here, count] = [4, 6, 8, 10].map((step) => tail.readUInt16LE(at + step))
    if (disk !== 0 || listDisk !== 0 || here !== count) throw new BadZip('one of several parts')
    const found = {
      count: count ?? 0,
      listBytes: tail.readUInt32LE(at + 12),
      listAt: tail.readUInt32LE(at + 16),
      endAt,
    }
    const isLong = found.count === 0xffff || found.listBytes === 0xffffffff || found.listAt === 0xffffffff
    return isLong ? findLongEnd(file, endAt) : found
  }
  throw new BadZip('no list of entries')
}

function findLongEnd(file: number, endAt: number): End {
  const locator = readAt(file, endAt - 20, 20)
  if (locator.readUInt32LE(0) !== LOCATOR_64) throw new BadZip('no list of entries')
  const at = big(locator, 8)
  const end = readAt(file, at, 56)
  if (end.readUInt32LE(0) !== END_64) throw new BadZip('no list of entries')
  return { count: big(end, 32), listBytes: big(end, 40), listAt: big(end, 48), endAt: at }
}

/** Of more entries than are allowed only how many there are. @throws BadZip */
export function listZip(
  file: number,
  { entries: most }: { entries: number },
): { count: number; entries: ZipEntry[]; gaps: number } {
  const { size } = fstatSync(file)
  const { count, listBytes, listAt, endAt } = findEnd(file, size)
  if (count > most) return { count, entries: [], gaps: 0 }
  if (listBytes > LIST_BYTES || listAt + listBytes !== endAt) throw new BadZip('a list that is not where it should be')
  const list = readAt(file, listAt, listBytes)
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== LISTED) throw new BadZip('a list that ends too early')
    const [nameBytes = 0, extraBytes = 0, commentBytes = 0] = [28, 30, 32].map((step) => list.readUInt16LE(at + step))
    const next = at + 46 + nameBytes + extraBytes + commentBytes
    if (next > list.length) throw new BadZip('a list that ends too early')
    const nameOf = list.subarray(at + 46, at + 46 + nameBytes)
    const sizes = readSizes(
      { packed: list.readUInt32LE(at + 20), size: list.readUInt32LE(at + 24), offset: list.readUInt32LE(at + 42) },
      list.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes),
    )
    const mode = list.readUInt32LE(at + 38) >>> 16
    const flags = list.readUInt16LE(at + 8)
    const name = decodeName(nameOf)
    entries.push({
      name,
      isFolder: name.endsWith('/'),
      isLink: (mode & 0xf000) === 0xa000,
      isEncrypted: (flags & 0x2041) !== 0,
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      ...sizes,
    })
    at = next
  }
  if (at !== list.length) throw new BadZip('a list that goes on')
  return { count, entries, gaps: checkPlaces(file, entries, listAt) }
}

/** Names are UTF-8; those of old programs are taken where they are plain. */
function decodeName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadZip('a name in no known writing')
  }
}

type Sizes = { packed: number; size: number; offset: number }

/** Sizes beyond 32 bits stand in a field of their own, those of the ordinary fields that are full, in their order. */
function readSizes(found: Sizes, extra: Buffer): Sizes {
  if (found.packed !== 0xffffffff && found.size !== 0xffffffff && found.offset !== 0xffffffff) return found
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    let place = 0
    const take = (given: number) => {
      if (given !== 0xffffffff) return given
      if (place + 8 > field.length) throw new BadZip('a size that is missing')
      place += 8
      return big(field, place - 8)
    }
    const size = take(found.size)
    const packed = take(found.packed)
    return { size, packed, offset: take(found.offset) }
  }
  throw new BadZip('a size that is missing')
}

/** Bytes between entries that belong to none. @throws BadZip where entries overlap, or say two things of themselves. */
function checkPlaces(file: number, entries: readonly ZipEntry[], listAt: number): number {
  let end = 0
  let gaps = 0
  for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (entry.offset < end) throw new BadZip('entries that overlap')
    gaps += entry.offset - end
    const head = readAt(file, entry.offset, 30)
    if (head.readUInt32LE(0) !== LOCAL) throw new BadZip('an entry that is not there')
    const [nameBytes = 0, extraBytes = 0] = [26, 28].map((step) => head.readUInt16LE(step))
    const name = decodeName(readAt(file, entry.offset + 30, nameBytes))
    if (name !== entry.name || head.readUInt16LE(8) !== entry.method) throw new BadZip('an entry with two names')
    const isLater = (head.readUInt16LE(6) & 8) !== 0
    const stated = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)]
    const isSame = stated[0] === entry.crc && stated[1] === entry.packed && stated[2] === entry.size
    const isLong = stated[1] === 0xffffffff || stated[2] === 0xffffffff
    if (!isLater && !isSame && !isLong) throw new BadZip('an entry with two sizes')
    end = entry.offset + 30 + nameBytes + extraBytes + entry.packed
    // What comes after it: its sizes once more, with a mark or without, of 32 bits or 64.
    if (isLater) end += 12 + skipLater(file, end, listAt)
    if (end > listAt) throw new BadZip('an entry that goes on into the list')
  }
  return gaps + (listAt - end)
}

function skipLater(file: number, at: number, listAt: number): number {
  const after = readAt(file, at, Math.min(24, listAt - at))
  if (after.length < 12) throw new BadZip('an entry that ends too early')
  const marked = after.readUInt32LE(0) === 0x08074b50 ? 4 : 0
  const isEnd = (length: number) => {
    if (at + length === listAt) return true
    const signature = readAt(file, at + length, Math.min(4, Math.max(0, listAt - at - length)))
    return signature.length === 4 && [LOCAL, LISTED].includes(signature.readUInt32LE(0))
  }
  return isEnd(12 + marked) ? marked : marked + 8
}

/** Content of an entry. @throws BadZip where it is not what the list says of it. */
export function readEntry(file: number, entry: ZipEntry): Buffer {
  const head = readAt(file, entry.offset, 30)
  const from = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = readAt(file, from, entry.packed)
  if (entry.method !== 0 && entry.method !== 8) throw new BadZip('a way of packing that nobody knows')
  let content: Buffer
  try {
    content = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
  } catch {
    throw new BadZip('an entry that is damaged or larger than it says')
  }
  if (content.length !== entry.size || crc32(content) !== entry.crc) throw new BadZip('an entry that is damaged')
  return content
}
