import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAnsi } from './ansi.ts'

const texts = (line: string) => parseAnsi(line).map((span) => span.text)
const colours = (line: string) => parseAnsi(line).map((span) => [span.text, span.colour])

test('plain text is one run', () => {
  expect(texts('Preparing level "world"')).toEqual(['Preparing level "world"'])
  expect(texts('')).toEqual([])
})

test('colours and weight are read, whatever way they are written', () => {
  expect(colours('\u001b[31mred\u001b[0m plain \u001b[1;92mgreen')).toEqual([
    ['red', 'red'],
    [' plain ', null],
    ['green', 'green'],
  ])
  expect(parseAnsi('\u001b[1;92mgreen')[0]?.bold).toBe(true)
  expect(colours('\u001b[38;5;196mcube\u001b[39m.')).toEqual([
    ['cube', 'red'],
    ['.', null],
  ])
  expect(colours('\u001b[38;2;255;170;0mgold')).toEqual([['gold', 'yellow']])
  expect(colours('\u001b[48;2;1;2;3mground \u001b[33mtext')).toEqual([
    ['ground ', null],
    ['text', 'yellow'],
  ])
  expect(colours('§aVerte§r plain')).toEqual([
    ['Verte', 'green'],
    [' plain', null],
  ])
})

test('neighbours of one style are one run', () => {
  expect(texts('\u001b[31ma\u001b[31mb')).toEqual(['ab'])
})

test('what could steer a terminal or turn text around is dropped', () => {
  expect(texts('a\u001b]0;title\u0007b\u001b[2Jc\u001b[10;5Hd\u001b(Be\rf\u0000g\u202eh')).toEqual(['abcdefgh'])
  expect(texts('<img src=x onerror=alert(1)>')).toEqual(['<img src=x onerror=alert(1)>'])
  expect(texts('a\tb')).toEqual(['a    b'])
})

test('no line whatever leaves a control character, and ordinary letters are never lost', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u001b[', '\u001b]', '31m', '38;5;', '§c', '\u0007', ';', 'm'),
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (line) => {
        for (const span of parseAnsi(line)) {
          expect(span.text).not.toBe('')
          // oxlint-disable-next-line no-control-regex
          expect(span.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
        }
      },
    ),
    { verbose: true },
  )
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('§')),
      (text) => {
        expect(texts(`\u001b[32m${text}\u001b[0m`).join('')).toBe(text)
      },
    ),
    { verbose: true },
  )
})
