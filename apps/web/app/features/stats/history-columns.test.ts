import type { HistoryPoint, StatsHistory } from '@wakestone/contract/servers/history'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toColumns } from './history-columns.ts'

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const history = (points: { at: number; cpu: number | null }[], to = 1200): StatsHistory => ({
  from: iso(0),
  to: iso(to),
  step_seconds: 300,
  points: points.map(({ at, cpu }) => ({ at: iso(at), cpu }) as HistoryPoint),
  sleeps: [],
  slept_seconds: 0,
  marks: [],
})

test('a hole in what is known is a hole in the line, and a lonely point is as wide as its step', () => {
  const columns = toColumns(
    history([
      { at: 300, cpu: 1 },
      { at: 900, cpu: 2 },
    ]),
  )
  expect(columns.times).toEqual([0, 300, 599, 600, 900, 1199, 1200])
  expect(columns.of('cpu')).toEqual([null, 1, 1, null, 2, 2, null])
})

test('nothing known still has its beginning and its end', () => {
  const columns = toColumns(history([]))
  expect(columns.times).toEqual([0, 1200])
  expect(columns.of('memory')).toEqual([null, null])
})

test('times rise, from the beginning to the end, whatever is known', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(20)), fc.integer({ min: 6100, max: 6600 }), (steps, to) => {
      const points = steps.toSorted((one, other) => one - other).map((step) => ({ at: step * 300, cpu: step }))
      const { times, of } = toColumns(history(points, to))
      expect(times[0]).toBe(0)
      expect(times.at(-1)).toBe(to)
      expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true)
      for (const { at, cpu } of points) expect(of('cpu')[times.indexOf(at)]).toBe(cpu)
    }),
  )
})
