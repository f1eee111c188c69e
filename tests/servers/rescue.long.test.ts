/**
 * A server whose machine is lost is brought up on another cluster from its backup: the agent is a process of its own, and
 * killed. A player finds what was in the backup, at the same address. The machine comes back: the old game ends there, its
 * files stay for a week, and players are led to the new place all the while.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import * as notifications from '@wakestone/contract/ground/notifications-routes'
import * as migration from '@wakestone/contract/servers/migration-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import type { Bot } from 'mineflayer'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { makeFolder } from '../../apps/gateway/src/test-support/gateway.ts'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { openCluster } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { removeLeft } from '../../apps/server/src/features/servers/migration/service.ts'
import { makeJoinToken, openAgentCluster, startAgentProcess } from '../support/agents.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { refusalOf } from '../support/outcome.ts'
import { joinServer } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let api: TestApi
let admin: Caller
let owner: Caller
let agent: Awaited<ReturnType<typeof startAgentProcess>>
/** The lost machine, as somebody sees it who stands in front of it. */
let machine: Cluster
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let tools: BackupsOf
let id: string
let host: string

beforeAll(async () => {
  api = await startTestApi({ LIMIT_POWER: '0' })
  ;[owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
  await openAgentCluster(admin)
  agent = await startAgentProcess(await makeJoinToken(api, admin), { apart: true })
  const logger = createLogger({ part: 'test', level: 'silent' })
  const settings = readSettings({ DATA_DIR: agent.dataDir, NODE_ENV: 'test', LOG_LEVEL: 'silent' })
  machine = openCluster({ settings, secrets: api.context.secrets, logger })
  worker = await startTestWorker(api)
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: await makeFolder(),
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger,
    proxyIn: false,
    connectionsPerAddress: 1_000,
    connectionRate: 1_000,
    handshakeSeconds: 10,
    wakesPerAddress: 1_000,
    wakesPerNetwork: 1_000,
    wakesPerServer: 1_000,
  })
  const { engineVersion } = await prepareArtifacts(api)
  const walletId = await topUp(api.context, owner, 5000)
  const body = order(walletId, engineVersion, { cluster_id: 'far' })
  const server = await owner.call(routes.createServer, { body })
  id = server.id
  host = server.domains[0]!.fqdn
  tools = backupsOf(api, owner, id)
  await untilStatus(owner, id, isUp, 120_000)
})
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  if (id !== undefined) {
    await api.context.fleet.cluster.remove(id, { volume: 'delete' }).catch(() => undefined)
    await machine?.remove(id, { volume: 'delete' })
  }
  await agent?.kill('SIGTERM')
  agent?.close()
  await api?.close()
})

const params = () => ({ serverId: id })
const enter = (username: string) => joinServer({ host, gamePort: gateway.port, username })
const inBackup = { x: 3, y: -55, z: 3 }
const after = { x: 4, y: -55, z: 3 }
type Place = typeof inBackup
async function blockAt(bot: Bot, { x, y, z }: Place) {
  await bot.waitForChunksToLoad()
  return bot.blockAt(bot.entity.position.clone().set(x, y, z))?.name
}
async function build(bot: Bot, { x, y, z }: Place, block: string) {
  await (await worker.fleet.find(id))!.command(`setblock ${x} ${y} ${z} ${block}`)
  await vi.waitFor(async () => expect(await blockAt(bot, { x, y, z })).toBe(block), { timeout: 20_000 })
}
const describeRescue = () => admin.call(migration.getRescue, { params: params() })
const rescue = (more: { backup_id?: string; cluster_id?: string } = {}) =>
  admin.call(migration.rescueServer, {
    params: params(),
    body: { cluster_id: 'local', reason: 'The machine burns', ...more },
  })

let made: string

test('while its machine answers nothing is rescued', async () => {
  expect(await describeRescue()).toMatchObject({ is_lost: false, lost_since: null, backups: [] })
  expect(await refusalOf(rescue())).toMatchObject({ error: 'server_cannot_migrate', fields: { reason: 'not_lost' } })
  const player = await enter('Builder')
  await build(player, inBackup, 'sponge')
  made = (await tools.backUp()).created_at
  await build(player, after, 'gold_block')
  await tools.inVolume('echo kept > after.txt')
  player.quit()
})

