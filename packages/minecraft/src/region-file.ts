/** A region on disk, read a chunk at a time: what is in memory is one chunk, however large the file. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ProtocolError } from './protocol-error.ts'
import {
  type ChunkPlace,
  externalChunkName,
  MAX_CHUNK_BYTES,
  readChunkRecord,
  readRegionHead,
  REGION_HEAD_BYTES,
  unpackChunk,
} from './region.ts'

// A pipe that is named like a region would be waited for without end, a link could lead to one.
const READ_PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens `r.<x>.<z>.mca` for reading, while the game may be writing it: a chunk that changes meanwhile is damaged once.
 * @param region its coordinates, which its external chunks are named by. Dispose of what is returned.
 * @throws ProtocolError if it is no plain file; the system's own errors.
 */
export function openRegion(path: string, region: { x: number; z: number }) {
  const descriptor = openPlain(path)
  const { size } = fstatSync(descriptor)
  const head = Buffer.alloc(Math.min(REGION_HEAD_BYTES, size))
  // Never filled by `readAt` beyond what a chunk has.
  let buffer = Buffer.allocUnsafe(64 * 1024)
  const close = () => closeSync(descriptor)
  try {
    readAt(descriptor, head, 0)
  } catch (error) {
    close()
    throw error
  }
  return {
    ...readRegionHead(head, size),
    readChunk,
    [Symbol.dispose]: close,
  }

  /** A chunk's NBT, valid until the next call. @throws ProtocolError when it is damaged; the system's own errors. */
  function readChunk({ index, offset, room }: ChunkPlace, maxBytes = MAX_CHUNK_BYTES): Buffer {
    if (buffer.length < room) buffer = Buffer.allocUnsafe(room)
    const bytes = buffer.subarray(0, room)
    readAt(descriptor, bytes, offset)
    const { compression, external, data } = readChunkRecord(bytes)
    const packed = external ? readExternal(join(dirname(path), externalChunkName(region, index)), maxBytes) : data
    return unpackChunk(compression, packed, maxBytes)
  }
}

function readExternal(path: string, maxBytes: number): Buffer {
  const descriptor = openPlain(path)
  try {
    const { size } = fstatSync(descriptor)
    if (size > maxBytes) throw new ProtocolError('region: a chunk is too large')
    const bytes = Buffer.allocUnsafe(size)
    readAt(descriptor, bytes, 0)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

function openPlain(path: string): number {
  const descriptor = openSync(path, READ_PLAIN_FILE)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new ProtocolError('region: no plain file')
}

function readAt(descriptor: number, target: Buffer, position: number) {
  let filled = 0
  while (filled < target.length) {
    const count = readSync(descriptor, target, filled, target.length - filled, position + filled)
    if (count === 0) throw new ProtocolError('region: it is cut off')
    filled += count
  }
}
