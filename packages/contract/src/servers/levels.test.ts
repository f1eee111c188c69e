import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { awakeReasons, isAsleep, type Level, type LevelFacts, levels, wantedLevel } from './levels.ts'

const noon = Date.UTC(2026, 5, 1, 12)
const at = (minutes: number) => new Date(noon + minutes * 60_000)
const facts = (more: Partial<LevelFacts> = {}): LevelFacts => ({
  isPrepared: true,
  mayRun: true,
  players: 0,
  awake: [],
  emptySince: at(0),
  startedAt: at(-60),
  pingUntil: null,
  sessionEndsAt: null,
  rule: { light: 3, deep: 10, hibernate: 360 },
  minutesAfterStart: 5,
  ...more,
})
const rules = {
  FREE: { light: 3, deep: 10, hibernate: 360 },
  GRASS: { light: 10, deep: 60, hibernate: 7 * 1440 },
  AMETHYST: { light: 30, deep: null, hibernate: null },
}

describe('the table', () => {
  const table: [name: string, given: Partial<LevelFacts>, minutes: number, level: Level, until: number | null][] = [
    ['not ready yet', { isPrepared: false }, 999, 'NEW', null],
    ['stopped by its owner', { mayRun: false, players: 3 }, 0, 'TERMINATED', null],
    ['somebody plays', { players: 1, emptySince: null }, 999, 'RUNNING', null],
    ['the console is open', { awake: ['console'], emptySince: null }, 999, 'IDLE', null],
    ['nobody has told since when it is empty', { emptySince: null }, 999, 'IDLE', null],
    ['FREE, just left', {}, 0, 'IDLE', 3],
    ['FREE, three minutes', {}, 3, 'LIGHT_SLEEP', 10],
    ['FREE, ten minutes', {}, 10, 'DEEP_SLEEP', 360],
    ['FREE, six hours', {}, 360, 'HIBERNATED', null],
    ['FREE, just started', { startedAt: at(0) }, 3, 'IDLE', 5],
    ['FREE, started five minutes ago', { startedAt: at(0) }, 5, 'LIGHT_SLEEP', 10],
    ['GRASS, ten minutes', { rule: rules.GRASS }, 10, 'LIGHT_SLEEP', 60],
    ['GRASS, an hour', { rule: rules.GRASS }, 60, 'DEEP_SLEEP', 10_080],
    ['GRASS, a week', { rule: rules.GRASS }, 10_080, 'HIBERNATED', null],
    ['AMETHYST, half an hour', { rule: rules.AMETHYST }, 30, 'LIGHT_SLEEP', null],
    ['AMETHYST, a year', { rule: rules.AMETHYST }, 525_600, 'LIGHT_SLEEP', null],
    ['kept awake', { pingUntil: at(20) }, 15, 'IDLE', 20],
    ['kept awake before', { pingUntil: at(20) }, 21, 'IDLE', 23],
    ['kept awake long before', { pingUntil: at(20) }, 23, 'LIGHT_SLEEP', 30],
    ['its session is over while somebody plays', { players: 2, sessionEndsAt: at(5) }, 5, 'DEEP_SLEEP', 365],
    ['its session ends soon', { players: 2, sessionEndsAt: at(5) }, 4, 'RUNNING', 5],
  ]
  test.each(table)('%s', (_, given, minutes, level, until) => {
    const decision = wantedLevel(facts(given), at(minutes))
    expect([decision.level, decision.until]).toEqual([level, until === null ? null : at(until)])
  })
})

const minutes = fc.integer({ min: -1_000, max: 20_000 })
const moment = minutes.map(at)
const some = fc.record({
  isPrepared: fc.constant(true),
  mayRun: fc.constant(true),
  players: fc.constantFrom(0, 0, 0, 1, 5),
  awake: fc.subarray([...awakeReasons]),
  emptySince: fc.option(moment),
  startedAt: fc.option(moment),
  pingUntil: fc.option(moment),
  sessionEndsAt: fc.option(moment),
  rule: fc.constantFrom(...Object.values(rules)),
  minutesAfterStart: fc.constant(5),
}) satisfies fc.Arbitrary<LevelFacts>

test('until the time that it says, the answer stays, and from then on it is another', () => {
  fc.assert(
    fc.property(some, moment, (given, now) => {
      const { level, until } = wantedLevel(given, now)
      const end = until ?? at(1_000_000)
      expect(end.getTime()).toBeGreaterThan(now.getTime())
      const before = new Date(end.getTime() - 1)
      if (before >= now) expect(wantedLevel(given, before).level).toBe(level)
      if (until !== null) {
        const next = wantedLevel(given, until)
        expect([next.level, next.until]).not.toEqual([level, until])
      }
    }),
    { numRuns: 2_000 },
  )
})

test('it never sleeps while somebody needs it, and only deeper as time passes', () => {
  fc.assert(
    fc.property(some, moment, minutes, (given, now, more) => {
      const { level } = wantedLevel(given, now)
      const isOver = given.sessionEndsAt !== null && given.sessionEndsAt <= now
      if (!isOver && (given.players > 0 || given.awake.length > 0)) expect(isAsleep(level)).toBe(false)
      if (!isAsleep(level)) return
      const afterwards = wantedLevel(given, new Date(now.getTime() + Math.abs(more) * 60_000)).level
      expect(levels.indexOf(afterwards)).toBeGreaterThanOrEqual(levels.indexOf(level))
    }),
    { numRuns: 2_000 },
  )
})
