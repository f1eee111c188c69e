/**
 * Top-ups and purchases while the API is killed at random moments, and while PayU's simulator misbehaves. A customer's
 * client does what a browser does: it asks again, with the same key, until it has its answer.
 * `MONEY_CRASH_SEED` repeats a series.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newUserCapabilities } from '@wakestone/contract/capabilities'
import { ApiError, createApiClient } from '@wakestone/contract/client'
import { createServer as rentServer } from '@wakestone/contract/routes/servers'
import { createTransaction, getTransaction } from '@wakestone/contract/routes/transactions'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { type PayuSimulator, startPayuSimulator } from '@wakestone/simulators/payu'
import { closeContext, type Context, createContext } from '../apps/server/src/context.ts'
import { inTransaction } from '../apps/server/src/db/client.ts'
import { registerTransactionJobs } from '../apps/server/src/features/transactions/jobs.ts'
import { grantCapabilities, insertUser } from '../apps/server/src/features/users/repo.ts'
import { beginSession } from '../apps/server/src/features/users/sessions.ts'
import { listWalletsOf, openWallets } from '../apps/server/src/features/wallets/service.ts'
import { createPrincipals, type Principals } from '../apps/server/src/http/principal.ts'
import { allJobs } from '../apps/server/src/jobs/all.ts'
import { ensureQueue } from '../apps/server/src/jobs/boss.ts'
import { provideArtifacts } from './support/artifacts.ts'
import { createTestDatabase } from './support/database.ts'
import { findLedgerFaults } from './support/ledger.ts'
import { findFreePort } from './support/ports.ts'
import { order } from './support/servers.ts'

const runs = 200
const lanes = 2
const deposited = 5000
const grassGross = 1844

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const steps = ['deposit', 'pay', 'purchase'] as const
type Step = (typeof steps)[number]

test(`${runs} top-ups and purchases, each with a kill -9 of the API in between`, async () => {
  const seed = Number(process.env['MONEY_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`MONEY_CRASH_SEED=${seed}`)
  const random = createRandom(seed)
  await using world = await createWorld(seed)
  const kills: Record<Step, number> = { deposit: 0, pay: 0, purchase: 0 }

  // Lanes side by side, so that a kill also meets what somebody else is doing, whatever that is.
  let begun = 0
  const lane = async () => {
    while (begun < runs) {
      begun++
      // The moment: some milliseconds after the customer has begun one of the steps.
      const moment = steps[Math.floor(random() * steps.length)] as Step
      const wait = Math.floor(random() ** 2 * 120)
      let killed: Promise<void> | undefined
      const begin = (step: Step) => {
        if (step !== moment) return
        kills[step]++
        killed = world.killApi(wait)
      }
      await topUpAndRent(world, await world.signUp(), begin)
      await killed
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))

  await world.settle()
  const report = await world.examine()
  console.log({ kills, ...report })
  expect(kills.deposit + kills.pay + kills.purchase).toBe(runs)
  expect(report.ledgerFaults).toEqual({})
  expect(report.wrongPayments).toEqual([])
  expect(report.wrongWallets).toEqual([])
  expect(report.wrongServers).toEqual([])
  expect(report.servers).toBe(runs)
}, 1_500_000)

type World = Awaited<ReturnType<typeof createWorld>>
type Customer = Awaited<ReturnType<World['signUp']>>

async function topUpAndRent(world: World, customer: Customer, begin: (step: Step) => void): Promise<void> {
  begin('deposit')
  const keys = { deposit: randomUUID(), purchase: randomUUID() }
  const body = {
    action: 'DEPOSIT' as const,
    provider: 'payu' as const,
    wallet_id: customer.walletId,
    amount: deposited,
    currency: 'PLN',
  }
  const begun = await insist(() => customer.call(createTransaction, { body, idempotencyKey: keys.deposit }))
  begin('pay')
  // Without an address to go to, it was paid before the answer came.
  if (begun.redirect_url !== null) world.payu.pay(new URL(begun.redirect_url).searchParams.get('orderId') ?? '')
  for (const deadline = Date.now() + 120_000; ;) {
    const { status } = await insist(() => customer.call(getTransaction, { params: { id: begun.id } }))
    if (status === 'COMPLETED') break
    if (status === 'FAILED' || status === 'CANCELLED') throw new Error(`a paid top-up is ${status}`)
    if (Date.now() > deadline) throw new Error(`a paid top-up is still ${status}`)
    await delay(40)
  }
  begin('purchase')
  const wanted = order(customer.walletId, world.engineVersion)
  await insist(() => customer.call(rentServer, { body: wanted, idempotencyKey: keys.purchase }))
}

/** Asks until there is an answer; a refusal other than "later" is one. */
async function insist<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + 120_000; ;) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw error
      if (Date.now() > deadline) throw error
      await delay(40)
    }
  }
}

