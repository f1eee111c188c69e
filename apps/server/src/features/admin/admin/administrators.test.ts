/** Whatever an administrator may change, nobody gets a right of administration by it that they do not hold. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Capabilities, hasCapability } from '@wakestone/contract/capabilities'
import { mayChange } from './administrators.ts'

const names = [
  'admin',
  'admin.server',
  'admin.server.parameters',
  'admin.payments',
  'admin.payments.topup',
  'user.offers',
]
const held = fc.dictionary(
  fc.constantFrom(...names),
  fc.constantFrom<boolean | number>(true, false, 0, 1, 5),
) as fc.Arbitrary<Capabilities>
/** Names that look-ups may ask for, mentioned or not. */
const asked = [...names, 'admin.vouchers.generate', 'admin.server.parameters.memory', 'user']

test('nothing is given beyond what is held', () => {
  fc.assert(
    fc.property(held, held, held, (granter, before, after) => {
      const given = asked.filter(
        (name) => name.startsWith('admin') && hasCapability(after, name) && !hasCapability(before, name),
      )
      if (mayChange(granter, { before, after }))
        expect(given.filter((name) => !hasCapability(granter, name))).toEqual([])
    }),
  )
})

test('taking away, and what is not of administration, is always open', () => {
  fc.assert(
    fc.property(held, held, (granter, before) => {
      expect(mayChange(granter, { before, after: before })).toBe(true)
      expect(mayChange(granter, { before, after: { admin: false } })).toBe(true)
      const after = { ...before, 'user.offers': true, 'operator.own': 'gold' }
      expect(mayChange(granter, { before, after })).toBe(true)
    }),
  )
})

test('who holds everything may give everything', () => {
  fc.assert(fc.property(held, held, (before, after) => mayChange({ admin: true }, { before, after })))
})
