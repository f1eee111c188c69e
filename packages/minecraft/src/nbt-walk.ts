/** Walks over big-endian NBT without making anything of it: for readers that need little out of much. */
import { ProtocolError } from './protocol-error.ts'

const DEEPEST = 512
/** Bytes of a type's value, by its number; 0: not always as many. */
const widths = [0, 1, 2, 4, 8, 4, 8, 0, 0, 0, 0, 0, 0]
const END = 0
const BYTE_ARRAY = 7
const STRING = 8
const LIST = 9
const COMPOUND = 10
const INT_ARRAY = 11
const LONG_ARRAY = 12

export type NbtWalk = ReturnType<typeof createNbtWalk>

/** A number for a name, to be compared instead of it. Two names may share one: look at the type too. */
export function nbtNameKey(name: string): number {
  return keyOf(Buffer.from(name), 0, name.length)
}

function keyOf(bytes: Uint8Array, start: number, length: number): number {
  let key = length
  for (let index = start; index < start + length; index++) key = (Math.imul(key, 31) + bytes[index]!) | 0
  return key
}

/**
 * Each method reads what is next and moves behind it. @throws ProtocolError when it is damaged or deeper than the game allows.
 * @param from where the walk begins.
 */
export function createNbtWalk(bytes: Buffer, from = 0) {
  let offset = from
  let depth = 0

  function take(length: number): number {
    const start = offset
    offset = start + length
    if (!(length >= 0 && offset <= bytes.length)) throw new ProtocolError('NBT: it is cut off')
    return start
  }

  function int(): number {
    const at = take(4)
    return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }

  const unsigned = () => {
    const at = take(2)
    return (bytes[at]! << 8) | bytes[at + 1]!
  }
  const type = () => bytes[take(1)]!

  /** A root's type; its name is passed over. */
  function root(): number {
    const found = type()
    take(unsigned())
    return found
  }

  function enter() {
    depth += 1
    if (depth > DEEPEST) throw new ProtocolError('NBT: too deep')
  }

  /** Calls `visit` at the value of each entry of a compound, which it has to read or `skip`. */
  function each(visit: (type: number, name: number) => void) {
    enter()
    for (;;) {
      const found = type()
      if (found === END) break
      const length = unsigned()
      visit(found, keyOf(bytes, take(length), length))
    }
    depth -= 1
  }

  /** Calls `visit` at each value of a list of that type; one of another type is passed over. */
  function eachOfList(wanted: number, visit: () => void) {
    const start = offset
    const found = type()
    const length = int()
    if (found !== wanted) {
      offset = start
      return skip(LIST)
    }
    enter()
    for (let index = 0; index < length; index++) visit()
    depth -= 1
  }

  function skip(found: number): void {
    const width = widths[found]
    if (width === undefined || found === END) throw new ProtocolError(`NBT: no type ${found}`)
    if (width > 0) take(width)
    else if (found === STRING) take(unsigned())
    else if (found === BYTE_ARRAY) take(int())
    else if (found === INT_ARRAY) take(int() * 4)
    else if (found === LONG_ARRAY) take(int() * 8)
    else if (found === COMPOUND) skipCompound()
    else if (found === LIST) skipList()
  }

  function skipCompound() {
    enter()
    for (let found = type(); found !== END; found = type()) {
      take(unsigned())
      skip(found)
    }
    depth -= 1
  }

  function skipList() {
    enter()
    const inner = type()
    const length = int()
    const width = widths[inner]
    if (width === undefined) throw new ProtocolError(`NBT: no type ${inner}`)
    if (inner === END || length <= 0) {
      if (length > 0) throw new ProtocolError('NBT: it is cut off')
    } else if (width > 0) take(width * length)
    else for (let index = 0; index < length; index++) skip(inner)
    depth -= 1
  }

  return {
    root,
    each,
    eachOfList,
    skip,
    take,
    int,
    byte: () => (bytes[take(1)]! << 24) >> 24,
    /** Of an array or a list that comes next. */
    length: int,
    /** A string of at most so many bytes, not looked at closely; one that is longer is damage. */
    string(most: number): string {
      const length = unsigned()
      if (length > most) throw new ProtocolError('NBT: a string is too long')
      const start = take(length)
      return bytes.toString('latin1', start, start + length)
    },
    /** Passes over a value. @returns where it begins, for a walk of its own. */
    markAndSkip(found: number): number {
      const start = offset
      skip(found)
      return start
    },
  }
}
