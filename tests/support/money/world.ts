/**
 * The product with everything that moves money: its API and the worker's part in this process, PostgreSQL, payment
 * providers that misbehave, and a clock that can be set ahead. For a while the API and the worker can be processes of
 * their own, to be killed: `killing.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Capabilities, newUserCapabilities } from '@wakestone/contract/capabilities'
import { type ApiClient, ApiError, createApiClient } from '@wakestone/contract/client'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { startNbpSimulator } from '@wakestone/simulators/nbp'
import { closeContext, type Context, createContext } from '../../../apps/server/src/context.ts'
import { inTransaction, openDatabase } from '../../../apps/server/src/db/client.ts'
import { ensureLocalCluster } from '../../../apps/server/src/features/servers/clusters/service.ts'
import { ensureTaxSettings } from '../../../apps/server/src/features/money/taxes/service.ts'
import { grantCapabilities, insertUser } from '../../../apps/server/src/features/accounts/users/repo.ts'
import { beginSession } from '../../../apps/server/src/features/accounts/sign-in/sessions.ts'
import { listWalletsOf, openWallets } from '../../../apps/server/src/features/money/wallets/service.ts'
import { buildApp } from '../../../apps/server/src/http/app.ts'
import { createMetrics } from '../../../apps/server/src/http/metrics.ts'
import { allJobs } from '../../../apps/server/src/jobs/all.ts'
import { ensureQueues } from '../../../apps/server/src/jobs/boss.ts'
import { provideArtifacts } from '../artifacts.ts'
import { createCrashes } from '../crashes.ts'
import { createTestDatabase } from '../database.ts'
import { manyVouchers } from '../vouchers.ts'
import { shiftDatabaseClock, shiftOwnClock } from './clock.ts'
import { startProviders } from './providers.ts'
import type { Currency } from './rules.ts'
import { openShop } from './shop.ts'
import { holdDays, shareOf } from './stalls.ts'
import { createWork } from './work.ts'

export type Account = { userId: string; name: string; call: ApiClient; wallets: Record<Currency, string> }
export type World = Awaited<ReturnType<typeof createWorld>>
type Fetch = Parameters<typeof createApiClient>[0]

const tenYears = 10 * 365 * 86_400

export async function createWorld({ seed }: { seed: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-money-'))
  const { engineVersion } = await provideArtifacts(dataDir)
  const database = await createTestDatabase()
  // What tests look at themselves. The schema is made below.
  const options = '-c search_path=clock,public,pg_catalog'
  const client = new pg.Pool({ connectionString: database.url, max: 4, options })
  const clock = shiftOwnClock()
  const setDatabaseAhead = await shiftDatabaseClock(client)
  const providers = await startProviders(seed)
  const nbp = await startNbpSimulator()
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    LIMIT_TRANSACTIONS: '0',
    LIMIT_FORGERIES: '0',
    ...manyVouchers,
    PAY_LATER_ACCOUNT_DAYS: '3',
    LIMIT_SHOP_ORDERS: '0',
    LIMIT_SHOP_QUOTES: '0',
    SHOP_HOLD_DAYS: String(holdDays),
    SHOP_SHARE_PERCENT: String(shareOf(seed) / 100),
    // Wallets hold the same under both; the books are held to their rules.
    TOP_UP_TAX_POINT: seed % 2 === 0 ? 'deposit' : 'purchase',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compile'),
    NBP_URL: nbp.url,
    ...providers.env,
  }
  const context: Context = await createContext({
    settings: readSettings(env),
    secrets: loadSecrets(dataDir),
    logger: createLogger({ part: 'test', level: process.env['TEST_LOG'] ?? 'silent' }),
    databaseUrl: database.url,
    role: 'api',
  })
  await ensureQueues(context.boss, allJobs)
  await ensureLocalCluster(context)
  await ensureTaxSettings(context)
  const { app, api } = await buildApp(context, createMetrics())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  Object.assign(context.settings, { PUBLIC_URL: origin }) // its port is known only now
  providers.notifyAt(origin)
  // What tests do beside the product does not crash with it.
  const own = openDatabase({ url: database.url, size: 2, onError: () => undefined })
  const crashes = createCrashes(context.database.pool)
  let transport: Fetch = injectInto(app)
  let made = 0

  const signUp = async ({
    country = 'PL',
    more = {},
  }: { country?: string; more?: Capabilities } = {}): Promise<Account> => {
    const name = `money_${++made}`
    const { wallets, tokens } = await inTransaction(own.db, async (trx) => {
      const user = await insertUser(trx, {
        username: name,
        email: `${name}@example.test`,
        passwordHash: 'none',
        language: 'en',
        countryCode: country,
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
    await client.query(`update sessions set expires_at = expires_at + interval '10 years' where id = $1`, [
      tokens.sessionId,
    ])
    const cookie = `ws_access=${await api.principals.issue(tokens, tenYears)}`
    const call = createApiClient((path, init) =>
      transport(path, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } }),
    )
    const ids = Object.fromEntries(wallets.map(({ currency, id }) => [currency, id])) as Account['wallets']
    // Nobody waits here for what a crash has left half done: that it may be gone on with.
    const goOn = () =>
      client.query(
        `update payment_orders set lease_until = now() from transactions
         where transactions.id = transaction_id and user_id = $1 and state = 'creating' and lease_until > now()`,
        [tokens.userId],
      )
    return { userId: tokens.userId, name, call: insistent(call, goOn), wallets: ids }
  }
  /** Who makes vouchers, approves affiliates and tops up by hand. */
  const admin = await signUp({ more: { admin: true } })
  await client.query(`update sessions set proven_at = '2100-01-01' where user_id = $1`, [admin.userId])
  await admin.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })

  return {
    context,
    env,
    seed,
    origin,
    client,
    providers,
    shop: openShop(client),
    crashes,
    admin,
    signUp,
    engineVersion,
    ...createWork({ context, client, providers, crashes }),
    /** Has all accounts ask in another way, until it is set back. */
    askBy(other: Fetch | undefined) {
      transport = other ?? injectInto(app)
    },
    now: () => Date.now(),
    ahead: clock.ahead,
    /** Sets the clock ahead. */
    async jump(milliseconds: number) {
      await setDatabaseAhead(clock.ahead() + milliseconds)
      clock.setAhead(clock.ahead() + milliseconds)
    },
    async [Symbol.asyncDispose]() {
      await providers.close()
      await nbp.close()
      await app.close()
      await closeContext(context)
      await own.close()
      await client.end()
      await database.drop()
      clock.restore()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Asks without a network: most of the time of a short answer. */
function injectInto(app: Awaited<ReturnType<typeof buildApp>>['app']): Fetch {
  return async (path, { method, headers, body }) => {
    const answer = await app.inject({
      method: (method ?? 'GET') as 'GET',
      url: path,
      headers: headers as Record<string, string>,
      ...(typeof body === 'string' && { payload: body }),
    })
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304
    return new Response(isEmpty ? null : answer.payload, {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type'] ?? 'application/json') },
    })
  }
}

/** A client that asks as a browser's user does: again, with the same key, until there is an answer. */
function insistent(call: ApiClient, goOn: () => Promise<unknown>): ApiClient {
  return (async (route: never, request: never) => {
    for (let tries = 0; ; tries++) {
      try {
        return await call(route, request)
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) throw error // a refusal is an answer
        if (tries > 2000) throw error
        await delay(Math.min(30, 2 + tries))
        await goOn()
      }
    }
  }) as ApiClient
}
