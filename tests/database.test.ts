import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from './support/database.ts'

test('every test database is its own, and migrated', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()
  expect(one.url).not.toBe(other.url)
  const client = new pg.Client(one.url)
  await client.connect()
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'public'",
  )
  expect(rows[0]?.n).toBeGreaterThan(0)
  await client.end()
})
