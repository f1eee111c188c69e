/**
 * Walks every route of the contract as a stranger, another customer, a reader, the owner and an administrator,
 * with the owner's resources in the path. Bodies are left empty: a caller who passes the check learns that
 * (`invalid_request`), one who does not is refused before anything is looked at.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ApiKeyScope, apiKeyScopes } from '@wakestone/contract/accounts/api-key'
import { hasCapability } from '@wakestone/contract/capabilities'
import { keyScopesOf, type RouteSpec } from '@wakestone/contract/route'
import { allRoutes } from '@wakestone/contract/routes'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { createProject } from '@wakestone/contract/marketplace/projects-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createCraftum } from '@wakestone/contract/websites/craftums-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { allTransports, type TransportSpec } from '@wakestone/contract/transport'
import { pathOf } from '@wakestone/contract/client'
import { type ErrorCode, errorBodySchema, errorCodes, errorStatuses } from '@wakestone/contract/errors'
import { allOwners } from '../apps/server/src/http/all-owners.ts'
import { issueDueDocuments } from '../apps/server/src/features/invoicing/invoices/issue.ts'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { isLong } from './support/long.ts'
import { order, shareServer, topUp } from './support/servers.ts'

type Role = 'stranger' | 'other' | 'reader' | 'owner' | 'admin'
const roles: Role[] = ['stranger', 'other', 'reader', 'owner', 'admin']

let api: TestApi
let callers: Record<Exclude<Role, 'stranger'>, Caller>
let params: Record<string, Record<string, string>>

beforeAll(async () => {
  api = await startTestApi()
  const capabilities = { 'marketplace.project-create': true, 'user.craftum': true }
  callers = {
    owner: await api.signUp({ capabilities }),
    other: await api.signUp(),
    reader: await api.signUp(),
    admin: await api.signUp({ admin: true, capabilities }),
  }
  const project = await callers.owner.call(createProject, {
    body: {
      name: 'Lantern posts',
      project_type: 'plugin',
      descriptions: [{ language: 'en', short_description: 'Lanterns that light themselves' }],
    },
  })
  const walletId = await topUp(api.context, callers.owner, 10_000)
  const server = await callers.owner.call(createServer, { body: order(walletId, '1.21.4') })
  const [transaction] = (await callers.owner.call(listWalletTransactions, { params: { id: walletId } })).data
  if (transaction === undefined) throw new Error('the purchase left no transaction')
  const [event] = (await callers.owner.call(listUserEvents, { params: { id: callers.owner.user.id } })).data
  if (event === undefined) throw new Error('the registration left no event')
  const website = await callers.owner.call(createCraftum, {
    body: {
      name: 'Meadow',
      subdomain: 'walked-meadow',
      wallet_id: walletId,
      currency: 'PLN',
      billing_period: '720h',
    },
  })
  await shareWithReader(server.id)
  const ticketId = await openTicket()
  params = {
    self: {
      id: callers.owner.user.id,
      userId: callers.owner.user.id,
      sessionId: randomUUID(),
      exportId: randomUUID(),
      keyId: randomUUID(),
      webhookId: randomUUID(),
      deliveryId: randomUUID(),
      invitationId: randomUUID(),
      oldRef: 'none',
      billId: randomUUID(),
      serverId: server.id,
      notificationId: randomUUID(),
    },
    wallet: { id: walletId },
    transaction: { id: transaction.id },
    invoice: { id: await issueInvoice() },
    event: { id: event.id },
    service: {
      id: server.service_id,
      serviceId: server.service_id,
      couponId: randomUUID(),
      addOnId: randomUUID(),
    },
    server: {
      id: server.id,
      userId: callers.owner.user.id,
      invitationId: randomUUID(),
      process_id: randomUUID(),
      job_id: 'none',
      schedule_id: randomUUID(),
      lock_id: randomUUID(),
      item_id: randomUUID(),
      coupon_id: randomUUID(),
      goal_id: randomUUID(),
      order_id: randomUUID(),
      delivery_id: randomUUID(),
      domain_id: randomUUID(),
      player_id: randomUUID(),
      snapshotId: randomUUID(),
    },
    capability: {
      id: callers.owner.user.id,
      userId: callers.owner.user.id,
      name: 'no-such.eml',
      key: 'contest-event',
      slug: project.slug,
      releaseId: '0000000000000',
      reportId: randomUUID(),
      ticketId,
      serverId: server.id,
      clusterId: 'local',
      agentId: randomUUID(),
    },
    project: {
      slug: project.slug,
      releaseId: '0000000000000',
      reviewId: randomUUID(),
      webhookId: randomUUID(),
      userId: randomUUID(),
      name: 'none',
    },
    ticket: { id: ticketId },
    social: { id: await linkSocial(callers.owner.user.id) },
    craftum: { id: website.id, version: '1' },
    public: { id: 'GRASS', name: 'nobody_has_this', slug: 'privacy-policy', releaseId: '0000000000000' },
  }
})
afterAll(() => api.close())

const shareWithReader = (serverId: string) =>
  shareServer(api.context, {
    serverId,
    userId: callers.reader.user.id,
    capabilities: { 'server.manage.read': true, 'server.manage': false },
  })

/** Of the owner's purchase. */
async function issueInvoice(): Promise<string> {
  await issueDueDocuments(api.context, new Date())
  const { data } = await callers.owner.call(listUserInvoices, { params: { id: callers.owner.user.id } })
  if (data[0] === undefined) throw new Error('the purchase has no receipt')
  return data[0].id
}

