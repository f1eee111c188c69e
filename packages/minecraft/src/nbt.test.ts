import fc from 'fast-check'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runsOf } from '../../../tests/support/long.ts'
import { compoundOf, findNbt, listOf, type NbtTag, type NbtType, plainNbt, readNbt, writeNbt } from './nbt.ts'
import { readNbtFile, writeNbtFile } from './nbt-file.ts'
import { ProtocolError } from './protocol-error.ts'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const leaf: { [Type in NbtType]?: fc.Arbitrary<NbtTag> } = {
  byte: fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'byte', value })),
  short: fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: 'short', value })),
  int: fc.integer().map((value) => ({ type: 'int', value })),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ type: 'long', value })),
  float: fc.float().map((value) => ({ type: 'float', value })),
  double: fc.double().map((value) => ({ type: 'double', value })),
  string: text.map((value) => ({ type: 'string', value })),
  byteArray: fc.int8Array({ maxLength: 9 }).map((value) => ({ type: 'byteArray', value })),
  intArray: fc.int32Array({ maxLength: 9 }).map((value) => ({ type: 'intArray', value })),
  longArray: fc.bigInt64Array({ maxLength: 9 }).map((value) => ({ type: 'longArray', value })),
}
const leaves = Object.values(leaf)
const { tag: anyTag } = fc.letrec<{ tag: NbtTag; list: NbtTag; compound: NbtTag }>((tie) => ({
  tag: fc.oneof({ maxDepth: 4, depthIdentifier: 'tag' }, ...leaves, tie('list'), tie('compound')),
  list: fc.oneof(
    ...leaves.map((one) => fc.array(one, { maxLength: 4 }).map(listOf)),
    fc.array(tie('list'), { maxLength: 3, depthIdentifier: 'tag' }).map(listOf),
    fc.array(tie('compound'), { maxLength: 3, depthIdentifier: 'tag' }).map(listOf),
    fc.constantFrom<NbtTag>({ type: 'list', of: 'int', value: [] }, { type: 'list', of: 'list', value: [] }),
  ),
  compound: fc
    .array(fc.tuple(text, tie('tag')), { maxLength: 5, depthIdentifier: 'tag' })
    .map((entries) => ({ type: 'compound', value: new Map(entries) })),
}))
const anyRoot = fc.array(fc.tuple(text, anyTag), { maxLength: 5 }).map((entries): NbtTag => ({
  type: 'compound',
  value: new Map(entries),
}))
const anyEdition = fc.constantFrom('java' as const, 'bedrock' as const)

test('what is written is read, byte for byte', () => {
  fc.assert(
    fc.property(anyTag, text, anyEdition, fc.boolean(), (written, name, edition, named) => {
      const bytes = writeNbt(written, { edition, name, named })
      const read = readNbt(Buffer.concat([bytes, Buffer.from('more')]), { edition, named })
      expect(read).toEqual({ name: named ? name : '', tag: written, length: bytes.length })
      expect(writeNbt(read.tag, { edition, name, named })).toEqual(bytes)
    }),
  )
})

test('halves of a surrogate pair survive in Java alone', () => {
  const tag: NbtTag = { type: 'string', value: 'a\ud83d\0\udc22' }
  expect(readNbt(writeNbt(tag)).tag).toEqual(tag)
  expect(writeNbt({ type: 'string', value: 'ż🐢\0' }).toString('hex')).toBe('080000' + '000a' + 'c5bceda0bdedb0a2c080')
  // As tools other than the game write it.
  expect(readNbt(Buffer.from('0800000004f09f90a2', 'hex')).tag).toEqual({ type: 'string', value: '🐢' })
})

test('as the game writes it', () => {
  const hello = Buffer.from('0a000b68656c6c6f20776f726c640800046e616d65000942616e616e72616d6100', 'hex')
  expect(readNbt(hello)).toEqual({
    name: 'hello world',
    tag: compoundOf({ name: { type: 'string', value: 'Bananrama' } }),
    length: hello.length,
  })
  const bedrock = Buffer.from('0a0000030400536565640700000000', 'hex')
  expect(plainNbt(readNbt(bedrock, { edition: 'bedrock' }).tag)).toEqual({ Seed: 7 })
})

test('files of every kind are told apart', () => {
  fc.assert(
    fc.property(
      anyRoot,
      text,
      anyEdition,
      fc.constantFrom('none' as const, 'gzip' as const, 'zlib' as const),
      fc.option(fc.integer()),
      (tag, name, edition, compression, version) => {
        const file = { name, tag, edition, compression, version: edition === 'bedrock' ? version : null }
        expect(readNbtFile(writeNbtFile(file), { edition })).toEqual(file)
      },
    ),
  )
  const tag = compoundOf({ LevelName: { type: 'string', value: 'World' } })
  const java = { name: '', tag, edition: 'java', compression: 'gzip', version: null } as const
  const bedrock = { name: '', tag, edition: 'bedrock', compression: 'none', version: 10 } as const
  const structure = { ...bedrock, version: null }
  const likeZlib = { ...bedrock, version: 0x0178 }
  const likeGzip = { ...bedrock, version: 0x8b1f }
  for (const file of [java, bedrock, structure, likeZlib, likeGzip])
    expect(readNbtFile(writeNbtFile(file))).toEqual(file)
})

