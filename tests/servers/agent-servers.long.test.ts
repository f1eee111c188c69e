/**
 * The whole product over a further machine: its agent is a process of its own with a folder of its own. A server is rented
 * there, somebody joins it through the gateway, its files are looked at and backed up. The agent is killed: the game plays
 * on, nothing is placed anywhere else, and all is seen again once the agent is back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as clusters from '@wakestone/contract/admin/clusters-routes'
import { listFiles } from '@wakestone/contract/servers/files-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { makeFolder } from '../../apps/gateway/src/test-support/gateway.ts'
import { makeJoinToken, openAgentCluster, startAgentProcess } from '../support/agents.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { joinServer, waitForChat } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let api: TestApi
let admin: Caller
let agent: Awaited<ReturnType<typeof startAgentProcess>>
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let id: string
let host: string

beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
  await openAgentCluster(admin)
  agent = await startAgentProcess(await makeJoinToken(api, admin))
  const { ok, problems } = await admin.call(clusters.checkCluster, { params: { clusterId: 'far' } })
  if (!ok) throw new Error(problems.join('; '))
  worker = await startTestWorker(api)
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: await makeFolder(),
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 1_000,
    connectionRate: 1_000,
    handshakeSeconds: 10,
    wakesPerAddress: 1_000,
    wakesPerNetwork: 1_000,
    wakesPerServer: 1_000,
  })
  const { engineVersion } = await prepareArtifacts(api)
  const walletId = await topUp(api.context, admin, 5000)
  const body = order(walletId, engineVersion, { cluster_id: 'far' })
  const server = await admin.call(routes.createServer, { body })
  id = server.id
  host = server.domains[0]!.fqdn
})
afterAll(async () => {
  if (id !== undefined) await worker?.fleet.cluster.remove(id, { volume: 'delete' }).catch(() => undefined)
  await gateway?.close()
  await worker?.stop()
  await agent?.kill('SIGTERM')
  agent?.close()
  await api?.close()
})

const join = (username: string) => joinServer({ host, gamePort: gateway.port, username })
const launchedAt = async () => (await (await worker.fleet.find(id))?.status())?.launchedAt

test('it is brought up there, and somebody joins it through the gateway', async () => {
  const began = Date.now()
  await untilStatus(admin, id, isUp, 120_000)
  console.log(`order to running: ${Date.now() - began} ms`)
  expect(await (await api.context.fleet.clusterOf('far')).list()).toEqual([id])
  expect(await (await api.context.fleet.clusterOf('local')).list()).toEqual([])
  const bot = await join('Steve')
  const heard = waitForChat(bot, /well met/)
  bot.chat('well met')
  await heard
  bot.end()
})

test('its files are listed, and it is backed up into a folder of the panel', async () => {
  const at = `${api.origin}/api/v1${listFiles.path.replace(':id', id)}?path=`
  const listed = await (await fetch(at, { headers: { cookie: admin.cookie() } })).text()
  expect(listed).toContain('server.properties')
  const tools = backupsOf(api, admin, id)
  await tools.backUp()
  expect(await tools.list()).toEqual([expect.objectContaining({ cannot_be_restored: false, incomplete: false })])
})

test('its agent is killed: the game plays on, nobody else gets it, and all is seen again', async () => {
  const before = await launchedAt()
  expect(before).toBeTypeOf('string')
  const placedAt = () =>
    api.context.db.selectFrom('servers').select('placed_at').where('id', '=', id).executeTakeFirstOrThrow()
  const placed = await placedAt()
  await agent.kill('SIGKILL')
  expect(await worker.fleet.cluster.inspect(id)).toEqual({ state: 'lost', node: 'crate' })
  const shown = (await admin.call(clusters.listAdminClusters, {})).find((one) => one.id === 'far')
  expect(shown?.nodes).toEqual([{ name: 'crate', answers: false, placed: 0 }])
  await expect(join('Alex')).rejects.toThrow(/kicked|ended|in time/)
  // Long enough for several looks of the reconciler.
  await delay(25_000)
  expect(await (await api.context.fleet.clusterOf('local')).list()).toEqual([])
  await agent.start()
  await vi.waitFor(async () => expect(await launchedAt()).toBe(before), 20_000)
  await untilStatus(admin, id, isUp, 30_000)
  expect(await placedAt()).toEqual(placed)
  const bot = await join('Alex')
  const heard = waitForChat(bot, /here again/)
  bot.chat('here again')
  await heard
  bot.end()
})
