import { expect, test } from 'vitest'
import { createCallerCache } from './caller-cache.ts'

type Value = { userId: string; right: boolean }

test('knows what it has read, until told', async () => {
  const cache = createCallerCache<Value>(() => true)
  let reads = 0
  const load = async () => ({ userId: 'a', right: ++reads === 1 })
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  cache.forget('b')
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: true })
  cache.forget('a')
  expect(await cache.find('key', load)).toEqual({ userId: 'a', right: false })
  expect(reads).toBe(2)
})

test('reads once for many who ask at once, and again for who asks after a change', async () => {
  const cache = createCallerCache<Value>(() => true)
  let reads = 0
  const { promise, resolve } = Promise.withResolvers<Value>()
  const load = () => (++reads === 1 ? promise : Promise.resolve({ userId: 'a', right: false }))
  const asked = [cache.find('key', load), cache.find('key', load)]
  cache.forget('a')
  const later = cache.find('key', load)
  resolve({ userId: 'a', right: true })
  expect((await Promise.all(asked)).map((value) => value?.right)).toEqual([true, true])
  expect([(await later)?.right, (await cache.find('key', load))?.right, reads]).toEqual([false, false, 2])
})

test('does not keep what changed while it was read', async () => {
  const cache = createCallerCache<Value>(() => true)
  const stale = await cache.find('key', async () => {
    cache.forget('a') // revoked, and told, before the answer of the database has arrived
    return { userId: 'a', right: true }
  })
  expect(stale?.right).toBe(true)
  expect(await cache.find('key', async () => undefined)).toBeUndefined()
})

test('takes nothing from memory while changes do not reach it', async () => {
  let isTold = true
  const cache = createCallerCache<Value>(() => isTold)
  await cache.find('key', async () => ({ userId: 'a', right: true }))
  isTold = false
  expect(await cache.find('key', async () => ({ userId: 'a', right: false }))).toEqual({ userId: 'a', right: false })
})
