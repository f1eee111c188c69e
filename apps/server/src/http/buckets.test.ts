import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBuckets } from './buckets.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('so many at once, then one in as many seconds, each subject for itself', () => {
  const buckets = createBuckets({ capacity: 3, leakSeconds: 10 })
  for (let time = 0; time < 3; time++) {
    expect(buckets.waitOf('a')).toBe(0)
    buckets.pour('a')
  }
  expect(buckets.waitOf('a')).toBe(10)
  expect(buckets.waitOf('b')).toBe(0)
  vi.advanceTimersByTime(4_000)
  expect(buckets.waitOf('a')).toBe(6)
  vi.advanceTimersByTime(6_000)
  expect(buckets.waitOf('a')).toBe(0)
  buckets.pour('a')
  expect(buckets.waitOf('a')).toBe(10)
  buckets.takeBack('a')
  expect(buckets.waitOf('a')).toBe(0)
})

test('a long rest gives no more than the whole bucket', () => {
  const buckets = createBuckets({ capacity: 2, leakSeconds: 1 })
  buckets.pour('a')
  vi.advanceTimersByTime(3_600_000)
  buckets.pour('a')
  buckets.pour('a')
  expect(buckets.waitOf('a')).toBe(1)
})
