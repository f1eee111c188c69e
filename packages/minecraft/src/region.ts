/**
 * Anvil regions, the files in which Java Edition keeps 32 × 32 chunks: `r.<x>.<z>.mca`, in sectors of 4 KiB, the first two
 * of which tell where each chunk lies and when it was written. One chunk that is damaged spoils no other.
 * @see https://minecraft.wiki/w/Region_file_format
 */
import { gunzipSync, inflateSync } from 'node:zlib'
import { unpackLz4Stream } from './lz4.ts'
import { ProtocolError } from './protocol-error.ts'

export const REGION_CHUNKS = 1024
export const SECTOR_BYTES = 4096
export const REGION_HEAD_BYTES = 2 * SECTOR_BYTES
/** More than any chunk has unpacked that a game can still load. */
export const MAX_CHUNK_BYTES = 32 * 1024 * 1024
const RECORD_HEAD_BYTES = 5
const EXTERNAL = 0x80
/** The game keeps longer chunks in a file of their own. */
const MAX_SECTORS = 255

/** By number, as a chunk's head says. */
const COMPRESSIONS = { 1: 'gzip', 2: 'zlib', 3: 'none', 4: 'lz4' } as const
export type ChunkCompression = (typeof COMPRESSIONS)[keyof typeof COMPRESSIONS]

/** Where a chunk lies in its region. */
export type ChunkPlace = {
  /** `z * 32 + x` within the region. */
  index: number
  /** In bytes, both. */
  offset: number
  room: number
  /** Seconds since 1970 at which the game wrote it last, 0 if it does not say. */
  timestamp: number
}
export type ChunkRecord = {
  compression: ChunkCompression
  /** What it holds stands in a file of its own beside the region (`externalChunkName`), and `data` is empty. */
  external: boolean
  data: Buffer
}

/** Region coordinates of a file's name: null for any other. */
export function parseRegionName(name: string): { x: number; z: number } | null {
  const match = /^r\.(-?\d{1,8})\.(-?\d{1,8})\.mca$/.exec(name)
  return match && { x: Number(match[1]), z: Number(match[2]) }
}

/** Name of the file that holds a chunk of its own. @param region its coordinates. */
export function externalChunkName(region: { x: number; z: number }, index: number): string {
  return `c.${region.x * 32 + (index & 31)}.${region.z * 32 + (index >> 5)}.mcc`
}

/**
 * Chunks that a region says it has, by index, and the indexes of those that cannot be there: beyond the end of the file,
 * within its head, or where another chunk lies.
 * @param head the first 8 KiB; a file that is shorter has no chunks. @param size of the file, in bytes.
 */
export function readRegionHead(head: Buffer, size: number): { chunks: ChunkPlace[]; damaged: number[] } {
  const chunks: ChunkPlace[] = []
  const damaged: number[] = []
  if (head.length < REGION_HEAD_BYTES) return { chunks, damaged }
  const ends = new Map<number, number>()
  for (let index = 0; index < REGION_CHUNKS; index++) {
    const place = head.readUInt32BE(index * 4)
    if (place === 0) continue
    const offset = (place >>> 8) * SECTOR_BYTES
    const room = Math.min((place & 0xff) * SECTOR_BYTES, size - offset)
    // A game that was killed may leave the last sector short.
    if (offset < REGION_HEAD_BYTES || room < RECORD_HEAD_BYTES) damaged.push(index)
    else chunks.push({ index, offset, room, timestamp: head.readUInt32BE(SECTOR_BYTES + index * 4) })
  }
  // Of chunks that lie in each other, only the first can be whole; each byte is so unpacked once.
  const lying = chunks.toSorted((left, right) => left.offset - right.offset || left.index - right.index)
  let end = 0
  for (const { index, offset, room } of lying) {
    if (offset < end) damaged.push(index)
    else {
      ends.set(index, offset + room)
      end = offset + room
    }
  }
  return { chunks: chunks.filter(({ index }) => ends.has(index)), damaged: damaged.toSorted((a, b) => a - b) }
}

/**
 * What stands at a chunk's place.
 * @param bytes `room` bytes from its `offset`. @throws ProtocolError when it is damaged.
 */
export function readChunkRecord(bytes: Buffer): ChunkRecord {
  if (bytes.length < RECORD_HEAD_BYTES) throw new ProtocolError('region: a chunk is cut off')
  const length = bytes.readInt32BE(0)
  const kind = bytes[4]!
  const compression = COMPRESSIONS[(kind & ~EXTERNAL) as keyof typeof COMPRESSIONS]
  if (!compression) throw new ProtocolError(`region: no compression ${kind & ~EXTERNAL}`)
  if (kind & EXTERNAL) return { compression, external: true, data: bytes.subarray(0, 0) }
  if (length < 2 || length > bytes.length - 4) throw new ProtocolError('region: a chunk is cut off')
  return { compression, external: false, data: bytes.subarray(RECORD_HEAD_BYTES, 4 + length) }
}

/**
 * A chunk's NBT, unpacked.
 * @throws ProtocolError when it is damaged or larger than `maxBytes`.
 */
export function unpackChunk(compression: ChunkCompression, data: Buffer, maxBytes = MAX_CHUNK_BYTES): Buffer {
  if (compression === 'lz4') return unpackLz4Stream(data, maxBytes)
  if (compression === 'none') {
    if (data.length > maxBytes) throw new ProtocolError('region: a chunk is too large')
    return data
  }
  // Most chunks fit into one piece of this size: half the time of the default.
  const options = { maxOutputLength: maxBytes, chunkSize: 128 * 1024 }
  try {
    return compression === 'gzip' ? gunzipSync(data, options) : inflateSync(data, options)
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new ProtocolError(large ? 'region: a chunk is too large' : 'region: a chunk is damaged', { cause: error })
  }
}

/**
 * A region of these chunks, packed as they are, one after another. A record that is longer than a region can keep must be
 * external.
 * @throws RangeError when it is not.
 */
export function writeRegion(chunks: { index: number; timestamp: number; record: ChunkRecord }[]): Buffer {
  const head = Buffer.alloc(REGION_HEAD_BYTES)
  const parts = [head]
  let sector = 2
  for (const { index, timestamp, record } of chunks) {
    const sectors = Math.ceil((RECORD_HEAD_BYTES + record.data.length) / SECTOR_BYTES)
    if (sectors > MAX_SECTORS) throw new RangeError('region: a chunk is too long for it')
    const part = Buffer.alloc(sectors * SECTOR_BYTES)
    part.writeInt32BE(record.data.length + 1)
    part[4] = numberOf(record.compression) | (record.external ? EXTERNAL : 0)
    part.set(record.data, RECORD_HEAD_BYTES)
    parts.push(part)
    head.writeUInt32BE(sector * 256 + sectors, index * 4)
    head.writeUInt32BE(timestamp, SECTOR_BYTES + index * 4)
    sector += sectors
  }
  return Buffer.concat(parts)
}

function numberOf(compression: ChunkCompression): number {
  return Number(Object.entries(COMPRESSIONS).find(([, name]) => name === compression)![0])
}
