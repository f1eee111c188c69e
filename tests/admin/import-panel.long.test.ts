/** A panel of Pterodactyl is brought over by the command, twice, and taken back. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { create } from 'tar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listUserServers, loginLocal, verify } from '@wakestone/contract/accounts/users-routes'
import { changeServerParameters } from '@wakestone/contract/servers/parameters-routes'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { describeReport } from '../../apps/server/src/features/admin/imports/service.ts'
import { filesOf } from '../../apps/server/src/features/servers/files/service.ts'
import { findServer } from '../../apps/server/src/features/servers/servers/service.ts'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../support/api.ts'
import {
  addSchedule,
  addServer,
  dumpOf,
  dumpRows,
  knownHash,
  knownPassword,
  makePanel,
  uuidFor,
} from '../support/imports/panel-dump.ts'
import { countEverything, openImports } from '../support/imports/run-import.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { setPrepared, startTestWorker } from '../support/servers.ts'

vi.setConfig({ hookTimeout: 120_000, testTimeout: 120_000 })

let upstreams: Upstreams
let api: TestApi
let imports: ReturnType<typeof openImports>
let known: Caller
let dump: string
let importId: string
const gibibyte = 1024 ** 3

/** Six servers, of which three can come. */
function writePanel(folder: string) {
  const panel = makePanel({ users: 4, password: knownHash })
  panel.tables.users[2]!['email'] = known.user.email.toUpperCase()
  panel.tables.users[3]!['password'] = 'no hash'
  const played = addServer(panel, { owner: 1, name: 'Łąka ☘', version: '1.21.4', memory: 3072, cpu: 150 })
  const suspended = addServer(panel, {
    owner: 2,
    egg: 'Vanilla Minecraft',
    suspended: true,
    memory: 0,
    disk: 0,
    cpu: 0,
  })
  addServer(panel, { owner: 2, egg: 'Bungeecord' })
  addServer(panel, { owner: 2, egg: 99 })
  addServer(panel, { owner: 2, version: '1.7.10' })
  addServer(panel, { owner: 3, egg: 'Purpur', version: '1.20.4' })
  panel.tables.subusers.push(
    { id: 1, user_id: 2, server_id: 6, permissions: '["websocket.connect","control.console","file.read"]' },
    { id: 2, user_id: 4, server_id: 6, permissions: '["*"]' },
  )
  addSchedule(panel, 6, [
    ['command', 'save-all', 0],
    ['backup', '', 60],
  ])
  addSchedule(panel, 6, [['power', 'restart', 0]])
  addSchedule(panel, 6, [['power', 'kill', 0]])
  panel.tables.databases.push({ id: 1, server_id: 6, database_host_id: 1, database: 's6_shop', username: 'u6' })
  panel.tables.backups.push({
    id: 1,
    server_id: 2,
    uuid: uuidFor('backup'),
    is_successful: 1,
    name: 'Sunday',
    bytes: 100,
    completed_at: '2026-01-04 04:00:00',
  })
  panel.tables.user_ssh_keys.push({ id: 1, user_id: 1, name: 'laptop' })

  const volume = join(folder, 'volumes', played)
  mkdirSync(join(volume, 'world/region'), { recursive: true })
  mkdirSync(join(volume, 'plugins/empty'), { recursive: true })
  writeFileSync(join(volume, 'world/level.dat'), Buffer.alloc(300_000, 7))
  writeFileSync(join(volume, 'ops.json'), '[]')
  writeFileSync(join(volume, 'nothing.txt'), '')
  symlinkSync('/etc/passwd', join(volume, 'world/region/link'))
  const unpacked = join(folder, 'unpacked')
  mkdirSync(join(unpacked, 'world'), { recursive: true })
  writeFileSync(join(unpacked, 'world/level.dat'), 'of the backup')
  symlinkSync('/etc/shadow', join(unpacked, 'shadow'))
  mkdirSync(join(folder, 'backups'))
  create({ file: join(folder, 'backups', `${uuidFor('backup')}.tar.gz`), cwd: unpacked, gzip: true, sync: true }, ['.'])
  return { panel, played, suspended }
}
let panel: ReturnType<typeof writePanel>

beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  imports = openImports(api, upstreams.settings)
  known = await api.signUp()
  panel = writePanel(imports.folder)
  dump = imports.save('panel.sql.gz', gzipSync(dumpOf(panel.panel, { withTriggers: true })))
})
afterAll(async () => {
  imports?.close()
  await api?.close()
  await upstreams?.close()
})

