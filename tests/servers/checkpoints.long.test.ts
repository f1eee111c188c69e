/** Servers that sleep deeply with their memory on disk, from a player's knock to the block that they have laid. */
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Bot } from 'mineflayer'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Product } from '@wakestone/contract/sales/product'
import { createLogger } from '@wakestone/kit/logger'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { readCgroupMembers } from '../../apps/server/src/adapters/clusters/process/cgroup.ts'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { blockAt, build, type Position } from '../support/building.ts'
import { checkpointOf, criuPath } from '../support/checkpoints.ts'
import { ask, contentPath, type FilesApi } from '../support/files.ts'
import { joinServer } from '../support/player.ts'
import {
  isUp,
  order,
  prepareArtifacts,
  startTestWorker,
  topUp,
  untilStatus as untilStatusIn,
} from '../support/servers.ts'
import { startWorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 600_000 })
/** Twenty times of what it takes where nobody else is at work. */
const patientMilliseconds = 180_000
const untilStatus = (caller: Caller, serverId: string, isThere: Parameters<typeof untilStatusIn>[2]) =>
  untilStatusIn(caller, serverId, isThere, patientMilliseconds)

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
let id: string
let host: string
let built: Position
let checkpoint: ReturnType<typeof checkpointOf>
/** Why this machine can have none. */
let fault: string | undefined
const bots: Bot[] = []

beforeAll(async () => {
  api = await startTestApi({ SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '1', CRIU_PATH: criuPath })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const server = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  id = server.id
  host = server.domains[0]!.fqdn
  checkpoint = checkpointOf(api.dataDir, id)
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
    wakesPerAddress: 1_000,
    wakesPerNetwork: 1_000,
    wakesPerServer: 1_000,
  })
  await untilStatus(owner, id, isUp)
  fault = await worker.fleet.cluster.checkpoints?.findFault(id)
  if (fault !== undefined) return console.warn(`skipped: ${fault}`)
  const bot = await vi.waitFor(enter, { timeout: 20_000 })
  built = await build(bot, 'gold_block', 1)
  await leave(bot)
}, 600_000)
beforeEach((context) => context.skip(fault !== undefined, fault))
afterEach(() => {
  for (const bot of bots.splice(0)) bot.end()
})
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

async function sleepAfter(seconds: { light: number | null; deep: number | null; hibernate: number | null }) {
  const minutes = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value && value / 60]))
  const rule = minutes as Product['parameters']['sleep']
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(rule)}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}

async function enter(): Promise<Bot> {
  const bot = await joinServer({ host, gamePort: gateway.port, username: 'Steve' })
  bots.push(bot)
  return bot
}

async function leave(bot: Bot) {
  bot.quit()
  await untilStatus(owner, id, ({ players }) => players.online === 0)
}

const statusNow = () => owner.call(routes.getServerStatus, { params: { id } })

/** Sleeps deeply with its memory on disk: nothing of it lives. @returns when its game was launched */
async function fallAsleep(): Promise<string | null> {
  await owner.call(routes.startServer, { params: { id } }).catch(() => undefined) // it is up already
  const { launched } = await untilStatus(owner, id, isUp)
  await sleepAfter({ light: null, deep: 0.5, hibernate: null })
  await untilStatus(owner, id, ({ game_status, pod_name }) => game_status === 'IRL_DEEP_SLEEP' && pod_name === null)
  await untilSeenAsleep()
  await sleepAfter({ light: 3600, deep: 3600, hibernate: 3600 })
  expect(checkpoint.isWhole()).toBe(true)
  expect(readCgroupMembers(id)).toEqual([])
  expect(await worker.fleet.cluster.inspect(id)).toEqual({ state: 'absent' })
  return launched
}

const lookAtIt = () => pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: host })
const untilSeenAsleep = () =>
  vi.waitFor(async () => expect(plainText((await lookAtIt()).description)).toContain('is asleep'), {
    timeout: 60_000,
    interval: 50,
  })

/** A player stands before what they have built. @returns when the game was launched that they are in */
async function visit(): Promise<string | null> {
  const bot = await vi.waitFor(enter, { timeout: 60_000 })
  expect(await blockAt(bot, built)).toBe('gold_block')
  const { launched, crashed } = await statusNow()
  expect(crashed).toBe(false)
  await leave(bot)
  return launched
}

