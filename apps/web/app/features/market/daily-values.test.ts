import { expect, test } from 'vitest'
import { dailyValues } from './daily-values.ts'

test('days on which nothing was counted are zero, not left out', () => {
  const counted = [
    { label: '2026-11-20', value: 3 },
    { label: '2026-11-23', value: 5 },
  ]
  const { times, values } = dailyValues(counted, Date.parse('2026-11-23T15:00:00Z'))
  expect(values.slice(-4)).toEqual([3, 0, 0, 5])
  expect(values).toHaveLength(90)
  expect(times.at(-1)).toBe(Date.parse('2026-11-23T00:00:00Z') / 1000)
})