const signIn = async (login: string) => {
  const { call } = createCookieClient(api.origin)
  await call(loginLocal, { body: { login, password: knownPassword } })
  return call
}
const lineOf = (report: Awaited<ReturnType<typeof imports.run>>['report'], kind: string, key: string) =>
  report?.lines.find((line) => line.kind === kind && line.key === key)
const rowOf = async (serverKey: string) => {
  const { made } = await api.context.db
    .selectFrom('import_items')
    .select('made')
    .where('kind', '=', 'server')
    .where('source_key', '=', serverKey)
    .where('state', '<>', 'undone')
    .executeTakeFirstOrThrow()
  const server = await findServer(api.context.db, made)
  if (server === undefined) throw new Error('no such server')
  return server
}
const serverKey = (id: number) => uuidFor(`server ${id}`)

test('a dry run tells what would come, and writes nothing', async () => {
  const before = await countEverything(api)
  const report = await imports.bring('pterodactyl', dump, { files: imports.folder, isDryRun: true })
  expect(await countEverything(api)).toEqual(before)
  expect(report.totals).toEqual({
    account: { made: 3, found: 1 },
    balance: {},
    server: { made: 3, 'left out': 3 },
    files: { made: 2 },
    database: { 'left out': 1 },
  })
  const text = describeReport(report)
  expect(text).toContain('Servers: 3 would be brought in, 3 left out')
  expect(text).toContain('Łąka ☘: play.example.test:25565, 203.0.113.7:35565 -> given by the import')
  expect(text).toContain('This was a dry run')
  expect(lineOf(report, 'server', serverKey(3))?.reason).toMatch(/BungeeCord/)
  expect(lineOf(report, 'server', serverKey(4))?.reason).toBe('its egg is not in the dump')
  expect(lineOf(report, 'server', serverKey(5))?.reason).toMatch(/1\.7\.10 is not offered/)
})

test('the run brings accounts, servers with all that is theirs, and files', async () => {
  let isOver = false
  // A worker would prepare them; what it does is another test's affair.
  const preparing = (async () => {
    while (!isOver) {
      const waiting = await api.context.db.selectFrom('servers').select('id').where('prepared_at', 'is', null).execute()
      for (const { id } of waiting) await setPrepared(api, id)
      await delay(100)
    }
  })()
  const { code, out, errors, report } = await imports.run(['pterodactyl', '--dump', dump, '--files', imports.folder])
  isOver = true
  await preparing
  expect([code, errors.includes('ended')], errors).toEqual([0, false])
  expect(report?.totals.server).toEqual({ made: 3, 'left out': 3 })
  expect(report?.totals.files, out).toEqual({ made: 2 })
  expect(report?.notes.join()).toContain('1 SSH key does not come along')
  importId = report?.import_id ?? ''

  const played = await rowOf(panel.played)
  expect(played).toMatchObject({
    name: 'Łąka ☘',
    engine: 'paper',
    engine_version: '1.21.4',
    product_id: 'AMETHYST',
    want_running: false,
    disabled: false,
    limits: { memory: 3 * gibibyte, cpu: 1.5, storage: 5 * gibibyte },
    placed_at: null,
  })
  expect(lineOf(report, 'server', panel.played)?.addresses).toEqual({
    before: ['play.example.test:25565', '203.0.113.7:35565'],
    now: played.domains[0]?.fqdn,
  })
  expect(played.domains[0]?.sub_domain).toBe('laka')
  expect(played.expires?.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  const files = filesOf(api.context, played)
  expect(await files.stat('world/level.dat')).toMatchObject({ size: 300_000, type: 'file' })
  expect(await files.stat('nothing.txt')).toMatchObject({ size: 0 })
  expect(await files.stat('plugins/empty')).toMatchObject({ type: 'folder' })
  await expect(files.stat('world/region/link')).rejects.toMatchObject({ code: 'file_does_not_exist' })

  const suspended = await rowOf(panel.suspended)
  expect(suspended).toMatchObject({ disabled: true, engine: 'vanilla', limits_set: {} })
  const restored = filesOf(api.context, suspended)
  expect((await restored.text('world/level.dat'))?.text).toBe('of the backup')
  await expect(restored.stat('shadow')).rejects.toMatchObject({ code: 'file_does_not_exist' })

  const { db } = api.context
  const shared = await rowOf(serverKey(6))
  expect(shared).toMatchObject({ owner_id: known.user.id, engine: 'purpur' })
  const grants = await db
    .selectFrom('user_capabilities')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['username', 'name'])
    .where('resource_id', '=', shared.id)
    .where('user_id', '<>', known.user.id)
    .orderBy('name')
    .execute()
  expect(grants.filter(({ username }) => username === 'player_2').map(({ name }) => name)).toEqual([
    'server.manage.console',
    'server.manage.read',
  ])
  expect(grants.filter(({ username }) => username === 'player_4').map(({ name }) => name)).toContain('server.manage')
  const schedules = await db
    .selectFrom('schedules')
    .selectAll()
    .where('server_id', '=', shared.id)
    .orderBy('name')
    .execute()
  expect(schedules).toMatchObject([
    {
      name: 'Schedule 1',
      enabled: true,
      conditions: ['running'],
      trigger: { expression: '*/15 4 * * *', time_zone: 'UTC' },
      steps: [{ kind: 'command', command: 'save-all' }, { kind: 'wait', seconds: 60 }, { kind: 'backup' }],
    },
    { name: 'Schedule 2', enabled: false },
  ])
  const notes = lineOf(report, 'server', serverKey(6))?.notes.join('; ')
  expect(notes).toContain('its schedule Schedule 3 is left out')
})

