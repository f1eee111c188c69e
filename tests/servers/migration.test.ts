/** A server moves between two clusters, through the front door: a real world, a real player who comes back. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as adminServers from '@wakestone/contract/admin/servers-routes'
import * as notifications from '@wakestone/contract/ground/notifications-routes'
import * as migration from '@wakestone/contract/servers/migration-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { ServerStatus } from '@wakestone/contract/servers/server'
import type { Bot } from 'mineflayer'
import { sql } from 'kysely'
import { createLogger } from '@wakestone/kit/logger'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { type Caller, startSecondApi, startTestApi, type TestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { isLong } from '../support/long.ts'
import { refusalOf } from '../support/outcome.ts'
import { joinServer, waitForChat } from '../support/player.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let api: TestApi
let second: Awaited<ReturnType<typeof startSecondApi>>
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
let admin: Caller
let id: string
let host: string
let inVolume: (script: string) => Promise<string>

beforeAll(async () => {
  api = await startTestApi({ MOVE_WARNING_SECONDS: '2', LIMIT_POWER: '0', WORKLOAD_LINGER_SECONDS: '1' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  ;[owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
  const walletId = await topUp(api.context, owner, 5000)
  const server = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  id = server.id
  host = server.domains[0]!.fqdn
  ;({ inVolume } = backupsOf(api, owner, id))
  second = await startSecondApi(api)
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: api.dataDir,
    apiUrl: second.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: process.env['TEST_LOG'] ?? 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 100,
    connectionRate: 1_000,
    handshakeSeconds: 10,
    wakesPerAddress: 100,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
  })
  const body = { id: 'attic', name: 'Attic', country_code: 'PL', visible_permission: null, free_places: null }
  await admin.call(clusters.createCluster, { body: { ...body, zone_name: 'attic.example.test', prices_of: 'local' } })
  await untilStatus(owner, id, isUp)
})
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  await worker?.removeAll()
  await second?.close()
  await api?.close()
})

const params = () => ({ id })
const open = (clusterId: string) =>
  admin.call(clusters.changeCluster, { params: { clusterId }, body: { disabled: false } })
async function end(processId: string | null): Promise<Operation> {
  for (const deadline = Date.now() + 120_000; ; await delay(50)) {
    const present = await owner.call(processes.getProcess, { params: { id, process_id: processId ?? '' } })
    if (isOver(present.state)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}
const move = async (caller: Caller, body: Parameters<typeof migrate>[1]) =>
  end((await migrate(caller, body)).migrate_process_id)
const migrate = (caller: Caller, body: { cluster_id: string; by?: 'ask' | 'force'; reason?: string }) =>
  caller.call(migration.migrateServer, { params: params(), body })
const describeMoves = () => owner.call(migration.getMigration, { params: params() })
const clusterNow = async () => (await owner.call(routes.getServer, { params: params() })).cluster_id
const volumeOn = (clusterId: string) =>
  existsSync(join(api.dataDir, ...(clusterId === 'local' ? [] : ['clusters', clusterId]), 'servers', id))

test('where it cannot go is said before, and an owner cannot pass over it', async () => {
  expect((await describeMoves()).targets).toMatchObject([{ id: 'attic', obstacle: 'closed' }])
  expect(await refusalOf(migrate(owner, { cluster_id: 'attic' }))).toMatchObject({
    error: 'server_cannot_migrate',
    fields: { reason: 'closed' },
  })
  expect(await refusalOf(migrate(owner, { cluster_id: 'attic', by: 'force', reason: 'Mine' }))).toMatchObject({
    error: 'insufficient_capabilities',
  })
  expect(await refusalOf(migrate(admin, { cluster_id: 'attic', by: 'force' }))).toMatchObject({
    error: 'invalid_request',
  })
  expect(await refusalOf(migrate(owner, { cluster_id: 'nowhere' }))).toMatchObject({ error: 'cluster_not_found' })
  expect(await refusalOf(migrate(owner, { cluster_id: 'local' }))).toMatchObject({ fields: { reason: 'same_cluster' } })
})

const built = { x: 3, y: -55, z: 3 }
const blockFor = async (bot: Bot, at = built) => {
  await bot.waitForChunksToLoad()
  return bot.blockAt(bot.entity.position.clone().set(at.x, at.y, at.z))?.name
}
const countFiles = () => inVolume('find . -path ./.wakestone -prune -o -type f -path "./world*" -print | grep -c .')

test('its owner moves it: players are told, all files are there, and the address leads to it', async () => {
  await open('attic')
  const [target] = (await describeMoves()).targets
  expect(target).toMatchObject({ id: 'attic', obstacle: null })
  expect(target?.down_seconds).toBeGreaterThan(0)
  await inVolume(
    'mkdir -p plugins .trash && echo kept > plugins/config.yml && echo thrown > .trash/old && chmod 700 plugins',
  )
  const player = await joinServer({ host, gamePort: gateway.port, username: 'Mover' })
  await (await worker.fleet.find(id))!.command(`setblock ${built.x} ${built.y} ${built.z} sponge`)
  await vi.waitFor(async () => expect(await blockFor(player)).toBe('sponge'), { timeout: 20_000 })
  const warned = waitForChat(player, /another machine/, 120_000)
  const files = Number(await countFiles())
  const begun = await migrate(owner, { cluster_id: 'attic' })
  expect(begun.stop_game_process_id).toBe(begun.migrate_process_id)
  expect(await warned).toMatch(new RegExp(`in 2 s.* about ${target?.down_seconds} s later`))
  expect(await refusalOf(migrate(owner, { cluster_id: 'attic' }))).toMatchObject({
    error: 'server_has_running_migration',
  })
  const ended = await end(begun.migrate_process_id)
  expect(ended).toMatchObject({ state: 'done', kind: 'migrate', error: null })

  expect(await clusterNow()).toBe('attic')
  expect([volumeOn('local'), volumeOn('attic')]).toEqual([false, true])
  await untilStatus(owner, id, isUp)
  expect(await inVolume('cat plugins/config.yml .trash/old; stat -c %a plugins')).toBe('kept\nthrown\n700')
  expect(Number(await countFiles())).toBeGreaterThanOrEqual(files)
  const again = await joinServer({ host, gamePort: gateway.port, username: 'Mover' })
  expect(await blockFor(again)).toBe('sponge')
  again.quit()
  await untilStatus(owner, id, ({ players }) => players.online === 0)
})

test('how long it was down is measured and told, with all that belongs to it', async () => {
  const { last, cluster_name: name } = await describeMoves()
  expect(name).toBe('Attic')
  expect(last).toMatchObject({ to: 'Attic' })
  expect(last?.down_seconds).toBeGreaterThan(0)
  expect(last?.expected_seconds).toBeGreaterThan(0)
  expect(last?.bytes).toBeGreaterThan(0)
  const query = { action: 'SERVER_MIGRATION' as const }
  const { data } = await owner.call(routes.listServerEvents, { params: params(), query })
  expect(data).toMatchObject([
    {
      success: true,
      executor: { id: owner.user.id },
      data: { new_cluster: 'Attic', down_seconds: last?.down_seconds },
    },
  ])
  const { notifications: told } = await owner.call(notifications.listNotifications, {
    params: { id: owner.user.id },
    query: {},
  })
  expect(told.filter(({ type }) => type === 'SERVER_MIGRATED')).toHaveLength(1)
  const crashed = { action: 'SERVER_POD_CRASHED' as const }
  expect((await owner.call(routes.listServerEvents, { params: params(), query: crashed })).data).toEqual([])
})

/** Gives its plan other times of sleep: seconds, or never. */
async function sleepAfter(seconds: { deep: number | null }) {
  const rule = JSON.stringify({ light: null, deep: seconds.deep && seconds.deep / 60, hibernate: null })
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${rule}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}
const countStarts = async () =>
  (await owner.call(routes.listServerEvents, { params: params(), query: { action: 'GAME_STARTED' } })).data.length

