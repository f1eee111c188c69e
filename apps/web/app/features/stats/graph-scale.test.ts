import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topOf } from './graph-scale.ts'

test('a scale ends at its limit, or at a round number above what is on it', () => {
  expect(topOf(0, null, 'plain')).toBe(1)
  expect(topOf(3, 20, 'plain')).toBe(20)
  expect(topOf(13, 4, 'whole')).toBe(20)
  expect(topOf(5, 4, 'whole')).toBe(6)
  expect(topOf(1, null, 'whole')).toBe(2)
  expect(topOf(700 * 1024, 1024, 'bytes')).toBe(768 * 1024)
  expect(topOf(3.2 * 1024 ** 3, 2 * 1024 ** 3, 'bytes')).toBe(4 * 1024 ** 3)
})

test('a scale of what is used ends far below a limit that is far, and at one that is near', () => {
  const [mib, gib] = [1024 ** 2, 1024 ** 3]
  expect(topOf(300 * mib, null, 'bytes', 8 * gib)).toBe(384 * mib)
  expect(topOf(2.6 * gib, null, 'bytes', 8 * gib)).toBe(3 * gib)
  expect(topOf(2.1 * gib, null, 'bytes', 2.5 * gib)).toBe(2.5 * gib)
  expect(topOf(0, null, 'bytes', 8 * gib)).toBe(8 * gib)
  // More than is allowed, until it is brought down.
  expect(topOf(2.6 * gib, null, 'bytes', 2.5 * gib)).toBe(3 * gib)
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
