/**
 * Orders of a shop against a real game, while workers are killed in the middle of them, the game crashes, sleeps or is
 * stopped, and payments go back. In the end each command was typed as often as it is confirmed, or stands there as one
 * that somebody has to look at; and nothing is confirmed that the game has not done.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import mineflayer, { type Bot } from 'mineflayer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as front from '@wakestone/contract/sales/shop-front-routes'
import * as shops from '@wakestone/contract/sales/shop-routes'
import type { ShopDelivery } from '@wakestone/contract/sales/shop'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { ConsoleLine } from '@wakestone/contract/servers/stream'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { followConsole } from '../support/console-words.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

const random = createRandom(seedOf('SHOP_SEED'))
/** `shop-orders.long.test.ts` places a thousand. */
const orders = 10
const env = { SLEEP_MINUTES_AFTER_START: '0', LIMIT_SHOP_ORDERS: '0', LIMIT_SHOP_QUOTES: '0', LIMIT_POWER: '0' }

let api: TestApi
let worker: WorkerProcess
let owner: Caller
let id: string
let items: { say: string; bad: string; needs: string }
const bots: Bot[] = []

beforeAll(async () => {
  api = await startTestApi(env)
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startWorkerProcess(api, env)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, id, isUp)
  const params = { id }
  const seller = { name: 'Ola', address: 'Polna 1', email: 'ola@example.test', tax_id: '' }
  await owner.call(shops.changeShop, {
    params,
    body: { open: true, title: 'Shop', currency: 'PLN', seller, rules_confirmed: true },
  })
  const add = async (name: string, command: string, needs_player: boolean, more: object = {}) => {
    const { items: all } = await owner.call(shops.createShopItem, {
      params,
      body: { name, price: 0, commands: [{ stage: 'purchase', command, needs_player, ...more }] },
    })
    return all.find((item) => item.name === name)!.id
  }
  items = {
    // The order's name stands in the command: how often it was typed is to be seen.
    say: await add('Word', 'say thanks {order}', false),
    bad: await add('Nonsense', 'gvie {player} {order}', false),
    needs: await add('Pet', 'say pet of {player} {order}', true),
  }
  await api.context.db
    .insertInto('player_sessions')
    .values({ server_id: id, name: 'Steve', joined_at: new Date(), left_at: new Date(), player_id: null })
    .execute()
})
afterAll(async () => {
  for (const bot of bots) bot.end()
  await worker?.kill()
  if (id !== undefined) await api?.context.fleet.cluster.remove(id)
  await api?.close()
})

const place = async (item_id: string): Promise<string> =>
  (
    await api.anonymous(front.createShopOrder, {
      params: { server: id },
      idempotencyKey: randomUUID(),
      body: { item_id, player: 'Steve', email: 'buyer@example.test', total: 0, begins_now: true },
    })
  ).id

async function deliveries(): Promise<ShopDelivery[]> {
  const all: ShopDelivery[] = []
  for (let after: string | undefined; ;) {
    const { data } = await owner.call(shops.listShopDeliveries, { params: { id }, query: { limit: 100, after } })
    all.push(...data)
    if (data.length < 100) return all
    after = data.at(-1)!.id
  }
}
async function until(isThere: (all: ShopDelivery[]) => boolean, milliseconds: number): Promise<ShopDelivery[]> {
  for (const deadline = Date.now() + milliseconds; ; await delay(200)) {
    const all = await deliveries()
    if (isThere(all)) return all
    if (Date.now() > deadline)
      throw new Error(`not in time: ${JSON.stringify(all.map(({ state, problem }) => [state, problem]))}`)
  }
}

/** What the panel shows of the console by now. */
async function readConsole(): Promise<ConsoleLine[]> {
  const ending = AbortSignal.timeout(1_500)
  const answer = await fetch(`${api.origin}/api/v1/servers/${id}/stream`, {
    headers: { cookie: owner.cookie() },
    signal: ending,
  })
  let text = ''
  const reading = answer.body!.pipeThrough(new TextDecoderStream())
  await (async () => {
    for await (const piece of reading) text += piece
  })().catch(() => undefined)
  return [...text.matchAll(/^event: console\ndata: (.*)$/gm)].flatMap(
    ([, data]) => (JSON.parse(data!) as { lines: ConsoleLine[] }).lines,
  )
}

/** By now it may have fallen asleep, or have been stopped. */
async function bringUp(): Promise<void> {
  const start = async () => {
    const outcome = await outcomeOf(owner.call(routes.startServer, { params: { id } }))
    expect(['success', 'server_is_running']).toContain(outcome)
    return isUp(await owner.call(routes.getServerStatus, { params: { id } }))
  }
  // A server that is being stopped still counts as running, so starting it takes another try.
  await expect.poll(start, { timeout: 90_000, interval: 1_000 }).toBe(true)
}

