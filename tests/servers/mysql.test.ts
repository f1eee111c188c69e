/** MySQL of servers through the front door: a real MariaDB beside a game, in its sandbox. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { getProcess } from '@wakestone/contract/servers/operations-routes'
import * as mysql from '@wakestone/contract/servers/mysql-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { giveSqlGame, sqlOfGame } from '../support/sql-game.ts'
import { startWorkerProcess } from '../support/worker-process.ts'
import { isLong } from '../support/long.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** Games of an ordinary user share the machine's network, where others would reach their databases. */
const hasWalls = process.getuid?.() === 0

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string
let plainId: string
let password: string
let tools: BackupsOf

beforeAll(async () => {
  api = await startTestApi({ LIMIT_MANUAL_BACKUPS: '0', LIMIT_BACKUP_RESTORES: '0', LIMIT_POWER: '0' })
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 100_000)
  const rent = async (plan: string) => {
    const body = order(walletId, engineVersion, { requested_billing_services: [plan] })
    const { id } = await owner.call(routes.createServer, { body })
    await giveSqlGame(api, id)
    return id
  }
  serverId = await rent('AMETHYST')
  plainId = await rent('GRASS')
  worker = await startTestWorker(api)
  tools = backupsOf(api, owner, serverId)
  for (const id of [serverId, plainId]) await untilStatus(owner, id, isUp, 120_000)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const params = (id = serverId) => ({ id })
const sql = (statement: string, key = password) => sqlOfGame(api, owner, { serverId, password: key }, statement)
const renew = async (id = serverId) =>
  (password = (await owner.call(mysql.renewMysqlPassword, { params: params(id) })).password)
const end = (operation: Operation) => tools.end(operation)

/** Of MariaDB in the sandbox of a server, by the server's network. */
function databases(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isIt = readlinkSync(`/proc/${pid}/exe`) === '/usr/sbin/mariadbd'
        return isIt && readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(`${serverId}/host/config.json `)
      } catch {
        return false
      }
    })
}
const put = (text: string) =>
  fetch(`${api.origin}/api/v1/servers/${serverId}/mysql/import`, {
    method: 'POST',
    headers: { cookie: owner.cookie(), 'content-type': 'application/sql', origin: api.origin },
    body: text,
  })
const take = () =>
  fetch(`${api.origin}/api/v1/servers/${serverId}/mysql/export`, { headers: { cookie: owner.cookie() } })

test.skipIf(hasWalls)('without walls there is none, and it says so', async () => {
  expect(await outcomeOf(owner.call(mysql.renewMysqlPassword, { params: params() }))).toBe(
    'cluster_does_not_support_module',
  )
})

test.runIf(hasWalls)('a plan without it has none, and says so', async () => {
  expect(await owner.call(mysql.getMysql, { params: params(plainId) })).toMatchObject({ limit: 0, created_at: null })
  for (const route of [mysql.renewMysqlPassword, mysql.listMysqlTables] as const)
    expect(await outcomeOf(owner.call(route, { params: params(plainId) }))).toBe('mysql_not_in_plan')
  expect(await outcomeOf(owner.call(mysql.listMysqlTables, { params: params() }))).toBe('resource_not_found')
})

test.runIf(hasWalls)(
  'the game writes, and what it has written is there after a backup, a drop and a restore',
  async () => {
    const made = await owner.call(mysql.renewMysqlPassword, { params: params() })
    expect(made).toMatchObject({ host: '127.0.0.1', port: 3306, database: 'minecraft', username: 'minecraft' })
    password = made.password
    expect(await owner.call(mysql.getMysql, { params: params() })).toMatchObject({
      limit: 2 * 1024 ** 3,
      password_created_at: made.created_at,
    })
    await sql('create table coins (player varchar(40) primary key, amount int not null)')
    await sql("insert into coins values ('Alex', 5), ('Zoë', 7)")
    const backup = await tools.backUp()
    expect(backup.incomplete).toBe(false)
    await sql('drop table coins')
    await sql('create table later (a int)')
    expect(await sql('select * from coins')).toContain("doesn't exist")
    const restored = await end(await tools.restore(backup.id))
    expect(restored).toMatchObject({ state: 'done' })
    await untilStatus(owner, serverId, isUp)
    expect(await sql('select * from coins order by player')).toBe('Alex\t5\nZoë\t7')
    expect(await sql('show tables')).toBe('coins')
    // Nothing of it is left among the files.
    expect(await tools.inVolume('ls -A / /data .wakestone | grep -i -e sql$ -e mysql || true')).toBe('')
    expect(password.length).toBeGreaterThan(20)
  },
)

