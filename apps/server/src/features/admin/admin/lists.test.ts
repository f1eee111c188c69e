/** Lists of all accounts and of all payments, for administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as admin from '@wakestone/contract/admin/admin-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'

let api: TestApi
let boss: Caller
let owner: Caller
let other: Caller
let server: Server
let walletId: string

beforeAll(async () => {
  api = await startTestApi()
  boss = await api.signUp({ admin: true })
  owner = await api.signUp()
  other = await api.signUp()
  walletId = await topUp(api.context, owner, 20_000)
  server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
})
afterAll(() => api.close())

describe('all accounts', () => {
  const list = (query: object) => boss.call(admin.listUsers, { query })
  const names = async (query: object) => (await list(query)).data.map(({ username }) => username)

  test('are found by a part of a name or an address, and by what is out of the ordinary', async () => {
    const [user] = (await list({ q: owner.user.username.toUpperCase() })).data
    expect(user).toMatchObject({ id: owner.user.id })
    expect(await names({ q: other.user.email.slice(0, -1) })).toEqual([other.user.username])
    expect(await list({ q: 'nobody_is_called_so' })).toEqual({ data: [], count: 0 })
    // These are letters, not signs for any letter.
    expect((await list({ q: '%' })).count).toBe(0)
    await boss.call(admin.suspendUser, { params: { id: other.user.id }, body: { reason: 'for a test' } })
    expect(await names({ state: 'suspended' })).toEqual([other.user.username])
    expect(await names({ state: 'suspended', q: owner.user.username })).toEqual([])
    await boss.call(admin.unsuspendUser, { params: { id: other.user.id } })
    expect(await outcomeOf(owner.call(admin.listUsers, { query: {} }))).toBe('insufficient_capabilities')
  })

  test('come by when they were last here, page by page', async () => {
    const { db } = api.context
    await db
      .updateTable('user_activities')
      .set({ last_at: new Date('2024-01-01') })
      .execute()
    await owner.call(users.verify, {})
    const whole = await list({ order: 'active' })
    // Whoever asks is here too, and a moment later.
    expect(whole.data.slice(0, 2).map(({ id }) => id)).toEqual([boss.user.id, owner.user.id])
    const [, seen] = whole.data
    expect(Date.parse(seen?.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    const { last_seen_at } = await boss.call(admin.getAdminUser, { params: { id: owner.user.id } })
    expect(last_seen_at).toBe(seen?.last_seen_at)
    const ids = [boss.user.id]
    for (;;) {
      const { data } = await list({ order: 'active', limit: 1, after: ids.at(-1) })
      if (data.length === 0) break
      ids.push(...data.map(({ id }) => id))
    }
    expect(ids).toEqual(whole.data.map(({ id }) => id))
  })

  test('whoever never was here comes last', async () => {
    const late = await api.signUp()
    await list({})
    await api.context.db
      .updateTable('user_activities')
      .set({ last_at: '-infinity' as never })
      .where('user_id', '=', late.user.id)
      .execute()
    const { data } = await list({ order: 'active' })
    expect(data.at(-1)).toMatchObject({ id: late.user.id, last_seen_at: null })
  })
})

describe('all payments', () => {
  const list = (query: object) => boss.call(admin.listPayments, { query })

  test('are found by who paid, for which server, how and when', async () => {
    const { data, count } = await list({ q: owner.user.username })
    expect(count).toBe(data.length)
    const purchase = data.find(({ action }) => action === 'ADD_SERVICE')
    expect(purchase).toMatchObject({
      username: owner.user.username,
      user_id: owner.user.id,
      server: { id: server.id, name: server.name },
      status: 'COMPLETED',
      failure: null,
    })
    expect((await list({ q: server.id })).data.map(({ id }) => id)).toEqual([purchase?.id])
    expect((await list({ q: purchase?.id })).count).toBe(1)
    expect((await list({ q: owner.user.username, provider: 'paypal' })).count).toBe(0)
    expect((await list({ from: '2020-01-01', to: '2020-12-31' })).count).toBe(0)
    expect((await list({ from: '2020-01-01', q: owner.user.username })).count).toBe(count)
    expect(await outcomeOf(list({ from: '2021-01-01', to: '2020-12-31' }))).toBe('invalid_request')
    expect(await outcomeOf(owner.call(admin.listPayments, { query: {} }))).toBe('insufficient_capabilities')
  })

  test('those that failed say why, and all come newest first, page by page', async () => {
    const { db } = api.context
    const failed = await db
      .insertInto('transactions')
      .values({
        user_id: owner.user.id,
        wallet_id: walletId,
        currency: 'PLN',
        status: 'FAILED',
        action: 'DEPOSIT',
        provider: 'payu',
        amount: 1000,
        country_code: 'PL',
        vat_rate: 0.23,
        positions: '[]',
        failure: JSON.stringify({ reason: 'refused by the bank' }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await list({ status: 'FAILED' })).data).toMatchObject([{ id: failed.id, failure: 'refused by the bank' }])
    const whole = await list({})
    const seen: string[] = []
    for (let page = await list({ limit: 1 }); page.data.length > 0;) {
      seen.push(...page.data.map(({ id }) => id))
      page = await list({ limit: 1, after: seen.at(-1) })
    }
    expect(seen).toEqual(whole.data.map(({ id }) => id))
    expect(seen[0]).toBe(failed.id)
  })

  test('a movement on a wallet says for what it was paid', async () => {
    const { data } = await owner.call(listWalletLogs, { params: { id: walletId }, query: {} })
    const [purchase] = data
    expect(purchase).toMatchObject({
      cause: 'PAYMENT',
      transaction: { action: 'ADD_SERVICE', positions: [{ name: server.product_id }], return_kind: null },
    })
    // As the list of payments has it.
    const [paid] = (await list({ q: server.id })).data
    expect(purchase?.transaction?.id).toBe(paid?.id)
  })
})

test('an add-on names the server of its plan, and renews as that does', async () => {
  const { db } = api.context
  const plan = await db.selectFrom('services').selectAll().where('id', '=', server.service_id).executeTakeFirstOrThrow()
  await db.updateTable('services').set({ auto_renew: true }).where('id', '=', plan.id).execute()
  const { id: _, created_at: __, ...same } = plan
  await db
    .insertInto('services')
    .values({
      ...same,
      product_id: 'EXTRA_MEMORY_2G',
      type: 'add_on',
      parent_id: plan.id,
      auto_renew: false,
      value_held: JSON.stringify(plan.value_held),
    } as never)
    .execute()
  const { data } = await boss.call(admin.listAdminServices, { params: { id: owner.user.id }, query: {} })
  expect(data.find(({ parent_id }) => parent_id === plan.id)).toMatchObject({
    server: { id: server.id, name: server.name },
    auto_renew: true,
  })
})