test('nobody administers by an import, and nothing was charged or told', async () => {
  const { db } = api.context
  const admins = await db
    .selectFrom('user_capabilities')
    .innerJoin('users', 'users.id', 'user_id')
    .select('username')
    .where('name', '=', 'admin')
    .where('resource_id', 'is', null)
    .execute()
  expect(admins).toEqual([])
  expect(await db.selectFrom('transactions').select('id').execute()).toEqual([])
  const told = await db
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'user_id')
    .select('username')
    .execute()
  expect(told.filter(({ username }) => username.startsWith('player'))).toEqual([])
  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
})

test('they sign in with the passwords that they had, which are then kept as ours are', async () => {
  const hashOf = async () => {
    const { password_hash } = await api.context.db
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', 'player_1')
      .executeTakeFirstOrThrow()
    return password_hash
  }
  expect(await hashOf()).toMatch(/^\$2y\$/)
  const call = await signIn('player1@example.test')
  const user = await call(verify, {})
  expect(user.username).toBe('player_1')
  expect(await hashOf()).toMatch(/^\$argon2id\$/)
  await signIn('player_1')
  await expect(signIn('player_4')).rejects.toMatchObject({ body: { error: 'wrong_password_or_username' } })
  const servers = await call(listUserServers, { params: { id: user.id } })
  expect(servers.map(({ name }) => name)).toEqual(['Łąka ☘'])
})

test('a second run changes nothing', async () => {
  const before = await countEverything(api)
  const { code, out, report } = await imports.run(['pterodactyl', '--dump', dump, '--files', imports.folder])
  expect(code).toBe(0)
  expect(await countEverything(api)).toEqual(before)
  expect(report?.import_id).toBeNull()
  expect(report?.totals).toMatchObject({
    account: { unchanged: 4 },
    server: { unchanged: 3, 'left out': 3 },
    files: { unchanged: 2 },
  })
  expect(out).toContain('Nothing was changed.')
})

test('a dump that has changed changes nothing here either, and is told of', async () => {
  panel.panel.tables.servers[0]!['name'] = 'Renamed there'
  const changed = imports.save('changed.sql', dumpOf(panel.panel))
  const before = await countEverything(api)
  const report = await imports.bring('pterodactyl', changed)
  expect(lineOf(report, 'server', panel.played)).toMatchObject({ outcome: 'changed' })
  expect(await countEverything(api)).toEqual(before)
})

