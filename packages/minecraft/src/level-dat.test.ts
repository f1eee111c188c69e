import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWorldVersion } from './level-dat.ts'

/** A tag with its type, written as the game does. */
type Tag = { type: number; bytes: Buffer }

const number = (type: number, length: number, write: (buffer: Buffer) => void): Tag => {
  const bytes = Buffer.alloc(length)
  write(bytes)
  return { type, bytes }
}
const int = (value: number) => number(3, 4, (buffer) => buffer.writeInt32BE(value))
const textOf = (value: string) => {
  const content = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length)
  return Buffer.concat([length, content])
}
const text = (value: string): Tag => ({ type: 8, bytes: textOf(value) })
const array = (type: 7 | 11 | 12, entry: number, count: number): Tag => ({
  type,
  bytes: Buffer.concat([int(count).bytes, Buffer.alloc(entry * count, 7)]),
})
const list = (type: number, tags: Tag[]): Tag => ({
  type: 9,
  bytes: Buffer.concat([Buffer.from([type]), int(tags.length).bytes, ...tags.map(({ bytes }) => bytes)]),
})
const compound = (fields: [name: string, tag: Tag][]): Tag => ({
  type: 10,
  bytes: Buffer.concat([
    ...fields.flatMap(([name, { type, bytes }]) => [Buffer.from([type]), textOf(name), bytes]),
    Buffer.from([0]),
  ]),
})
const file = (data: Tag) => Buffer.concat([Buffer.from([10]), textOf(''), compound([['Data', data]]).bytes])

const anyTag = fc.letrec<{ tag: Tag }>((tie) => ({
  tag: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -9, max: 9 }).map(int),
    fc.string({ maxLength: 8 }).map(text),
    fc.constantFrom(
      number(1, 1, () => {}),
      number(2, 2, () => {}),
      number(4, 8, () => {}),
      number(5, 4, () => {}),
      number(6, 8, () => {}),
    ),
    fc
      .tuple(fc.constantFrom([7, 1], [11, 4], [12, 8]), fc.nat(5))
      .map(([[type, size], count]) => array(type as 7, size!, count)),
    fc.array(fc.integer().map(int), { maxLength: 4 }).map((tags) => list(3, tags)),
    fc.array(fc.array(tie('tag'), { maxLength: 3 }), { maxLength: 3 }).map((entries) =>
      list(
        10,
        entries.map((tags) => compound(tags.map((tag, index) => [`k${index}`, tag]))),
      ),
    ),
    fc.array(tie('tag'), { maxLength: 4 }).map((tags) => compound(tags.map((tag, index) => [`f${index}`, tag]))),
  ),
})).tag

describe('the version of a world', () => {
  test('is found wherever it stands among other tags', () => {
    fc.assert(
      fc.property(
        fc.array(anyTag, { maxLength: 8 }),
        fc.nat(8),
        fc.nat(8),
        fc.nat(9999),
        (others, one, other, dataVersion) => {
          const fields = others.map((tag, index): [string, Tag] => [`other${index}`, tag])
          fields.splice(one, 0, ['DataVersion', int(dataVersion)])
          fields.splice(other, 0, ['Version', compound([...fields.slice(0, 2), ['Name', text('1.21.4')]])])
          expect(readWorldVersion(file(compound(fields)))).toEqual({ version: '1.21.4', dataVersion })
        },
      ),
    )
  })

  test('is half known where half of it is told, and not known of old worlds', () => {
    expect(readWorldVersion(file(compound([['DataVersion', int(4189)]])))).toEqual({ version: null, dataVersion: 4189 })
    const named = compound([['Version', compound([['Name', text('1.8.9')]])]])
    expect(readWorldVersion(file(named))).toEqual({ version: '1.8.9', dataVersion: null })
    expect(readWorldVersion(file(compound([['DataVersion', text('4189')]])))).toBeUndefined()
    expect(readWorldVersion(file(compound([])))).toBeUndefined()
    expect(readWorldVersion(Buffer.alloc(0))).toBeUndefined()
  })

  test('is told by nothing that is no such file', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readWorldVersion(Buffer.from(bytes))))
    const whole = file(
      compound([
        ['a', list(10, [compound([['b', int(1)]])])],
        ['DataVersion', int(1)],
      ]),
    )
    for (let length = 0; length < whole.length; length++) readWorldVersion(whole.subarray(0, length))
  })

  test('costs nothing where there are endless lists, or endless depth', () => {
    const endless = (type: number) => Buffer.concat([Buffer.from([type]), int(2 ** 31 - 1).bytes])
    for (const type of [0, 1, 8, 9, 10])
      expect(
        readWorldVersion(file({ type: 10, bytes: Buffer.concat([Buffer.from([9]), textOf('x'), endless(type)]) })),
      ).toBeUndefined()
    const deep = Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.concat([Buffer.from([10]), textOf('x')])))
    expect(readWorldVersion(file({ type: 10, bytes: deep }))).toBeUndefined()
  })
})
