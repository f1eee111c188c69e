/** Whoever is not to wake a server wakes none, frozen or down, however often they knock; seen from the whole product. */
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Product } from '@wakestone/contract/sales/product'
import { createLogger } from '@wakestone/kit/logger'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { writeLegacyPing } from '@wakestone/minecraft/legacy-ping'
import { writeLoginStart } from '@wakestone/minecraft/login'
import { STATUS_REQUEST, writePing } from '@wakestone/minecraft/status'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { joinRaw } from '../../apps/gateway/src/test-support/raw-client.ts'
import { openWire } from '../../apps/gateway/src/test-support/wire.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { joinServer } from '../support/player.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 300_000 })

const pings = 10_000
const joins = 500
const atOnce = 16

const sleeps = {
  light: ['IRL_LIGHT_SLEEP', { light: 0.05, deep: null, hibernate: null }],
  deep: ['IRL_DEEP_SLEEP', { light: null, deep: 0.005, hibernate: null }],
} as const

let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
let servers: Record<'light' | 'deep' | 'decoy', { id: string; host: string }>

beforeAll(async () => {
  api = await startTestApi(
    { SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '1' },
    { openCluster: (publicKey) => (cluster = createProgramCluster(publicKey)) },
  )
  cluster.use(join(import.meta.dirname, '../../apps/supervisor/src/main.ts'))
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 50_000)
  const rent = async () => {
    const { id, domains } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
    return { id, host: domains[0]!.fqdn }
  }
  servers = { light: await rent(), deep: await rent(), decoy: await rent() }
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: api.dataDir,
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: process.env['TEST_LOG'] ?? 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 1_000,
    connectionRate: 100_000,
    handshakeSeconds: 10,
    wakesPerAddress: 1,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
  })
  for (const { id } of Object.values(servers)) await untilStatus(owner, id, isUp)
  const door = { whitelist: ['steve', 'mallory'], banned: ['mallory'], bannedAddresses: ['127.0.0.66'] }
  for (const { id } of [servers.light, servers.deep])
    await sql`insert into server_doors (server_id, door) values (${id}, ${JSON.stringify(door)})
      on conflict (server_id) do update set door = excluded.door`.execute(api.context.db)
  for (const name of ['light', 'deep', 'decoy'] as const) {
    const [level, rule] = sleeps[name === 'decoy' ? 'deep' : name]
    const { id } = servers[name]
    await sleepAfter(id, rule)
    await untilStatus(owner, id, ({ game_status, activity }) => game_status === level && activity === null)
    // Who sleeps without a game sleeps on, whatever its plan says then; whoever it wakes for shall find it awake.
    if (name !== 'light') await sleepAfter(id, { light: 60, deep: 60, hibernate: 60 })
  }
  await expectAsleep()
}, 180_000)
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  cluster?.close()
  await api?.close()
})

async function sleepAfter(id: string, rule: Product['parameters']['sleep']) {
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(rule)}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}

const hosts = () => [servers.light.host, servers.deep.host]
const wakesOf = async (id: string) => {
  const query = { action: 'SERVER_WAKE', limit: 100 } as const
  return (await owner.call(routes.listServerEvents, { params: { id }, query })).data.length
}
const levelsOf = async (id: string) => (await owner.call(routes.listServerLevels, { params: { id }, query: {} })).length

let quiet: number[] | undefined
/** Nothing has begun meanwhile either: neither was woken and has fallen asleep again. */
async function expectAsleep() {
  await delay(500) // what was asked of the API or of a supervisor has come to it by now
  const now: number[] = []
  for (const name of ['light', 'deep'] as const) {
    const { id } = servers[name]
    expect((await owner.call(routes.getServerStatus, { params: { id } })).game_status).toBe(sleeps[name][0])
    now.push(await wakesOf(id), await levelsOf(id))
  }
  expect(now).toEqual((quiet ??= now))
}

/** Does it so often, so many at a time. */
async function often(times: number, act: (index: number) => Promise<void>) {
  let next = 0
  const loop = async () => {
    while (next < times) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

test('a banned and a name that is not on the whitelist', async () => {
  for (const host of hosts())
    for (const protocol of [47, 340, 754, 765, 769, 776]) {
      const knock = (name: string, more = {}) => joinRaw({ gatewayPort: gateway.port, host, protocol, name, ...more })
      expect((await knock('Mallory')).kicked).toBe('You are banned from this server')
      expect((await knock('Alex')).kicked).toBe('You are not whitelisted on this server!')
      expect((await knock('Steve', { localAddress: '127.0.0.66' })).kicked).toContain('banned')
    }
  await expectAsleep()
})

test(`${pings} looks at the server list`, async () => {
  await often(pings, async (index) => {
    const wire = openWire(gateway.port)
    wire.socket.write(
      Buffer.concat([
        writeHandshake({ protocol: 769, host: hosts()[index % 2]!, port: 25565, intent: 'status' }),
        STATUS_REQUEST,
        writePing(Buffer.alloc(8)),
      ]),
    )
    expect((await wire.closed()).length).toBeGreaterThan(100)
  })
  await expectAsleep()
})

test('a port scan', async () => {
  const hello = (host: string) => writeHandshake({ protocol: 769, host, port: 25565, intent: 'login' })
  const scans = [
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.1\r\nhost: example.test\r\n\r\n'),
    Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
    Buffer.from('SSH-2.0-scan\r\n'),
    writeLegacyPing({ form: 'beta' }),
    writeLegacyPing({ form: '1.4' }),
    ...hosts().map((host) => writeLegacyPing({ form: '1.6', protocol: 74, host, port: 25565 })),
    ...hosts().map(hello), // and no name
    ...['127.0.0.1', 'localhost', '203.0.113.9'].map((host) =>
      Buffer.concat([hello(host), writeLoginStart('Steve', Buffer.alloc(16))]),
    ),
  ]
  for (const bytes of scans) {
    const wire = openWire(gateway.port)
    wire.socket.end(bytes)
    await wire.closed()
  }
  await expectAsleep()
})

test(`${joins} joins of one address that has woken what it may`, async () => {
  const knock = (host: string) =>
    joinRaw({ gatewayPort: gateway.port, host, protocol: 340, localAddress: '127.0.0.77' })
  const waking = knock(servers.decoy.host)
  await untilStatus(owner, servers.decoy.id, isUp)
  await waking.catch(() => undefined) // held as long as it takes; the game then reads a name and no more
  await often(joins, async (index) => {
    expect((await knock(hosts()[index % 2]!)).kicked).toMatch(/has knocked too often/)
  })
  await expectAsleep()
})

test('who may, wakes both', async () => {
  const { light, deep } = servers
  const bot = await joinServer({ host: light.host, gamePort: gateway.port, username: 'Steve' })
  await untilStatus(owner, light.id, ({ players }) => players.names.includes('Steve'))
  bot.quit()
  const knock = { gatewayPort: gateway.port, host: deep.host, protocol: 340, localAddress: '127.0.0.78' }
  await Promise.all([joinRaw(knock).catch(() => undefined), untilStatus(owner, deep.id, isUp)])
})
