/**
 * NBT, the game's tree of typed values: big-endian as Java Edition writes it, little-endian as Bedrock Edition does on
 * disk. What is read keeps every type, so that writing it gives back the same bytes.
 * @see https://minecraft.wiki/w/NBT_format
 */
import { decodeNbtString, encodeNbtString } from './nbt-string.ts'
import { ProtocolError } from './protocol-error.ts'

/** A list's tags are all of the type `of`; that of an empty one may be `end`. */
export type NbtList = { type: 'list'; of: NbtType | 'end'; value: NbtTag[] }
/** Its entries keep their order. */
export type NbtCompound = { type: 'compound'; value: Map<string, NbtTag> }
export type NbtTag =
  | { type: 'byte' | 'short' | 'int' | 'float' | 'double'; value: number }
  | { type: 'long'; value: bigint }
  | { type: 'string'; value: string }
  | { type: 'byteArray'; value: Int8Array }
  | { type: 'intArray'; value: Int32Array }
  | { type: 'longArray'; value: BigInt64Array }
  | NbtList
  | NbtCompound
export type NbtType = NbtTag['type']
export type NbtEdition = 'java' | 'bedrock'

export type NbtLimits = {
  /** Tags that hold others, one in another. The game itself ends at 512. */
  depth: number
  /** All tags together: each takes about 100 bytes of memory. */
  tags: number
}
const DEFAULT_LIMITS: NbtLimits = { depth: 512, tags: 2_000_000 }

type Form = {
  /** Java is big-endian and writes modified UTF-8. */
  edition?: NbtEdition
  /** Whether the root has a name: it has one in files, and none in packets since protocol 764. */
  named?: boolean
}

/** By number, as the first byte of a tag says. */
const TYPES = [
  'end',
  'byte',
  'short',
  'int',
  'long',
  'float',
  'double',
  'byteArray',
  'string',
  'list',
  'compound',
  'intArray',
  'longArray',
] as const
const END = 0

/**
 * Reads one tag from the start of `bytes`.
 * @returns the root, its name (empty without one), and how many bytes it took.
 * @throws ProtocolError when it is damaged, cut off or beyond a limit.
 */
export function readNbt(
  bytes: Uint8Array,
  { edition = 'java', named = true, limits = {} }: Form & { limits?: Partial<NbtLimits> } = {},
): { name: string; tag: NbtTag; length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = edition === 'bedrock'
  const { depth: depthLimit, tags: tagLimit } = { ...DEFAULT_LIMITS, ...limits }
  let offset = 0
  let tags = 0

  const rootType = readType()
  if (rootType === 'end') throw new ProtocolError('NBT: no tag')
  const rootName = named ? readString() : ''
  const root = readTag(rootType, 1)
  return { name: rootName, tag: root, length: offset }

  /** Moves on over that many bytes, which must be there. @returns where they begin. */
  function take(length: number): number {
    const start = offset
    if (length > bytes.length - start) throw new ProtocolError('NBT: it is cut off')
    offset += length
    return start
  }

  function readType() {
    const number = bytes[take(1)]!
    const found = TYPES[number]
    if (!found) throw new ProtocolError(`NBT: no type ${number}`)
    return found
  }

  function readString(): string {
    const length = view.getUint16(take(2), little)
    return decodeNbtString(bytes, take(length), length, edition)
  }

  /** The payload of an array, aligned and in the order of this machine, which is little-endian. */
  function readArray(width: 1 | 4 | 8): ArrayBuffer {
    const length = view.getInt32(take(4), little)
    if (length < 0) throw new ProtocolError('NBT: an array of negative length')
    const start = take(length * width)
    // A Buffer's own `slice` would not copy.
    const copy = new Uint8Array(bytes.subarray(start, offset))
    if (!little && width === 4) Buffer.from(copy.buffer).swap32()
    if (!little && width === 8) Buffer.from(copy.buffer).swap64()
    return copy.buffer
  }

  function readTag(type: NbtType, depth: number): NbtTag {
    tags += 1
    if (tags > tagLimit) throw new ProtocolError('NBT: too many tags')
    switch (type) {
      case 'byte':
        return { type, value: view.getInt8(take(1)) }
      case 'short':
        return { type, value: view.getInt16(take(2), little) }
      case 'int':
        return { type, value: view.getInt32(take(4), little) }
      case 'long':
        return { type, value: view.getBigInt64(take(8), little) }
      case 'float':
        return { type, value: view.getFloat32(take(4), little) }
      case 'double':
        return { type, value: view.getFloat64(take(8), little) }
      case 'string':
        return { type, value: readString() }
      case 'byteArray':
        return { type, value: new Int8Array(readArray(1)) }
      case 'intArray':
        return { type, value: new Int32Array(readArray(4)) }
      case 'longArray':
        return { type, value: new BigInt64Array(readArray(8)) }
      case 'list':
        return readList(depth)
      case 'compound':
        return readCompound(depth)
    }
  }

  function readList(depth: number): NbtList {
    if (depth > depthLimit) throw new ProtocolError('NBT: too deep')
    const of = readType()
    const length = view.getInt32(take(4), little)
    if (length < 0) throw new ProtocolError('NBT: a list of negative length')
    // Whatever it holds takes at least a byte each.
    if (length > bytes.length - offset || (of === 'end' && length > 0)) throw new ProtocolError('NBT: it is cut off')
    const value: NbtTag[] = []
    if (of === 'end') return { type: 'list', of, value }
    for (let index = 0; index < length; index++) value.push(readTag(of, depth + 1))
    return { type: 'list', of, value }
  }

  function readCompound(depth: number): NbtCompound {
    if (depth > depthLimit) throw new ProtocolError('NBT: too deep')
    const value = new Map<string, NbtTag>()
    for (;;) {
      const type = readType()
      if (type === 'end') return { type: 'compound', value }
      const name = readString()
      value.set(name, readTag(type, depth + 1))
    }
  }
}

