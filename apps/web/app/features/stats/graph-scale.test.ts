import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topOf } from './graph-scale.ts'

test('a scale ends at its limit, or at a round number above what is on it', () => {
  expect(topOf(0, null, 'plain')).toBe(1)
  expect(topOf(3, 20, 'plain')).toBe(20)
  expect(topOf(13, 4, 'whole')).toBe(20)
  expect(topOf(5, 4, 'whole')).toBe(6)
  expect(topOf(1, null, 'whole')).toBe(2)
  expect(topOf(700 * 1024, 1024, 'bytes')).toBe(1024 * 1024)
  expect(topOf(3 * 1024 ** 3, 2 * 1024 ** 3, 'bytes')).toBe(4 * 1024 ** 3)
})

test('nothing is above it, and it is not much too large', () => {
  const kinds = fc.constantFrom('bytes' as const, 'whole' as const, 'plain' as const)
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e12, noNaN: true }), kinds, (most, kind) => {
      const top = topOf(most, null, kind)
      expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9))
      expect(top).toBeLessThanOrEqual(Math.max(2.6 * most, 2))
    }),
  )
})
