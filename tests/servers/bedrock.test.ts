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
import { type BedrockPlayer, joinBedrock } from '../support/bedrock-player.ts'
import { outcomeOf } from '../support/outcome.ts'
import { isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { isLong } from '../support/long.ts'

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
  api = await startTestApi({
    BEDROCK_PORTS: `${port}-${port}`,
    SLEEP_MINUTES_AFTER_START: '0',
    WORKLOAD_LINGER_SECONDS: '1',
  })
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
vi.setConfig({ testTimeout: 180_000 })
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
  expect(server.cluster_ports).toMatchObject([{ port, target_port: port, type: 'proxy', name: 'minecraft-bedrock' }])
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
const later = { light: 60, deep: 60, hibernate: 60 }

/** What the console of the running game says to a command; the newest line that fits, or the next one. */
async function ask(command: string, pattern: RegExp): Promise<string> {
  const supervisor = (await worker.fleet.find(id))!
  const stream = await supervisor.openStream()
  const lines: string[] = []
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  try {
    await supervisor.command(command)
    return await vi.waitFor(
      () => {
        const found = lines.findLast((line) => pattern.test(line))
        if (found === undefined) throw new Error(`no ${pattern} in\n${lines.slice(-20).join('\n')}`)
        return found
      },
      { timeout: 20_000, interval: 50 },
    )
  } finally {
    stream.close()
  }
}

/** Joins as people do: whoever is told that it takes longer than their client waits, or waits in vain, comes again. */
async function come(): Promise<BedrockPlayer> {
  for (const deadline = Date.now() + 90_000; ;) {
    try {
      return await joinBedrock({ port, username: 'Big Steve' })
    } catch (error) {
      if (!/is waking up|did not come to stand/.test((error as Error).message) || Date.now() > deadline) throw error
    }
  }
}

test.runIf(isLong).each([
  ['IRL_LIGHT_SLEEP', { light: 0.05, deep: null, hibernate: null }],
  ['IRL_DEEP_SLEEP', { light: null, deep: 0.01, hibernate: null }],
  ['IRL_HIBERNATED', { light: null, deep: 0.01, hibernate: 0.02 }],
] as const)('one in %s is woken by a player, not by pings, and has what was built before', async (level, times) => {
  const builder = await come()
  const { x, z } = builder.position
  // A place of its own each time, by which the answer about it is known.
  const at = [x + 2, { IRL_LIGHT_SLEEP: -55, IRL_DEEP_SLEEP: -54, IRL_HIBERNATED: -53 }[level], z]
  const place = at.join(' ')
  await (await worker.fleet.find(id))!.command(`setblock ${place} sponge`)
  await vi.waitFor(() => expect(builder.blocks).toContain(place), { timeout: 20_000 })
  await builder.leave()
  await untilStatus(owner, id, ({ players }) => players.online === 0)

  await sleepAfter(times)
  await untilStatus(owner, id, (status) => status.game_status === level && status.activity === null)
  const ping = () => pingBedrockServer({ host: '127.0.0.1', port, timeoutMs: 1000 })
  await vi.waitFor(async () => expect((await ping()).motd).toMatch(/is asleep/), { timeout: 20_000 })
  for (let count = 0; count < 50; count += 1) await ping()
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toMatchObject({ game_status: level })
  // Who sleeps without a game sleeps on, whatever its plan says then; whoever it wakes for shall find it awake.
  if (level !== 'IRL_LIGHT_SLEEP') await sleepAfter(later)
  const player = await come()
  await untilStatus(owner, id, ({ players }) => players.names.includes('Big Steve'))
  expect(await ask(`testforblock ${place} sponge`, new RegExp(`block at ${at.join(', ')}`))).toContain('Successfully')
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