async function createWorld(seed: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-crash-'))
  const { engineVersion } = await provideArtifacts(dataDir)
  const database = await createTestDatabase()
  const credentials = { posId: '300746', clientId: '300746', clientSecret: 'client-secret', secondKey: 'second-key' }
  const payu: PayuSimulator = await startPayuSimulator({ ...credentials, host: '127.0.0.1', timeScale: 0.002 })
  payu.setFaults({
    seed,
    share: 0.15,
    faults: {
      duplicate: 2,
      delay: 150,
      reorder: true,
      lose: true,
      forge: 'amount',
      createTimeout: 'cut',
      notifyFirst: true,
      capture: true,
    },
  })
  const door = await openDoor()
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: 'error',
    LIMIT_TRANSACTIONS: '0',
    HTTP_HOST: '127.0.0.1',
    PUBLIC_URL: door.origin,
    PAYU_URL: payu.url,
    PAYU_POS_ID: credentials.posId,
    PAYU_CLIENT_ID: credentials.clientId,
    PAYU_CLIENT_SECRET: credentials.clientSecret,
    PAYU_SECOND_KEY: credentials.secondKey,
  }
  // The worker's part in payments; the API is what is killed.
  const logger = createLogger({ part: 'test-worker', level: 'silent' })
  const secrets = loadSecrets(dataDir)
  const context: Context = await createContext({
    settings: readSettings(env),
    secrets,
    logger,
    databaseUrl: database.url,
    role: 'worker',
  })
  for (const job of allJobs) await ensureQueue(context.boss, job)
  const stopJobs = await registerTransactionJobs(context)
  const principals: Principals = await createPrincipals(context)

  // One API serves; others begin, each on a processor of its own, to take its place.
  const children = new Set<ChildProcess>()
  const compileCache = join(dataDir, 'compiled')
  const begin = () => startApi({ env: { ...env, NODE_COMPILE_CACHE: compileCache }, children })
  const warming = await begin()
  warming.child.kill('SIGTERM') // an orderly end writes the compile cache, which makes the others start fast
  await warming.ended
  let current = await begin()
  const spares = [begin(), begin()]
  let replaced = Promise.resolve()
  door.leadTo(current.port)

  const client = new pg.Client(database.url)
  await client.connect()
  let made = 0

  return {
    payu,
    engineVersion,
    /** Kills the API that serves, or else the next one, so many milliseconds from now or from when it serves. */
    killApi(wait: number) {
      replaced = replaced.then(async () => {
        await delay(wait)
        door.leadTo(undefined)
        current.child.kill('SIGKILL')
        await current.ended
        current = (await spares.shift()) as RunningApi
        door.leadTo(current.port)
        spares.push(begin())
      })
      return replaced
    },
    async signUp() {
      const name = `crash_${++made}`
      const { walletId, tokens } = await inTransaction(context.db, async (trx) => {
        const user = await insertUser(trx, {
          username: name,
          email: `${name}@example.test`,
          passwordHash: 'none',
          language: 'en',
          countryCode: 'PL',
          newsletter: false,
          emailVerified: true,
        })
        await grantCapabilities(trx, user.id, newUserCapabilities)
        await openWallets(trx, { userId: user.id })
        const [wallet] = await listWalletsOf(trx, user.id)
        const session = await beginSession(trx, { userId: user.id, ip: '127.0.0.1', userAgent: undefined })
        return { walletId: wallet?.id ?? '', tokens: session }
      })
      const cookie = `ws_access=${await principals.issue(tokens)}`
      const call = createApiClient((path, init) =>
        fetch(`${door.origin}${path}`, {
          ...init,
          headers: { ...init.headers, cookie },
          signal: AbortSignal.timeout(30_000),
        }),
      )
      return { walletId, call }
    },
    /** Until everything that was paid is credited, and nothing is under way. */
    async settle() {
      payu.clearFaults()
      for (const deadline = Date.now() + 60_000; ;) {
        const { rows } = await client.query<{ waiting: number }>(
          `select count(*)::int as waiting from gateway_events where state in ('received', 'verified')`,
        )
        const paid = payu.orders().filter(({ status }) => status === 'COMPLETED').length
        const credited = await client.query<{ n: number }>(
          `select count(*)::int as n from ledger_transactions where scope = 'payment'`,
        )
        if (rows[0]?.waiting === 0 && payu.waiting().length === 0 && credited.rows[0]?.n === paid) return
        if (Date.now() > deadline) return // examine() says what is missing
        await delay(50)
      }
    },
    async examine() {
      const list = async <Row extends pg.QueryResultRow>(query: string, values: unknown[] = []) =>
        (await client.query<Row>(query, values)).rows
      const captured = payu.orders().filter(({ status }) => status === 'COMPLETED')
      const postings = await list<{ key: string; amount: string; wallet_id: string }>(
        `select l.key, e.amount::text, w.id as wallet_id from ledger_transactions l
         join ledger_entries e on e.transaction_id = l.id
         join wallets w on w.ledger_account_id = e.account_id
         where l.scope = 'payment'`,
      )
      const byKey = new Map(postings.map((row) => [row.key, Number(row.amount)]))
      const [gateway] = await list<{ sum: string }>(
        `select (-coalesce(sum(e.amount), 0))::text as sum from ledger_entries e
         join ledger_accounts a on a.id = e.account_id where a.code = 'gateway:payu:PLN'`,
      )
      const total = captured.reduce((sum, { request }) => sum + Number(request.totalAmount), 0)
      const wrongPayments: unknown[] = captured.filter(
        ({ orderId, request }) => byKey.get(`payu:${orderId}`) !== Number(request.totalAmount),
      )
      if (byKey.size !== captured.length) wrongPayments.push(`${byKey.size} credited, ${captured.length} captured`)
      if (Number(gateway?.sum) !== total) wrongPayments.push(`gateway ${gateway?.sum}, simulator ${total}`)
      const wrongWallets = await list(
        `select w.id, a.posted::int, count(distinct o.id)::int as paid_orders, count(distinct s.id)::int as servers
         from wallets w join ledger_accounts a on a.id = w.ledger_account_id
         left join transactions t on t.wallet_id = w.id and t.action = 'DEPOSIT'
         left join payment_orders o on o.transaction_id = t.id and o.state = 'paid'
         left join services v on v.wallet_id = w.id
         left join servers s on s.service_id = v.id
         where w.currency = 'PLN' group by w.id, a.posted
         having a.posted <> count(distinct o.id) * $1 - count(distinct s.id) * $2`,
        [deposited, grassGross],
      )
      const wrongServers = await list(
        `select v.id as service, s.id as server, l.id as posting from services v
         full join servers s on s.service_id = v.id
         full join (select * from ledger_transactions where scope = 'purchase') l on l.key = v.id::text
         where v.id is null or s.id is null or l.id is null
         union all
         select v.owner_id, null, null from services v group by v.owner_id having count(*) <> 1`,
      )
      const [servers] = await list<{ n: number }>(`select count(*)::int as n from servers`)
      const lost = await list(`select 1 from payment_orders where state = 'lost'`)
      return {
        ledgerFaults: await findLedgerFaults(client),
        wrongPayments,
        wrongWallets,
        wrongServers,
        servers: servers?.n,
        payments: captured.length,
        ordersLost: lost.length,
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(spares)
      for (const child of children) child.kill('SIGKILL')
      await stopJobs()
      await principals.close()
      await closeContext(context)
      await client.end()
      await payu.close()
      await door.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address of the site, which leads to whichever API serves; to none between a kill and the next. */
async function openDoor() {
  let target: number | undefined
  const server: Server = createServer((outside) => {
    if (target === undefined) return void outside.destroy()
    const inside = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    leadTo: (to: number | undefined) => void (target = to),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type RunningApi = { child: ChildProcess; port: number; ended: Promise<void> }

async function startApi({
  env,
  children,
}: {
  env: Record<string, string>
  children: Set<ChildProcess>
}): Promise<RunningApi> {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['apps/server/src/api.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...env, PATH: process.env['PATH'], HTTP_PORT: String(port), METRICS_PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve())).then(
    () => void children.delete(child),
  )
  for (const deadline = Date.now() + 120_000; ;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the API ended while starting')
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return { child, port, ended }
    if (Date.now() > deadline) throw new Error('the API does not start')
    await delay(50)
  }
}
