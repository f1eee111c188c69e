/**
 * The product with everything that moves money: PostgreSQL, API and worker as processes that can be killed, payment
 * providers that misbehave, and a clock that can be set ahead.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Capabilities, newUserCapabilities } from '@wakestone/contract/capabilities'
import { type ApiClient, ApiError, createApiClient } from '@wakestone/contract/client'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { type Faults, type PayuSimulator, startPayuSimulator } from '@wakestone/simulators/payu'
import { closeContext, type Context, createContext } from '../../../apps/server/src/context.ts'
import { inTransaction } from '../../../apps/server/src/db/client.ts'
import { ensureLocalCluster } from '../../../apps/server/src/features/clusters/service.ts'
import { grantCapabilities, insertUser } from '../../../apps/server/src/features/users/repo.ts'
import { beginSession } from '../../../apps/server/src/features/users/sessions.ts'
import { listWalletsOf, openWallets } from '../../../apps/server/src/features/wallets/service.ts'
import { createPrincipals } from '../../../apps/server/src/http/principal.ts'
import { allJobs } from '../../../apps/server/src/jobs/all.ts'
import { ensureQueue } from '../../../apps/server/src/jobs/boss.ts'
import { provideArtifacts } from '../artifacts.ts'
import { createTestDatabase } from '../database.ts'
import { createProcesses, createRelay, type RunningProcess } from '../processes.ts'
import type { Currency } from './rules.ts'

export type Account = { userId: string; name: string; call: ApiClient; wallets: Record<Currency, string> }
export type World = Awaited<ReturnType<typeof createWorld>>

const tenYears = 10 * 365 * 86_400
/** Jobs of a pass of the clock, in the order in which they are done. */
const clockJobs = ['heed-service-clock']

/** Everything that a provider gets wrong now and then. */
const faults: Faults = {
  duplicate: 2,
  delay: 150,
  reorder: true,
  lose: true,
  forge: 'amount',
  createTimeout: 'cut',
  notifyFirst: true,
  capture: true,
}

