/**
 * A database from before servers slept, with one that runs and somebody inside: it is brought to the present shape, a
 * worker of today takes over, and the player notices nothing.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { findGame } from '../../apps/server/src/adapters/clusters/process/ending.ts'
import { serverPaths } from '../../apps/server/src/adapters/clusters/process/paths.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { joinServer, waitForChat } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const migrations = join(import.meta.dirname, '../../apps/server/src/db/migrations')
/** The last one before servers had levels, operations and walls. */
const oldest = '0125'
/** What makes a server; all else is laid by migrations, or begins empty. */
const tables = ['users', 'wallets', 'user_capabilities', 'clusters', 'services', 'servers', 'server_plans', 'domains']

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.close())

/** An empty database in the shape of that time. */
async function openOld(): Promise<{ url: string; client: pg.Client }> {
  const present = await createTestDatabase()
  onTestFinished(present.drop)
  const url = new URL(present.url)
  const admin = new pg.Client(present.url)
  await admin.connect()
  url.pathname = `${url.pathname}_old`
  const name = url.pathname.slice(1)
  await admin.query(`create database ${name} template template0`)
  const client = new pg.Client(url.href)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  await client.query(
    'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  )
  for (const file of readdirSync(migrations).toSorted()) {
    if (file.slice(0, 4) > oldest) break
    const sql = readFileSync(join(migrations, file), 'utf8')
    await client.query(sql)
    const hash = createHash('sha256').update(sql).digest('hex')
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [file, hash])
  }
  return { url: url.href, client }
}

test('a player stays through the upgrade of a database from before servers slept', async () => {
  const first = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  const before = await untilStatus(owner, id, isUp)
  const placement = await first.fleet.cluster.inspect(id)
  if (placement.state !== 'running') throw new Error('not placed')
  const { host, port } = placement.game
  const bot = await joinServer({ host, gameHost: host, gamePort: port, username: 'Steve' })
  let isGone = false
  bot.once('end', () => void (isGone = true))
  onTestFinished(() => void bot.end())
  const processes = findGame(serverPaths(api.dataDir, id), id)
  expect(processes).not.toEqual([])
  await first.stop()

  const old = await openOld()
  const known = new Set(
    (
      await old.client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
    ).rows.map(({ name }) => name),
  )
  const columnsOf = async (table: string) =>
    (
      await old.client.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
        [table],
      )
    ).rows.map(({ name }) => name)
  // What has been added since is not there, as it was not then.
  await old.client.query(`set session_replication_role = replica`)
  for (const table of tables.filter((name) => known.has(name))) {
    const { rows } = await api.context.database.pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(one) as row from ${table} one`,
    )
    await old.client.query(`delete from ${table}`)
    const then = await columnsOf(table)
    for (const { row } of rows) {
      // Columns that were dropped since get their defaults.
      const both = then.filter((name) => (row[name] ?? null) !== null)
      const list = both.map((name) => `"${name}"`).join()
      await old.client.query(
        `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`,
        [row],
      )
    }
  }
  await old.client.query(`update servers set preparation_phase = 'done'`)
  await old.client.query(`set session_replication_role = origin`)
  expect(await columnsOf('servers')).not.toContain('level')

  const applied = await migrate(old.url)
  expect(applied.length).toBeGreaterThan(20)
  expect(await columnsOf('servers')).toContain('level')
  const { settings, secrets, fleet } = api.context
  const worker = await startTestWorker({
    context: { settings, secrets, fleet, databaseUrl: old.url } as TestApi['context'],
  })
  try {
    const look = async () =>
      (
        await old.client.query<{
          phase: string
          level: string
          players_online: number
          launched_at: Date
          names: string[]
        }>(`select phase, level, players_online, launched_at, player_names as names from servers where id = $1`, [id])
      ).rows[0]
    await expect
      .poll(look, { timeout: 30_000, interval: 200 })
      .toMatchObject({ phase: 'running', level: null, players_online: 1, names: ['Steve'] })
    await delay(3_000) // whatever it does about it, it does by then
    expect((await look())!.launched_at.toISOString()).toBe(before.launched)
    expect(findGame(serverPaths(api.dataDir, id), id)).toEqual(processes)
    expect(isGone).toBe(false)
    // It is there for the new control plane as for its player.
    const heard = waitForChat(bot, /welcome to today/)
    await (await worker.fleet.find(id))!.command('say welcome to today')
    await heard
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
})
