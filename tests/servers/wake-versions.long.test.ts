/**
 * Players of many versions of the game before servers of theirs, from the gateway to the world: whoever comes to one that
 * sleeps, however deep, stands in it and finds what they have built.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Bot } from 'mineflayer'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Product } from '@wakestone/contract/sales/product'
import { createLogger } from '@wakestone/kit/logger'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { blockAt, build } from '../support/building.ts'
import { giveCommand } from '../support/own-plan.ts'
import { joinServer } from '../support/player.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 180_000 })

const versions = ['1.8.8', '1.12.2', '1.16.5', '1.20.4', '1.21.4']
const game = join(import.meta.dirname, '../../apps/gateway/src/test-support/old-game.ts')
const supervisor = join(import.meta.dirname, '../../apps/supervisor/src/main.ts')

type Place = { id: string; host: string }
let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
const places = new Map<string, Place>()
const bots: Bot[] = []

beforeAll(async () => {
  api = await startTestApi(
    { SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '1' },
    { openCluster: (publicKey) => (cluster = createProgramCluster(publicKey)) },
  )
  cluster.use(supervisor)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 50_000)
  for (const version of versions) {
    const server = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
    places.set(version, { id: server.id, host: server.domains[0]!.fqdn })
    // No catalogue has a game of every version.
    await giveCommand(api, server.id, ['{NODE}', '--no-deprecation', game, version, '{PORT}'])
  }
  worker = await startTestWorker(api)
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: api.dataDir,
    apiUrl: api.origin,
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
}, 120_000)
afterEach(() => {
  for (const bot of bots.splice(0)) bot.end()
})
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  cluster?.close()
  await api?.close()
})

type Seconds = { light: number | null; deep: number | null; hibernate: number | null }
async function sleepAfter(id: string, seconds: Seconds) {
  const minutes = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value && value / 60]))
  const rule = minutes as Product['parameters']['sleep']
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(rule)}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}

const sleeps: [string, Seconds][] = [
  ['IRL_LIGHT_SLEEP', { light: 3, deep: null, hibernate: null }],
  ['IRL_DEEP_SLEEP', { light: null, deep: 0.5, hibernate: null }],
  ['IRL_HIBERNATED', { light: null, deep: 0.3, hibernate: 0.5 }],
]

async function fallAsleep({ id, host }: Place, [level, rule]: (typeof sleeps)[number]) {
  await sleepAfter(id, rule)
  await untilStatus(owner, id, ({ game_status, activity }) => game_status === level && activity === null)
  await vi.waitFor(
    async () => {
      const { description } = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: host })
      expect(plainText(description)).toContain('is asleep')
    },
    { timeout: 30_000, interval: 50 },
  )
  // Who sleeps without a game sleeps on, whatever its plan says then; whoever it wakes for shall find it awake.
  if (level !== 'IRL_LIGHT_SLEEP') await sleepAfter(id, { light: 3600, deep: 3600, hibernate: 3600 })
}

async function enter({ host }: Place, version: string): Promise<Bot> {
  const bot = await joinServer({ host, gamePort: gateway.port, username: 'Steve', version })
  bots.push(bot)
  return bot
}

async function leave({ id }: Place, bot: Bot) {
  bot.quit()
  await untilStatus(owner, id, ({ players }) => players.online === 0)
}

test.each(versions)('%s: what was built stands after every sleep', async (version) => {
  const place = places.get(version)!
  await sleepAfter(place.id, { light: 3600, deep: 3600, hibernate: 3600 })
  await untilStatus(owner, place.id, isUp)
  let bot = await vi.waitFor(() => enter(place, version), { timeout: 20_000 })
  const built = await build(bot, 'gold_block', 1)
  expect(await blockAt(bot, built)).toBe('gold_block')
  await leave(place, bot)
  for (const sleep of sleeps) {
    await fallAsleep(place, sleep)
    bot = await enter(place, version)
    expect(await blockAt(bot, built), sleep[0]).toBe('gold_block')
    await untilStatus(owner, place.id, ({ players }) => players.names.includes('Steve'))
    await leave(place, bot)
  }
  const status = await owner.call(routes.getServerStatus, { params: { id: place.id } })
  expect(status.crashed).toBe(false)
})
