import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentsOf } from './line-view.ts'
import { readLogLine } from './log-line.ts'
import { findInText } from './search.ts'

const entryOf = (text: string) => readLogLine({ seq: 1, time: 1, stream: 'system', text }, 0)

test('matches are cut out across styled runs', () => {
  const entry = entryOf('\u001b[31mred\u001b[0m and blue')
  const segments = segmentsOf(
    entry,
    [
      { from: 1, to: 5 },
      { from: 8, to: 9 },
    ],
    8,
  )
  expect(segments).toEqual([
    { text: 'r', span: 0, mark: 'none' },
    { text: 'ed', span: 0, mark: 'match' },
    { text: ' a', span: 1, mark: 'match' },
    { text: 'nd ', span: 1, mark: 'none' },
    { text: 'b', span: 1, mark: 'current' },
    { text: 'lue', span: 1, mark: 'none' },
  ])
})

test('nothing is lost or doubled by highlighting, and what is marked is what was sought', () => {
  const letter = fc.constantFrom('a', 'b', '\u001b[31m', '\u001b[0m')
  fc.assert(
    fc.property(fc.array(letter), fc.constantFrom('a', 'ab', 'aab'), (letters, needle) => {
      const entry = entryOf(letters.join(''))
      const matches = findInText(entry.text, needle)
      const segments = segmentsOf(entry, matches, null)
      expect(segments.map((segment) => segment.text).join('')).toBe(entry.text)
      expect(
        segments
          .filter((segment) => segment.mark === 'match')
          .map((segment) => segment.text)
          .join(''),
      ).toBe(needle.repeat(matches.length))
    }),
    { verbose: true },
  )
})
