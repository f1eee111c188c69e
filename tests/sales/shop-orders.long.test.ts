/**
 * A thousand orders of four servers' shops, free and paid ones, while workers are killed, games crash, are stopped and
 * fall asleep, and payments go back by a refund or the buyer's bank. In the end each command was typed as often as it is
 * confirmed, or stands there as one that somebody has to look at; what went back before it was sent was never typed; and
 * the owner has just what was paid and not given back.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { enterChargeback } from '@wakestone/contract/money/payment-returns-routes'
import { refresh } from '@wakestone/contract/accounts/users-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import type { ShopDelivery } from '@wakestone/contract/sales/shop'
import * as front from '@wakestone/contract/sales/shop-front-routes'
import * as shops from '@wakestone/contract/sales/shop-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type ConsoleWords, followConsole } from '../support/console-words.ts'
import { gatewayPlace, gatewaySettings, payuKeys } from '../support/gateways.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { outcomeOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 7200_000, hookTimeout: 900_000 })

const random = createRandom(seedOf('SHOP_SEED'))
const orders = Number(process.env['SHOP_ORDERS'] ?? 1000)
const serverCount = 4
const price = 1500
const stages = { purchase: 'thanks', refund: 'back', chargeback: 'taken' } as const

type Kind = 'free' | 'kept' | 'refunded' | 'charged back'
type Placed = { id: string; kind: Kind; server: Shop }
type Shop = { id: string; free: string; paid: string; console: ConsoleWords }

let payu: Awaited<ReturnType<typeof startPayuSimulator>>
let api: TestApi
let env: Record<string, string>
let worker: WorkerProcess
let owner: Caller
let boss: Caller
let walletId: string
const open: Shop[] = []

beforeAll(async () => {
  payu = await startPayuSimulator({ ...payuKeys, ...gatewayPlace })
  env = {
    SLEEP_MINUTES_AFTER_START: '0',
    LIMIT_SHOP_ORDERS: '0',
    LIMIT_SHOP_QUOTES: '0',
    LIMIT_POWER: '0',
    LIMIT_TRANSACTIONS: '0',
    LIMIT_FORGERIES: '0',
    ...gatewaySettings({ payu }),
  }
  api = await startTestApi(env)
  env['PUBLIC_URL'] = api.origin // its port is known only now
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startWorkerProcess(api, env)
  boss = await api.signUp({ admin: true })
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 20_000)
  for (let count = 0; count < serverCount; count++) open.push(await openShop(engineVersion))
})
afterAll(async () => {
  for (const { console: words } of open) words.stop()
  await worker?.kill()
  for (const { id } of open) await api?.context.fleet.cluster.remove(id)
  await api?.close()
  await payu?.close()
})

async function openShop(engineVersion: string): Promise<Shop> {
  const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
  await untilStatus(owner, id, isUp, 600_000)
  const params = { id }
  const seller = { name: 'Ola', address: 'Polna 1', email: 'ola@example.test', tax_id: '' }
  await owner.call(shops.changeShop, {
    params,
    body: { open: true, title: 'Shop', currency: 'PLN', seller, rules_confirmed: true },
  })
  // The order's name stands in each command: how often it was typed is to be seen.
  const commands = Object.entries(stages).map(([stage, word]) => ({
    stage: stage as keyof typeof stages,
    command: `say ${word} {order}`,
    needs_player: false,
    wakes: true,
  }))
  const add = async (name: string, amount: number) => {
    const { items } = await owner.call(shops.createShopItem, { params, body: { name, price: amount, commands } })
    return items.find((item) => item.name === name)!.id
  }
  const [free, paid] = [await add('Word', 0), await add('Sword', price)]
  await api.context.db
    .insertInto('player_sessions')
    .values({ server_id: id, name: 'Steve', joined_at: new Date(), left_at: new Date(), player_id: null })
    .execute()
  return { id, free, paid, console: followConsole(api, id) }
}

async function place(server: Shop, kind: Kind): Promise<Placed> {
  const isFree = kind === 'free'
  const { id } = await api.anonymous(front.createShopOrder, {
    params: { server: server.id },
    idempotencyKey: randomUUID(),
    body: {
      item_id: isFree ? server.free : server.paid,
      player: 'Steve',
      email: 'buyer@example.test',
      total: isFree ? 0 : price,
      begins_now: true,
      ...(!isFree && { provider: 'payu' as const }),
    },
  })
  if (!isFree) {
    const transaction = await transactionOf(id)
    payu.pay(payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(transaction))!.orderId)
  }
  return { id, kind, server }
}
const transactionOf = async (orderId: string) =>
  (
    await api.context.db
      .selectFrom('shop_orders')
      .select('transaction_id')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).transaction_id!

/** Once it was paid for, whoever works on that by then. */
async function giveBack({ id, kind, server }: Placed): Promise<void> {
  const transaction = await transactionOf(id)
  const ask = () =>
    kind === 'refunded'
      ? owner.call(shops.refundShopOrder, { params: { id: server.id, order_id: id }, body: { reason: 'asked for it' } })
      : boss.call(enterChargeback, {
          params: { id: transaction },
          body: { kind: 'chargeback', amount: price, reason: 'a letter of the bank', case_id: `CB-${id}` },
        })
  for (const deadline = Date.now() + 600_000; ; await delay(500)) {
    const outcome = await outcomeOf(ask())
    if (outcome === 'success') return
    expect(outcome).toBe('transaction_not_refundable') // not paid yet
    if (Date.now() > deadline) throw new Error(`never paid: ${id}`)
  }
}