async function linkSocial(userId: string): Promise<string> {
  const details = JSON.stringify({ username: 'owner', global_name: null, avatar: null })
  const row = await api.context.db
    .insertInto('socials')
    .values({ user_id: userId, source: 'discord', external_id: '180000000000000001', details })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function openTicket(): Promise<string> {
  const body = { topic: 'other', subject: 'A question', message: 'How do lanterns work here?' } as const
  const { id } = await callers.owner.call(createTicket, { body })
  if (id === null) throw new Error('a user has no ticket')
  return id
}

/** The refusal a role must meet, or undefined when it may pass. */
function refusal({ access }: RouteSpec, role: Role): ErrorCode | undefined {
  if (access.kind === 'public') return undefined
  if (role === 'stranger') return 'unauthorized'
  if (role === 'admin' || access.kind === 'user') return undefined
  switch (access.kind) {
    case 'self':
      return role === 'owner' ? undefined : 'user_not_found'
    case 'event':
      return role === 'owner' ? undefined : 'resource_not_found'
    case 'capability':
      // The owner is an author too.
      return role === 'owner' && ['marketplace.project-create', 'user.craftum'].includes(access.capability)
        ? undefined
        : 'insufficient_capabilities'
    case 'project':
      return role === 'owner' || access.right === 'see' ? undefined : 'not_project_member'
    case 'server':
      if (role === 'owner') return undefined
      if (role === 'other') return 'server_id_not_found'
      return access.capability === 'server.manage.read' ? undefined : 'insufficient_capabilities'
    default:
      return role === 'owner' ? undefined : allOwners[access.kind].notFound.code
  }
}

const refusals = new Set<ErrorCode>([
  'unauthorized',
  'user_not_found',
  'wallet_not_found',
  'transaction_not_found',
  'invoice_not_found',
  'server_id_not_found',
  'ticket_not_found',
  'insufficient_capabilities',
  'not_project_member',
])
const denials = new Set<ErrorCode | undefined>([...refusals, 'access_denied', 'insufficient_permissions'])
/** Signing out would end the walk of that caller; giving a server up comes last. */
const walked = Object.entries<RouteSpec>(allRoutes)
  .filter(([name]) => name !== 'logout' && name !== 'refresh')
  .toSorted(([one], [other]) => Number(one === 'leaveServer') - Number(other === 'leaveServer'))

async function send(route: RouteSpec, role: Role, headers: Record<string, string> = {}) {
  return ask(route, { ...(role === 'stranger' ? {} : { cookie: callers[role].cookie() }), ...headers })
}

async function ask(route: RouteSpec, headers: Record<string, string>) {
  const path = pathOf(route, {
    params: params[route.access.kind] ?? params['public'],
    query: route === allRoutes.setAutostart ? { value: '1' } : {},
  })
  const response = await fetch(`${api.origin}${path}`, { method: route.method, headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson && text !== '') return { status: response.status, body: undefined, file: text }
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as { error?: ErrorCode }) }
}

test('the API implements exactly the routes of the contract', () => {
  expect(new Set(Object.values(allRoutes))).toEqual(api.api.implemented)
})

test.each(walked)('%s', async (_name, route) => {
  for (const role of roles) {
    const { status, body } = await send(route, role)
    const expected = refusal(route, role)
    expect(status, `as ${role}: ${JSON.stringify(body)}`).toBeLessThan(500)
    if (expected !== undefined) expect(body?.error, `as ${role}`).toBe(expected)
    else if (body?.error !== undefined) expect(refusals, `as ${role}: ${body.error}`).not.toContain(body.error)
    if (status >= 400) {
      expect(errorBodySchema.parse(body).error).toSatisfy((code: ErrorCode) => errorCodes.includes(code))
    } else {
      const schema = route.responses[status]
      expect(schema, `as ${role}: status ${status} is not declared`).toBeDefined()
      if (schema && route.streams === undefined) expect(schema.parse(body)).toEqual(body) // nothing undeclared left
    }
  }
  if (route.method === 'GET') return
  const { status, body } = await send(route, 'owner', { origin: 'https://evil.example' })
  expect([status, body?.error], 'from another site').toEqual([403, 'access_denied'])
})

