import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { changeOf, isChanged, kindOf, valueKinds, valueOfKind } from './capability-draft.ts'

const value = fc.oneof(fc.boolean(), fc.integer(), fc.string())
const held = fc.dictionary(fc.constantFrom('a', 'a.b', 'a.b.c', 'd'), value) as fc.Arbitrary<Capabilities>

test('what would be set and taken away leads from what is there to the draft', () => {
  fc.assert(
    fc.property(held, held, (before, draft) => {
      const { set, remove } = changeOf(before, draft)
      const kept = Object.entries(before).filter(([name]) => !remove.includes(name))
      expect({ ...Object.fromEntries(kept), ...set }).toEqual({ ...draft })
      expect(isChanged({ set, remove })).toBe(JSON.stringify(sorted(before)) !== JSON.stringify(sorted(draft)))
    }),
  )
})

test('a value changes its kind and back', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(...valueKinds), (before, kind) => {
      expect(kindOf(valueOfKind(kind, before))).toBe(kind)
    }),
  )
  expect(valueOfKind('number', '12')).toBe(12)
  expect(valueOfKind('text', 12)).toBe('12')
})

const sorted = (capabilities: Capabilities) => Object.entries(capabilities).toSorted(([a], [b]) => (a < b ? -1 : 1))
