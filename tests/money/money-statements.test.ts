/**
 * A crash at every moment: whatever moves money is begun once for each statement that it sends, the process ends right
 * after that statement, and whoever asked asks again. What comes of it is what comes of it without a crash.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeService, getService, renewService } from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { handleServiceClock } from '../../apps/server/src/features/sales/renewals/service-clock.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { crashEverywhere, type Crashes, createCrashes } from '../support/crashes.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { day, hour, priceOf } from '../support/money/rules.ts'
import { order, topUp } from '../support/servers.ts'

const month = priceOf('GRASS', '720h', 'PLN')
let api: TestApi
let owner: Caller
let walletId: string
let crashes: Crashes

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 2 * month) // for the services of tests that renew one
  crashes = createCrashes(api.context.database.pool)
})
afterAll(() => api.close())

const balance = async () => (await owner.call(getWallet, { params: { id: walletId } })).balance.amount
const purchases = async () => (await owner.call(listWalletTransactions, { params: { id: walletId } })).count
const rent = (key: string, subdomain: string) =>
  owner.call(createServer, { body: order(walletId, '1.21.4', { subdomain }), idempotencyKey: key })
const countServers = async () => {
  const { rows } = await api.context.database.pool.query('select 1 from servers')
  return rows.length
}

// First: a pass over the clock looks at every service there is.
test('a service that renews itself', async () => {
  const { service_id } = await rent(randomUUID(), `crash-${randomUUID().slice(0, 8)}`)
  const params = { id: service_id }
  const expires = async () => Date.parse((await owner.call(getService, { params })).expires ?? '')
  await owner.call(changeService, { params, body: { auto_renew: true } })
  const moments = await crashEverywhere(crashes, {
    async prepare() {
      await topUp(api.context, owner, month)
      return { before: await balance(), end: await expires() }
    },
    act: ({ end }) => handleServiceClock(api.context, new Date(end - day)),
    async check({ before, end }, moment) {
      expect(await balance(), moment).toBe(before - month)
      expect(await expires(), moment).toBe(end + 720 * hour)
    },
  })
  console.log(`renewing itself: ${moments} moments`)
  expect(moments).toBeGreaterThan(10)
}, 240_000)

test('renting a server', async () => {
  const moments = await crashEverywhere(crashes, {
    async prepare() {
      await topUp(api.context, owner, month)
      const key = randomUUID()
      return { key, before: await balance(), servers: await countServers(), count: await purchases() }
    },
    act: ({ key }) => rent(key, `crash-${key.slice(0, 8)}`),
    async check({ before, servers, count }, moment) {
      expect(await balance(), moment).toBe(before - month)
      expect(await countServers(), moment).toBe(servers + 1)
      expect(await purchases(), moment).toBe(count + 1)
    },
  })
  console.log(`renting: ${moments} moments`)
  expect(moments).toBeGreaterThan(20)
}, 240_000)

test('renewing a service', async () => {
  const { service_id } = await rent(randomUUID(), `crash-${randomUUID().slice(0, 8)}`)
  const params = { id: service_id }
  const expires = async () => Date.parse((await owner.call(getService, { params })).expires ?? '')
  const moments = await crashEverywhere(crashes, {
    async prepare() {
      await topUp(api.context, owner, month)
      return { key: randomUUID(), before: await balance(), end: await expires() }
    },
    act: ({ key }) =>
      owner.call(renewService, {
        params,
        body: { billing_period: '720h', wallet_id: walletId },
        idempotencyKey: key,
      }),
    async check({ before, end }, moment) {
      expect(await balance(), moment).toBe(before - month)
      expect(await expires(), moment).toBe(end + 720 * hour)
    },
  })
  console.log(`renewing: ${moments} moments`)
  expect(moments).toBeGreaterThan(10)
}, 240_000)

test('and the books are right after all of that', async () => {
  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
})
