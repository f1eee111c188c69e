import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressKey, createAddressLimits } from './address-limits.ts'

function limitsAt(clock: { now: number }, connections = 2, rate = 5) {
  return createAddressLimits({ connections, rate, windowMs: 1000, now: () => clock.now })
}

test('so many at once', () => {
  const limits = limitsAt({ now: 0 })
  expect([limits.admit('1.2.3.4'), limits.admit('1.2.3.4'), limits.admit('1.2.3.4')]).toEqual([
    undefined,
    undefined,
    'too_many',
  ])
  expect(limits.admit('1.2.3.5')).toBeUndefined()
  limits.release('1.2.3.4')
  expect(limits.admit('1.2.3.4')).toBeUndefined()
  limits.close()
})

test('so many in a while, and credit comes back', () => {
  const clock = { now: 0 }
  const limits = limitsAt(clock)
  const visit = () => {
    const refusal = limits.admit('1.2.3.4')
    if (!refusal) limits.release('1.2.3.4')
    return refusal
  }
  expect(Array.from({ length: 6 }, visit)).toEqual([...Array<undefined>(5).fill(undefined), 'too_fast'])
  clock.now = 200
  expect([visit(), visit()]).toEqual([undefined, 'too_fast'])
  clock.now = 60_000
  expect(Array.from({ length: 6 }, visit).filter(Boolean)).toEqual(['too_fast'])
  limits.close()
})

test('never more than the limit, whatever comes in which order', () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 300 }), leave: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = { now: 0 }
      const limits = limitsAt(clock, 3, 4)
      let open = 0
      let admitted = 0
      for (const { wait, leave } of steps) {
        clock.now += wait
        if (leave && open > 0) {
          limits.release('::1')
          open -= 1
        } else if (!limits.admit('::1')) {
          open += 1
          admitted += 1
        }
        expect(open).toBeLessThanOrEqual(3)
        expect(admitted).toBeLessThanOrEqual(4 + (clock.now * 4) / 1000 + 1e-6)
      }
      limits.close()
    }),
  )
})

test('one customer is one address', () => {
  expect(addressKey('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(addressKey('203.0.113.7')).toBe('203.0.113.7')
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::1'))
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0')
  expect(addressKey('::1')).toBe('0:0:0:0')
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0')
  fc.assert(fc.property(fc.ipV6(), (address) => void expect(addressKey(address)).toBeTypeOf('string')))
})
