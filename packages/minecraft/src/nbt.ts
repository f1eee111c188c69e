/** NBT as packets carry it since protocol 764: a root tag without a name. Written only; what clients send of it is never read. */
export type NbtValue = string | boolean | NbtValue[] | { [name: string]: NbtValue }

const STRING = 8
const LIST = 9
const COMPOUND = 10
const BYTE = 1

/** A tag of that value, its type before it. A boolean becomes a byte. */
export function writeNbt(value: NbtValue): Buffer {
  return Buffer.concat([Buffer.from([typeOf(value)]), payloadOf(value)])
}

function typeOf(value: NbtValue): number {
  if (typeof value === 'string') return STRING
  if (typeof value === 'boolean') return BYTE
  return Array.isArray(value) ? LIST : COMPOUND
}

function payloadOf(value: NbtValue): Buffer {
  if (typeof value === 'string') return stringOf(value)
  if (typeof value === 'boolean') return Buffer.from([Number(value)])
  if (Array.isArray(value)) return listOf(value)
  const fields = Object.entries(value).flatMap(([name, field]) => [
    Buffer.from([typeOf(field)]),
    stringOf(name),
    payloadOf(field),
  ])
  return Buffer.concat([...fields, Buffer.from([0])])
}

/** All entries are of the first one's type. */
function listOf(values: NbtValue[]): Buffer {
  const head = Buffer.alloc(5)
  head[0] = values[0] === undefined ? 0 : typeOf(values[0])
  head.writeInt32BE(values.length, 1)
  return Buffer.concat([head, ...values.map(payloadOf)])
}

/** Java's modified UTF-8: a zero takes two bytes, and what is beyond U+FFFF goes as its two halves, three bytes each. */
function stringOf(text: string): Buffer {
  const bytes: number[] = []
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit !== 0 && unit < 0x80) bytes.push(unit)
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f))
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f))
    if (bytes.length > 0xffff) throw new RangeError('a string of more than 65 535 bytes')
  }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, Buffer.from(bytes)])
}
