import { expect, test } from 'vitest'
import { endOfDay, fromClock, startOfDay, toClock } from './time-zone.ts'

test('a day begins and ends by the clocks of its zone', () => {
  expect(startOfDay('2026-11-20', 'Europe/Warsaw').toISOString()).toBe('2026-11-19T23:00:00.000Z')
  expect(endOfDay('2026-11-20', 'Europe/Warsaw').toISOString()).toBe('2026-11-20T22:59:59.999Z')
  expect(startOfDay('2026-07-01', 'America/Los_Angeles').toISOString()).toBe('2026-07-01T07:00:00.000Z')
  expect(startOfDay('2026-07-01', 'Asia/Kathmandu').toISOString()).toBe('2026-06-30T18:15:00.000Z')
})

test('a day on which clocks change has 23 or 25 hours', () => {
  const hours = (day: string) =>
    (endOfDay(day, 'Europe/Warsaw').getTime() + 1 - startOfDay(day, 'Europe/Warsaw').getTime()) / 3_600_000
  expect([hours('2026-03-29'), hours('2026-10-25'), hours('2026-11-20')]).toEqual([23, 25, 24])
})

test('what a field for date and time holds is by the clocks of its zone', () => {
  for (const [clock, zone, time] of [
    ['2026-12-24T18:30', 'Europe/Warsaw', '2026-12-24T17:30:00.000Z'],
    ['2026-07-01T00:15', 'Asia/Kathmandu', '2026-06-30T18:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Warsaw', '2026-03-29T01:30:00.000Z'],
  ] as const) {
    expect(fromClock(clock, zone)).toBe(time)
    expect(toClock(time, zone)).toBe(clock)
  }
  expect([fromClock('', 'Europe/Warsaw'), fromClock('soon', 'Europe/Warsaw'), toClock('', 'Europe/Warsaw')]).toEqual([
    undefined,
    undefined,
    '',
  ])
})
