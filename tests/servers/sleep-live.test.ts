/** Servers that sleep, as players meet them: through the gateway, by real clients, with nobody touching the panel. */
import { type Bot } from 'mineflayer'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Product } from '@wakestone/contract/sales/product'
import { createLogger } from '@wakestone/kit/logger'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { until } from '../../apps/gateway/src/test-support/wire.ts'
import { type Caller, startSecondApi, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { joinServer } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 90_000 })

let api: TestApi
let second: Awaited<ReturnType<typeof startSecondApi>>
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
let id: string
let host: string
/** API and worker have been ended. */
let isAlone = false
const bots: Bot[] = []

beforeAll(async () => {
  api = await startTestApi({ SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '1' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const server = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  id = server.id
  host = server.domains[0]!.fqdn
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
  await untilStatus(owner, id, isUp)
}, 120_000)
afterEach(async () => {
  for (const bot of bots.splice(0)) bot.quit()
})
afterAll(async () => {
  await gateway?.close()
  if (!isAlone) await worker?.stop()
  await worker?.removeAll()
  if (!isAlone) await second?.close()
  await api?.close()
})

/** Gives the server's plan other times. Never is `null`. */
async function sleepAfter(seconds: { light: number | null; deep: number | null; hibernate: number | null }) {
  const minutes = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value && value / 60]))
  const rule = minutes as Product['parameters']['sleep']
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(rule)}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}
const light = { light: 3, deep: null, hibernate: null }
const deep = { light: null, deep: 0.5, hibernate: null }
const hibernate = { light: null, deep: 0.3, hibernate: 0.5 }

const look = () => pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: host, protocol: 769 })
const untilListed = (text: string) =>
  until(
    async () =>
      look().then(
        ({ description }) => plainText(description).includes(text),
        () => false,
      ),
    `listed as ${text}`,
  )

async function fallAsleep(rule: Parameters<typeof sleepAfter>[0], level: string) {
  await sleepAfter(rule)
  await untilStatus(owner, id, ({ game_status, activity }) => game_status === level && activity === null)
  await untilListed('is asleep')
  // Who sleeps without a game sleeps on, whatever its plan says then; whoever it wakes for shall find it awake.
  if (level !== 'IRL_LIGHT_SLEEP') await sleepAfter({ light: 3600, deep: 3600, hibernate: 3600 })
}

async function join(username: string): Promise<Bot> {
  const bot = await joinServer({ host, gamePort: gateway.port, username })
  bots.push(bot)
  return bot
}

test.each([
  ['IRL_LIGHT_SLEEP', light],
  ...(isLong
    ? ([
        ['IRL_DEEP_SLEEP', deep],
        ['IRL_HIBERNATED', hibernate],
      ] as const)
    : []),
] as const)('a player who joins wakes it: %s', async (level, rule) => {
  await fallAsleep(rule, level)
  for (let turn = 0; turn < 20; turn++) expect(plainText((await look()).description)).toContain('is asleep')
  await join('Steve')
  await untilStatus(owner, id, ({ players }) => players.names.includes('Steve'))
  // Its owner can read why it slept, and what woke it.
  const { data } = await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100 } })
  const told = data.filter(({ action }) => action === 'SERVER_SLEEP' || action === 'SERVER_WAKE')
  expect(told.slice(0, 2)).toMatchObject([
    { action: 'SERVER_WAKE', data: { cause: 'player' } },
    { action: 'SERVER_SLEEP', data: { cause: 'empty' } },
  ])
})

const askToWake = (body: object, token = api.context.secrets.gateway) =>
  fetch(`${second.origin}/internal/gateway/wake`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(async (response) => (await response.json()) as { error?: string; expectedSeconds?: number | null })

test('whom its game would not let in, who has no right and who asks too often wake nothing', async () => {
  const door = { whitelist: ['steve', 'mallory'], banned: ['mallory'], bannedAddresses: ['203.0.113.9'] }
  const tell = (value: object | null) =>
    sql`insert into server_doors (server_id, door) values (${id}, ${JSON.stringify(value)})
      on conflict (server_id) do update set door = excluded.door`.execute(api.context.db)
  await tell(door)
  await fallAsleep(deep, 'IRL_DEEP_SLEEP')
  await expect(join('Mallory')).rejects.toThrow('You are banned from this server')
  await expect(join('Alex')).rejects.toThrow('You are not whitelisted on this server!')
  const address = '203.0.113.7'
  expect(await askToWake({ serverId: id, name: 'Alex', address })).toMatchObject({ error: 'access_denied' })
  expect(await askToWake({ serverId: id, name: 'MALLORY', address })).toMatchObject({ error: 'access_denied' })
  expect(await askToWake({ serverId: id, name: 'Steve', address: '203.0.113.9' })).toMatchObject({
    error: 'access_denied',
  })
  expect(await askToWake({ serverId: id, name: 'Steve', address }, 'guessed')).toMatchObject({ error: 'unauthorized' })
  expect(await askToWake({ serverId: id, address })).toMatchObject({ error: 'invalid_request' })
  const nobody = { serverId: crypto.randomUUID(), name: 'Steve', address }
  expect(await askToWake(nobody)).toMatchObject({ error: 'server_id_not_found' })
  const many = await Promise.all(Array.from({ length: 130 }, () => askToWake(nobody)))
  expect(many.filter(({ error }) => error === 'too_many_requests').length).toBeGreaterThan(0)
  const status = await owner.call(routes.getServerStatus, { params: { id } })
  expect(status.game_status).toBe('IRL_DEEP_SLEEP')
  await tell(null)
  expect(await askToWake({ serverId: id, name: 'Alex', address: '203.0.113.8' })).toEqual({
    expectedSeconds: expect.any(Number),
  })
  await untilStatus(owner, id, isUp)
})

test.runIf(isLong)('a light sleeper wakes though API and worker are away', async () => {
  await fallAsleep(light, 'IRL_LIGHT_SLEEP')
  isAlone = true
  await second.close()
  await worker.stop()
  const began = performance.now()
  await join('Steve')
  console.log(`knock to world: ${Math.round(performance.now() - began)} ms`)
})
