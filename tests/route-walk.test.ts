/**
 * Walks every route of the contract as a stranger, another customer, a reader, the owner and an administrator,
 * with the owner's resources in the path. Bodies are left empty: a caller who passes the check learns that
 * (`invalid_request`), one who does not is refused before anything is looked at.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RouteSpec } from '@wakestone/contract/route'
import { allRoutes } from '@wakestone/contract/routes/all'
import { createServer } from '@wakestone/contract/routes/servers'
import { listUserEvents } from '@wakestone/contract/routes/users'
import { listWalletTransactions } from '@wakestone/contract/routes/wallets'
import { pathOf } from '@wakestone/contract/client'
import { type ErrorCode, errorBodySchema, errorCodes } from '@wakestone/contract/errors'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { order, shareServer, topUp } from './support/servers.ts'

type Role = 'stranger' | 'other' | 'reader' | 'owner' | 'admin'
const roles: Role[] = ['stranger', 'other', 'reader', 'owner', 'admin']

let api: TestApi
let callers: Record<Exclude<Role, 'stranger'>, Caller>
let params: Record<string, Record<string, string>>

beforeAll(async () => {
  api = await startTestApi()
  callers = {
    owner: await api.signUp(),
    other: await api.signUp(),
    reader: await api.signUp(),
    admin: await api.signUp({ admin: true }),
  }
  const walletId = await topUp(api.context, callers.owner, 10_000)
  const server = await callers.owner.call(createServer, { body: order(walletId, '1.21.4') })
  const [transaction] = (await callers.owner.call(listWalletTransactions, { params: { id: walletId } })).data
  if (transaction === undefined) throw new Error('the purchase left no transaction')
  const [event] = (await callers.owner.call(listUserEvents, { params: { id: callers.owner.user.id } })).data
  if (event === undefined) throw new Error('the registration left no event')
  await shareServer(api.context, {
    serverId: server.id,
    userId: callers.reader.user.id,
    capabilities: { 'server.manage.read': true, 'server.manage': false },
  })
  params = {
    self: { id: callers.owner.user.id, userId: callers.owner.user.id, sessionId: randomUUID(), oldRef: 'none' },
    wallet: { id: walletId },
    transaction: { id: transaction.id },
    event: { id: event.id },
    server: { id: server.id },
    capability: { id: callers.owner.user.id, name: 'no-such.eml', key: 'contest-event' },
    social: { id: await linkSocial(callers.owner.user.id) },
    public: { id: 'GRASS', name: 'nobody_has_this', slug: 'privacy-policy' },
  }
})
afterAll(() => api.close())

async function linkSocial(userId: string): Promise<string> {
  const details = JSON.stringify({ username: 'owner', global_name: null, avatar: null })
  const row = await api.context.db
    .insertInto('socials')
    .values({ user_id: userId, source: 'discord', external_id: '180000000000000001', details })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The refusal a role must meet, or undefined when it may pass. */
function refusal({ access }: RouteSpec, role: Role): ErrorCode | undefined {
  if (access.kind === 'public') return undefined
  if (role === 'stranger') return 'unauthorized'
  if (role === 'admin' || access.kind === 'user') return undefined
  switch (access.kind) {
    case 'self':
      return role === 'owner' ? undefined : 'user_not_found'
    case 'wallet':
      return role === 'owner' ? undefined : 'wallet_not_found'
    case 'transaction':
      return role === 'owner' ? undefined : 'transaction_not_found'
    case 'social':
    case 'event':
      return role === 'owner' ? undefined : 'resource_not_found'
    case 'capability':
      return 'insufficient_capabilities'
    case 'server':
      if (role === 'owner') return undefined
      if (role === 'other') return 'server_id_not_found'
      return access.capability === 'server.manage.read' ? undefined : 'insufficient_capabilities'
  }
}

const refusals = new Set<ErrorCode>([
  'unauthorized',
  'user_not_found',
  'wallet_not_found',
  'transaction_not_found',
  'server_id_not_found',
  'insufficient_capabilities',
])
/** Signing out would end the walk of that caller. */
const walked = Object.entries(allRoutes).filter(([name]) => name !== 'logout' && name !== 'refresh') as [
  string,
  RouteSpec,
][]

async function send(route: RouteSpec, role: Role, headers: Record<string, string> = {}) {
  const cookie: Record<string, string> = role === 'stranger' ? {} : { cookie: callers[role].cookie() }
  const path = pathOf(route, {
    params: params[route.access.kind] ?? params['public'],
    query: route === allRoutes.setAutostart ? { value: '1' } : {},
  })
  const response = await fetch(`${api.origin}${path}`, { method: route.method, headers: { ...cookie, ...headers } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson && text !== '') return { status: response.status, body: undefined, file: text }
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as { error?: ErrorCode }) }
}

test('the API implements exactly the routes of the contract', () => {
  expect(new Set(Object.values(allRoutes))).toEqual(api.api.implemented)
})

describe.each(walked)('%s', (_name, route) => {
  test.each(roles)('as %s', async (role) => {
    const { status, body } = await send(route, role)
    const expected = refusal(route, role)
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (expected !== undefined) expect(body?.error).toBe(expected)
    else if (body?.error !== undefined) expect(refusals, `refused: ${body.error}`).not.toContain(body.error)
    if (status >= 400) {
      expect(errorBodySchema.parse(body).error).toSatisfy((code: ErrorCode) => errorCodes.includes(code))
    } else {
      const schema = route.responses[status]
      expect(schema, `status ${status} is not declared`).toBeDefined()
      if (schema && route.streams === undefined) expect(schema.parse(body)).toEqual(body) // nothing undeclared left
    }
  })

  test.runIf(route.method !== 'GET')('refuses another site', async () => {
    const { status, body } = await send(route, 'owner', { origin: 'https://evil.example' })
    expect([status, body?.error]).toEqual([403, 'access_denied'])
  })
})

test('another customer’s wallet cannot pay, nor be topped up', async () => {
  const wallet = params['wallet']?.['id'] ?? ''
  const foreign = [
    {
      path: '/api/v1/servers',
      body: {
        name: 'thief',
        subdomain: 'thief-server',
        cluster_id: 'local',
        engine: 'flying-squid',
        engine_version: '1.21.4',
        requested_billing_services: ['GRASS'],
        billing_period: '720h',
        currency: 'PLN',
        wallet_id: wallet,
      },
    },
    {
      path: '/api/v1/transaction',
      body: { action: 'DEPOSIT', provider: 'payu', wallet_id: wallet, amount: 5000, currency: 'PLN' },
    },
  ]
  for (const { path, body } of foreign) {
    const response = await fetch(`${api.origin}${path}`, {
      method: 'POST',
      headers: { cookie: callers.other.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, 'wallet_not_found'])
  }
})
