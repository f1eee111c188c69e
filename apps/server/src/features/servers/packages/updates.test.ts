import { expect, test } from 'vitest'
import { isWithinHours } from './updates.ts'

const at = (time: string) => new Date(`2026-03-10T${time}:00Z`)

test.each([
  [3, 6, 'UTC', '03:00', true],
  [3, 6, 'UTC', '05:59', true],
  [3, 6, 'UTC', '06:00', false],
  // Over midnight.
  [22, 4, 'UTC', '23:30', true],
  [22, 4, 'UTC', '03:59', true],
  [22, 4, 'UTC', '12:00', false],
  // The same hour twice: at any time.
  [5, 5, 'UTC', '17:00', true],
  [3, 6, 'Europe/Warsaw', '02:30', true],
  [3, 6, 'Asia/Kathmandu', '21:20', true],
  [0, 1, 'America/New_York', '04:30', true],
])('from %i to %i in %s at %s: %s', (from_hour, to_hour, time_zone, time, expected) => {
  expect(isWithinHours({ from_hour, to_hour, time_zone }, at(time))).toBe(expected)
})