const ask = () => migrate(admin, { cluster_id: 'local', by: 'ask', reason: 'A disk is failing' })

test('an administrator asks, and its owner says no', async () => {
  expect(await ask()).toEqual({ migrate_process_id: null, stop_game_process_id: null })
  expect((await describeMoves()).request).toMatchObject({ cluster_id: 'local', reason: 'A disk is failing' })
  const { notifications: told } = await owner.call(notifications.listNotifications, {
    params: { id: owner.user.id },
    query: {},
  })
  expect(told.filter(({ type }) => type === 'SERVER_MOVE_ASKED')).toHaveLength(1)
  expect((await owner.call(migration.declineMigration, { params: params() })).request).toBeNull()
})

test.runIf(isLong)('asked again, it says yes; one that sleeps goes back asleep, and wakes there', async () => {
  await ask()
  await sleepAfter({ deep: 0.5 })
  const isAsleep = ({ game_status, activity }: ServerStatus) => game_status === 'IRL_DEEP_SLEEP' && activity === null
  await untilStatus(owner, id, isAsleep)
  await sleepAfter({ deep: 3600 })
  const starts = await countStarts()
  expect(await move(owner, { cluster_id: 'local' })).toMatchObject({ state: 'done' })
  expect([await clusterNow(), volumeOn('attic')]).toEqual(['local', false])
  expect((await describeMoves()).last).toMatchObject({ to: 'This machine', down_seconds: null })
  expect(await inVolume('cat plugins/config.yml')).toBe('kept')
  await untilStatus(owner, id, isAsleep)
  await delay(1_000)
  expect([isAsleep(await owner.call(routes.getServerStatus, { params: params() })), await countStarts()]).toEqual([
    true,
    starts,
  ])
  const player = await come('Waker')
  expect(await blockFor(player)).toBe('sponge')
  player.quit()
  await untilStatus(owner, id, ({ players }) => players.online === 0)
})

