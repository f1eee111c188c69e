/** What administrators find and read, through the front door. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import * as admin from '@wakestone/contract/admin/admin-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'

let api: TestApi
let boss: Caller
let owner: Caller
let server: Server
let transactionId: string
beforeAll(async () => {
  api = await startTestApi()
  boss = await api.signUp({ admin: true })
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  server = await owner.call(servers.createServer, { body: order(walletId, '1.21.4', { name: 'Łąka 100% Dzika' }) })
  const { data } = await boss.call(admin.listAdminTransactions, { params: { id: owner.user.id } })
  transactionId = data[0]?.id ?? ''
  await api.context.db
    .insertInto('payment_orders')
    .values({
      transaction_id: transactionId,
      gateway: 'payu',
      external_id: 'ours-77',
      gateway_order_id: 'WZHF5FFDRJ140731GUEST000P01',
      state: 'cancelled',
    })
    .execute()
})
afterAll(() => api.close())

const search = (q: string) => boss.call(admin.adminSearch, { query: { q } })
const found = async (q: string) => {
  const { users, servers: rented, transactions, domains } = await search(q)
  return {
    ...(users.length > 0 && { users: users.map(({ id }) => id) }),
    ...(rented.length > 0 && { servers: rented.map(({ id }) => id) }),
    ...(transactions.length > 0 && { transactions: transactions.map(({ id }) => id) }),
    ...(domains.length > 0 && { domains: domains.map(({ fqdn }) => fqdn) }),
  }
}

describe('the search', () => {
  test('finds users by id, name and address, whatever the case, and parts of them', async () => {
    const { id, username, email } = owner.user
    expect(await found(id)).toEqual({ users: [id] })
    expect(await found(username.toUpperCase())).toMatchObject({ users: [id] })
    expect(await found(email)).toEqual({ users: [id] })
    expect((await found(email.slice(2))).users).toContain(id)
    expect((await found('@example.test')).users).toHaveLength(2)
  })

  test('finds servers and domains by id, name, subdomain and whole address', async () => {
    const [domain] = server.domains
    const both = { servers: [server.id], domains: [domain!.fqdn] }
    expect(await found(server.id)).toEqual(both)
    expect(await found('łąka')).toEqual({ servers: [server.id] })
    expect(await found(domain!.sub_domain)).toEqual(both)
    expect(await found(domain!.fqdn.toUpperCase())).toEqual(both)
    const answer = await search(server.id)
    expect(answer.servers[0]).toMatchObject({ owner_id: owner.user.id, name: server.name })
    expect(answer.owners).toEqual([{ id: owner.user.id, username: owner.user.username }])
  })

  test('says by what a server was found', async () => {
    await api.context.db
      .insertInto('player_sessions')
      .values({ server_id: server.id, name: 'SailorBob', joined_at: new Date(), left_at: new Date(), player_id: null })
      .execute()
    const matchesOf = async (q: string) => (await search(q)).servers.map(({ id, matches }) => ({ id, matches }))
    expect(await matchesOf('sailorbob')).toEqual([{ id: server.id, matches: ['player'] }])
    expect(await matchesOf('łąka')).toEqual([{ id: server.id, matches: ['name'] }])
    expect(await matchesOf(server.id)).toEqual([{ id: server.id, matches: ['id'] }])
  })

  test('finds transactions by id and by either name of their order', async () => {
    const one = { transactions: [transactionId] }
    expect(await found(transactionId)).toEqual(one)
    expect(await found('ours-77')).toEqual(one)
    expect(await found('WZHF5FFDRJ140731GUEST000P01')).toEqual(one)
    expect((await search(transactionId)).transactions[0]?.user_id).toBe(owner.user.id)
  })

  test('takes what is typed as it is, and answers nothing for what is not there', async () => {
    expect(await found('100%')).toEqual({ servers: [server.id] })
    for (const nothing of ['%%%', '___', '\\\\\\', "' or 1=1", randomUUID(), 'ąąąąą'])
      expect(await found(nothing)).toEqual({})
    const code = await search('ab').catch((error: ApiError) => error.body.error)
    expect(code).toBe('invalid_request')
  })

  test('shows at most ten of each, exact fits first', async () => {
    const { pool } = api.context.database
    await pool.query(`insert into users (username, email, language, country_code)
      select 'crowd_' || n, 'crowd_' || n || '@many.test', 'en', 'PL' from generate_series(1, 300) n`)
    expect((await search('crowd_')).users).toHaveLength(10)
    const [first] = (await search('CROWD_7')).users
    expect(first?.username).toBe('crowd_7')
  })

  test('asks its indexes', async () => {
    const { pool } = api.context.database
    const client = await pool.connect()
    try {
      await client.query('set enable_seqscan = off')
      for (const [statement, index] of [
        [`select id from users where lower(username) like '%abc%' or lower(email) like '%abc%'`, 'users_search'],
        [`select id from servers where lower(name) like '%abc%'`, 'servers_search'],
        [`select id from domains where fqdn like '%abc%'`, 'domains_search'],
        [`select id from payment_orders where gateway_order_id = 'abc'`, 'payment_orders_gateway_order'],
      ]) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
      }
    } finally {
      client.release(true)
    }
  })
})

test('users are listed newest first, page by page, each once', async () => {
  const seen: string[] = []
  for (let after: string | undefined; ;) {
    const { data, count } = await boss.call(admin.listUsers, { query: { limit: 100, ...(after && { after }) } })
    seen.push(...data.map(({ id }) => id))
    after = data.at(-1)?.id
    if (after === undefined) {
      expect(seen).toHaveLength(count)
      break
    }
  }
  expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
})

test('a user is shown with what they rent and pay', async () => {
  const params = { id: owner.user.id }
  const shown = await boss.call(admin.getAdminUser, { params })
  expect(shown).toMatchObject({
    id: owner.user.id,
    email: owner.user.email,
    paying_user: true,
    suspension: null,
    user_capabilities: owner.user.user_capabilities,
  })
  expect(shown.wallets).toHaveLength(3)
  const { data, count } = await boss.call(admin.listAdminServices, { params })
  expect(count).toBe(1)
  expect(data[0]).toMatchObject({ product_id: 'GRASS', server: { id: server.id, name: server.name }, ended_at: null })
  const none = { data: [], count: 1 }
  expect(await boss.call(admin.listAdminServices, { params, query: { after: data[0]!.id } })).toEqual(none)
})
