/** Archives of any kind, also of kinds that nobody should make. */
import { crc32 } from 'node:zlib'

export type TarMember = {
  path: string
  type?: string
  target?: string
  data?: Buffer | string
  size?: number
  mode?: number
}

export function makeTar(members: TarMember[]): Buffer {
  const blocks = members.flatMap(({ path, type = '0', target = '', data = '', size, mode = 0o644 }) => {
    const content = Buffer.from(data)
    const header = Buffer.alloc(512)
    header.write(path, 0, 100)
    header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
    header.write(`0000000\0`, 108)
    header.write(`0000000\0`, 116)
    header.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124)
    header.write(`00000000000\0`, 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(target, 157, 100)
    header.write('ustar\0' + '00', 257)
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export type ZipMember = {
  path: string | Buffer
  data?: Buffer | string
  /** Sent as it is, with what the header says of it. */
  packed?: { method: number; data: Buffer; size: number; crc: number }
  /** Of Unix, with its type. */
  mode?: number
  flags?: number
}

export function makeZip(members: ZipMember[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, data = '', packed, mode = 0o100644, flags = 0x800 } of members) {
    const name = Buffer.from(path as string)
    const content = packed?.data ?? Buffer.from(data)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(packed?.method ?? 0, 4)
    common.writeUInt32LE(packed?.crc ?? crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(packed?.size ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, content])
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    entry.writeUInt16LE(0x0314, 4)
    common.copy(entry, 6)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, name)
    locals.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}

/** A zip whose names all stand for one and the same packed content: small itself, and so much as often as it is named. */
export function makeOverlappingZip(names: string[], packed: { data: Buffer; size: number; crc: number }): Buffer {
  const [first = 'x'] = names
  const one = makeZip([{ path: first, packed: { method: 8, ...packed } }])
  const directoryAt = one.readUInt32LE(one.length - 22 + 16)
  const local = one.subarray(0, directoryAt)
  const head = one.subarray(directoryAt, directoryAt + 46)
  const list = Buffer.concat(
    names.flatMap((path) => {
      const name = Buffer.from(path)
      const entry = Buffer.from(head)
      entry.writeUInt16LE(name.length, 28)
      return [entry, name]
    }),
  )
  const end = Buffer.from(one.subarray(one.length - 22))
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(list.length, 12)
  return Buffer.concat([local, list, end])
}

/** RAR 5 with its files as they are: nothing that may be had freely packs them. */
export function makeRar(members: { path: string; data: string }[]): Buffer {
  const number = (value: number): Buffer => {
    const bytes: number[] = []
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      if (rest < 128) return Buffer.from([...bytes, rest])
      bytes.push((rest % 128) | 0x80)
    }
  }
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const block = (...fields: Buffer[]) => {
    const content = Buffer.concat(fields)
    const sized = Buffer.concat([number(content.length), content])
    return Buffer.concat([uint32(crc32(sized)), sized])
  }
  const files = members.flatMap(({ path, data }) => {
    const content = Buffer.from(data)
    const name = Buffer.from(path)
    const header = block(
      ...[2, 2, content.length, 4, content.length, 0o100644].map(number), // a file, data behind it, with a checksum
      uint32(crc32(content)),
      ...[0, 1, name.length].map(number), // stored, of Unix
      name,
    )
    return [header, content]
  })
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'),
    block(...[1, 0, 0].map(number)),
    ...files,
    block(...[5, 0, 0].map(number)),
  ])
}
