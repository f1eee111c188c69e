import { historyMetrics, type HistoryPoint } from '@wakestone/contract/servers/history'
import type { Stats } from '@wakestone/contract/servers/stream'
import { expect, test } from 'vitest'
import { createStatsHistory, summarise } from './stats-history.ts'

const sample = (time: number, cpu = 1): Stats => ({
  time,
  cpu,
  cpuLimit: 2,
  memory: 1,
  memoryLimit: 2,
  disk: 1,
  diskLimit: 2,
  networkIn: 0,
  networkOut: 0,
  players: 0,
  playersMax: 20,
  tickMs: null,
  tps: null,
})

test('keeps ten minutes, each second once', () => {
  const history = createStatsHistory()
  for (let second = 1; second <= 700; second += 1) history.add(sample(second * 1000, second))
  expect(history.add(sample(700_000))).toBe(false)
  expect(history.times()).toHaveLength(600)
  expect(history.times()[0]).toBe(101)
  expect(history.column('cpu')).toHaveLength(600)
  expect(history.column('tps').every((value) => value === null)).toBe(true)
  expect(history.latest()?.cpu).toBe(700)
})

test('a silence is a hole, not a straight line', () => {
  const history = createStatsHistory()
  history.add(sample(1000, 1))
  history.add(sample(60_000, 2))
  expect(history.times()).toEqual([1, 2, 60])
  expect(history.column('cpu')).toEqual([1, null, 2])
})

const minute = (at: number, cpu: number): HistoryPoint => ({
  at: new Date(at * 1000).toISOString(),
  ...(Object.fromEntries(
    historyMetrics.flatMap((metric) => [
      [metric, null],
      [metric === 'tps' ? 'tps_least' : `${metric}_most`, null],
    ]),
  ) as Omit<HistoryPoint, 'at'>),
  cpu,
})

const turn = (at: number, kind: 'start' | 'stop' | 'crash') => ({
  at: new Date(at * 1000).toISOString(),
  kind,
  player: null,
})
type StatsMarks = Parameters<ReturnType<typeof createStatsHistory>['prepend']>[0]['marks']

test('begins with the minutes before the first sample, a hole where nothing is known', () => {
  const history = createStatsHistory()
  const past = { step_seconds: 60, points: [minute(1200, 1), minute(1740, 2), minute(1860, 3)], marks: [] }
  history.prepend(past)
  expect(history.times()).toEqual([])
  history.add(sample(1_930_000, 4))
  history.prepend(past)
  expect(history.times()).toHaveLength(181)
  expect(history.times()[0]).toBe(1740)
  const at = (time: number) => history.column('cpu')[history.times().indexOf(time)]
  expect([1740, 1799, 1800, 1859, 1860, 1919, 1930].map(at)).toEqual([2, 2, null, null, 3, 3, 4])
  history.prepend(past)
  expect(history.times()).toHaveLength(181)
})

test('the minute under way, which is not written yet, is no hole; a longer silence and a stop are', () => {
  const columnBefore = (first: number, marks: StatsMarks = []) => {
    const history = createStatsHistory()
    history.add(sample(first * 1000, 4))
    history.prepend({ step_seconds: 60, points: [minute(1860, 3)], marks })
    return history.column('cpu')
  }
  expect(columnBefore(1990)).not.toContain(null)
  expect(columnBefore(2010)).toContain(null)
  expect(columnBefore(1990, [turn(1950, 'stop'), turn(1980, 'start')])).toContain(null)
})

test('a minute’s average begins with the game, and ends with it', () => {
  const history = createStatsHistory()
  history.add(sample(1_930_000, 4))
  const marks = [turn(1790, 'start'), turn(1830, 'stop'), turn(1900, 'start')]
  history.prepend({ step_seconds: 60, points: [minute(1740, 1), minute(1800, 2), minute(1860, 3)], marks })
  const at = (time: number) => history.column('cpu')[history.times().indexOf(time)]
  expect(history.times()[0]).toBe(1790)
  expect([1790, 1829, 1830, 1899, 1900].map(at)).toEqual([1, 2, null, null, 3])
})

test('is summed up in three numbers', () => {
  expect(summarise([1, null, 3])).toEqual({ least: 1, mean: 2, most: 3 })
  expect(summarise([null])).toBeNull()
})