test('its machine is lost: it comes up elsewhere as it was in the backup, at its address', async () => {
  await agent.kill('SIGKILL')
  expect(await worker.fleet.cluster.inspect(id)).toEqual({ state: 'lost', node: 'crate' })
  const { targets } = await owner.call(migration.getMigration, { params: { id } })
  expect(targets.map(({ obstacle }) => obstacle)).toEqual(['lost'])
  await vi.waitFor(async () => expect((await describeRescue()).lost_since).not.toBeNull(), 60_000)
  const told = await describeRescue()
  expect(told).toMatchObject({ is_lost: true, targets: [{ id: 'local', obstacle: null }] })
  expect(told.backups).toMatchObject([{ created_at: made }])
  expect(await refusalOf(rescue({ cluster_id: 'far' }))).toMatchObject({ fields: { reason: 'same_cluster' } })
  const before = await owner.call(routes.getServer, { params: { id } })
  const began = Date.now()
  const { process_id: processId, backup } = await rescue()
  expect(backup).toEqual(told.backups[0])
  expect(await tools.end({ id: processId }, 150_000)).toMatchObject({ kind: 'rescue', state: 'done', error: null })
  console.log(`rescued in ${Date.now() - began} ms`)
  // Nobody has touched what was lost: its game plays on there.
  expect(await machine.inspect(id)).toMatchObject({ state: 'running' })

  const server = await owner.call(routes.getServer, { params: { id } })
  const kept = ({ domains, owner_id, expires, service_id }: typeof server) => [domains, owner_id, expires, service_id]
  expect([server.cluster_id, ...kept(server)]).toEqual(['local', ...kept(before)])
  await untilStatus(owner, id, isUp)
  const player = await enter('Builder')
  expect([await blockAt(player, inBackup), await blockAt(player, after)]).toEqual(['sponge', 'air'])
  player.quit()
})

test('its owner is told from when the backup was, and so are its events', async () => {
  const query = { action: 'SERVER_RESCUE' as const }
  const { data } = await owner.call(routes.listServerEvents, { params: { id }, query })
  expect(data).toMatchObject([
    {
      success: true,
      executor: { id: admin.user.id },
      data: { old_cluster: 'Far away', reason: 'The machine burns', backup_made_at: made },
    },
  ])
  const { notifications: told } = await owner.call(notifications.listNotifications, {
    params: { id: owner.user.id },
    query: {},
  })
  expect(told.filter(({ type }) => type === 'SERVER_RESCUED')).toHaveLength(1)
})

test('its machine is back: the old game ends there, and players stay at the new place', async () => {
  const player = await enter('Player')
  let hasLeft = false
  player.once('end', () => void (hasLeft = true))
  await agent.start()
  await vi.waitFor(async () => expect(await machine.inspect(id)).toEqual({ state: 'absent' }), 30_000)
  expect(await worker.fleet.cluster.inspect(id)).toMatchObject({ state: 'running' })
  expect(hasLeft).toBe(false)
  const again = await enter('Again')
  expect(await blockAt(again, after)).toBe('air')
  again.quit()
  player.quit()
})

test('its files there are kept for a week: nothing is written over them, and then they go', async () => {
  const folder = join(agent.dataDir, 'servers', id)
  expect(existsSync(folder)).toBe(true)
  const { db } = api.context
  await vi.waitFor(async () => {
    const { targets } = await owner.call(migration.getMigration, { params: { id } })
    expect(targets.find((target) => target.id === 'far')?.obstacle).toBe('kept')
  }, 10_000)
  await removeLeft(worker.context)
  const there = { ...api.context, fleet: { ...api.context.fleet, cluster: machine } }
  expect(await backupsOf({ context: there }, owner, id).inVolume('cat after.txt')).toBe('kept')
  // Its machine may leave the cluster without them.
  const shown = (await admin.call(clusters.listAdminClusters, {})).find((one) => one.id === 'far')
  expect(shown?.agents).toMatchObject([{ name: 'crate', servers: 0 }])
  await db
    .updateTable('server_moves')
    .set({ back_at: new Date(Date.now() - 8 * 86_400_000) })
    .execute()
  await removeLeft(worker.context)
  expect(existsSync(folder)).toBe(false)
  const { targets } = await owner.call(migration.getMigration, { params: { id } })
  expect(targets.find((target) => target.id === 'far')?.obstacle).toBeNull()
})
