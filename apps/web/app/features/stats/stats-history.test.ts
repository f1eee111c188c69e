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

test('is summed up in three numbers', () => {
  expect(summarise([1, null, 3])).toEqual({ least: 1, mean: 2, most: 3 })
  expect(summarise([null])).toBeNull()
})
