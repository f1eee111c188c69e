/** Fonts as the web has them (WOFF 1.0: tables packed one by one) made into plain ones, which are read much faster. */
import { inflateSync } from 'node:zlib'

const headerBytes = { woff: 44, sfnt: 12 }
const entryBytes = { woff: 20, sfnt: 16 }

/** @throws Error for what is no WOFF file. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(headerBytes.sfnt + count * entryBytes.sfnt)
  woff.copy(head, 0, 4, 8) // what kind of font it is
  head.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * 16 - 2 ** power * 16, 10)
  const parts: Buffer[] = [head]
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = headerBytes.woff + index * entryBytes.woff
    const [offset, packed, length, checksum] = [4, 8, 12, 16].map((part) => woff.readUInt32BE(entry + part)) as [
      number,
      number,
      number,
      number,
    ]
    const raw = woff.subarray(offset, offset + packed)
    const table = packed < length ? inflateSync(raw) : raw
    const line = headerBytes.sfnt + index * entryBytes.sfnt
    woff.copy(head, line, entry, entry + 4)
    head.writeUInt32BE(checksum, line + 4)
    head.writeUInt32BE(at, line + 8)
    head.writeUInt32BE(length, line + 12)
    const gap = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, gap)
    at += length + gap.length
  }
  return Buffer.concat(parts)
}