/**
 * The bytes of a root tag.
 * @throws RangeError when a number or a string does not fit its type, or a list holds another type than it says.
 */
export function writeNbt(
  root: NbtTag,
  { edition = 'java', named = true, name = '' }: Form & { name?: string } = {},
): Buffer {
  const little = edition === 'bedrock'
  let bytes = Buffer.allocUnsafe(1024)
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let length = 0

  writeByte(TYPES.indexOf(root.type))
  if (named) writeString(name)
  writePayload(root)
  return bytes.subarray(0, length)

  /** @returns where that many bytes may be written. */
  function room(wanted: number): number {
    const start = length
    if (start + wanted > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, start + wanted))
      bytes.copy(larger, 0, 0, start)
      bytes = larger
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    length += wanted
    return start
  }

  function writeByte(value: number) {
    const start = room(1)
    bytes[start] = value
  }

  function writeLength(value: number) {
    const start = room(4)
    view.setInt32(start, value, little)
  }

  function writeString(text: string) {
    const encoded = encodeNbtString(text, edition)
    const start = room(2 + encoded.length)
    view.setUint16(start, encoded.length, little)
    encoded.copy(bytes, start + 2)
  }

  function writeArray(value: Int8Array | Int32Array | BigInt64Array) {
    writeLength(value.length)
    const start = room(value.byteLength)
    const target = bytes.subarray(start, start + value.byteLength)
    target.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    if (!little && value.BYTES_PER_ELEMENT === 4) target.swap32()
    if (!little && value.BYTES_PER_ELEMENT === 8) target.swap64()
  }

  function writePayload(tag: NbtTag): void {
    switch (tag.type) {
      case 'byte':
        return writeByte(whole(tag, 8))
      case 'short': {
        const start = room(2)
        return view.setInt16(start, whole(tag, 16), little)
      }
      case 'int':
        return writeLength(whole(tag, 32))
      case 'long': {
        if (BigInt.asIntN(64, tag.value) !== tag.value) throw new RangeError(`NBT: ${tag.value} is no long`)
        const start = room(8)
        return view.setBigInt64(start, tag.value, little)
      }
      case 'float': {
        const start = room(4)
        return view.setFloat32(start, tag.value, little)
      }
      case 'double': {
        const start = room(8)
        return view.setFloat64(start, tag.value, little)
      }
      case 'string':
        return writeString(tag.value)
      case 'byteArray':
      case 'intArray':
      case 'longArray':
        return writeArray(tag.value)
      case 'list':
        return writeList(tag)
      case 'compound':
        for (const [key, entry] of tag.value) {
          writeByte(TYPES.indexOf(entry.type))
          writeString(key)
          writePayload(entry)
        }
        return writeByte(END)
    }
  }

  function writeList({ of, value }: NbtList) {
    writeByte(TYPES.indexOf(of))
    writeLength(value.length)
    for (const entry of value) {
      if (entry.type !== of) throw new RangeError(`NBT: ${entry.type} in a list of ${of}`)
      writePayload(entry)
    }
  }
}

function whole({ type, value }: { type: string; value: number }, bits: number): number {
  const bound = 2 ** (bits - 1)
  if (!Number.isInteger(value) || value < -bound || value >= bound) throw new RangeError(`NBT: ${value} is no ${type}`)
  return value
}

/** The tag that a path of names and list positions leads to. */
export function findNbt(tag: NbtTag | undefined, ...path: (string | number)[]): NbtTag | undefined {
  let found = tag
  for (const step of path) {
    if (typeof step === 'number') found = found?.type === 'list' ? found.value[step] : undefined
    else found = found?.type === 'compound' ? found.value.get(step) : undefined
  }
  return found
}

export type PlainNbt = number | bigint | string | number[] | bigint[] | PlainNbt[] | { [name: string]: PlainNbt }

/** Without types, for schemas and for reading: compounds as objects without prototype, arrays and lists as arrays. */
export function plainNbt(tag: NbtTag): PlainNbt {
  switch (tag.type) {
    case 'byteArray':
    case 'intArray':
      return Array.from(tag.value)
    case 'longArray':
      return Array.from(tag.value)
    case 'list':
      return tag.value.map(plainNbt)
    case 'compound': {
      const object: { [name: string]: PlainNbt } = Object.create(null)
      for (const [name, entry] of tag.value) object[name] = plainNbt(entry)
      return object
    }
    default:
      return tag.value
  }
}

/** A compound of entries in their order. */
export function compoundOf(entries: Record<string, NbtTag>): NbtCompound {
  return { type: 'compound', value: new Map(Object.entries(entries)) }
}

/** A list of what `value` holds. */
export function listOf<Tag extends NbtTag>(value: Tag[]): NbtList {
  return { type: 'list', of: value[0]?.type ?? 'end', value }
}
