import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, plainWords, toTsQuery } from './words.ts'

test('words are of a–z and 0–9 only, whatever is typed, so that no query can be broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (said, isWhole) => {
      const words = plainWords(said)
      for (const word of words) expect(word).toMatch(/^[a-z0-9]+$/)
      expect(toTsQuery(words, { isWhole })).toMatch(/^([a-z0-9]+( & [a-z0-9]+)*(:\*)?)?$/)
    }),
  )
  expect(plainWords('Żółć & Straße')).toEqual(['zolc', 'strasse'])
})

test('the distance of words is that of mistypings', () => {
  expect(editDistance('lantern', 'lantern', 2)).toBe(0)
  expect(editDistance('latnern', 'lantern', 2)).toBe(1)
  expect(editDistance('lntern', 'lantern', 2)).toBe(1)
  expect(editDistance('lampion', 'lantern', 2)).toBe(3)
  fc.assert(
    fc.property(fc.stringMatching(/^[ab]{0,6}$/), fc.stringMatching(/^[ab]{0,6}$/), (one, other) => {
      expect(editDistance(one, other, 6)).toBe(editDistance(other, one, 6))
      expect(editDistance(one, other, 6) === 0).toBe(one === other)
    }),
  )
})
