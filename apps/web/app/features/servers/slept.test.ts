import { expect, test } from 'vitest'
import { sleptSeconds } from './slept.ts'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

test('counts what lies within the span, whatever level of sleep it was', () => {
  const changes = [
    { level: 'IRL_LIGHT_SLEEP', since: at(0) },
    { level: 'IRL_DEEP_SLEEP', since: at(10) },
    { level: 'IRL_IDLE', since: at(30) },
    { level: 'IRL_HIBERNATED', since: at(50) },
  ]
  expect(sleptSeconds(changes, { from: 5 * 60_000, to: 60 * 60_000 })).toBe((25 + 10) * 60)
  expect(sleptSeconds(changes, { from: 31 * 60_000, to: 49 * 60_000 })).toBe(0)
  expect(sleptSeconds([], { from: 0, to: 1 })).toBe(0)
})
