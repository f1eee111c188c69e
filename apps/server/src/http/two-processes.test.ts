/** Two processes of the API over one database: what one changes, the other shows at once, and the first with its next answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeUsername, endUserSession, listSessions } from '@wakestone/contract/accounts/account-routes'
import { getUser, loginLocal, verify } from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { changeUserCapabilities, suspendUser } from '@wakestone/contract/admin/admin-routes'
import { createApiClient } from '@wakestone/contract/client'
import { markNotificationsRead } from '@wakestone/contract/ground/notifications-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import {
  type Caller,
  createCookieClient,
  startSecondApi,
  startTestApi,
  type TestApi,
} from '../../../../tests/support/api.ts'
import { isLong } from '../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../tests/support/outcome.ts'
import { topUp } from '../../../../tests/support/servers.ts'

let api: TestApi
let second: Awaited<ReturnType<typeof startSecondApi>>
beforeAll(async () => {
  api = await startTestApi()
  second = await startSecondApi(api)
})
afterAll(async () => {
  await second.close()
  await api.close()
})

/** The same browser, led to the other process. */
const elsewhere = ({ cookie }: Pick<Caller, 'cookie'>) =>
  createApiClient((path, init) =>
    fetch(`${second.origin}${path}`, { ...init, headers: { ...init.headers, cookie: cookie() } }),
  )

const atOnce = { timeout: 1_000, interval: 5 }

/** Signs somebody up who has both processes know them. */
async function meet(): Promise<
  Caller & { there: Caller['call']; both: <Told>(tell: (user: User) => Told) => Promise<Told[]> }
> {
  const caller = await api.signUp()
  const there = elsewhere(caller)
  const both = async <Told>(tell: (user: User) => Told) => [
    tell(await caller.call(verify, {})),
    tell(await there(verify, {})),
  ]
  await both((user) => user.id)
  return { ...caller, there, both }
}

test('a changed name', async () => {
  const { there, both, user } = await meet()
  const username = `${user.username}_new`
  await there(changeUsername, { body: { username } })
  expect((await there(verify, {})).username).toBe(username)
  await expect.poll(() => both((now) => now.username), atOnce).toEqual([username, username])
})

test('a right given and revoked', async () => {
  const admin = await api.signUp({ admin: true })
  const { call, there, both, user } = await meet()
  const other = await api.signUp()
  const looks = () =>
    Promise.all([call, there].map((ask) => outcomeOf(ask(getUser, { params: { id: other.user.id } }))))
  const change = (body: { set?: Record<string, boolean>; remove?: string[] }) =>
    elsewhere(admin)(changeUserCapabilities, { params: { id: user.id }, body })
  expect(await looks()).toEqual(['user_not_found', 'user_not_found'])
  await change({ set: { admin: true } })
  await expect.poll(looks, atOnce).toEqual(['success', 'success'])
  await expect.poll(() => both((now) => now.user_capabilities['admin']), atOnce).toEqual([true, true])
  await change({ remove: ['admin'] })
  await expect.poll(looks, atOnce).toEqual(['user_not_found', 'user_not_found'])
  await expect.poll(() => both((now) => now.user_capabilities['admin']), atOnce).toEqual([undefined, undefined])
})

test('an ended session, and a suspended account', async () => {
  const { call, user, there, password } = await meet()
  const login = { login: user.username, password }
  const device = createCookieClient(second.origin)
  await device.call(loginLocal, { body: login })
  const asked = () => Promise.all([outcomeOf(elsewhere(device)(verify, {})), outcomeOf(device.call(verify, {}))])
  expect(await asked()).toEqual(['success', 'success'])
  const sessions = await device.call(listSessions, { params: { id: user.id } })
  const { id } = sessions.find(({ current }) => current)!
  await call(endUserSession, { params: { id: user.id, sessionId: id } })
  await expect.poll(asked, atOnce).toEqual(['unauthorized', 'unauthorized'])

  const admin = await api.signUp({ admin: true })
  await admin.call(suspendUser, { params: { id: user.id }, body: { reason: 'tries' } })
  await expect
    .poll(() => Promise.all([outcomeOf(call(verify, {})), outcomeOf(there(verify, {}))]), atOnce)
    .toEqual(['unauthorized', 'unauthorized'])
})

test('what a wallet holds, without waiting to be told', async () => {
  const { user, both } = await meet()
  for (const amount of [1_000, 2_000, 3_000]) {
    await topUp(api.context, { user }, 1_000)
    expect(await both(({ wallets }) => wallets.find(({ currency }) => currency === 'PLN')?.balance.amount)).toEqual([
      amount,
      amount,
    ])
  }
})

test('a notification, and that it was read', async () => {
  const { user, both, there } = await meet()
  const unread = () => both((now) => now.unread_notifications)
  const told = { kind: 'SERVER_CREATED', fields: { server: 'Meadow', address: 'meadow.localhost' } } as const
  await inTransaction(api.context.db, (trx) => notify(trx, { userId: user.id, ...told }))
  await expect.poll(unread, atOnce).toEqual([1, 1])
  await there(markNotificationsRead, { params: { userId: user.id }, body: {} })
  expect((await there(verify, {})).unread_notifications).toBe(0)
  await expect.poll(unread, atOnce).toEqual([0, 0])
})

test('invoice data, and the VAT that wallets show by them', async () => {
  const { user, both, there } = await meet()
  const body = {
    kind: 'person',
    name: 'Anna',
    short_name: '',
    address: 'Ulica 1',
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    language: 'de',
  }
  await there(setTaxData, { params: { id: user.id }, body: body as never })
  const shown = (now: User) => `${now.tax_data?.city} ${now.wallets[0]?.country_tax_rate.country_code}`
  expect(shown(await there(verify, {}))).toBe('Berlin DE')
  await expect.poll(() => both(shown), atOnce).toEqual(['Berlin DE', 'Berlin DE'])
})

test('what an administrator changed of somebody, from the answer to it on', async () => {
  const [admin, { user, call }] = await Promise.all([api.signUp({ admin: true }), meet()])
  for (let slots = 1; slots <= 50; slots++) {
    const body = { set: { 'server.slots': slots }, remove: [] }
    await admin.call(changeUserCapabilities, { params: user, body })
    expect((await call(verify, {})).user_capabilities['server.slots']).toBe(slots)
  }
})

test.runIf(isLong)('what was said while nobody could be told', async () => {
  const { user, both } = await meet()
  const { pool } = api.context.database
  for (let time = 0; time < 10; time++) {
    const username = `${user.username}_${time}`
    // In one transaction: when it is seen, nobody listens.
    await inTransaction(api.context.db, async (trx) => {
      await trx.updateTable('users').set({ username }).where('id', '=', user.id).execute()
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database()
           and application_name = 'listens'`,
      )
    })
    await expect.poll(() => both((now) => now.username), { timeout: 3_000, interval: 1 }).toEqual([username, username])
    // What was kept since the connection is back is told of again.
    const again = `${username}_again`
    await api.context.db.updateTable('users').set({ username: again }).where('id', '=', user.id).execute()
    await expect.poll(() => both((now) => now.username), { timeout: 3_000, interval: 1 }).toEqual([again, again])
  }
})