test.runIf(isLong)(
  `${orders} orders while workers are killed and the game is stopped: each command once, or seen to be unclear`,
  async () => {
    const words = followConsole(api, id)
    const placed: string[] = []
    for (let index = 0; index < orders; index++) {
      placed.push(await place(items.say))
      const what = (['worker', 'game'] as const)[random.below(6)]
      if (what === 'worker') {
        await delay(random.below(2_500))
        await worker.kill()
        worker = await startWorkerProcess(api, env)
      } else if (what === 'game' && index % 3 === 0) {
        await delay(random.below(1_500))
        await owner.call(routes.stopServer, { params: { id }, query: { timeout: 5 } }).catch(() => undefined)
        await owner.call(routes.startServer, { params: { id } }).catch(() => undefined)
      }
    }
    await bringUp()
    const isOver = ({ state }: ShopDelivery) => state === 'confirmed' || state === 'unclear' || state === 'failed'
    const all = await until((list) => list.length === orders && list.every(isOver), 200_000)
    await delay(500)
    words.stop()
    const report = { confirmed: 0, unclear: 0 }
    for (const { state, order_id, problem } of all) {
      const times = words.typed(`thanks ${order_id}`)
      if (state === 'confirmed') {
        report.confirmed++
        expect([order_id, times]).toEqual([order_id, 1])
        expect(words.told(`thanks ${order_id}`)).toBeGreaterThanOrEqual(1)
      } else {
        report.unclear++
        expect(problem).toBe('unclear')
        expect(times).toBeLessThanOrEqual(1)
      }
    }
    console.log(`shop: ${JSON.stringify(report)}`)
    expect(new Set(all.map(({ order_id }) => order_id))).toEqual(new Set(placed))
    expect(report.confirmed).toBeGreaterThan(orders / 2)
    expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
  },
)

test('what the game refuses is tried again and then shown, never confirmed', async () => {
  await bringUp()
  const placed = await place(items.bad)
  const of = (list: ShopDelivery[]) => list.find(({ order_id }) => order_id === placed)
  const all = await until((list) => of(list)?.problem === 'refused', 60_000)
  expect(of(all)).toMatchObject({ state: 'waiting', attempts: 1, problem: 'refused' })
  expect(of(all)?.said).toMatch(/not found/i)
  // The owner sees the command and its answer, and nothing of how the answer's end is found.
  const seen = await readConsole()
  const typed = seen.findIndex(({ stream, text }) => stream === 'in' && text.startsWith('gvie'))
  expect(seen.slice(typed + 1).filter(({ text }) => /not found/i.test(text))).toHaveLength(1)
  expect(seen.filter(({ text }) => text.includes('wakestone'))).toEqual([])
  await owner.call(shops.settleShopDelivery, {
    params: { id, delivery_id: of(all)!.id },
    body: { outcome: 'dropped' },
  })
})

test('one that needs the player waits for them, and comes once they join', async () => {
  await bringUp()
  const placed = await place(items.needs)
  const of = (list: ShopDelivery[]) => list.find(({ order_id }) => order_id === placed)
  await delay(3_000)
  expect(of(await deliveries())).toMatchObject({ state: 'waiting', problem: 'player_away', attempts: 0 })
  const { rows } = await api.context.database.pool.query<{ game_host: string; game_port: number }>(
    'select game_host, game_port from servers where id = $1',
    [id],
  )
  const { game_host: host, game_port: port } = rows[0]!
  bots.push(
    mineflayer.createBot({ host, port, username: 'Steve', auth: 'offline', version: '1.21.4', hideErrors: true }),
  )
  const all = await until((list) => of(list)?.state === 'confirmed', 60_000)
  expect(of(all)?.said).toContain('pet of Steve')
})

test.runIf(isLong)('a server that is stopped gets it when it is up next', async () => {
  for (const bot of bots.splice(0)) bot.end()
  await bringUp()
  await owner.call(routes.stopServer, { params: { id }, query: { timeout: 10 } })
  await untilStatus(owner, id, ({ game_status }) => game_status === 'IRL_TERMINATED')
  const placed = await place(items.say)
  const of = (list: ShopDelivery[]) => list.find(({ order_id }) => order_id === placed)
  await delay(2_500)
  expect(of(await deliveries())).toMatchObject({ state: 'waiting', problem: 'server_down', attempts: 0 })
  await owner.call(routes.startServer, { params: { id } })
  await until((list) => of(list)?.state === 'confirmed', 90_000)
})
