import { expect, test, vi } from 'vitest'
import { createToldCache } from './told-cache.ts'

type Value = { userId: string; right: boolean }

test('knows what it has read, until told', async () => {
  const cache = createToldCache<Value>(() => true)
  let reads = 0
  const load = async () => ({ userId: 'a', right: ++reads === 1 })
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  cache.forgetWhere(({ userId }) => userId === 'b')
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  cache.forgetWhere(({ userId }) => userId === 'a')
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: false })
  expect(reads).toBe(2)
})

test('reads once for many who ask at once, and again for who asks after a change', async () => {
  const cache = createToldCache<Value>(() => true)
  let reads = 0
  const { promise, resolve } = Promise.withResolvers<Value>()
  const load = () => (++reads === 1 ? promise : Promise.resolve({ userId: 'a', right: false }))
  const asked = [cache.find('key', load), cache.find('key', load)]
  cache.forget('key')
  const later = cache.find('key', load)
  resolve({ userId: 'a', right: true })
  expect((await Promise.all(asked)).map((value) => value?.right)).toEqual([true, true])
  expect([(await later)?.right, (await cache.find('key', load))?.right, reads]).toEqual([false, false, 2])
})

test('does not keep what changed while it was read', async () => {
  const cache = createToldCache<Value>(() => true)
  const stale = await cache.find('key', async () => {
    cache.forgetWhere(({ userId }) => userId === 'a') // revoked, and told, before the answer of the database has arrived
    return { userId: 'a', right: true }
  })
  expect(stale?.right).toBe(true)
  expect(await cache.find('key', async () => undefined)).toBeUndefined()
})

test('takes nothing from memory while changes do not reach it', async () => {
  let isTold = true
  const cache = createToldCache<Value>(() => isTold)
  await cache.find('key', async () => ({ userId: 'a', right: true }))
  isTold = false
  expect(await cache.find('key', async () => ({ userId: 'a', right: false }))).toEqual({ userId: 'a', right: false })
})

test('keeps nothing longer than it may', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const cache = createToldCache<Value>(() => true, { seconds: 60 })
    let reads = 0
    const load = async () => ({ userId: 'a', right: ++reads === 1 })
    await cache.find('key', load)
    vi.setSystemTime(Date.now() + 59_000)
    expect((await cache.find('key', load))?.right).toBe(true)
    vi.setSystemTime(Date.now() + 1_000)
    expect((await cache.find('key', load))?.right).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