/** Of a game in its sandbox, seen from outside. */
function gameOf(serverId: string): number | undefined {
  const info = join(api.dataDir, 'servers', serverId, 'host', 'info.json')
  const sandbox = (JSON.parse(readFileSync(info, 'utf8')) as { 'child-pid': number })['child-pid']
  const parentsOf = (pid: number): number[] => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return parent <= 1 ? [] : [parent, ...parentsOf(parent)]
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.js') && parentsOf(pid).includes(sandbox)
      } catch {
        return false // it has just ended
      }
    })
}
const sleepAfter = (minutes: number | null, id: string) =>
  sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}',
    ${JSON.stringify({ light: null, deep: minutes, hibernate: null })}::jsonb) where id = ${id}`.execute(api.context.db)
const start = (id: string) => owner.call(routes.startServer, { params: { id } }).catch(() => undefined)

const done = { kills: 0, crashes: 0, stops: 0, sleeps: 0 }
/** Something goes wrong, wherever the orders are by then. */
async function makeTrouble(): Promise<void> {
  const { id } = random.pick(open)
  switch (random.below(6)) {
    case 0: {
      const pid = gameOf(id)
      if (pid === undefined) return
      process.kill(pid, 'SIGKILL')
      done.crashes++
      await delay(random.below(3_000))
      await start(id)
      return
    }
    case 1:
      await owner.call(routes.stopServer, { params: { id }, query: { timeout: 5 } }).catch(() => undefined)
      done.stops++
      await delay(random.below(6_000))
      await start(id)
      return
    case 2: {
      await sleepAfter(0.005, id)
      const asleep = await untilStatus(owner, id, (one) => one.game_status === 'IRL_DEEP_SLEEP', 15_000).catch(
        () => undefined,
      )
      if (asleep !== undefined) done.sleeps++
      await sleepAfter(null, id)
      return
    }
    default:
      await worker.kill()
      done.kills++
      await delay(random.below(2_000))
      worker = await startWorkerProcess(api, env)
  }
}

async function deliveriesOf({ id }: Shop): Promise<ShopDelivery[]> {
  const all: ShopDelivery[] = []
  for (let after: string | undefined; ;) {
    const { data } = await owner.call(shops.listShopDeliveries, { params: { id }, query: { limit: 100, after } })
    all.push(...data)
    if (data.length < 100) return all
    after = data.at(-1)!.id
  }
}
const all = async () => (await Promise.all(open.map(deliveriesOf))).flat()
const isOver = ({ state }: ShopDelivery) => !['waiting', 'leased', 'sent'].includes(state)

/** A server that is being stopped still counts as running, so starting it may take another try. */
async function bringUp(id: string): Promise<void> {
  const isThere = async () => {
    await start(id)
    return isUp(await owner.call(routes.getServerStatus, { params: { id } }))
  }
  await expect.poll(isThere, { timeout: 600_000, interval: 1_000 }).toBe(true)
}

test(`${orders} orders, of which some go back: each command once, or seen to be unclear, and the money is right`, async () => {
  // All of it takes longer than a session lasts by itself.
  const signedIn = setInterval(() => void Promise.all([owner.call(refresh, {}), boss.call(refresh, {})]), 300_000)
  onTestFinished(() => clearInterval(signedIn))
  const placed: Placed[] = []
  const returns: Promise<void>[] = []
  let isPlaced = false
  const troubles = (async () => {
    for (;;) {
      await delay(5_000 + random.below(25_000))
      const left = isPlaced ? (await all()).filter((one) => !isOver(one)).length : orders
      if (left < orders / 20) return
      await makeTrouble()
    }
  })()
  for (let index = 0; index < orders; index++) {
    const chance = random.next()
    const kind = chance < 0.7 ? 'free' : chance < 0.8 ? 'kept' : chance < 0.9 ? 'refunded' : 'charged back'
    const one = await place(random.pick(open), kind)
    placed.push(one)
    // Some before anything was sent, others long after.
    const wait = random.chance(0.5) ? random.below(3_000) : random.below(200_000)
    if (kind === 'refunded' || kind === 'charged back') returns.push(delay(wait).then(() => giveBack(one)))
    if (index % 25 === 24) console.log(`shop: ${index + 1} placed, ${JSON.stringify(done)}`)
    await delay(random.below(800))
  }
  isPlaced = true
  await Promise.all(returns)
  await troubles
  for (const { id } of open) await bringUp(id)
  let list: ShopDelivery[] = []
  await expect
    .poll(
      async () => {
        list = await all()
        return (
          list.filter((one) => !isOver(one)).length +
          placed.filter(({ id }) => !list.some((one) => one.order_id === id)).length
        )
      },
      { timeout: 1500_000, interval: 2_000 },
    )
    .toBe(0)
  await delay(1_000)

  const report: Record<string, number> = {}
  for (const { id, kind, server } of placed) {
    const own = list.filter(({ order_id }) => order_id === id)
    for (const { stage, state, problem } of own) {
      const what = `${stages[stage as keyof typeof stages]} ${id}`
      const [typed, told] = [server.console.typed(what), server.console.told(what)]
      report[`${stage} ${state}`] = (report[`${stage} ${state}`] ?? 0) + 1
      if (state === 'confirmed') {
        expect([what, typed]).toEqual([what, 1])
        expect(told).toBeGreaterThanOrEqual(1)
      } else if (state === 'dropped') {
        expect([what, problem, typed]).toEqual([what, 'given_back', 0])
      } else {
        expect([what, state, problem]).toEqual([what, 'unclear', 'unclear'])
        expect(typed).toBeLessThanOrEqual(1)
      }
    }
    const stateOf = (stage: string) => own.find((one) => one.stage === stage)?.state
    const told = own.map(({ stage }) => stage).toSorted()
    if (kind === 'free' || kind === 'kept') expect([id, told]).toEqual([id, ['purchase']])
    // What the game was never told of has not to be taken back.
    else if (stateOf('purchase') === 'dropped') expect([id, told]).toEqual([id, ['purchase']])
    else expect([id, told]).toEqual([id, [kind === 'refunded' ? 'refund' : 'chargeback', 'purchase'].toSorted()])
  }
  console.log(`shop: ${JSON.stringify({ ...report, ...done })}`)
  expect(list.filter(({ state }) => state === 'confirmed').length).toBeGreaterThan(orders / 2)
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)

  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
  const kept = placed.filter(({ kind }) => kind === 'kept').length * price
  const held = await Promise.all(
    open.map(async ({ id }) => (await owner.call(shops.getShop, { params: { id } })).held.amount),
  )
  expect(held.reduce((sum, amount) => sum + amount, 0)).toBe(kept)
  const { owed } = await owner.call(getWallet, { params: { id: walletId } })
  expect(owed.amount).toBe(0)
})
