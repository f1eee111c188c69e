/**
 * A business is lost and comes back: the product as `npm start` runs it, a game with a world, money in a wallet, then an
 * empty folder and the embedded database instead of the operator's own.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { loginLocal, register, verify } from '@wakestone/contract/accounts/users-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { createFleet } from '../apps/server/src/adapters/clusters/fleet.ts'
import type { Context } from '../apps/server/src/context.ts'
import { openDatabase } from '../apps/server/src/db/client.ts'
import type { Diagnosis } from '../apps/server/src/features/admin/doctor/service.ts'
import { findDatabase } from '../apps/standalone/src/database.ts'
import { type Caller, createCookieClient } from './support/api.ts'
import { backupsOf } from './support/backups.ts'
import { createTestDatabase } from './support/database.ts'
import { findLedgerFaults } from './support/ledger.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from './support/servers.ts'
import { startStandalone } from './support/standalone.ts'

const root = join(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'ws-business-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const env = {
  BACKUP_STORAGE: join(home, 'worlds'),
  SUPPORT_EMAIL: 'desk@example.test',
  RESTIC_PASSWORD: 'kept apart',
  LIMIT_REGISTRATIONS: '0',
}
const repository = join(home, 'repository')

function run(args: string[], more: Record<string, string>): Promise<{ status: number; printed: string }> {
  const all = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, ...more }
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: root, env: all, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), printed: stdout + stderr }),
    ),
  )
}

function partsOf(dataDir: string, databaseUrl: string) {
  const settings = readSettings({ ...env, DATA_DIR: dataDir, NODE_ENV: 'test' })
  const secrets = loadSecrets(dataDir)
  const logger = createLogger({ part: 'test', level: 'silent' })
  const database = openDatabase({ url: databaseUrl, size: 2, onError: () => undefined })
  const fleet = createFleet({ settings, secrets, logger })
  return { context: { db: database.db, fleet } as unknown as Context, close: () => database.close().then(fleet.close) }
}

const sumsOf = async (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  try {
    const { rows } = await pool.query(
      `select (select count(*) from audit_events)::int >= 3 as events, (select count(*) from ledger_entries)::int as entries,
        (select sum(posted) from ledger_accounts where code like 'wallet:%')::int as wallets,
        (select count(*) from pg_trigger where not tgisinternal and tgenabled <> 'D')::int as triggers,
        (select count(*) from pg_constraint where contype = 'f')::int as references`,
    )
    return { ...rows[0], faults: await findLedgerFaults(pool) }
  } finally {
    await pool.end()
  }
}

test('database, keys, files and worlds come back on an empty machine', { timeout: 900_000 }, async () => {
  const database = await createTestDatabase()
  const first = await startStandalone({ env: { ...env, DATABASE_URL: database.url } })
  const login = { login: 'keeper@example.test', password: 'correct horse battery' }
  const client = createCookieClient(first.origin)
  const body = {
    username: 'keeper',
    email: login.login,
    password: login.password,
    language: 'en' as const,
    accepted_tos: true as const,
  }
  const user = await client.call(register, { body })
  const parts = partsOf(first.dataDir, database.url)
  await parts.context.db.updateTable('users').set({ email_verified: new Date() }).where('id', '=', user.id).execute()
  await client.call(loginLocal, { body: login })
  const owner = { ...client, user: await client.call(verify, {}), password: login.password } as Caller
  const walletId = await topUp(parts.context, owner, 20_000)
  const { engineVersion } = await prepareArtifacts(first)
  const server = await client.call(createServer, { body: order(walletId, engineVersion) })
  await untilStatus(owner, server.id, isUp)
  const tools = backupsOf(parts, owner, server.id)
  await tools.inVolume('echo one > marker.txt')
  await tools.backUp()
  writeFileSync(join(first.dataDir, 'artifacts', 'sent.txt'), 'by a customer')

  const made = await run(
    ['apps/standalone/src/on-database.ts', 'apps/server/src/business-backup.ts', '--to', repository],
    { DATA_DIR: first.dataDir, DATABASE_URL: database.url },
  )
  expect(made).toMatchObject({ status: 0, printed: expect.stringContaining('servers: 1, of which 1 have backups') })
  const before = await sumsOf(database.url)
  expect(readdirSync(first.dataDir)).not.toContain('business-backup')
  await parts.close()
  await first.dispose()
  await database.drop()

  const dataDir = join(home, 'again')
  const restored = await run(['apps/standalone/src/main.ts', '--restore-business', '--from', repository], {
    DATA_DIR: dataDir,
  })
  expect(restored, restored.printed).toMatchObject({ status: 0 })
  expect(restored.printed).toContain('books: every rule of the ledger holds')
  expect(restored.printed).toContain('servers: 1 get their files back')
  expect(readFileSync(join(dataDir, 'artifacts', 'sent.txt'), 'utf8')).toBe('by a customer')
  expect(readFileSync(join(dataDir, 'restored-settings', 'settings.env'), 'utf8')).toContain(
    'SUPPORT_EMAIL="desk@example.test"',
  )
  const twice = await run(['apps/standalone/src/main.ts', '--restore-business', '--from', repository], {
    DATA_DIR: dataDir,
  })
  expect(twice.printed).toContain('is not empty')

  const second = await startStandalone({ dataDir, env })
  try {
    const url = findDatabase(readSettings({ DATA_DIR: dataDir }), loadSecrets(dataDir)) ?? ''
    expect(await sumsOf(url)).toEqual({ ...before, faults: {} })
    const again = createCookieClient(second.origin)
    await again.call(loginLocal, { body: login })
    const back = { ...again, user: await again.call(verify, {}), password: login.password } as Caller
    await untilStatus(back, server.id, isUp)
    const there = partsOf(dataDir, url)
    expect(await backupsOf(there, back, server.id).inVolume('cat marker.txt')).toBe('one')
    await there.close()
    const { port } = new URL(second.origin)
    const asked = await run(['apps/standalone/src/on-database.ts', 'apps/server/src/doctor.ts', '--json'], {
      DATA_DIR: dataDir,
      HTTP_PORT: port,
    })
    const { findings } = JSON.parse(asked.printed) as Diagnosis
    const faults = findings.filter(({ level }) => level === 'fault')
    expect(faults).toEqual([])
  } finally {
    await second.dispose()
  }
})
