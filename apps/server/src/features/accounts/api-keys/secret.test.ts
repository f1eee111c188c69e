import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hintOf, isApiKey, makeApiKey } from './secret.ts'

test('keys are of their form, and no two alike', () => {
  const keys = Array.from({ length: 500 }, makeApiKey)
  for (const key of keys) expect(key).toMatch(/^wk_[0-9A-Za-z]{36}$/)
  expect(keys.every(isApiKey)).toBe(true)
  expect(new Set(keys).size).toBe(500)
  expect(keys[0]?.startsWith(hintOf(keys[0] ?? ''))).toBe(true)
})

test('a wrong or swapped character is noticed', () => {
  const place = fc.nat(38)
  fc.assert(
    fc.property(place, place, fc.stringMatching(/^[0-9A-Za-z]$/), (one, other, letter) => {
      const key = makeApiKey()
      const mistyped = key.slice(0, one) + letter + key.slice(one + 1)
      expect(isApiKey(mistyped)).toBe(mistyped === key)
      const letters = [...key]
      ;[letters[one], letters[other]] = [letters[other] ?? '', letters[one] ?? '']
      expect(isApiKey(letters.join(''))).toBe(letters.join('') === key)
    }),
  )
})

test.each(['', 'wk_', 'wk_\n', 'Bearer', `wk_${'0'.repeat(36)}`, `wk_${'0'.repeat(5000)}`])('%j is none', (text) => {
  expect(isApiKey(text)).toBe(false)
})
