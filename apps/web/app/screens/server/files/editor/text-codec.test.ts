import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, encodeText } from './text-codec.ts'

const encode = (text: string) => new TextEncoder().encode(text)

test.each([
  ['plain', encode('a\nb\n'), 'a\nb\n', 'utf-8', '\n'],
  ['no line end at all', encode('zażółć'), 'zażółć', 'utf-8', '\n'],
  ['of Windows', encode('a\r\nb\r\n'), 'a\nb\n', 'utf-8', '\r\n'],
  ['of an old Mac', encode('a\rb'), 'a\nb', 'utf-8', '\r'],
  ['mixed', encode('a\r\nb\nc'), 'a\r\nb\nc', 'utf-8', 'mixed'],
  ['with a mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), 'a', 'utf-8-bom', '\n'],
  ['of one byte each', Uint8Array.of(0x6d, 0xf3, 0x0a, 0x80), 'mó\n\u0080', 'latin1', '\n'],
  ['of two bytes each', Uint8Array.of(0xff, 0xfe, 0x7a, 0x01, 0x0a, 0x00), 'ź\n', 'utf-16le', '\n'],
  ['the other way round', Uint8Array.of(0xfe, 0xff, 0x01, 0x7a), 'ź', 'utf-16be', '\n'],
  ['empty', new Uint8Array(), '', 'utf-8', '\n'],
])('text %s', (_, bytes, text, encoding, lineEnd) => {
  const decoded = decodeText(bytes)
  expect(decoded).toEqual({ text, codec: { encoding, lineEnd } })
  expect(encodeText(decoded!.text, decoded!.codec)).toEqual(new Uint8Array(bytes))
})

test('bytes that are no text are none', () => {
  expect(decodeText(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0))).toBeUndefined()
})

test('whatever is read is written back as it was', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ż', '\n', '\r', '\r\n', '😀', '\t', '\u0085'), maxLength: 40 })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    text.map(encode),
    text.map((one) => encodeText(one, { encoding: 'utf-16be', lineEnd: 'mixed' })!),
    text.map((one) => encodeText(one, { encoding: 'utf-8-bom', lineEnd: 'mixed' })!),
  )
  fc.assert(
    fc.property(bytes, (some) => {
      const decoded = decodeText(some)
      if (decoded === undefined) return
      expect(encodeText(decoded.text, decoded.codec)).toEqual(new Uint8Array(some))
    }),
    { numRuns: 400 },
  )
})

test('what an encoding lacks is not guessed', () => {
  expect(encodeText('zł', { encoding: 'latin1', lineEnd: '\n' })).toBeUndefined()
})