describe('an API key', () => {
  const keyOf = async ({ call, user }: Caller, scope: ApiKeyScope) => {
    const body = { name: scope, scopes: [scope], address_ranges: [], expires_at: null }
    const { key } = await call(createApiKey, { params: { id: user.id }, body })
    return { authorization: `Bearer ${key}` }
  }
  /** Its owner’s refusal, once the scope lets it in; for an administrator’s key with one scope that is most of them. */
  function refusalOf(route: RouteSpec, role: 'owner' | 'admin', scope: ApiKeyScope): ErrorCode | undefined {
    const scopes = { [scope]: true }
    const wanted = keyScopesOf(route)
    if (wanted === undefined) return 'access_denied'
    if (wanted.length > 0 && !wanted.some((name) => hasCapability(scopes, name))) return 'insufficient_permissions'
    if (role === 'owner') return refusal(route, 'owner')
    if (route.access.kind === 'capability' && route.access.capability === 'marketplace.project-create') return undefined
    const asAdmin = route.access.kind === 'server' ? 'admin.server' : 'admin'
    return refusal(route, hasCapability(scopes, asAdmin) ? 'admin' : 'other')
  }
  const open = {
    owner: apiKeyScopes.filter((scope) => !scope.startsWith('admin')),
    admin: apiKeyScopes,
  }
  const all = (['owner', 'admin'] as const).flatMap((role) => open[role].map((scope) => ({ role, scope })))
  // Each asks for every route. The last is an administrator's.
  const keys = all.filter((_, index) => isLong || (all.length - 1 - index) % 24 === 0)

  test.each(keys)(
    'of the $role with $scope alone opens exactly the routes of it',
    { timeout: 90_000 },
    async ({ role, scope }) => {
      const headers = await keyOf(callers[role], scope)
      const met: Record<string, ErrorCode | undefined> = {}
      const expected: Record<string, ErrorCode | undefined> = {}
      for (const [name, route] of Object.entries(allRoutes) as [string, RouteSpec][]) {
        const { status, body } = await ask(route, headers)
        expect(status, name).toBeLessThan(500)
        met[name] = denials.has(body?.error) ? body?.error : undefined
        expected[name] = refusalOf(route, role, scope)
      }
      expect(met).toEqual(expected)
      expect(Object.values(met)).toContain(undefined)
    },
  )

  test('has a scope for every route that asks for one, and none that opens nothing', () => {
    const asked = new Set(Object.values(allRoutes).flatMap((route) => keyScopesOf(route) ?? []))
    for (const name of asked) expect(apiKeyScopes).toContain(name)
    for (const scope of apiKeyScopes)
      expect(
        [...asked].filter((name) => hasCapability({ [scope]: true }, name)),
        scope,
      ).not.toEqual([])
    for (const route of Object.values(allRoutes) as RouteSpec[])
      if (route.keyScope === 'access') expect(keyScopesOf(route), route.path).toBeDefined()
  })

  test('never touches what says who somebody is or what they may do', () => {
    const identity =
      /login|logout|refresh|auth|password|email|username|session|delete|api-keys|factor|passkey|totp|recovery|social|capabilit|access|share|invit|guest|suspen|view-as|outbox|export/
    const callable = Object.values(allRoutes).filter((route: RouteSpec) => route.keyScope !== undefined)
    expect(callable.map(({ path }) => path).filter((path) => identity.test(path))).toEqual([])
    const registering = Object.values(allRoutes).find(({ method, path }) => method === 'POST' && path === '/users')
    expect(registering).not.toHaveProperty('keyScope')
  })
})

