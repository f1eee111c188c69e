/**
 * LZ4 as the game writes it: the stream of blocks of lz4-java, which is not LZ4's own frame. Each block is a head of 21
 * bytes and data: "LZ4Block", method and level, length packed, length unpacked, a checksum that is not looked at here.
 * @see https://github.com/lz4/lz4-java/blob/master/src/java/net/jpountz/lz4/LZ4BlockOutputStream.java
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
import { ProtocolError } from './protocol-error.ts'

const MAGIC = Buffer.from('LZ4Block')
const HEAD_BYTES = 21
const METHOD_RAW = 0x10
const METHOD_LZ4 = 0x20

const damaged = () => new ProtocolError('LZ4: damaged')

/**
 * Unpacks such a stream: what all of its blocks hold.
 * @throws ProtocolError when it is damaged, or larger than `maxBytes`.
 */
export function unpackLz4Stream(bytes: Buffer, maxBytes: number): Buffer {
  const blocks = listBlocks(bytes)
  const total = blocks.reduce((sum, block) => sum + block.unpacked, 0)
  if (total > maxBytes) throw new ProtocolError('LZ4: too large')
  const target = Buffer.allocUnsafe(total)
  let length = 0
  for (const { method, data, unpacked } of blocks) {
    const part = target.subarray(length, length + unpacked)
    if (method === METHOD_LZ4) unpackBlock(data, part)
    else part.set(data)
    length += unpacked
  }
  return target
}

function listBlocks(bytes: Buffer) {
  const blocks: { method: number; data: Buffer; unpacked: number }[] = []
  let offset = 0
  while (offset < bytes.length) {
    const head = bytes.subarray(offset, offset + HEAD_BYTES)
    if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged()
    const method = head[8]! & 0xf0
    const packed = head.readInt32LE(9)
    const unpacked = head.readInt32LE(13)
    // An empty block ends the stream.
    if (unpacked === 0 && packed === 0) break
    const data = bytes.subarray(offset + HEAD_BYTES, offset + HEAD_BYTES + packed)
    if (packed <= 0 || unpacked <= 0 || data.length < packed) throw damaged()
    if (method !== METHOD_LZ4 && (method !== METHOD_RAW || packed !== unpacked)) throw damaged()
    // A byte of LZ4 stands for 255 at most.
    if (unpacked > packed * 255) throw damaged()
    blocks.push({ method, data, unpacked })
    offset += HEAD_BYTES + packed
  }
  return blocks
}

/** Unpacks one block, which must fill `target` to its last byte. */
function unpackBlock(source: Buffer, target: Buffer) {
  let from = 0
  let to = 0
  for (;;) {
    const token = source[from++]
    if (token === undefined) throw damaged()
    const literals = readLength(token >> 4)
    if (literals > source.length - from || literals > target.length - to) throw damaged()
    if (literals < 16) for (const end = from + literals; from < end;) target[to++] = source[from++]!
    else {
      target.set(source.subarray(from, from + literals), to)
      from += literals
      to += literals
    }
    if (from === source.length) break
    const distance = source[from]! | (source[from + 1]! << 8)
    from += 2
    const length = readLength(token & 0x0f) + 4
    if (distance === 0 || distance > to || length > target.length - to || from > source.length) throw damaged()
    if (length <= distance && length >= 32) {
      target.copyWithin(to, to - distance, to - distance + length)
      to += length
    } else {
      // What is copied may be what this copy wrote.
      let back = to - distance
      for (const end = to + length; to < end;) target[to++] = target[back++]!
    }
  }
  if (to !== target.length) throw damaged()

  function readLength(short: number): number {
    if (short < 15) return short
    let length = short
    for (;;) {
      const byte = source[from++]
      if (byte === undefined) throw damaged()
      length += byte
      if (byte < 255) return length
    }
  }
}
