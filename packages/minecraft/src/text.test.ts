import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { legacyTextFromSpans, plainText, textFromLegacy, textFromSpans } from './text.ts'

test('§ codes become styles, a colour ends formats, unknown codes vanish', () => {
  expect(textFromLegacy('A§6B§lC§cD§rE§zF§')).toEqual({
    text: '',
    extra: [
      { text: 'A' },
      { text: 'B', color: 'gold' },
      { text: 'C', color: 'gold', bold: true },
      { text: 'D', color: 'red' },
      { text: 'E' },
      { text: 'F' },
    ],
  })
})

test('spans take exact colours where the client knows them', () => {
  const spans = [
    { text: 'Grass', color: 'lantern' as const, bold: true },
    { text: ' rests', color: 'muted' as const },
  ]
  expect(textFromSpans(spans, 769).extra?.[0]).toEqual({ text: 'Grass', color: '#f5b942', bold: true })
  expect(textFromSpans(spans, 47).extra?.[0]).toEqual({ text: 'Grass', color: 'gold', bold: true })
  expect(legacyTextFromSpans(spans)).toBe('§6§lGrass§7 rests')
  expect(plainText(textFromSpans(spans, 769))).toBe('Grass rests')
})

test('plain words of any shape', () => {
  expect(plainText({ text: 'a', extra: ['§6b', { translate: 'c.d', extra: [{ text: 'e' }] }, 5, null] })).toBe('abc.de')
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
      expect(typeof plainText(json)).toBe('string')
    }),
  )
  const words = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('§'))
  fc.assert(
    fc.property(words, (text) => {
      expect(plainText(textFromLegacy(text))).toBe(text)
    }),
  )
})

test('hostile nesting is cut off', () => {
  let nested: unknown = 'deep'
  for (let depth = 0; depth < 100_000; depth++) nested = { extra: [nested] }
  expect(plainText(nested)).toBe('')
})
