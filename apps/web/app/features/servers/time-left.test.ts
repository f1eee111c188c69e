import { expect, test } from 'vitest'
import { describeTimeLeft } from './time-left.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const at = (days: number) => new Date(now + days * 86_400_000).toISOString()

test('a service without an end never expires', () => {
  expect(describeTimeLeft(at(-400), null, now)).toEqual({ kind: 'never' })
})

test('days are whole, shares are of what was paid', () => {
  expect(describeTimeLeft(at(0), at(30), now)).toEqual({ kind: 'left', days: 30, share: 1 })
  expect(describeTimeLeft(at(-15), at(15), now)).toEqual({ kind: 'left', days: 15, share: 0.5 })
  expect(describeTimeLeft(at(-0.01), at(29.99), now)).toMatchObject({ kind: 'left', days: 30 })
  expect(describeTimeLeft(at(-29.5), at(0.5), now)).toMatchObject({ kind: 'left', days: 0 })
  expect(describeTimeLeft(at(-30), at(0), now)).toEqual({ kind: 'expired' })
})
