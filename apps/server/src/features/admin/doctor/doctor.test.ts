/** The doctor as an operator calls it, on an installation that something is really wrong with. */
import { execFile } from 'node:child_process'
import { createServer as listen, type AddressInfo } from 'node:net'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { describeDiagnosis, diagnose, type Diagnosis, statusOf } from './service.ts'
import { isLong } from '../../../../../../tests/support/long.ts'

const script = join(import.meta.dirname, '../../../doctor.ts')
let api: TestApi
let otherDir: string

beforeAll(async () => {
  api = await startTestApi()
  otherDir = mkdtempSync(join(tmpdir(), 'ws-doctor-'))
})
afterAll(async () => {
  await api.close()
  rmSync(otherDir, { recursive: true })
})

/** Nobody listens there. */
async function freePort(): Promise<number> {
  const server = listen().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function environment(env: Record<string, string>) {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'test',
    DATA_DIR: api.dataDir,
    DATABASE_URL: api.context.databaseUrl,
    HTTP_PORT: new URL(api.origin).port,
    METRICS_PORT: String(await freePort()),
    MOJANG_META_URL: `${api.origin}/healthz`,
    DISK_FLOOR: '0',
    ...env,
  }
}
const ask = async (env: Record<string, string> = {}) => diagnose(await environment(env))

/** As a command, with its status. */
async function run(env: Record<string, string>, args: string[]): Promise<{ status: number; printed: string }> {
  const all = await environment(env)
  return new Promise((resolve) =>
    execFile(process.execPath, [script, ...args], { env: all, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), printed: stdout + stderr }),
    ),
  )
}
const levelsOf = ({ findings }: Diagnosis) => Object.fromEntries(findings.map(({ check, level }) => [check, level]))
const whatOf = ({ findings }: Diagnosis, check: string) => findings.find((one) => one.check === check)?.what

test('what is well is said, and what is not is explained', { timeout: 60_000 }, async () => {
  await sql`update pgboss.version set cron_on = now()`.execute(api.context.db)
  const well = levelsOf(await ask())
  expect(well).toMatchObject({
    settings: 'ok',
    secrets: 'ok',
    database: 'ok',
    migrations: 'ok',
    worker: 'ok',
    api: 'ok',
  })
  expect(well).toMatchObject({ internet: 'ok', clock: 'ok', backups: 'ok', mail: 'notice', gateway: 'fault' })
  for (const trouble of ['jobs_late', 'backups_late', 'keys', 'drill']) expect(well).not.toHaveProperty(trouble)

  // A job that nobody takes, a server whose backup is late, workers that are gone, a migration that is missing.
  const { db, boss } = api.context
  await boss.send('begin-due-backups', {}, { startAfter: new Date(Date.now() - 3_600_000) })
  const owner = await api.signUp()
  const server = await owner.call(createServer, {
    body: order(await topUp(api.context, owner, 20_000), '1.21.4'),
  })
  const threeDays = new Date(Date.now() - 3 * 86_400_000)
  await db
    .updateTable('servers')
    .set({ prepared_at: threeDays, exit_at: new Date() })
    .where('id', '=', server.id)
    .execute()
  await sql`update pgboss.version set cron_on = now() - interval '10 minutes'`.execute(db)
  const key = join(otherDir, 'bedrock.pem')
  writeFileSync(key, 'no certificate')
  const ill = await ask({
    BEDROCK_TLS_CERT: key,
    MAIL_URL: `smtp://127.0.0.1:${await freePort()}`,
    PDNS_URL: `http://127.0.0.1:${await freePort()}`,
    PDNS_API_KEY: 'key',
    DNS_IPV4: '192.0.2.1',
    RESTIC_PATH: join(otherDir, 'no-restic'),
  })
  expect(statusOf(ill)).toBe(2)
  expect(levelsOf(ill)).toMatchObject({
    jobs_late: 'fault',
    backups_late: 'warning',
    certificate_ends: 'warning',
    worker: 'fault',
    mail: 'fault',
    'name server': 'fault',
    restic: 'fault',
  })
  expect(whatOf(ill, 'jobs_late')).toMatch(/begin-due-backups: 1, since 60 min/)
  expect(whatOf(ill, 'backups_late')).toContain(server.name)
  expect(whatOf(ill, 'worker')).toBe('none has been at work for 10 min')
  for (const one of ill.findings) if (one.level !== 'ok') expect(one, one.check).toMatchObject({ why: /./, todo: /./ })
  expect(describeDiagnosis(ill)).toMatch(/FAULT +worker .*\n +No server starts[^]*→ Start one/)
})

test.runIf(isLong)(
  'a database that is away, one that is behind, and one of somebody else',
  { timeout: 60_000 },
  async () => {
    const away = await ask({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` })
    expect(statusOf(away)).toBe(2)
    expect(whatOf(away, 'database')).toMatch(/does not answer: .*ECONNREFUSED/)
    expect(levelsOf(away)).toMatchObject({ api: 'ok', secrets: 'ok' })

    const { db } = api.context
    await sql`insert into installation (keys_mark) values ('of other keys')`.execute(db)
    await sql`insert into schema_migrations (name, hash) values ('9999-later.sql', 'x')`.execute(db)
    const foreign = await ask()
    expect(levelsOf(foreign)).toMatchObject({ keys: 'fault', migrations: 'warning' })

    await sql`delete from schema_migrations where name like '0002-%'`.execute(db)
    const behind = await ask()
    expect(whatOf(behind, 'migrations')).toMatch(/^1 missing, the first is 0002-/)
  },
)

test.runIf(isLong)(
  'a setting that is wrong is the only thing that is said, and nothing is made in an empty folder',
  async () => {
    const json = await run({ MAIL_URL: 'mail.example' }, ['--json'])
    const { findings } = JSON.parse(json.printed) as Diagnosis
    expect({ status: json.status, checks: findings.map(({ check }) => check) }).toEqual({
      status: 2,
      checks: ['settings'],
    })
    const empty = await run({ DATA_DIR: join(otherDir, 'empty') }, [])
    expect(empty).toMatchObject({
      status: 2,
      printed: expect.stringMatching(/FAULT +secrets +there is no secrets.json/),
    })
    expect(existsSync(join(otherDir, 'empty'))).toBe(false)
  },
)
