/**
 * What `level.dat` of Java Edition says of the version that has saved a world last. The game and its owner can write
 * there: tags are passed over without being built, so time and memory do not depend on what stands in them.
 */

/** Null: not told. `version` is a name such as `1.21.4` or `25w03a`; `dataVersion` counts formats of worlds. */
export type WorldVersion = { version: string | null; dataVersion: number | null }

const INT = 3
const STRING = 8
const LIST = 9
const COMPOUND = 10
const deepest = 512
const nameLength = 40
/** Bytes of the types that have a fixed size. */
const sizes: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, [INT]: 4, 4: 8, 5: 4, 6: 8 }
/** Bytes of each entry of the arrays. */
const entrySizes: Readonly<Record<number, number>> = { 7: 1, 11: 4, 12: 8 }

/** @param nbt the content of the file, unpacked. @returns undefined when it tells nothing, or is damaged */
export function readWorldVersion(nbt: Buffer): WorldVersion | undefined {
  const found: WorldVersion = { version: null, dataVersion: null }
  const reader = createReader(nbt)
  try {
    if (reader.type() !== COMPOUND) return undefined
    reader.text()
    reader.fields((name, type) => {
      if (name !== 'Data' || type !== COMPOUND) return false
      reader.fields((inner, innerType) => {
        if (inner === 'DataVersion' && innerType === INT) found.dataVersion = reader.int()
        else if (inner === 'Version' && innerType === COMPOUND)
          reader.fields((part, partType) => {
            if (part !== 'Name' || partType !== STRING) return false
            found.version = reader.text().slice(0, nameLength)
            return true
          })
        else return false
        return true
      })
      return true
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return found.version === null && found.dataVersion === null ? undefined : found
}

/** Every read beyond the end throws a RangeError. */
function createReader(bytes: Buffer) {
  let at = 0

  function pass(length: number): number {
    const from = at
    at += length
    if (at > bytes.length) throw new RangeError('the end is missing')
    return from
  }
  const type = () => bytes.readUInt8(pass(1))
  const int = () => bytes.readInt32BE(pass(4))
  function text(): string {
    const length = bytes.readUInt16BE(pass(2))
    const from = pass(length)
    return bytes.toString('utf8', from, from + length)
  }

  function skip(kind: number, depth: number): void {
    const size = sizes[kind]
    const entrySize = entrySizes[kind]
    if (size !== undefined) pass(size)
    else if (entrySize !== undefined) pass(entrySize * Math.max(0, int()))
    else if (kind === STRING) pass(bytes.readUInt16BE(pass(2)))
    else if (depth >= deepest) throw new RangeError('too deep')
    else if (kind === LIST) {
      const inner = type()
      const count = Math.max(0, int())
      const innerSize = sizes[inner]
      if (innerSize !== undefined) pass(innerSize * count)
      else for (let index = 0; index < count; index++) skip(inner, depth + 1)
    } else if (kind === COMPOUND) fields(() => false, depth + 1)
    else throw new RangeError('no such type')
  }

  /** Goes through the fields of a compound. @param take whether it has read the value */
  function fields(take: (name: string, kind: number) => boolean, depth = 0): void {
    for (let kind = type(); kind !== 0; kind = type()) {
      if (!take(text(), kind)) skip(kind, depth)
    }
  }

  return { type, int, text, fields }
}
