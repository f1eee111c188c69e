/** Writes zip archives as nobody's program would. */
import { crc32, deflateRawSync } from 'node:zlib'

export type Entry = {
  name: string
  content: string | Uint8Array
  mode?: number
  flags?: number
  localName?: string
  localSize?: number
  deflated?: boolean
  /** Bytes before it that belong to nothing. */
  before?: Buffer
}

/** Packed where `deflated` says so. */
export function buildZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  const add = (part: Buffer) => {
    parts.push(part)
    offset += part.length
  }
  for (const {
    name,
    content,
    mode = 0o100644,
    flags = 0,
    localName = name,
    localSize,
    deflated = false,
    before,
  } of entries) {
    if (before) add(before)
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content)
    const packed = deflated ? deflateRawSync(bytes) : bytes
    const method = deflated ? 8 : 0
    const at = offset
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(flags, 6)
    head.writeUInt16LE(method, 8)
    head.writeUInt32LE(crc32(bytes), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(localSize ?? bytes.length, 22)
    head.writeUInt16LE(Buffer.byteLength(localName), 26)
    add(Buffer.concat([head, Buffer.from(localName), packed]))
    const listed = Buffer.alloc(46)
    listed.writeUInt32LE(0x02014b50, 0)
    listed.writeUInt16LE(0x031e, 4)
    listed.writeUInt16LE(flags, 8)
    listed.writeUInt16LE(method, 10)
    listed.writeUInt32LE(crc32(bytes), 16)
    listed.writeUInt32LE(packed.length, 20)
    listed.writeUInt32LE(bytes.length, 24)
    listed.writeUInt16LE(Buffer.byteLength(name), 28)
    listed.writeUInt32LE((mode << 16) >>> 0, 38)
    listed.writeUInt32LE(at, 42)
    list.push(listed, Buffer.from(name))
  }
  const listBytes = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listBytes, end])
}
