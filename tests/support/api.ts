/**
 * The API as a whole in this process, on a database of its own and a free port, for tests through the front door.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { type ApiClient, createApiClient } from '@wakestone/contract/client'
import * as users from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { createFleet } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { closeContext, type Context, createContext } from '../../apps/server/src/context.ts'
import { buildApp } from '../../apps/server/src/http/app.ts'
import type { Api } from '../../apps/server/src/http/implement.ts'
import { listenForTls } from '../../apps/server/src/http/tls.ts'
import { installWeb } from '../../apps/server/src/http/web.ts'
import { createMetrics } from '../../apps/server/src/http/metrics.ts'
import { allJobs } from '../../apps/server/src/jobs/all.ts'
import { ensureQueues } from '../../apps/server/src/jobs/boss.ts'
import { beginDeliveries } from '../../apps/server/src/features/ground/notifications/service.ts'
import { registerSignInJobs } from '../../apps/server/src/features/accounts/sign-in/jobs.ts'
import { grantCapabilities, markEmailVerified } from '../../apps/server/src/features/accounts/users/repo.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { provideArtifacts } from './artifacts.ts'
import { createTestDatabase } from './database.ts'

export type TestApi = {
  origin: string
  context: Context
  api: Api
  dataDir: string
  /** A client without cookies. */
  anonymous: ApiClient
  /** Registers a customer with a confirmed address and more rights than others, and returns a client that is signed in. */
  signUp(options?: { admin?: boolean; verified?: boolean; capabilities?: Record<string, boolean> }): Promise<Caller>
  close(): Promise<void>
}
export type Caller = { call: ApiClient; user: User; cookie: () => string; password: string }

/** A client that keeps cookies, as a browser does. */
export function createCookieClient(origin: string): { call: ApiClient; cookie: () => string } {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = createApiClient(async (path, init) => {
    const response = await fetch(`${origin}${path}`, {
      ...init,
      headers: { ...init.headers, ...(jar.size === 0 ? {} : { cookie: cookie() }) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  })
  return { call, cookie }
}

let signedUp = 0

/**
 * `pages` serves the built site too; `mails` sends mails and notifications as the worker does; `openCluster` places
 * servers elsewhere than in sandboxes of this machine.
 */
export async function startTestApi(
  env: Record<string, string> = {},
  {
    pages = false,
    mails = false,
    openCluster,
  }: { pages?: boolean; mails?: boolean; openCluster?: (publicKey: string) => Cluster } = {},
): Promise<TestApi> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'ws-api-'))
  await provideArtifacts(dataDir)
  const database = await createTestDatabase()
  const settings = readSettings({
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    // Every tester has the same address.
    LIMIT_REGISTRATIONS: '0',
    LIMIT_TAKEN_ADDRESSES: '0',
    LIMIT_MAILS: '0',
    PACKAGE_SOURCES: 'none',
    // Opening one costs as much as dozens of queries, and most tests need few.
    DATABASE_CONNECTIONS: '5',
    ...env,
  })
  const logger = createLogger({ part: 'test', level: settings.LOG_LEVEL })
  const secrets = loadSecrets(dataDir)
  const cluster = openCluster?.(secrets.supervisor.publicKey)
  const context = await createContext({
    settings,
    secrets,
    logger,
    ...(cluster !== undefined && { fleet: createFleet({ settings, secrets, logger, cluster }) }),
    databaseUrl: database.url,
    role: 'api',
  })
  await ensureQueues(context.boss, allJobs)
  const { app, api, tls } = await buildApp(context, createMetrics())
  await listenForTls(app, { tls, settings })
  if (pages) await installWeb(api)
  const origin = await app.listen({ port: settings.HTTP_PORT, host: '127.0.0.1' })
  if (mails) await registerSignInJobs(context)
  const deliveries = mails ? await beginDeliveries(context) : undefined

  return {
    origin,
    context,
    api,
    dataDir,
    anonymous: createCookieClient(origin).call,
    async signUp({ admin = false, verified = true, capabilities = {} } = {}) {
      const { call, cookie } = createCookieClient(origin)
      const username = `tester_${process.pid % 1000}_${++signedUp}`
      const password = 'correct horse battery'
      const user = await call(users.register, {
        body: { username, email: `${username}@example.test`, password, language: 'en', accepted_tos: true },
      })
      await inTransaction(context.db, async (trx) => {
        if (verified) await markEmailVerified(trx, user.id)
        await grantCapabilities(trx, user.id, { ...capabilities, ...(admin && { admin: true }) })
      })
      // A rights change is announced after the commit; a fresh session does not depend on when it arrives.
      await call(users.loginLocal, { body: { login: username, password } })
      return { call, user: await call(users.verify, {}), cookie, password }
    },
    async close() {
      await app.close()
      await deliveries?.close()
      await closeContext(context)
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Another process of the API over the same database, as far as this one can be two. */
export async function startSecondApi({ context }: TestApi): Promise<{ origin: string; close: () => Promise<void> }> {
  const other = await createContext({ ...context, role: 'api' })
  const { app } = await buildApp(other, createMetrics())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    async close() {
      await app.close()
      await closeContext(other)
    },
  }
}

const tenYears = 10 * 365 * 86_400

/** A cookie of somebody who is signed in, good whatever the clock says. */
export async function cookieForYears({ api }: TestApi, { cookie, user }: Caller): Promise<string> {
  const token = /ws_access=([^;]+)/.exec(cookie())?.[1] ?? ''
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  return `ws_access=${await api.principals.issue({ sessionId: sid, userId: user.id }, tenYears)}`
}

/** A client with such a cookie. */
export async function signInForYears(api: TestApi, caller: Caller): Promise<ApiClient> {
  const cookie = await cookieForYears(api, caller)
  return createApiClient((path, init) =>
    fetch(`${api.origin}${path}`, { ...init, headers: { ...init.headers, cookie } }),
  )
}

/** The same caller, signed in for longer than any test takes. */
export async function stayForYears(api: TestApi, caller: Caller): Promise<Caller> {
  const cookie = await cookieForYears(api, caller)
  return { ...caller, call: await signInForYears(api, caller), cookie: () => cookie }
}
