import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createLogger } from '@wakestone/kit/logger'
import { inTransaction, openDatabase } from '#src/db/client.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { createBoss, defineJob, enqueue, ensureQueue, work } from './boss.ts'

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
    await ensureQueue(boss, job)
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
