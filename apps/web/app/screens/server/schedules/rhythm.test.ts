import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everies, expressionOf, type Rhythm, rhythmOf, weekdays } from './rhythm.ts'

test('what is chosen is read back, and what no choice can say is left to be written by hand', () => {
  const twoDigits = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'))
  const time = fc.tuple(twoDigits(23), twoDigits(59)).map(([hour, minute]) => `${hour}:${minute}`)
  const rhythm = fc.record<Rhythm>({ every: fc.constantFrom(...everies), time, day: fc.constantFrom(...weekdays) })
  fc.assert(
    fc.property(rhythm, (chosen) => {
      const expression = expressionOf(chosen)
      const read = rhythmOf(expression)
      expect(read?.every).toBe(chosen.every)
      expect(expressionOf(read!)).toBe(expression)
    }),
  )
  expect(rhythmOf('5 4 * * 7')).toEqual({ every: 'weekly', time: '04:05', day: 0 })
  for (const own of ['*/10 * * * *', '0 4 1 * *', '0 4 * * 1-5', '0 24 * * *', '60 4 * * *', '0 4 * 1 *'])
    expect(rhythmOf(own)).toBeUndefined()
  expect(expressionOf({ every: 'daily', time: '', day: 1 })).toBe('')
})
