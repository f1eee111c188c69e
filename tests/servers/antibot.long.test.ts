/** Bots flood a server through the players' door; people who are on stay, one who is new gets in. Seen from the whole product. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Bot } from 'mineflayer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Antibot } from '@wakestone/contract/servers/antibot'
import { changeAntibot, getAntibot } from '@wakestone/contract/servers/antibot-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { toClient } from '@wakestone/minecraft/configuration'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { writeLoginStart } from '@wakestone/minecraft/login'
import { readPacket } from '@wakestone/minecraft/packet'
import { usualRules } from '../../apps/gateway/src/antibot/guard.ts'
import { startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { joinRaw } from '../../apps/gateway/src/test-support/raw-client.ts'
import { openWire } from '../../apps/gateway/src/test-support/wire.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { floodWithBots } from '../support/bots.ts'
import { joinServer } from '../support/player.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 300_000 })

const players = 10
const bots = 500
const atOnce = 25
const protocol = 769
const quietMs = 8_000

let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Awaited<ReturnType<typeof startGateway>>
let owner: Caller
let awake: { id: string; host: string }
let asleep: { id: string; host: string }

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
  ;[awake, asleep] = [await rent(), await rent()]
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
    wakesPerAddress: 100,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
    antibot: { ...usualRules, attack: { ...usualRules.attack, quietMs } },
    reportMs: 500,
  })
  for (const { id } of [awake, asleep]) await untilStatus(owner, id, isUp)
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', '{"light": null, "deep": 0.005, "hibernate": null}')
    where id = ${asleep.id}`.execute(api.context.db)
  await untilStatus(
    owner,
    asleep.id,
    ({ game_status, activity }) => game_status === 'IRL_DEEP_SLEEP' && activity === null,
  )
}, 180_000)
afterAll(async () => {
  await gateway?.close()
  await worker?.stop()
  cluster?.close()
  await api?.close()
})

const sumOf = (points: Antibot['points'], what: 'verified' | 'turned_away') =>
  points.reduce((sum, point) => sum + point[what], 0)
const stateOf = (id: string) => owner.call(getAntibot, { params: { id } })
const metric = async (name: string) => {
  const text = await (await fetch(`http://127.0.0.1:${gateway.metricsPort}/metrics`)).text()
  return Number(new RegExp(`wakestone_gateway_${name} (\\d+)`).exec(text)?.[1] ?? 0)
}
async function until(what: string, holds: () => Promise<boolean>) {
  for (const end = Date.now() + 60_000; !(await holds()); await delay(200))
    if (Date.now() > end) throw new Error(`still not so: ${what}`)
}

/** Those that say they are of today wait in the waiting room, where they do not answer. */
async function floodRoom(host: string, count: number): Promise<number> {
  const told = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { socket, closed } = openWire(gateway.port, { localAddress: `127.100.${index}.9` })
      socket.write(writeHandshake({ protocol, host, port: 25565, intent: 'login' }))
      socket.write(writeLoginStart(`r${index}`, randomBytes(16)))
      const answer = readPacket(await closed())
      return answer?.id === toClient.loginSuccess && answer.data.length < 40
    }),
  )
  return told.filter(Boolean).length
}

