import { expect, test } from 'vitest'
import { CRASH_WINDOW_MS, judgeCrash } from './crash-policy.ts'

const minute = 60_000

/** Judges crashes at these minutes, each after running since the one before. */
function judge(...minutes: number[]) {
  let crashes: number[] = []
  let before = 0
  return minutes.map((at) => {
    const verdict = judgeCrash({ crashes, now: at * minute, ranMs: (at - before) * minute })
    crashes = verdict.crashes
    before = at
    return verdict.tooManyTimes ? 'too many' : verdict.restartInMs / 1000
  })
}

test('the third crash in ten minutes is the last', () => {
  expect(judge(1, 2, 3)).toEqual([10, 30, 'too many'])
})

test('crashes further apart meet a growing wait', () => {
  expect(judge(1, 8, 16, 24)).toEqual([10, 30, 90, 90])
})

test('ten minutes without a crash make up for all', () => {
  expect(judge(1, 2, 13, 14)).toEqual([10, 30, 10, 30])
  expect(judgeCrash({ crashes: [0, 1], now: CRASH_WINDOW_MS + 5, ranMs: CRASH_WINDOW_MS }).crashes).toEqual([
    CRASH_WINDOW_MS + 5,
  ])
})