async function lastPlacing() {
  const { rows } = await sql<{ level: number; data: unknown }>`select level, data from audit_events
    where resource_id = ${id} and action = 'SERVER_POD_CREATED' order by id desc limit 1`.execute(api.context.db)
  return rows[0]
}

/** The world's time of day, as the game tells it next. */
async function timeOf(bot: Bot): Promise<number> {
  await once(bot, 'time')
  return bot.time.timeOfDay
}

test('a player finds what they have built in the game that was there before, and its day goes on where it was', async () => {
  let bot = await enter()
  const before = await timeOf(bot)
  await leave(bot)
  const launched = await fallAsleep()
  expect(checkpoint.mode()).toBe(0o700)
  const slept = 20
  await delay(slept * 1000)
  const began = performance.now()
  bot = await enter()
  expect(await blockAt(bot, built)).toBe('gold_block')
  expect((await statusNow()).launched).toBe(launched)
  // Twenty ticks a second: of those that it slept there are none.
  const ticks = ((await timeOf(bot)) - before + 24_000) % 24_000
  expect(ticks).toBeGreaterThan(0)
  expect(ticks).toBeLessThan(20 * (slept + (performance.now() - began) / 1000))
  await leave(bot)
  expect(checkpoint.isThere()).toBe(false)
  expect(await lastPlacing()).toMatchObject({ data: { from: 'checkpoint' } })
})

test('from light sleep too, again and again', async () => {
  const { launched } = await untilStatus(owner, id, isUp)
  for (let round = 0; round < 3; round++) {
    await sleepAfter({ light: 0.3, deep: 1, hibernate: null })
    await untilStatus(owner, id, ({ game_status, pod_name }) => game_status === 'IRL_DEEP_SLEEP' && pod_name === null)
    await untilSeenAsleep()
    await sleepAfter({ light: 3600, deep: 3600, hibernate: 3600 })
    expect(await visit()).toBe(launched)
  }
})

test('its owner wakes it', async () => {
  const launched = await fallAsleep()
  await owner.call(routes.startServer, { params: { id } })
  expect((await untilStatus(owner, id, isUp)).launched).toBe(launched)
})