test(`${bots} bots are turned away while ${players} players stay and somebody new gets in`, async () => {
  const here: Bot[] = []
  const left: string[] = []
  for (let index = 0; index < players; index += 1) {
    const bot = await joinServer({
      host: awake.host,
      gamePort: gateway.port,
      username: `Player_${'abcdefghij'[index]}`,
    })
    bot.once('end', () => void left.push(bot.username))
    here.push(bot)
  }
  expect((await stateOf(awake.id)).attacks).toEqual([])

  const before = process.memoryUsage.rss()
  const sums = await floodWithBots(gateway.port, { host: awake.host, bots, atOnce })
  // Those who came before there were enough of them to tell.
  expect(sums.in).toBeLessThanOrEqual(usualRules.attack.newcomers + atOnce)
  expect(sums.away).toBeGreaterThanOrEqual(bots - usualRules.attack.newcomers - atOnce)
  await until('the attack is told', async () => (await stateOf(awake.id)).attacks[0]?.until === null)

  // A client of today waits a moment, is sent on, and stands in the world. Mineflayer does not tell its settings as
  // games do before the world, so by itself it is taken for what it is.
  const silent = floodRoom(awake.host, 5)
  const robot = joinServer({ host: awake.host, gamePort: gateway.port, username: 'Robot' }).then(
    () => 'in the world',
    () => 'turned away',
  )
  const name = 'Newcomer'
  const newcomer = { gatewayPort: gateway.port, host: awake.host, protocol, name, follows: false }
  expect((await joinRaw(newcomer)).transfers).toEqual([{ host: awake.host, port: 25565 }])
  here.push(await joinServer({ host: awake.host, gamePort: gateway.port, username: name }))
  expect(left).toEqual([])
  const status = await untilStatus(owner, awake.id, (shown) => shown.players.names.includes('Newcomer'))
  expect(status.players.names).toEqual(expect.arrayContaining(here.map(({ username }) => username)))

  await until('figures are told', async () => {
    const { points, reasons } = await stateOf(awake.id)
    return (
      (reasons.asked_to_rejoin ?? 0) > 0 && sumOf(points, 'turned_away') >= sums.away && sumOf(points, 'verified') === 1
    )
  })
  // Rows by minute, not by bot, and nothing that grows with each of them.
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from server_antibot_minutes`.execute(
    api.context.db,
  )
  expect(rows[0]!.count).toBeLessThanOrEqual(20)
  expect(await metric('antibot_remembered')).toBeLessThanOrEqual(5 * bots + 100)
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 ** 2)

  expect(await robot).toBe('turned away')
  expect(await silent).toBe(5)
  await until('the attack is over', async () => (await stateOf(awake.id)).attacks[0]?.until != null)
  const events = await owner.call(routes.listServerEvents, { params: { id: awake.id }, query: { limit: 100 } })
  const told = events.data.map(({ action }) => action)
  expect(told.filter((action) => action === 'SERVER_ATTACK_DETECTED').length).toBe(1)
  expect(told.filter((action) => action === 'SERVER_ATTACK_ENDED').length).toBe(1)
  const { notifications } = await owner.call(listNotifications, {
    params: { id: owner.user.id },
    query: { types: 'SERVER_UNDER_ATTACK,SERVER_ATTACK_OVER' },
  })
  expect(notifications.map(({ type }) => type).toSorted()).toEqual(['SERVER_ATTACK_OVER', 'SERVER_UNDER_ATTACK'])
  expect(left).toEqual([])
  for (const bot of here) bot.end()
})

test('a flood wakes no server that sleeps, whether bots are kept out always or while they attack', async () => {
  const wakesOf = async () => {
    const query = { action: 'SERVER_WAKE', limit: 100 } as const
    return (await owner.call(routes.listServerEvents, { params: { id: asleep.id }, query })).data.length
  }
  const before = await wakesOf()
  for (const mode of ['automatic', 'on'] as const) {
    await owner.call(changeAntibot, { params: { id: asleep.id }, body: { mode } })
    expect((await floodWithBots(gateway.port, { host: asleep.host, bots: bots / 2, atOnce })).in).toBe(0)
  }
  expect((await owner.call(routes.getServerStatus, { params: { id: asleep.id } })).game_status).toBe('IRL_DEEP_SLEEP')
  expect(await wakesOf()).toBe(before)
})

test('turned off, everybody is led on, and an attack that goes on is over', async () => {
  await owner.call(changeAntibot, { params: { id: awake.id }, body: { mode: 'on' } })
  const off = await owner.call(changeAntibot, { params: { id: awake.id }, body: { mode: 'off' } })
  expect(off.mode).toBe('off')
  expect(off.attacks.every(({ until: end }) => end !== null)).toBe(true)
  await delay(500)
  const bot = await joinServer({ host: awake.host, gamePort: gateway.port, username: 'Anybody' })
  bot.end()
})