describe('what is no route', () => {
  // One of the routes above lets the reader leave.
  beforeAll(() => shareWithReader(params['server']?.['id'] ?? ''))

  const pathOfTransport = ({ path }: TransportSpec) =>
    path.replace(/:(\w+)/g, (_whole, name: string) => params['server']?.[name] ?? 'none')
  const headersOf = (role: Role, more: Record<string, string>) => ({
    ...(role === 'stranger' ? {} : { cookie: callers[role].cookie() }),
    ...more,
  })
  /** The refusal met; undefined where one is let in, whatever there is then. */
  async function meet(route: TransportSpec, role: Role, more: Record<string, string> = {}) {
    if (route.kind === 'socket') return meetSocket(route, headersOf(role, more))
    const ending = new AbortController()
    const answer = await fetch(`${api.origin}${pathOfTransport(route)}`, {
      method: route.method,
      headers: headersOf(role, more),
      signal: ending.signal,
    })
    try {
      if (answer.status < 400) {
        expect(answer.headers.get('content-type')).toContain(route.type)
        return undefined
      }
      // A HEAD says no more than its status.
      if (route.method === 'HEAD') return route.errors.find((code) => errorStatuses[code] === answer.status)
      const { error } = errorBodySchema.parse(await answer.json())
      return route.access.kind !== 'server' || denials.has(error) ? error : undefined
    } finally {
      ending.abort()
    }
  }
  /** A socket is open before it is refused: by a close code, since browsers read nothing else. */
  async function meetSocket(route: TransportSpec, headers: Record<string, string>) {
    const codes: Record<number, ErrorCode> = {
      4401: 'unauthorized',
      4403: 'insufficient_capabilities',
      4404: 'server_id_not_found',
    }
    const socket = new WebSocket(`${api.origin.replace('http', 'ws')}${pathOfTransport(route)}`, { headers })
    return new Promise<ErrorCode | undefined>((resolve, reject) => {
      socket.on('message', () => {
        socket.close()
        resolve(undefined)
      })
      socket.on('close', (code) => resolve(codes[code]))
      socket.on('unexpected-response', (_request, { statusCode }) =>
        statusCode === 403 ? resolve('access_denied') : reject(new Error(`${statusCode}`)),
      )
      socket.on('error', () => undefined)
    })
  }
  const keys = new Map<ApiKeyScope, string>()
  async function bearer(scope: ApiKeyScope) {
    if (!keys.has(scope)) {
      const body = { name: scope, scopes: [scope], expires_at: null }
      const { key } = await callers.owner.call(createApiKey, { params: { id: callers.owner.user.id }, body })
      keys.set(scope, key)
    }
    return { authorization: `Bearer ${keys.get(scope)}` }
  }
  const expected = ({ access, errors }: TransportSpec, role: Role): ErrorCode | undefined => {
    if (access.kind === 'gateway' || access.kind === 'mail') return 'unauthorized'
    // There is no such file, and no such ticket.
    if (access.kind === 'public' || access.kind === 'ticket') return errors[0]
    return refusal({ access } as RouteSpec, role)
  }

  test('is what the contract says', () => {
    expect(new Set(Object.values(allTransports))).toEqual(api.api.transports)
  })

  describe.each(Object.entries<TransportSpec>(allTransports))('%s', (_name, route) => {
    test.each(roles)('as %s', async (role) => {
      expect(await meet(route, role)).toBe(expected(route, role))
    })

    test.runIf(!['public', 'gateway', 'mail'].includes(route.access.kind) && route.method !== 'HEAD')(
      'refuses another site',
      async () => {
        expect(await meet(route, 'owner', { origin: 'https://evil.example' })).toBe('access_denied')
      },
    )

    test('is open to an API key with its scope, and to no other', async () => {
      const { access } = route
      const isClosed = route.path.startsWith('/api/') && route.keyScope !== 'any'
      const closed = isClosed ? 'access_denied' : expected(route, 'owner')
      const own = access.kind === 'server' ? (access.capability as ApiKeyScope) : 'server.manage.read'
      expect(await meet(route, 'owner', await bearer(own))).toBe(access.kind === 'server' ? undefined : closed)
      if (access.kind === 'server')
        expect(await meet(route, 'owner', await bearer('user.offers'))).toMatch(/^insufficient_/)
    })
  })

  test('leads the gateway by its secret alone', async () => {
    const { gateway } = api.context.secrets
    expect(await meet(allTransports.gatewayRoutes, 'stranger', { authorization: `Bearer ${gateway}` })).toBeUndefined()
    expect(await meet(allTransports.gatewayRoutes, 'stranger', { authorization: `Bearer ${gateway}x` })).toBe(
      'unauthorized',
    )
  })

  test('is described beside the routes', async () => {
    const { paths } = (await (await fetch(`${api.origin}/api/v1/openapi.json`)).json()) as { paths: object }
    for (const { path, method } of Object.values<TransportSpec>(allTransports))
      expect(paths).toHaveProperty([path.replace(/:(\w+)/g, '{$1}'), method.toLowerCase()])
  })
})

test('whatever the description refers to is in it, so that programs can read it', async () => {
  const document = (await (await fetch(`${api.origin}/api/v1/openapi.json`)).json()) as object
  const find = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
  const references = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g))
  expect(references.size).toBeGreaterThan(5)
  expect([...references].filter((reference) => find(reference) === undefined)).toEqual([])
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