test.runIf(hasWalls && isLong)(
  'a worker that is killed over a restore is followed by another, and the rows are back',
  async () => {
    const backup = await tools.backUp()
    await sql('delete from coins')
    await worker.stop()
    const first = await startWorkerProcess(api, { PACKAGE_SOURCES: 'none' })
    const { id } = await tools.restore(backup.id)
    const operation = () => owner.call(getProcess, { params: { ...params(), process_id: id } })
    await vi.waitFor(async () => expect((await operation()).phase).toBe('replace'), { timeout: 90_000, interval: 10 })
    await first.kill()
    expect(isOver((await operation()).state)).toBe(false)
    worker = await startTestWorker(api)
    expect(await end({ id } as Operation)).toMatchObject({ state: 'done' })
    await untilStatus(owner, serverId, isUp, 120_000)
    expect(await sql('select * from coins order by player')).toBe('Alex\t5\nZoë\t7')
  },
)

test.runIf(hasWalls)('it is seen: tables, rows, size', async () => {
  const { tables, bytes, is_full } = await owner.call(mysql.listMysqlTables, { params: params() })
  expect(tables).toMatchObject([{ name: 'coins', is_view: false }])
  expect(bytes).toBeGreaterThan(1024 ** 2)
  expect(is_full).toBe(false)
  const page = await owner.call(mysql.listMysqlRows, { params: params(), query: { table: 'coins' } })
  expect(page).toEqual({
    columns: [
      { name: 'player', type: 'varchar(40)', is_key: true },
      { name: 'amount', type: 'int(11)', is_key: false },
    ],
    rows: [
      ['Alex', '5'],
      ['Zoë', '7'],
    ],
    next_offset: null,
  })
  const none = owner.call(mysql.listMysqlRows, { params: params(), query: { table: "x`; drop table coins; '" } })
  expect(await outcomeOf(none)).toBe('mysql_refused')
})

test.runIf(hasWalls)(
  'another server reaches neither its port nor its socket, and the machine does not either',
  async () => {
    const { game_host: host } = await api.context.db
      .selectFrom('servers')
      .select('game_host')
      .where('id', '=', serverId)
      .executeTakeFirstOrThrow()
    const name = readdirSync('/run/netns').find((one) => one.endsWith(plainId)) ?? ''
    expect(name).not.toBe('')
    const login = ['--no-defaults', '--protocol=tcp', '--connect-timeout=3', '-uminecraft', `-p${password}`]
    for (const [inside, address] of [
      [true, host],
      [true, '127.0.0.1'],
      [false, host],
      [false, '127.0.0.1'],
    ] as const) {
      const command = ['mariadb', ...login, `-h${address}`, '-e', 'select 1']
      const whole = inside ? ['ip', 'netns', 'exec', name, ...command] : command
      expect(() => execFileSync(whole[0]!, whole.slice(1), { stdio: 'pipe' }), whole.join(' ')).toThrow(/ERROR 200[23]/)
    }
    const own = readdirSync('/run/netns').find((one) => one.endsWith(serverId)) ?? ''
    const out = execFileSync('ip', ['netns', 'exec', own, 'mariadb', ...login, '-h127.0.0.1', '-Ne', 'select 1'])
    expect(out.toString().trim()).toBe('1') // from inside it can be reached: it is the walls that refuse
  },
)

test.runIf(hasWalls)('a new password ends the old one, and is nowhere but in the answer', async () => {
  const old = password
  await renew()
  expect(password).not.toBe(old)
  expect(await sql('select 1', old)).toContain('Access denied')
  expect(await sql('select 1')).toBe('1')
  const { rows } = await api.context.database.pool.query('select * from server_mysql where server_id = $1', [serverId])
  expect(JSON.stringify(rows)).not.toContain(password)
  const { data } = await owner.call(routes.listServerEvents, {
    params: params(),
    query: { action: 'SERVER_MYSQL_PASSWORD' },
  })
  expect(data).toHaveLength(2)
  expect(JSON.stringify(data)).not.toContain(password)
})

