/**
 * The product over PgBouncer, in transaction mode and with few connections, and with a replica for reports: locks and
 * notices work past it, people play, and reports go on without the replica.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { getRevenueReport } from '@wakestone/contract/invoicing/reports-routes'
import { loadSecrets } from '@wakestone/kit/secrets'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { type Postgres, startPostgres } from '../apps/standalone/src/postgres.ts'
import { createCookieClient } from './support/api.ts'
import { openInstances } from './support/instances.ts'
import { joinServer } from './support/player.ts'
import { findFreePort } from './support/ports.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const poolSize = 5
const program = '/usr/sbin/pgbouncer'

let folder: string
let postgres: Postgres
let replica: Postgres
let bouncer: ChildProcess
let bouncerUrl: string
let product: Awaited<ReturnType<typeof openInstances>>
let owner: Awaited<ReturnType<typeof product.rent>>

/** In transaction mode: each statement, and each transaction, may meet another connection. */
async function startBouncer(): Promise<string> {
  const address = new URL(postgres.url('postgres'))
  const parameter = (name: string) => address.searchParams.get(name)!
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${parameter('host')} user=${parameter('user')} password=${parameter('password')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = wakestone
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  )
  chmodSync(file, 0o644)
  // It does not run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  bouncer = spawn(program, [...asUser, file], {
    stdio: ['ignore', 'ignore', process.env['TEST_LOG'] ? 'inherit' : 'ignore'],
  })
  const url = `postgres://wakestone:any@127.0.0.1:${port}/postgres`
  for (const deadline = Date.now() + 20_000; ; await delay(100)) {
    const client = new pg.Client(url)
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (isThere) return url
    if (Date.now() > deadline || bouncer.exitCode !== null) throw new Error('PgBouncer does not start')
  }
}

/** A copy that follows the database: its files as they are, and from then on what is written. */
async function startReplica(): Promise<Postgres> {
  const from = join(folder, 'primary', 'cluster')
  const home = join(folder, 'replica')
  const to = join(home, 'cluster')
  const { uid, gid } = statSync(from)
  mkdirSync(home, { mode: 0o700 })
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  await client.query(`select pg_backup_start('replica', true)`)
  cpSync(from, to, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$/.test(path) })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await client.end()
  writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile)
  writeFileSync(join(to, 'standby.signal'), '')
  const address = new URL(postgres.url('postgres')).searchParams
  writeFileSync(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${address.get('host')} user=${address.get('user')} password=${address.get('password')}'\n`,
  )
  own(home, uid, gid)
  chmodSync(to, 0o700)
  return startPostgres({ home, password: 'pooled', logFile: join(folder, 'replica.log') })
}

function own(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid)
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), uid, gid)
}

beforeAll(async () => {
  if (!existsSync(program)) throw new Error(`${program} is missing (Debian: pgbouncer)`)
  folder = mkdtempSync(join(tmpdir(), 'ws-pooled-'))
  chmodSync(folder, 0o755)
  postgres = await startPostgres({
    home: join(folder, 'primary'),
    password: 'pooled',
    logFile: join(folder, 'primary.log'),
  })
  await migrate(postgres.url('postgres'))
  replica = await startReplica()
  bouncerUrl = await startBouncer()
  product = await openInstances(bouncerUrl, {
    DATABASE_DIRECT_URL: postgres.url('postgres'),
    DATABASE_REPLICA_URL: replica.url('postgres'),
  })
  await product.start('api')
  await product.start('api')
  await product.start('worker')
  await product.start('gateway')
  owner = await product.rent()
})
afterAll(async () => {
  await product?.close()
  if (bouncer !== undefined && bouncer.exitCode === null) {
    const ended = once(bouncer, 'exit')
    bouncer.kill('SIGKILL')
    await ended
  }
  await replica?.stop()
  await postgres?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test('people play and pages follow while statements go through few connections', async () => {
  const bot = await joinServer({ host: owner.host, gamePort: product.gamePort, username: 'Steve' })
  await expect.poll(async () => (await owner.status()).players.names, { timeout: 10_000 }).toContain('Steve')
  // What is prepared for one connection is not there on the next: many at once meet all of them.
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      fetch(`${product.origin}/api/v1/servers/${owner.id}`, { headers: { cookie: owner.cookie() } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  bot.end()
  await expect.poll(async () => (await owner.status()).players.online, { timeout: 10_000 }).toBe(0)

  const console = new URL(bouncerUrl)
  console.pathname = '/pgbouncer'
  const admin = new pg.Client(console.href)
  await admin.connect()
  // The console knows simple queries only.
  const { rows } = await admin.query<Record<string, string>>('show pools')
  await admin.end()
  const pool = rows.find(({ database }) => database === 'postgres')!
  const sum = (names: string[]) => names.reduce((total, name) => total + Number(pool[name]), 0)
  expect(sum(['sv_active', 'sv_idle', 'sv_used', 'sv_tested', 'sv_login'])).toBeLessThanOrEqual(poolSize)
  expect(sum(['cl_active', 'cl_waiting'])).toBeGreaterThan(poolSize)
})

test('reports are read from the replica, and from the database once it is away', async () => {
  const admin = createCookieClient(product.origin)
  await admin.call(loginLocal, { body: { login: 'admin', password: loadSecrets(product.dataDir).adminPassword } })
  const today = new Date().toISOString().slice(0, 10)
  const report = () => admin.call(getRevenueReport, { query: { from: today, to: today, currency: 'PLN' } })
  const onReplica = new pg.Client(replica.url('postgres'))
  onReplica.on('error', () => undefined)
  await onReplica.connect()
  const seen = async () =>
    (await onReplica.query(`select from pg_stat_activity where query ilike '%ledger%' and pid <> pg_backend_pid()`))
      .rowCount ?? 0
  expect(await seen()).toBe(0)
  const first = await report()
  expect(await seen()).toBeGreaterThan(0)
  await onReplica.end()
  await replica.stop()
  expect(await report()).toEqual(first)
  expect(await report()).toEqual(first)
})