/** How often its game was stopped as games are, with time to save. */
async function countStops(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_events
    where resource_id = ${id} and action = 'GAME_STOPPED' and data->>'code' = '0'`.execute(api.context.db)
  return rows[0]!.count
}
const untilStoppedOnceMore = (before: number) =>
  vi.waitFor(async () => expect(await countStops()).toBe(before + 1), { timeout: 20_000 })

test('a stop and hibernation bring it back to be stopped, and leave nothing of it', async () => {
  const launched = await fallAsleep()
  let stops = await countStops()
  await owner.call(routes.stopServer, { params: { id }, query: {} })
  await vi.waitFor(() => expect(checkpoint.isThere()).toBe(false), { timeout: 20_000 })
  await untilStoppedOnceMore(stops)
  expect(await lastPlacing()).toMatchObject({ data: { from: 'checkpoint' } })
  await owner.call(routes.startServer, { params: { id } })
  expect((await untilStatus(owner, id, isUp)).launched).not.toBe(launched)
  await fallAsleep()
  stops = await countStops()
  await sleepAfter({ light: null, deep: 0.1, hibernate: 0.2 })
  await sql`select look_at_server(${id}::uuid)`.execute(api.context.db)
  await untilStatus(owner, id, ({ game_status }) => game_status === 'IRL_HIBERNATED')
  await vi.waitFor(() => expect(checkpoint.isThere()).toBe(false), { timeout: 20_000 })
  await untilStoppedOnceMore(stops)
  await untilStatus(owner, id, ({ pod_name }) => pod_name === null)
  await sleepAfter({ light: 3600, deep: 3600, hibernate: 3600 })
  await visit()
})

test('files that were changed meanwhile are those of the game that comes', async () => {
  const launched = await fallAsleep()
  const answer = await ask(api as FilesApi, owner, contentPath(id, { path: 'server.properties' }))
  const text = (await answer.text()).replace(/^motd=.*$/m, '')
  const body = `${text}\nmotd=Changed while asleep\n`
  const saved = await ask(api as FilesApi, owner, contentPath(id, { path: 'server.properties' }), {
    method: 'PUT',
    body,
  })
  expect(saved.status).toBe(200)
  expect(checkpoint.isThere()).toBe(false)
  expect(await visit()).not.toBe(launched)
  await vi.waitFor(async () => expect(plainText((await lookAtIt()).description)).toBe('Changed while asleep'), {
    timeout: 20_000,
    interval: 200,
  })
})

test.each([
  {
    what: 'cut short',
    harm: () => {
      const pages = readdirSync(checkpoint.images).find((name) => name.startsWith('pages-')) as string
      const file = join(checkpoint.images, pages)
      truncateSync(file, statSync(file).size / 2)
    },
  },
  {
    what: 'of no use',
    harm: () => {
      const file = join(checkpoint.images, 'pstree.img')
      writeFileSync(file, Buffer.alloc(statSync(file).size))
    },
  },
])('one that is $what is followed by an ordinary start, and that is told', async ({ harm }) => {
  const launched = await fallAsleep()
  harm()
  expect(await visit()).not.toBe(launched)
  expect(checkpoint.isThere()).toBe(false)
  expect(await lastPlacing()).toMatchObject({ level: 30, data: { from: 'start' } })
})

test('whatever a worker is killed over, the server is right afterwards', async () => {
  await untilStatus(owner, id, isUp)
  await worker.stop()
  const begin = () =>
    startWorkerProcess(api, {
      SLEEP_MINUTES_AFTER_START: '0',
      WORKLOAD_LINGER_SECONDS: '1',
      CRIU_PATH: criuPath,
      PACKAGE_SOURCES: 'none',
    })
  let process = await begin()
  async function killWhen(isThere: () => boolean) {
    for (const deadline = Date.now() + 90_000; !isThere(); await delay(2))
      if (Date.now() > deadline) throw new Error('it was never there')
    await process.kill()
    process = await begin()
  }
  try {
    for (const wait of [0, 100, 400]) {
      await sleepAfter({ light: null, deep: 0.5, hibernate: null })
      await killWhen(checkpoint.isBeingMade)
      await delay(wait)
      await untilStatus(
        owner,
        id,
        ({ game_status }) => game_status === 'IRL_DEEP_SLEEP' || game_status === 'IRL_HIBERNATED',
      )
      await sleepAfter({ light: 3600, deep: 3600, hibernate: 3600 })
      await visit()
      expect(gamesOf(id)).toBe(1)
    }
    for (let round = 0; round < 3; round++) {
      await fallAsleep()
      await owner.call(routes.startServer, { params: { id } })
      await killWhen(checkpoint.isBeingUsed)
      await visit()
      expect(gamesOf(id)).toBe(1)
    }
  } finally {
    await process.kill()
    worker = await startTestWorker(api)
  }
})

test('a worker killed while it tries checkpoints out leaves nothing behind', async () => {
  await worker.stop()
  const folder = join(api.dataDir, 'cache/sandbox')
  const prefix = 'checkpoint-trial-'
  const trials = () => readdirSync(folder).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []))
  const isPlaced = (one: string) => existsSync(join(folder, prefix + one, 'servers', one, 'host/placement.json'))
  const begin = () => startWorkerProcess(api, { CRIU_PATH: criuPath, PACKAGE_SOURCES: 'none' })
  let process = await begin()
  await vi.waitFor(() => expect(trials().some(isPlaced)).toBe(true), {
    timeout: 60_000,
    interval: 5,
  })
  await process.kill()
  const tried = trials()
  // This process already knows the result; another one tries again.
  process = await begin()
  await vi.waitFor(() => expect(trials()).toEqual([]), { timeout: 60_000 })
  for (const one of tried) expect(readCgroupMembers(one)).toEqual([])
  await process.kill()
  worker = await startTestWorker(api)
})

/** Processes of the server that run a game: the supervisor's own have other names. */
function gamesOf(serverId: string): number {
  return readCgroupMembers(serverId).filter((pid) => commandOf(pid).includes('/.wakestone/packages/')).length
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
