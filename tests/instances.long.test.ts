/**
 * Two of each program over one database: each is killed in turn, or told to end, while people play and ask. Nobody plays
 * less for it, and no request is lost but those that were under way in what was killed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Bot } from 'mineflayer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { type Instance, openInstances } from './support/instances.ts'
import { joinServer } from './support/player.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let database: TestDatabase
let product: Awaited<ReturnType<typeof openInstances>>
let owner: Awaited<ReturnType<typeof product.rent>>
let apis: Instance[]
let workers: Instance[]
let gateways: Instance[]
const bots: Bot[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  product = await openInstances(database.url, { STOP_DELAY_SECONDS: '2' })
  apis = [await product.start('api'), await product.start('api')]
  workers = [await product.start('worker'), await product.start('worker')]
  gateways = [await product.start('gateway'), await product.start('gateway')]
  owner = await product.rent()
})
afterAll(async () => {
  for (const bot of bots) bot.end()
  await product?.close()
  await database?.drop()
})

/** Somebody who plays, through one of the gateways or whichever the balancer picks. */
async function play(username: string, gateway?: Instance) {
  const port = gateway?.port ?? product.gamePort
  const bot = await joinServer({ host: owner.host, gamePort: port, username })
  const player = { username, isGone: false, leave: () => bot.end() }
  bot.once('end', () => void (player.isGone = true))
  bots.push(bot)
  return player
}

/** Asks again and again, some at a time; a request that fails is counted, as is how long the longest pause was. */
function keepAsking(clients: number) {
  const found = { answered: 0, failed: 0, errors: [] as string[] }
  let isOver = false
  const asking = Array.from({ length: clients }, async () => {
    for (; !isOver; await delay(10))
      try {
        const response = await fetch(`${product.origin}/api/v1/users/verify`, {
          headers: { cookie: owner.cookie() },
          signal: AbortSignal.timeout(10_000),
        })
        await response.arrayBuffer()
        if (response.ok) found.answered++
        else found.errors.push(String(response.status))
      } catch (error) {
        found.errors.push(String((error as Error).cause ?? error))
      }
  })
  return {
    found,
    async stop() {
      isOver = true
      await Promise.all(asking)
      return found
    },
  }
}

const names = async () => (await owner.status()).players.names

test('a worker is killed: the other one hears of players within seconds', async () => {
  for (const index of [0, 1]) {
    await workers[index]!.end('SIGKILL')
    const killed = performance.now()
    const player = await play(`Miner_${index}`)
    await expect.poll(names, { timeout: 10_000, interval: 50 }).toContain(player.username)
    expect(performance.now() - killed).toBeLessThan(10_000)
    player.leave()
    await expect.poll(names, { timeout: 10_000, interval: 50 }).not.toContain(player.username)
    workers[index] = await product.start('worker')
  }
})

test('a worker that ends in order hands over at once', async () => {
  const player = await play('Steady')
  const ended = performance.now()
  await workers[0]!.end('SIGTERM')
  const other = await play('Newcomer')
  await expect.poll(names, { timeout: 5_000, interval: 50 }).toContain('Newcomer')
  expect(performance.now() - ended).toBeLessThan(15_000)
  expect(player.isGone).toBe(false)
  workers[0] = await product.start('worker')
  player.leave()
  other.leave()
})

test('an API is killed: only what it was answering is lost, and event streams go on at the other', async () => {
  const asking = keepAsking(8)
  const stream = () => fetch(`${product.origin}/api/v1/notifications/stream`, { headers: { cookie: owner.cookie() } })
  const streams = [await stream(), await stream()] // one at each
  const ends = streams.map(async ({ body }) => {
    try {
      for await (const chunk of body!) if (chunk === undefined) break
    } catch {
      // It broke off, which ends it as well.
    }
    return 'ended'
  })
  await delay(500)
  await apis[0]!.end('SIGKILL')
  expect(await Promise.race(ends)).toBe('ended')
  const again = await stream()
  expect(again.status).toBe(200)
  await delay(2_000)
  const { answered, errors } = await asking.stop()
  expect(answered).toBeGreaterThan(100)
  // Eight were asking at a time: of those that one of the two had, and nobody after them.
  expect(errors.length).toBeLessThanOrEqual(8)
  await again.body?.cancel()
  for (const { body } of streams) await body?.cancel().catch(() => undefined)
  apis[0] = await product.start('api')
})

test('an API that ends in order loses no request', async () => {
  const asking = keepAsking(8)
  await delay(500)
  const leaving = apis[1]!
  const ending = leaving.end('SIGTERM')
  // As a balancer's check finds it.
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${leaving.port}/readyz`)).status, { timeout: 2_000, interval: 20 })
    .toBe(503)
  product.lead([leaving])
  await ending
  await delay(1_000)
  const { answered, errors } = await asking.stop()
  expect(errors).toEqual([])
  expect(answered).toBeGreaterThan(100)
  apis[1] = await product.start('api')
})

test('a gateway is killed: the players of the other stay, and its own come back through that', async () => {
  const [one, two] = [await play('Left', gateways[0]), await play('Right', gateways[1])]
  await gateways[0]!.end('SIGKILL')
  await expect.poll(() => one.isGone, { timeout: 5_000 }).toBe(true)
  const back = await play('Left')
  await delay(2_000)
  expect(two.isGone).toBe(false)
  expect(back.isGone).toBe(false)
  two.leave()
  back.leave()
  gateways[0] = await product.start('gateway')
})

test('a gateway gives way to one at the same port: those who play stay until they leave, others come to the new one', async () => {
  const ports = { GATEWAY_REUSE_PORTS: '1', GATEWAY_DRAIN_SECONDS: '120', GAME_PORT: '0' }
  const first = gateways.pop()!
  await first.end('SIGTERM')
  const env = { ...ports, GAME_PORT: String(first.port), METRICS_PORT: String(first.metricsPort - 2) }
  const old = await product.start('gateway', { env })
  const staying = await play('Staying', old)
  const young = await product.start('gateway', { env })
  const ending = old.end('SIGTERM').then(() => 'ended')
  await expect.poll(() => old.output(), { timeout: 5_000 }).toContain('takes nobody new')
  for (const username of ['Next_1', 'Next_2', 'Next_3']) (await play(username, young)).leave()
  expect(staying.isGone).toBe(false)
  expect(old.process.exitCode).toBeNull()
  // The port of its figures is the new one's by now.
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${young.metricsPort}/readyz`).catch(() => undefined))?.status, {
      timeout: 10_000,
    })
    .toBe(200)
  staying.leave()
  expect(await Promise.race([ending, delay(10_000)])).toBe('ended')
  gateways.push(young)
})
