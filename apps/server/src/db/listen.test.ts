import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { listen } from './listen.ts'

test('whoever asks has been told what was committed before, many at once, by one query at a time', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const heard = new Set<string>()
  const listener = await listen({
    url: database.url,
    channel: 'words',
    logger: { warn: () => undefined } as never,
    onMessage: (word) => heard.add(word),
    onReconnect: () => undefined,
  })
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  try {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await pool.query(`select pg_notify('words', $1)`, [`word ${index}`])
        await listener.caughtUp()
        expect(heard).toContain(`word ${index}`)
      }),
    )
    // Alone, too, and after one that was asked alone.
    await pool.query(`select pg_notify('words', 'last')`)
    await listener.caughtUp()
    expect(heard).toContain('last')
  } finally {
    await listener.close()
    await pool.end()
    process.off('warning', note)
  }
  expect(warnings).toEqual([])
})