test('undone, all is gone but what was used since', async () => {
  const shared = await rowOf(serverKey(6))
  const renamed = await known.call(changeServerParameters, { params: { id: shared.id }, body: { name: 'Mine' } })
  expect(renamed.name).toBe('Mine')
  const worker = await startTestWorker(api, { operations: false })
  try {
    const { code, out, errors } = await imports.run(['--undo', importId])
    expect([code, errors.includes('ended')], errors + out).toEqual([0, false])
    expect(out).toContain(`server ${shared.id} stays: somebody has worked on it`)
    expect(out).toMatch(/account [0-9a-f-]+ stays: its owner has used it/)
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
  const { db } = api.context
  const left = await db.selectFrom('servers').select('id').where('deleted_at', 'is', null).execute()
  expect(left).toEqual([{ id: shared.id }])
  const accounts = await db
    .selectFrom('users')
    .select('username')
    .where('destroyed_at', 'is', null)
    .where('email', 'like', 'player%')
    .execute()
  expect(accounts).toEqual([{ username: 'player_1' }])
  const services = await db.selectFrom('services').select('id').where('ended_at', 'is', null).execute()
  expect(services).toEqual([{ id: shared.service_id }])
  expect((await known.call(verify, {})).id).toBe(known.user.id)
  expect((await imports.undo(importId)).undone).toEqual({})
})

test('Pelican has other columns, and roles in the place of administrators', async () => {
  const columns = (names: string) => names.split(' ')
  const none = (names: string) => ({ columns: columns(names), rows: [] })
  const uuid = uuidFor('pelican')
  const tables = {
    users: {
      columns: columns('id uuid username email password language timezone is_managed_externally mfa_app_secret'),
      rows: [[1, uuid, 'root', 'root@example.test', knownHash, 'de', 'UTC', 0, 'eyJpdiI6']],
    },
    roles: { columns: columns('id name guard_name'), rows: [[1, 'Root Admin', 'web']] },
    model_has_roles: { columns: columns('role_id model_type model_id'), rows: [[1, 'user', 1]] },
    servers: {
      columns: columns(
        'id uuid uuid_short node_id name description status owner_id memory disk cpu allocation_id egg_id',
      ),
      rows: [[1, uuid, 'abcd1234', 1, 'ab', '', null, 1, 100, 512, 5, 1, 1]],
    },
    eggs: { columns: columns('id uuid name tags'), rows: [[1, uuid, 'Skyblock', '[]']] },
    egg_variables: none('id egg_id name env_variable default_value'),
    server_variables: none('id server_id variable_id variable_value'),
    allocations: { columns: columns('id node_id ip ip_alias port server_id'), rows: [[1, 1, '::1', null, 25565, 1]] },
    databases: none('id server_id database'),
    subusers: none('id user_id server_id permissions'),
    schedules: none(
      'id server_id name cron_day_of_week cron_month cron_day_of_month cron_hour cron_minute is_active only_when_online',
    ),
    tasks: none('id schedule_id sequence_id action payload time_offset'),
    backups: none('id server_id uuid name bytes completed_at deleted_at'),
  }
  const pelican = imports.save('pelican.sql', dumpRows(tables))
  const eggs = { Skyblock: 'paper@1.20.4' }
  const report = await imports.bring('pelican', pelican, { isDryRun: true, eggs })
  expect(lineOf(report, 'account', uuid)).toMatchObject({
    outcome: 'made',
    notes: ['administers there; comes as a customer', 'has a second factor there, to be set up anew'],
  })
  expect(lineOf(report, 'server', uuid)).toMatchObject({
    outcome: 'made',
    notes: [
      'its memory there cannot be set here; it has the plan’s',
      'its storage there cannot be set here; it has the plan’s',
      'its cpu there cannot be set here; it has the plan’s',
      'is called Server ab here',
      'plan GRASS',
    ],
  })
  expect((await imports.bring('pelican', pelican, { isDryRun: true })).totals.server).toEqual({ 'left out': 1 })
})

test('an address that nobody has confirmed gets nothing of its owner', async () => {
  const thief = await api.signUp({ verified: false })
  const own = makePanel({ users: 1, password: knownHash })
  own.tables.users[0]!['email'] = thief.user.email
  addServer(own, { owner: 1 })
  const report = await imports.bring('pterodactyl', imports.save('own.sql', dumpOf(own)), { origin: 'other' })
  expect(report.totals).toMatchObject({ account: { 'left out': 1 }, server: { 'left out': 1 } })
  expect(report.import_id).toBeNull()
})

test('what is no dump of it is refused with what is missing', async () => {
  await expect(imports.bring('whmcs', dump)).rejects.toThrow('the dump has no table tblclients')
  await expect(imports.bring('pelican', imports.save('nonsense.sql', 'hello there'))).rejects.toThrow('breaks off')
  await expect(imports.bring('pterodactyl', join(imports.folder, 'none.sql'))).rejects.toThrow('ENOENT')
})
