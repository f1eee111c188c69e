/** What of a mail somebody has written themself. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMailId, mailIdOf } from './mail-ids.ts'
import { ownWords, wordsOfHtml } from './mail-texts.ts'

/** Every unit of a text there is, halves of characters too. */
const anyUnit = fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code))

test.each([
  ['nothing repeated', 'Hello\nthere', 'Hello\nthere'],
  ['our line', 'New\n\n##- Please write above this line -##\nold', 'New'],
  [
    'our line, quoted',
    'New\n\nOn 3 Mar 2026, Desk <d@x.y> wrote:\n> ##- Please write above this line -##\n> old',
    'New',
  ],
  ['Polish', 'Nowe\n\nW dniu 3.03.2026 Obsługa <d@x.y> pisze:\n> ##- Odpowiedz powyżej tej linii -##', 'Nowe'],
  ['German', 'Neu\r\n\r\nAm 3. März 2026 schrieb Desk:\r\n> ##- Bitte antworte oberhalb dieser Zeile -##', 'Neu'],
  ['Outlook', 'New\n\n-----Original Message-----\nFrom: Desk\n\n##- Please write above this line -##', 'New'],
  ['a quote without our line', 'New\n\nOn Tuesday somebody wrote:\n> old\n> older', 'New'],
  ['answers between', 'On Tuesday you wrote:\n> one\nyes\n> two\nno', 'On Tuesday you wrote:\n> one\nyes\n> two\nno'],
  ['nothing of one’s own', '\n\n> ##- Please write above this line -##\n> old', ''],
  ['what cannot be stored', 'a\u0000b\u202Ec\uD800', 'abc'],
])('%s', (_what, text, own) => {
  expect(ownWords(text)).toBe(own)
})

test('words of a page: no marks, no scripts, lines as they break', () => {
  expect(
    wordsOfHtml('<style>p{}</style><p>One&nbsp;&lt;two&gt;</p><div>three<br>four</div><script>bad()</script>'),
  ).toBe('One <two>\nthree\nfour')
  const began = performance.now()
  for (const hostile of ['<'.repeat(400_000), '<a '.repeat(100_000), '&#'.repeat(200_000), '<script>'.repeat(50_000)])
    wordsOfHtml(hostile)
  expect(performance.now() - began).toBeLessThan(3000)
})

test('whatever comes is words that can be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 200 }), (text) => {
      for (const words of [ownWords(text), wordsOfHtml(text)]) expect(words.length).toBeLessThanOrEqual(text.length * 3)
      expect(ownWords(text)).not.toMatch(/\u0000/)
      expect(ownWords(text).isWellFormed()).toBe(true)
    }),
  )
})

test('a name of a mail says whose it is, and nobody makes one up', () => {
  const id = {
    ticketId: '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    messageId: '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
    reader: 'writer',
  } as const
  const name = mailIdOf('key', id, 'example.test')
  expect(findMailId('key', [`<x@y> ${name.toUpperCase()}`])).toEqual(id)
  expect(findMailId('other', [name])).toBeUndefined()
  const position = fc.nat({ max: name.indexOf('@') - 1 })
  fc.assert(
    fc.property(position, fc.constantFrom(...'0123456789abcdef'), (at, letter) => {
      fc.pre(name[at]?.toLowerCase() !== letter && at > 0)
      expect(findMailId('key', [name.slice(0, at) + letter + name.slice(at + 1)])).toBeUndefined()
    }),
  )
})