test('a path leads to a tag, or to nothing', () => {
  const tag = compoundOf({ Data: compoundOf({ Pos: listOf([{ type: 'double', value: 1.5 }]) }) })
  expect(findNbt(tag, 'Data', 'Pos', 0)).toEqual({ type: 'double', value: 1.5 })
  expect(findNbt(tag, 'Data', 'Pos', 1)).toBeUndefined()
  expect(findNbt(tag, 'Pos', 0)).toBeUndefined()
  const hostile = compoundOf({ ['__proto__']: compoundOf({}), ['constructor']: compoundOf({}) })
  expect(Object.keys(plainNbt(hostile))).toEqual(['__proto__', 'constructor'])
  expect('polluted' in {}).toBe(false)
})

test('what does not fit is not written', () => {
  const wrong: NbtTag[] = [
    { type: 'byte', value: 128 },
    { type: 'short', value: 1.5 },
    { type: 'int', value: 2 ** 31 },
    { type: 'long', value: 2n ** 63n },
    { type: 'string', value: 'x'.repeat(65_536) },
    { type: 'list', of: 'int', value: [{ type: 'byte', value: 1 }] },
  ]
  for (const tag of wrong) expect(() => writeNbt(tag), tag.type).toThrow(RangeError)
  expect(writeNbt({ type: 'string', value: 'x'.repeat(65_535) })).toHaveLength(65_535 + 5)
})

test('hostile trees end at once', () => {
  const int = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const rootOf = (...parts: (Buffer | number[])[]) =>
    Buffer.concat([Buffer.from([10, 0, 0]), ...parts.map((part) => Buffer.from(part))])
  const hostile = {
    'lists in lists': rootOf([9, 0, 0], ...Array.from({ length: 100_000 }, () => Buffer.from([9, 0, 0, 0, 1]))),
    'compounds in compounds': rootOf(...Array.from({ length: 100_000 }, () => Buffer.from([10, 0, 0]))),
    'an endless list': rootOf([9, 0, 0, 1], int(2 ** 31 - 1)),
    'a list of nothings': rootOf([9, 0, 0, 0], int(2 ** 31 - 1)),
    'a list of negative length': rootOf([9, 0, 0, 1], int(-1)),
    'an endless array': rootOf([12, 0, 0], int(2 ** 31 - 1)),
    'an array of negative length': rootOf([7, 0, 0], int(-5)),
    'a string beyond the end': rootOf([8, 0, 0, 0xff, 0xff]),
    'too many tags': rootOf([9, 0, 0, 10], int(3_000_000), Buffer.alloc(3_000_000), [0]),
    'no such type': rootOf([13, 0, 0]),
    nothing: Buffer.alloc(0),
    'an end': Buffer.from([0]),
    'half a character': rootOf([8, 0, 0, 0, 1, 0xc5]),
  }
  for (const [name, bytes] of Object.entries(hostile)) expect(() => readNbt(bytes), name).toThrow(ProtocolError)
})

test('a bomb is not unpacked', () => {
  const bomb = Buffer.alloc(80 * 1024 * 1024)
  for (const file of [gzipSync(bomb), deflateSync(bomb), bomb]) expect(() => readNbtFile(file)).toThrow('too large')
  expect(() => readNbtFile(gzipSync(Buffer.alloc(2000)), { maxBytes: 1000 })).toThrow('too large')
  expect(() => readNbtFile(gzipSync(Buffer.alloc(2000)).subarray(0, 20))).toThrow(ProtocolError)
})

test('whatever the bytes, there is a tree or a clear error', () => {
  const check = (bytes: Uint8Array) => {
    try {
      const { tag } = readNbtFile(bytes)
      writeNbt(tag)
    } catch (error) {
      // Bedrock's bytes need not be UTF-8: what replaces them may be longer.
      if (!(error instanceof ProtocolError || error instanceof RangeError)) throw error
    }
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { numRuns: runsOf(500) })
  // Trees with a few bytes changed, or cut off, come further.
  const anyChanges = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
  fc.assert(
    fc.property(anyRoot, anyEdition, anyChanges, fc.nat(), (tag, edition, changes, end) => {
      const bytes = writeNbt(tag, { edition })
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      check(bytes.subarray(0, 1 + (end % bytes.length)))
      check(bytes)
    }),
    { numRuns: runsOf(500) },
  )
})