test.runIf(hasWalls && isLong)(
  'what is exported can be imported; what MariaDB refuses is told in its words',
  async () => {
    const exported = await take()
    expect(exported.status).toBe(200)
    const text = await exported.text()
    expect(text).toContain('CREATE TABLE `coins`')
    await sql('drop table coins')
    expect((await put(text)).status).toBe(200)
    expect(await sql('select count(*) from coins')).toBe('2')
    for (const [statements, reason] of [
      ['insert into coins values (', 'ERROR 1064'],
      ['create table ok (a int);\nselect * from nowhere;', 'line 2'],
      ['\\! touch /data/pwned', "Unknown command '\\!'"],
      ["load data infile '/etc/passwd' into table coins;", 'Access denied'],
      ["load data local infile '/etc/passwd' into table coins;", 'ERROR'],
      ["select 1 into outfile '/data/pwned';", 'FILE privilege'],
      ['create user x;', 'ERROR 1227'],
      ['use mysql;', 'ERROR 1044'],
      ["set password for wakestone@localhost = password('x');", 'ERROR 1'],
      ['create definer = wakestone@localhost procedure p() select 1;', 'ERROR 1'],
    ] as const) {
      const answer = await put(statements)
      expect(answer.status, statements).toBe(400)
      const refusal = (await answer.json()) as { error: string; fields: { reason: string } }
      expect(refusal.error).toBe('mysql_refused')
      expect(refusal.fields.reason, statements).toContain(reason)
    }
    expect(await tools.inVolume('ls -A | grep pwned || true')).toBe('')
    expect(await sql('show tables')).toBe('coins\nok')
  },
)

test.runIf(hasWalls && isLong)('killed in the middle it comes back with all that was written', async () => {
  await sql("insert into coins values ('Kai', 1)")
  const [pid] = databases()
  process.kill(pid!, 'SIGKILL')
  await vi.waitFor(() => expect(databases().filter((one) => one !== pid)).toHaveLength(1), 20_000)
  await vi.waitFor(async () => expect(await sql('select amount from coins where player = "Kai"')).toBe('1'), 30_000)
  // The supervisor with all of its sandbox.
  await sql("insert into coins values ('Lea', 2)")
  const init = readlinkSync(`/proc/${databases()[0]}/ns/pid`)
  // The first process of the sandbox, which all others end with: number 1 within it.
  const first = readdirSync('/proc').find((name) => {
    try {
      if (!/^\d+$/.test(name) || readlinkSync(`/proc/${name}/ns/pid`) !== init) return false
      return /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${name}/status`, 'utf8'))
    } catch {
      return false
    }
  })
  process.kill(Number(first), 'SIGKILL')
  await vi.waitFor(() => expect(databases()).toEqual([]), 20_000)
  await vi.waitFor(() => expect(databases()).toHaveLength(1), 60_000) // it starts before the game
  await delay(1_000)
  await untilStatus(owner, serverId, isUp, 120_000)
  expect(await sql('select amount from coins where player = "Lea"')).toBe('2')
})

test.runIf(hasWalls && isLong)(
  'without the game it comes up for whoever looks; it stops with the game, cleanly',
  async () => {
    await owner.call(routes.stopServer, { params: params(), query: {} })
    await untilStatus(owner, serverId, ({ game_status }) => game_status === 'IRL_TERMINATED', 120_000)
    await api.context.fleet.cluster.remove(serverId)
    expect(databases()).toEqual([])
    const { rows } = await owner.call(mysql.listMysqlRows, { params: params(), query: { table: 'coins' } })
    expect(rows).toHaveLength(4)
  },
)

test.runIf(hasWalls && isLong)('deleted it is gone with all tables, and another can be made', async () => {
  await owner.call(mysql.deleteMysql, { params: params() })
  expect(databases()).toEqual([])
  expect(await outcomeOf(owner.call(mysql.listMysqlTables, { params: params() }))).toBe('resource_not_found')
  await renew()
  const { tables } = await owner.call(mysql.listMysqlTables, { params: params() })
  expect(tables).toEqual([])
  expect(await refusalOf(owner.call(mysql.listMysqlTables, { params: params(plainId) }))).toMatchObject({
    error: 'mysql_not_in_plan',
  })
})
