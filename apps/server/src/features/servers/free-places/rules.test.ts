import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedUntil, dayAround, dueWarning, endOfSession, expectedTurn, extendedEnd, hour, leftOf } from './rules.ts'

const now = Date.UTC(2026, 9, 20, 12)
const session = 4 * hour
const minute = 60_000
const day = fc
  .record({
    used: fc.integer({ min: 0, max: 24 * 60 }),
    bonus: fc.integer({ min: 0, max: 5 }),
    toMidnight: fc.integer({ min: 1, max: 24 * 60 }),
  })
  .map(({ used, bonus, toMidnight }) => ({
    used: used * minute,
    limit: (8 + bonus) * hour,
    nextLimit: 8 * hour,
    ends: now + toMidnight * minute,
  }))

test('a session never takes more of a day than is left of it', () => {
  fc.assert(
    fc.property(day, (today) => {
      const end = endOfSession(today, { now, session })
      expect(Math.min(end, today.ends) - now).toBeLessThanOrEqual(leftOf(today))
      expect(end - today.ends).toBeLessThanOrEqual(today.nextLimit)
      expect(end).toBeLessThanOrEqual(now + session)
      expect(end).toBeLessThanOrEqual(allowedUntil(today, now))
    }),
  )
})

test('hours are added until the day is used up, never past a session’s length, and never fewer than none', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 240 }), (today, rest) => {
      const endsAt = now + rest * minute
      const end = extendedEnd(today, { endsAt, now, session })
      if (end === 'too_early') expect(endsAt + hour).toBeGreaterThan(now + session)
      else if (end === 'used_up') expect(allowedUntil(today, now) - endsAt).toBeLessThan(minute)
      else {
        expect(end).toBeGreaterThan(endsAt)
        expect(end).toBeLessThanOrEqual(Math.min(endsAt + hour, now + session, allowedUntil(today, now)))
      }
    }),
  )
})

test('who waits longer is expected earlier, and places that are free are free now', () => {
  const situation = fc.record({
    places: fc.integer({ min: 0, max: 6 }),
    ends: fc.array(fc.integer({ min: -60, max: 300 }), { maxLength: 9 }),
    ahead: fc.integer({ min: 0, max: 30 }),
  })
  fc.assert(
    fc.property(situation, ({ places, ends, ahead }) => {
      const taken = { places, ends: ends.map((end) => now + end * minute), now, session }
      const turn = expectedTurn({ ...taken, ahead })
      expect(turn === undefined).toBe(places === 0)
      if (turn === undefined) return
      expect(turn).toBeGreaterThanOrEqual(now)
      expect(expectedTurn({ ...taken, ahead: ahead + 1 })).toBeGreaterThanOrEqual(turn)
      if (ahead < places - ends.length) expect(turn).toBe(now)
    }),
  )
  const busy = { places: 2, ends: [now + hour, now + 2 * hour], now, session }
  expect([0, 1, 2, 3].map((ahead) => (expectedTurn({ ...busy, ahead })! - now) / hour)).toEqual([1, 2, 5, 6])
})

test('players are told at ten and at five minutes, each once', () => {
  let warned: number | null = null
  const told: number[] = []
  for (let left = 12 * minute; left >= 0; left -= 7_000) {
    const due = dueWarning({ endsAt: now + left, now, warned })
    if (due === undefined) continue
    told.push(due)
    warned = due
  }
  expect(told).toEqual([10, 5])
  expect(dueWarning({ endsAt: now + minute, now, warned: null })).toBe(5)
  expect(dueWarning({ endsAt: now, now, warned: null })).toBeUndefined()
})

const at = (text: string) => Date.parse(text)
test.each([
  ['Europe/Warsaw', '2026-10-24T22:30:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'], // 25 hours
  ['Europe/Warsaw', '2026-03-29T10:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'], // 23 hours
  ['America/New_York', '2026-07-01T03:59:59Z', '2026-06-30T04:00:00Z', '2026-07-01T04:00:00Z'],
  ['Asia/Kathmandu', '2026-07-01T18:15:00Z', '2026-07-01T18:15:00Z', '2026-07-02T18:15:00Z'],
  ['America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'], // no midnight
])('a day in %s around %s', (timeZone, moment, begins, ends) => {
  expect(dayAround(at(moment), timeZone)).toEqual({ begins: at(begins), ends: at(ends) })
})

test('every moment lies in its day, and days follow each other without a gap', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Warsaw', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe')
  const moments = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') })
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const { begins, ends } = dayAround(moment, zone)
      expect(begins).toBeLessThanOrEqual(moment)
      expect(ends).toBeGreaterThan(moment)
      expect(dayAround(ends, zone).begins).toBe(ends)
    }),
  )
})