export async function createWorld({ seed, spares = 1 }: { seed: number; spares?: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-money-'))
  const { engineVersion } = await provideArtifacts(dataDir)
  const database = await createTestDatabase()
  const credentials = { posId: '300746', clientId: '300746', clientSecret: 'client-secret', secondKey: 'second-key' }
  const payu: PayuSimulator = await startPayuSimulator({ ...credentials, host: '127.0.0.1', timeScale: 0.002 })
  payu.setFaults({ seed, share: 0.15, faults })
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: 'error',
    LIMIT_TRANSACTIONS: '0',
    LIMIT_VOUCHERS: '0',
    LIMIT_VOUCHER_FAILURES: '0',
    LIMIT_VOUCHER_FAILURES_PER_ADDRESS: '0',
    VOUCHER_DAILY_CODES: '5000',
    VOUCHER_DAILY_HOURS: '100000',
    VOUCHER_DAILY_VALUE: '100000000',
    HTTP_HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compile'),
    PAYU_URL: payu.url,
    PAYU_POS_ID: credentials.posId,
    PAYU_CLIENT_ID: credentials.clientId,
    PAYU_CLIENT_SECRET: credentials.clientSecret,
    PAYU_SECOND_KEY: credentials.secondKey,
  }
  // What the tests do themselves: make accounts, ask for jobs, look.
  const context: Context = await createContext({
    settings: readSettings(env),
    secrets: loadSecrets(dataDir),
    logger: createLogger({ part: 'test', level: 'silent' }),
    databaseUrl: database.url,
    role: 'api',
  })
  for (const job of allJobs) await ensureQueue(context.boss, job)
  await ensureLocalCluster(context)
  const principals = await createPrincipals(context)
  const client = new pg.Client(database.url)
  await client.connect()
  // A pass of the clock comes when the test says so, and never by itself.
  await client.query(`
    create function no_schedule() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger no_schedule before insert on pgboss.schedule for each row execute function no_schedule()`)

  const processes = createProcesses(env)
  const begin = (part: string, origin: string) =>
    processes.start(`tests/support/money/${part}-process.ts`, { PUBLIC_URL: origin })
  const api = await createRelay((origin) => begin('api', origin), spares)
  const beginWorker = () => begin('worker', api.origin)
  let worker: Promise<RunningProcess> = beginWorker()
  await worker
  let workerKills = 0
  let made = 0

  const signUp = async (more: Capabilities = {}): Promise<Account> => {
    const name = `money_${++made}`
    const { wallets, tokens } = await inTransaction(context.db, async (trx) => {
      const user = await insertUser(trx, {
        username: name,
        email: `${name}@example.test`,
        passwordHash: 'none',
        language: 'en',
        countryCode: 'PL',
        newsletter: false,
        emailVerified: true,
      })
      await grantCapabilities(trx, user.id, { ...newUserCapabilities, ...more })
      await openWallets(trx, { userId: user.id })
      return {
        wallets: await listWalletsOf(trx, user.id),
        tokens: await beginSession(trx, { userId: user.id, ip: '127.0.0.1', userAgent: undefined }),
      }
    })
    // However far the clock is set ahead.
    const cookie = `ws_access=${await principals.issue(tokens, tenYears)}`
    const call = createApiClient((path, init) =>
      fetch(`${api.origin}${path}`, {
        ...init,
        headers: { ...init.headers, cookie },
        signal: AbortSignal.timeout(30_000),
      }),
    )
    const ids = Object.fromEntries(wallets.map(({ currency, id }) => [currency, id])) as Account['wallets']
    return { userId: tokens.userId, name, call: insistent(call), wallets: ids }
  }

  return {
    context,
    signUp,
    /** Who makes vouchers. */
    admin: await signUp({ admin: true }),
    client,
    payu,
    engineVersion,
    killApi: api.kill,
    kills: () => ({ api: api.kills(), worker: workerKills }),
    async killWorker(wait: number) {
      const running = await worker
      await delay(wait)
      running.child.kill('SIGKILL')
      await running.ended
      workerKills++
      worker = beginWorker()
      await worker
    },
    now: () => Date.now() + processes.offset(),
    /** Sets the clock ahead and lets it be heeded. */
    async jump(milliseconds: number) {
      await worker
      await processes.setAhead(processes.offset() + milliseconds)
    },
    /** Has the worker look at the clock, until all of it is done; a worker that is killed meanwhile is asked again. */
    async heedClock() {
      for (const queue of clockJobs) {
        for (const deadline = Date.now() + 120_000; ;) {
          const id = await context.boss.send(queue, {})
          if (id !== null && (await isDone(context, { queue, id, worker: await worker }))) break
          if (Date.now() > deadline) throw new Error(`${queue} is not done`)
          await delay(20)
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await api.close()
      await worker.catch(() => undefined)
      processes.killAll()
      await principals.close()
      await closeContext(context)
      await client.end()
      await payu.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function isDone(
  { boss }: Context,
  { queue, id, worker }: { queue: string; id: string; worker: RunningProcess },
): Promise<boolean> {
  let isGone = false
  void worker.ended.then(() => (isGone = true))
  while (!isGone) {
    const job = await boss.getJobById(queue, id)
    if (job?.state === 'completed') return true
    if (job?.state === 'failed' || job?.state === 'cancelled') throw new Error(`${queue} ${job.state}`)
    await delay(15)
  }
  return false
}

/** A client that asks as a browser's user does: again, with the same key, until there is an answer. */
function insistent(call: ApiClient): ApiClient {
  return (async (route: never, request: never) => {
    for (const deadline = Date.now() + 120_000; ;) {
      try {
        return await call(route, request)
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) throw error // a refusal is an answer
        if (Date.now() > deadline) throw error
        await delay(30)
      }
    }
  }) as ApiClient
}