/** Joins as often as it is told to come back, as long as the server wakes. */
async function come(username: string): Promise<Bot> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      return await joinServer({ host, gamePort: gateway.port, username })
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

test.runIf(isLong)('one that is off stays off', async () => {
  await owner.call(routes.stopServer, { params: params(), query: {} })
  await untilStatus(owner, id, isDown)
  const starts = await countStarts()
  expect(await move(admin, { cluster_id: 'attic', by: 'force', reason: 'Making room' })).toMatchObject({
    state: 'done',
  })
  expect(await move(owner, { cluster_id: 'local' })).toMatchObject({ state: 'done' })
  await untilStatus(owner, id, isDown)
  expect([await countStarts(), await inVolume('cat plugins/config.yml')]).toEqual([starts, 'kept'])
  await owner.call(routes.startServer, { params: params() })
  await untilStatus(owner, id, isUp)
})

test.runIf(isLong)('one that is cancelled goes on where it was, and leaves nothing there', async () => {
  const begun = await migrate(admin, { cluster_id: 'attic', by: 'force', reason: 'Making room' })
  const processId = begun.migrate_process_id ?? ''
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(20)) {
    const { phase } = await owner.call(processes.getProcess, { params: { id, process_id: processId } })
    if (phase === 'bring' || phase === 'compare') break
  }
  await owner.call(processes.cancelProcess, { params: { id, process_id: processId } })
  expect(await end(processId)).toMatchObject({ state: 'cancelled' })
  expect([await clusterNow(), volumeOn('attic')]).toEqual(['local', false])
  await untilStatus(owner, id, isUp)
  expect(await inVolume('cat plugins/config.yml')).toBe('kept')
})

test.runIf(isLong)('one that does not come up there comes back, with all of its files', async () => {
  const { placement } = await admin.call(adminServers.getAdminServer, { params: { serverId: id } })
  expect(placement.has_elsewhere).toBe(true)
  const target = await api.context.fleet.clusterOf('attic')
  const place = target.place.bind(target)
  target.place = () => Promise.reject(new Error('the machine is gone'))
  const begun = await migrate(admin, { cluster_id: 'attic', by: 'force', reason: 'Making room' })
  expect(await end(begun.migrate_process_id)).toMatchObject({ state: 'rolled_back' })
  target.place = place
  expect([await clusterNow(), volumeOn('attic')]).toEqual(['local', false])
  await untilStatus(owner, id, isUp)
  expect(await inVolume('cat plugins/config.yml')).toBe('kept')
})
