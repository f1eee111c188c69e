import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { startPostgres } from '../../apps/standalone/src/postgres.ts'
import { createCookieClient } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { findFreePorts } from '../support/ports.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const root = join(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'ws-alone-'))
let product: Standalone

/** Starts something that is expected not to start, and waits for its end. */
function tryStart(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'apps/standalone/src/main.ts'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 60_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`)
    await delay(50)
  }
}

const isReady = () =>
  fetch(`${product.origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
const postmaster = () => readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]
const partPids = () => {
  const parts = JSON.parse(readFileSync(join(dataDir, 'standalone.parts.json'), 'utf8')) as Record<
    string,
    { pid: number }
  >
  return Object.fromEntries(Object.entries(parts).map(([name, { pid }]) => [name, pid]))
}
/** Running, and not merely waiting for its parent to take note of its end. */
const isAlive = (pid: number) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

beforeAll(async () => {
  product = await startStandalone({ dataDir })
})
afterAll(() => product?.dispose())

test('serves, prints who may sign in, and keeps secrets to itself', async () => {
  expect(await isReady()).toBe(true)
  expect(product.output()).toContain(product.secrets.demoPassword)
  expect(product.output()).toContain(product.secrets.adminPassword)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(product.output().trimEnd()).toMatch(/\nready in \d+\.\d s$/)
})

test('refuses a second start on the same folder, and a port that is taken', async () => {
  const same = tryStart({ DATA_DIR: dataDir, HTTP_PORT: '0', GAME_PORT: '0', SFTP_PORT: '0' })
  expect(same.status).toBe(1)
  expect(same.stderr).toContain(`Already running on ${dataDir}`)

  const blocker = createServer().listen(0)
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const { http } = await findFreePorts()
  const other = mkdtempSync(join(tmpdir(), 'ws-alone-'))
  const taken = tryStart({ DATA_DIR: other, HTTP_PORT: String(http), GAME_PORT: String(port), SFTP_PORT: '0' })
  expect(taken.status).toBe(1)
  expect(taken.stderr).toContain(`Port ${port} is taken by another program: set GAME_PORT`)
  expect(existsSync(join(other, 'postgres'))).toBe(false)
  blocker.close()
  rmSync(other, { recursive: true })
})

test.each([
  [{ HTTP_PORT: 'many' }, 'HTTP_PORT takes a port, 0–65535, not "many"'],
  [{ PUBLIC_URL: 'play.example' }, 'PUBLIC_URL takes an http(s) address'],
  [{ NODE_ENV: 'production', DEMO: '1' }, 'DEMO takes 0 with NODE_ENV=production'],
  [{ NODE_ENV: 'production', SANDBOX_PORT: '4000' }, 'SANDBOX_PORT must be unset with NODE_ENV=production'],
])('a bad setting %o is named before anything starts', (env, message) => {
  const folder = join(tmpdir(), `ws-alone-none-${process.pid}`)
  const { status, stderr } = tryStart({ DATA_DIR: folder, ...env })
  expect(stderr).toContain(message)
  expect(status).toBe(2)
  expect(existsSync(folder)).toBe(false)
})

test('starts a part again that died, and the database too', async () => {
  const before = partPids()
  for (const name of ['api', 'worker', 'gateway']) process.kill(before[name] as number, 'SIGKILL')
  await until('all parts are new', () => Object.entries(partPids()).every(([name, pid]) => pid !== before[name]))
  await until('the API is back', isReady)

  const lost = postmaster()
  process.kill(Number(lost), 'SIGKILL')
  await until(
    'another PostgreSQL runs',
    () => existsSync(join(dataDir, 'postgres/cluster/postmaster.pid')) && postmaster() !== lost,
  )
  await until('the API is back', isReady)
})

const signIn = (login: string, password: string) =>
  outcomeOf(createCookieClient(product.origin).call(loginLocal, { body: { login, password } }))
const administrator = 'admin@wakestone.local'

test('a lost password of the administrator is replaced by a command while the product runs', async () => {
  const { status, stdout, stderr } = tryStart({ DATA_DIR: dataDir }, '--admin-password')
  expect(status, stderr).toBe(0)
  const [, email, password] = /^(\S+) {2}(\S{20})$/.exec(stdout.trim()) ?? []
  expect(email).toBe(administrator)
  expect(await signIn(administrator, password as string)).toBe('success')
  expect(await signIn(administrator, product.secrets.adminPassword)).toBe('wrong_password_or_username')
})

test('after a kill -9 the next start takes over the database and clears away the parts', async () => {
  const left = { postmaster: postmaster(), parts: Object.values(partPids()) }
  product.process.kill('SIGKILL')
  await until('it is gone', () => product.process.signalCode !== null)
  product = await startStandalone({ dataDir, env: { ADMIN_EMAIL: 'another@wakestone.local' } })
  expect(product.output()).toContain('PostgreSQL was running already')
  // Who administers, and by which password, was settled before.
  expect(product.output()).toContain(administrator)
  expect(product.output()).not.toContain(product.secrets.adminPassword)
  expect(await signIn(administrator, product.secrets.adminPassword)).toBe('wrong_password_or_username')
  expect(postmaster()).toBe(left.postmaster)
  expect(left.parts.filter(isAlive)).toEqual([])
  expect(await isReady()).toBe(true)
})

test('two interrupts at once count as one; in the end nothing runs', async () => {
  const pids = [...Object.values(partPids()), Number(postmaster())]
  product.process.kill('SIGINT')
  product.process.kill('SIGINT')
  expect(await product.stop()).toBe(0)
  expect(product.output()).toContain('Stopped.')
  expect(pids.filter(isAlive)).toEqual([])
})

test('where only the operator can decide who administers, the start ends and says so', async () => {
  const postgres = await startPostgres({
    home: join(dataDir, 'postgres'),
    password: product.secrets.databasePassword,
    logFile: join(dataDir, 'logs/postgres.log'),
  })
  const client = new pg.Client(postgres.url('wakestone'))
  await client.connect()
  await client.query(`delete from user_capabilities where name = 'admin'`)
  await client.end()
  await postgres.stop()
  const { http, game } = await findFreePorts()
  const { status, stderr } = tryStart({
    DATA_DIR: dataDir,
    HTTP_PORT: String(http),
    GAME_PORT: String(game),
    SFTP_PORT: '0',
    ADMIN_EMAIL: 'demo@wakestone.local',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/The api does not start: .*ADMIN_EMAIL \(demo@wakestone.local\) belongs to a customer/)
})
