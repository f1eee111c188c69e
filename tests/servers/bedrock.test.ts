/** A server of Bedrock Edition, rented and reached at the gateway as players reach it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { createLogger } from '@wakestone/kit/logger'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { freeUdpPort } from '../support/bedrock-game.ts'
import { joinBedrock } from '../support/bedrock-player.ts'
import { outcomeOf } from '../support/outcome.ts'
import { isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Gateway
let gatewayDir: string
let owner: Caller
let walletId: string
let port: number
/** Of the server that the first test rents. */
let id: string

beforeAll(async () => {
  port = await freeUdpPort()
  api = await startTestApi({ BEDROCK_PORTS: `${port}-${port}`, SLEEP_MINUTES_AFTER_START: '0' })
  worker = await startTestWorker(api)
  gatewayDir = mkdtempSync(join(tmpdir(), 'wakestone-gateway-'))
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: gatewayDir,
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 100,
    connectionRate: 1_000,
    handshakeSeconds: 10,
    wakesPerAddress: 100,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
  })
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 10_000)
}, 120_000)
vi.setConfig({ testTimeout: 120_000 })
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  if (gatewayDir) rmSync(gatewayDir, { recursive: true, force: true })
})

const bedrockOrder = (name: string, version = '1.26.20') =>
  order(walletId, version, { name, engine: 'serenity', game: 'minecraft-bedrock' })

test('is rented with a port of its own, and played on through it', async () => {
  const server = await owner.call(routes.createServer, { body: bedrockOrder('Deep slate') })
  ;({ id } = server)
  expect(server.parameters).toMatchObject({ game: 'minecraft-bedrock', engine: 'serenity' })
  expect(server.cluster_ports).toEqual([{ port, type: 'proxy', name: 'minecraft-bedrock' }])
  expect(server.address).toBe(`${server.domains[0]!.fqdn}:${port}`)
  await untilStatus(owner, server.id, isUp)
  await vi.waitFor(
    async () =>
      expect(await pingBedrockServer({ host: '127.0.0.1', port, timeoutMs: 1000 })).toMatchObject({
        motd: 'Deep slate',
        version: '1.26.20',
      }),
    { timeout: 20_000 },
  )
  const player = await joinBedrock({ port, username: 'Big Steve' })
  await untilStatus(owner, server.id, ({ players }) => players.names.includes('Big Steve'))
  await player.leave()
  await untilStatus(owner, server.id, ({ players }) => players.online === 0)
})

/** Gives a server other times to fall asleep after; never is `null`. */
async function sleepAfter(minutes: { light: number | null; deep: number | null; hibernate: number | null }) {
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(minutes)}::jsonb)
    where id = ${id}`.execute(api.context.db)
}

test.each([
  ['IRL_LIGHT_SLEEP', { light: 0.01, deep: null, hibernate: null }],
  ['IRL_DEEP_SLEEP', { light: 0.2, deep: 0.21, hibernate: null }],
] as const)('one in %s is woken by a player, not by pings', async (level, times) => {
  await sleepAfter(times)
  await untilStatus(owner, id, (status) => status.game_status === level && status.activity === null)
  const ping = () => pingBedrockServer({ host: '127.0.0.1', port, timeoutMs: 1000 })
  await vi.waitFor(async () => expect((await ping()).motd).toMatch(/is asleep/), { timeout: 20_000 })
  for (let count = 0; count < 50; count += 1) await ping()
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toMatchObject({ game_status: level })
  const player = await joinBedrock({ port, username: 'Big Steve' }).catch(async (error: Error) => {
    // On a busy machine it takes longer than clients wait: they are told so, and come again.
    if (!/is waking up/.test(error.message)) throw error
    await sleepAfter({ light: null, deep: null, hibernate: null })
    await untilStatus(owner, id, isUp)
    return joinBedrock({ port, username: 'Big Steve' })
  })
  await untilStatus(owner, id, ({ players }) => players.names.includes('Big Steve'))
  await sleepAfter({ light: null, deep: null, hibernate: null })
  await player.leave()
  await untilStatus(owner, id, ({ players }) => players.online === 0)
})

test('a port is one server’s, and free again when that is gone', async () => {
  const outcome = () => outcomeOf(owner.call(routes.createServer, { body: bedrockOrder('Too many') }))
  expect(await outcome()).toMatch(/service_unavailable/)
  await sql`update servers set deleted_at = now() where bedrock_port = ${port}`.execute(api.context.db)
  expect(await outcome()).toMatch(/success/)
})

test('an engine is of one game', async () => {
  const body = { ...bedrockOrder('Mixed'), game: 'minecraft-java' as const }
  expect(await outcomeOf(owner.call(routes.createServer, { body }))).toMatch(/engine_version_not_found/)
})
