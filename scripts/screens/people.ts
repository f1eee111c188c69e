/** Whom the pictures are about, and what lets time pass for them. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { ApiClient } from '@wakestone/contract/client'
import { loginLocal, register, verify } from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { type Context, createContext } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { markEmailVerified } from '../../apps/server/src/features/accounts/users/repo.ts'
import { startPostgres } from '../../apps/standalone/src/postgres.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import type { Standalone } from '../../tests/support/standalone.ts'

export const day = 86_400_000

export type Product = Pick<Standalone, 'origin' | 'dataDir' | 'secrets'>
export type Person = { call: ApiClient; user: User }
/** Whom all of it is done by and for. */
export type Stage = { product: Product; context: Context; admin: ApiClient; browser: Browser }

export const password = 'latarnia nad wodą'
export const walletOf = ({ user }: Person) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''

/** The product's own parts and database, for what no route does: letting time pass. */
export async function openContext({ dataDir, secrets }: Product): Promise<Context> {
  const postgres = await startPostgres({
    home: join(dataDir, 'postgres'),
    password: secrets.databasePassword,
    logFile: join(dataDir, 'logs/postgres.log'),
  })
  const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'silent', LIMIT_CLICKS: '0' })
  const logger = createLogger({ part: 'test', level: settings.LOG_LEVEL })
  return createContext({ settings, secrets, logger, databaseUrl: postgres.url('wakestone'), role: 'api' })
}

/** A customer with a confirmed address, who has been here for three months. */
export async function signUp(
  { product, context }: Stage,
  username: string,
  { call } = createCookieClient(product.origin),
): Promise<Person> {
  const { id } = await call(register, {
    body: { username, email: `${username}@example.com`, password, language: 'pl', accepted_tos: true },
  })
  await inTransaction(context.db, (trx) => markEmailVerified(trx, id))
  const created_at = new Date(Date.now() - 90 * day)
  await context.db.updateTable('users').set({ created_at }).where('id', '=', id).execute()
  await call(loginLocal, { body: { login: username, password } })
  return { call, user: await call(verify, {}) }
}
