import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createLogger } from '@wakestone/kit/logger'
import { openChannels } from '#src/db/channels.ts'
import { inTransaction, openDatabase } from '#src/db/client.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { createBoss, defineJob, enqueue, enqueueAll, ensureQueues, work } from './boss.ts'
import { dispatch } from './dispatch.ts'

const job = defineJob<{ number: number }>({
  queue: 'more-than-can-be-done-at-once',
  policy: 'standard',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
})

test('what waits while others are busy is begun when they are done, also after one that failed', async () => {
  await using home = await createTestDatabase()
  const logger = createLogger({ part: 'test', level: 'silent' })
  const boss = createBoss({ url: home.url, logger, supervise: false })
  const database = openDatabase({ url: home.url, onError: () => undefined })
  await boss.start()
  try {
    await ensureQueues(boss, [job])
    const done: number[] = []
    let atOnce = 0
    let most = 0
    await work({ boss, logger }, job, async ({ number }) => {
      most = Math.max(most, ++atOnce)
      await delay(20)
      atOnce -= 1
      done.push(number)
      if (number === 3) throw new Error('planned')
    })
    const numbers = Array.from({ length: 9 }, (_, index) => index)
    await inTransaction(database.db, async (trx) => {
      for (const number of numbers) await enqueue(boss, trx, job, { number })
    })
    // Waiting for the next look of pg-boss would take two minutes.
    await vi.waitFor(() => expect(done.toSorted()).toEqual(numbers), { timeout: 15_000 })
    expect(most).toBe(2)
  } finally {
    await boss.stop({ graceful: false })
    await database.close()
  }
})

test('what the clock asks for, which carries nothing, is done', async () => {
  await using home = await createTestDatabase()
  const logger = createLogger({ part: 'test', level: 'silent' })
  const boss = createBoss({ url: home.url, logger, supervise: false })
  await boss.start()
  const kind = defineJob<Record<never, never>>({ ...job, queue: 'on-the-hour' })
  try {
    await ensureQueues(boss, [kind])
    const done: object[] = []
    await work({ boss, logger }, kind, async (data) => void done.push(data))
    await boss.send(kind.queue)
    await vi.waitFor(() => expect(done).toEqual([{}]), { timeout: 15_000 })
  } finally {
    await boss.stop({ graceful: false })
  }
})

test('many at a time are begun as room is for them, from one notice, and an end waits for those', async () => {
  await using home = await createTestDatabase()
  const logger = createLogger({ part: 'test', level: 'silent' })
  const boss = createBoss({ url: home.url, logger, supervise: false })
  const database = openDatabase({ url: home.url, onError: () => undefined })
  const channels = openChannels({ url: home.url, logger })
  await boss.start()
  const kind = defineJob<{ number: number }>({ ...job, queue: 'many-at-once', keepSeconds: 600 })
  try {
    await ensureQueues(boss, [kind])
    expect((await boss.getQueue(kind.queue))?.deleteAfterSeconds).toBe(600)
    const done: number[] = []
    let atOnce = 0
    let most = 0
    await dispatch(
      { boss, logger, channels },
      kind,
      async ({ number }) => {
        most = Math.max(most, ++atOnce)
        await delay(30)
        atOnce -= 1
        done.push(number)
        if (number === 3) throw new Error('planned')
      },
      { concurrency: 4 },
    )
    await delay(100)
    let looks = 0
    const fetch = boss.fetch.bind(boss)
    boss.fetch = ((...args: Parameters<typeof fetch>) => {
      looks++
      return fetch(...args)
    }) as typeof fetch
    const numbers = Array.from({ length: 10 }, (_, index) => index)
    const began = performance.now()
    await inTransaction(database.db, (trx) =>
      enqueueAll(
        boss,
        trx,
        kind,
        numbers.map((number) => ({ data: { number }, singletonKey: String(number) })),
      ),
    )
    await vi.waitFor(() => expect(done.toSorted()).toEqual(numbers), { timeout: 10_000, interval: 10 })
    // Heard of, not found by looking now and then.
    expect(performance.now() - began).toBeLessThan(1_900)
    expect(most).toBe(4)
    expect(looks).toBeLessThanOrEqual(numbers.length)

    await inTransaction(database.db, (trx) =>
      enqueueAll(boss, trx, kind, [{ data: { number: 11 }, singletonKey: 'x' }]),
    )
    await vi.waitFor(() => expect(atOnce).toBe(1), { timeout: 5_000, interval: 2 })
    await boss.stop({ graceful: true })
    expect(done).toContain(11)
  } finally {
    await boss.stop({ graceful: false })
    await channels.close()
    await database.close()
  }
})
