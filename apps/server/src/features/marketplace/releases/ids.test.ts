import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReleaseId } from './ids.ts'

test('release ids are 13 characters, and later ones sort behind earlier ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 4 }), (second, step) => {
      const one = createReleaseId({ now: second * 1000 })
      const other = createReleaseId({ now: (second + step - 2) * 1000, after: one })
      expect(one).toMatch(/^[0-9a-z]{13}$/)
      expect(other > one).toBe(true)
      expect(other).toHaveLength(13)
    }),
  )
})
