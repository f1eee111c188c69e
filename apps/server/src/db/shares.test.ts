import { afterEach, expect, test, vi } from 'vitest'
import pg from 'pg'
import { createLogger } from '@wakestone/kit/logger'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { createLocks } from './locks.ts'
import { createShares } from './shares.ts'

vi.setConfig({ testTimeout: 20_000 })

const logger = createLogger({ part: 'test', level: 'silent' })
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** One process's part, and the ids that it has now. */
function begin(url: string) {
  const locks = createLocks({ url, logger })
  const shares = createShares({ locks, logger, name: 'test work', turnMilliseconds: 100 })
  const seen: string[] = []
  shares.onChange((change) => void seen.push(change))
  endings.push(async () => {
    await shares.close()
    await locks.close()
  })
  return { locks, shares, seen }
}
const ids = Array.from(
  { length: 256 },
  (_, number) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
)

test('work is dealt out evenly, dealt anew when somebody comes, goes or is cut off, and is nobody’s twice', async () => {
  const database = await createTestDatabase()
  endings.push(database.drop)
  const one = begin(database.url)
  await vi.waitFor(() => expect(one.shares.count()).toBe(64), { timeout: 5_000 })
  expect(ids.every((id) => one.shares.has(id))).toBe(true)

  // Whoever has to give some back has let go of what is in them first.
  const whoHas = (id: string, all: { shares: { has(id: string): boolean } }[]) =>
    all.filter(({ shares }) => shares.has(id))
  const two = begin(database.url)
  const three = begin(database.url)
  const all = [one, two, three]
  await vi.waitFor(
    () => {
      for (const id of ids) expect(whoHas(id, all).length).toBeLessThanOrEqual(1)
      for (const { shares } of all) expect(shares.count()).toBeGreaterThanOrEqual(20)
      expect(all.reduce((sum, { shares }) => sum + shares.count(), 0)).toBe(64)
    },
    { timeout: 10_000, interval: 20 },
  )
  expect(one.seen).toContain('less')

  // The connection of one breaks, as it does when its process is killed: it has nothing at once, and then its part again.
  const admin = new pg.Client(database.url)
  await admin.connect()
  endings.push(() => admin.end())
  await two.shares.close()
  await vi.waitFor(() => expect(one.shares.count() + three.shares.count()).toBe(64), { timeout: 5_000 })
  await admin.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`)
  await vi.waitFor(() => expect([one, three].some(({ shares }) => shares.count() === 0)).toBe(true), {
    timeout: 2_000,
    interval: 5,
  })
  await vi.waitFor(
    () => {
      expect(one.shares.count()).toBe(32)
      expect(three.shares.count()).toBe(32)
      for (const id of ids) expect(whoHas(id, [one, three]).length).toBe(1)
    },
    { timeout: 10_000, interval: 20 },
  )
})
