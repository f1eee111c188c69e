/** Personal API keys, through the front door. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ApiKeyScope } from '@wakestone/contract/accounts/api-key'
import { changeApiKey, createApiKey, deleteApiKey, listApiKeys } from '@wakestone/contract/accounts/api-keys-routes'
import { createServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { getUser, listUserEvents, verify } from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { closeContext, createContext } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { buildApp } from '#src/http/app.ts'
import { createMetrics } from '#src/http/metrics.ts'
import { hashApiKey, makeApiKey } from './secret.ts'
import { erasePersonalData } from '#src/features/accounts/personal-data/service.ts'
import { grantCapabilities } from '#src/features/accounts/users/repo.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ LIMIT_API_KEY_CALLS: '40' })
})
afterAll(() => api.close())

type Wish = { scopes?: ApiKeyScope[]; address_ranges?: string[]; expires_at?: string | null }
const make = ({ call, user }: Pick<Caller, 'call' | 'user'>, wish: Wish = {}) =>
  call(createApiKey, {
    params: { id: user.id },
    body: { name: 'Backups at home', scopes: ['user.read'], expires_at: null, ...wish },
  })
const revoke = ({ call, user }: Caller, keyId: string) => call(deleteApiKey, { params: { id: user.id, keyId } })

/** Asks as a script would. */
async function ask(
  key: string,
  path: string,
  { ip = '127.0.0.1', method = 'GET', headers = {} }: { ip?: string; method?: string; headers?: object } = {},
) {
  const answer = await api.api.app.inject({
    url: `/api/v1${path}`,
    method: method as 'GET',
    remoteAddress: ip,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  const body = answer.body === '' ? undefined : (answer.json() as { error?: string; id?: string; fields?: object })
  return { status: answer.statusCode, body, headers: answer.headers }
}
const whoIs = async (key: string, ip?: string) => {
  const { status, body } = await ask(key, '/users/verify', ip === undefined ? {} : { ip })
  return status === 200 ? body?.id : body?.error
}
async function until(isSo: () => Promise<boolean>, what: string) {
  for (const deadline = Date.now() + 10_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await delay(20)
  }
}

describe('made', () => {
  test('is shown once, kept as a hash, written down and told to its owner', async () => {
    const owner = await api.signUp()
    const { key, ...rest } = await make(owner, { address_ranges: ['127.0.0.1', '2001:DB8::/32', '127.0.0.1/32'] })
    expect(rest).toMatchObject({ hint: key.slice(0, 7), address_ranges: ['127.0.0.1/32', '2001:db8::/32'] })
    const listed = await owner.call(listApiKeys, { params: { id: owner.user.id } })
    expect(listed).toEqual([rest])

    const { db } = api.context
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', rest.id).executeTakeFirstOrThrow()
    expect(row.key_hash.equals(hashApiKey(key))).toBe(true)
    const { data } = await owner.call(listUserEvents, { params: { id: owner.user.id } })
    expect(data[0]).toMatchObject({ action: 'USER_CREATE_API_KEY', data: { hint: rest.hint, scopes: ['user.read'] } })
    const told = await db
      .selectFrom('notifications')
      .innerJoin('notification_deliveries as way', 'way.notification_id', 'notifications.id')
      .select(['kind', 'fields', 'event_id', 'way.channel'])
      .where('user_id', '=', owner.user.id)
      .execute()
    const fields = { name: 'Backups at home' }
    expect(told).toEqual([{ kind: 'API_KEY_CREATED', fields, event_id: data[0]?.id, channel: 'mail' }])
    expect(JSON.stringify([row, listed, data, told])).not.toContain(key)
  })

  test('needs a fresh proof, and scopes that are its owner’s to give', async () => {
    const owner = await api.signUp()
    expect(await outcomeOf(make(owner, { scopes: ['admin'] }))).toBe('insufficient_capabilities')
    for (const wrong of [
      { scopes: [] },
      { scopes: ['root' as never] },
      { address_ranges: ['10.0.0.0/33'] },
      { address_ranges: ['home'] },
      { expires_at: '2020-01-01T00:00:00Z' },
    ])
      expect(await outcomeOf(make(owner, wrong)), JSON.stringify(wrong)).toBe('invalid_request')
    const earlier = new Date(Date.now() - 16 * 60_000)
    const { db } = api.context
    await db.updateTable('sessions').set({ proven_at: earlier }).where('user_id', '=', owner.user.id).execute()
    expect(await outcomeOf(make(owner))).toBe('step_up_required')
  })

  test.runIf(isLong)('twenty times and not more, also all at once', async () => {
    const owner = await api.signUp()
    const outcomes = await Promise.all(Array.from({ length: 23 }, () => outcomeOf(make(owner))))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(20)
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(3)
  })

  test('by its owner only; an administrator sees and revokes it', async () => {
    const [owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
    const { id, key } = await make(owner)
    const params = { id: owner.user.id, keyId: id }
    const own = { ...admin, user: owner.user }
    expect(await outcomeOf(make(own))).toBe('access_denied')
    expect(await outcomeOf(admin.call(changeApiKey, { params, body: { name: 'mine' } }))).toBe('access_denied')
    expect(await admin.call(listApiKeys, { params })).toHaveLength(1)
    await revoke(own, id)
    await until(async () => (await whoIs(key)) === 'unauthorized', 'it is revoked')
    // A key of somebody else’s in an own address.
    const second = await make(owner)
    expect(await outcomeOf(revoke(admin, second.id))).toBe('resource_not_found')
    expect(await outcomeOf(admin.call(deleteApiKey, { params: { id: admin.user.id, keyId: second.id } }))).toBe(
      'resource_not_found',
    )
  })
})

describe('used', () => {
  test('does what its scopes say, as far as its owner may at that moment', async () => {
    const admin = await api.signUp({ admin: true })
    const other = await api.signUp()
    const both = await make(admin, { scopes: ['admin', 'user.read'] })
    expect((await ask(both.key, `/users/${other.user.id}`)).body?.id).toBe(other.user.id)
    const narrow = await make(admin)
    expect((await ask(narrow.key, `/users/${other.user.id}`)).body?.error).toBe('user_not_found')
    expect((await ask(narrow.key, '/admin/flags')).body).toMatchObject({
      error: 'insufficient_permissions',
      fields: { scope: 'admin' },
    })
    await inTransaction(api.context.db, (trx) => grantCapabilities(trx, admin.user.id, { admin: false }))
    await until(
      async () => (await ask(both.key, `/users/${other.user.id}`)).body?.error === 'user_not_found',
      'the right is gone',
    )
    expect((await ask(both.key, '/admin/flags')).body?.error).toBe('insufficient_capabilities')
  })

  test.runIf(isLong)('decides over cookies, needs no page of ours, and never makes a session', async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()]
    const { key } = await make(owner)
    const cookie = other.cookie()
    const beside = await ask(key, '/users/verify', { headers: { cookie } })
    expect([beside.body?.id, beside.headers['set-cookie']]).toEqual([owner.user.id, undefined])
    expect((await ask(makeApiKey(), '/users/verify', { headers: { cookie } })).status).toBe(401)
    expect((await ask('else', '/billings/products', { headers: { cookie } })).status).toBe(401)

    const elsewhere = { cookie, origin: 'https://evil.example' }
    const begun = await ask(key, '/transaction', { method: 'POST', headers: elsewhere })
    expect(begun.body?.error).toBe('insufficient_permissions') // the key was asked, not the page
    const page = await api.api.app.inject({
      method: 'POST',
      url: '/en/login',
      headers: { ...elsewhere, authorization: `Bearer ${key}` },
    })
    expect(page.json()).toMatchObject({ error: 'access_denied' }) // pages know no keys

    const { db } = api.context
    const sessions = () => db.selectFrom('sessions').select('id').where('user_id', '=', owner.user.id).execute()
    const before = await sessions()
    for (const path of ['/users/refresh', '/users/logout', '/users/login/local'])
      expect((await ask(key, path, { method: path.endsWith('refresh') ? 'GET' : 'POST' })).body?.error).toBe(
        'access_denied',
      )
    await owner.call(deleteApiKey, {
      params: {
        id: owner.user.id,
        keyId: (await owner.call(listApiKeys, { params: { id: owner.user.id } }))[0]?.id ?? '',
      },
    })
    await until(async () => (await whoIs(key)) === 'unauthorized', 'it is revoked')
    const after = await ask(key, '/users/verify', { headers: { cookie } })
    expect([after.status, after.headers['set-cookie']]).toEqual([401, undefined])
    expect(await sessions()).toEqual(before)
  })

  test('from the addresses it is bound to, in their next form at once', async () => {
    const owner = await api.signUp()
    const { id, key } = await make(owner, { address_ranges: ['198.51.100.0/25', '2001:db8:7::/48'] })
    for (const ip of ['198.51.100.9', '::ffff:198.51.100.9', '2001:db8:7:1::5'])
      expect(await whoIs(key, ip)).toBe(owner.user.id)
    for (const ip of ['198.51.100.200', '2001:db8:8::5', '127.0.0.1']) expect(await whoIs(key, ip)).toBe('unauthorized')
    const params = { id: owner.user.id, keyId: id }
    await owner.call(changeApiKey, { params, body: { address_ranges: ['127.0.0.1'] } })
    await until(async () => (await whoIs(key)) === owner.user.id, 'the new addresses count')
    expect(await whoIs(key, '198.51.100.9')).toBe('unauthorized')
  })

  test.runIf(isLong)('until it expires', async () => {
    const owner = await api.signUp()
    const { key } = await make(owner, { expires_at: new Date(Date.now() + 1500).toISOString() })
    expect(await whoIs(key)).toBe(owner.user.id) // from now on it is known
    await until(async () => (await whoIs(key)) === 'unauthorized', 'it has expired')
  })

  test('says when and from where, once a minute', async () => {
    const owner = await api.signUp()
    const { id, key } = await make(owner)
    const last = async () => {
      const [row] = await owner.call(listApiKeys, { params: { id: owner.user.id } })
      return [row?.last_used_ip, row?.last_used_at]
    }
    expect(await last()).toEqual([null, null])
    await whoIs(key, '203.0.113.7')
    const first = await last()
    expect(first[0]).toBe('203.0.113.7')
    await whoIs(key, '203.0.113.8')
    expect(await last()).toEqual(first)
    // A minute later, in a process that has just begun.
    const { db } = api.context
    await db
      .updateTable('api_keys')
      .set({ last_used_at: new Date(Date.now() - 61_000) })
      .where('id', '=', id)
      .execute()
    await owner.call(changeApiKey, { params: { id: owner.user.id, keyId: id }, body: { address_ranges: [] } })
    await until(async () => {
      await whoIs(key, '203.0.113.9')
      return (await last())[0] === '203.0.113.9'
    }, 'the next use is noted')
  })
})

test('what it does is written down with it, what its owner does without', async () => {
  const owner = await api.signUp()
  const server = await owner.call(createServer, { body: order(await topUp(api.context, owner, 10_000), '1.21.4') })
  const { id, key, hint } = await make(owner, { scopes: ['server.manage'] })
  const path = `/servers/${server.id}/autostart?value=0`
  expect((await ask(key, path, { method: 'POST' })).status).toBe(200)
  const { data } = await owner.call(listServerEvents, { params: { id: server.id } })
  const find = (action: string) => data.find((event) => event.action === action)
  expect(find('SERVER_GAME_STOP')?.data['api_key']).toEqual({ id, hint })
  expect(find('SERVER_PREPARE')?.data).not.toHaveProperty('api_key')
})

describe('held off', () => {
  test('a key that calls too often waits, others and its owner go on', async () => {
    const owner = await api.signUp()
    const [busy, idle] = [await make(owner), await make(owner)]
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(busy.key, '/users/verify')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(40)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await whoIs(idle.key)).toBe(owner.user.id)
    expect((await owner.call(verify, {})).id).toBe(owner.user.id)
  })

  test('keys that are none slow down their own address alone, and not the keys that work there', async () => {
    const owner = await api.signUp()
    const [known, unused] = [await make(owner), await make(owner)]
    const flooder = '192.0.2.66'
    expect(await whoIs(known.key, flooder)).toBe(owner.user.id)
    const answers = await Promise.all(Array.from({ length: 60 }, () => whoIs(makeApiKey(), flooder)))
    expect(answers.filter((answer) => answer === 'unauthorized').length).toBeLessThanOrEqual(25)
    expect(answers.filter((answer) => answer === 'too_many_requests').length).toBeGreaterThanOrEqual(35)
    expect(await whoIs(known.key, flooder)).toBe(owner.user.id)
    expect(await whoIs(unused.key, '192.0.2.67')).toBe(owner.user.id)
    const cookie = owner.cookie()
    const session = await api.api.app.inject({
      url: '/api/v1/users/verify',
      remoteAddress: flooder,
      headers: { cookie },
    })
    expect(session.statusCode).toBe(200)
  })
})

test('all processes count together', async () => {
  const { settings, secrets, logger, databaseUrl } = api.context
  const elsewhere = await createContext({ settings, secrets, logger, databaseUrl, role: 'api' })
  const { app } = await buildApp(elsewhere, createMetrics())
  try {
    const owner = await api.signUp()
    const { key } = await make(owner)
    const request = (ip: string, bearer: string) => ({
      url: '/api/v1/users/verify',
      remoteAddress: ip,
      headers: { authorization: `Bearer ${bearer}` },
    })
    const both = [api.api.app, app]
    const send = (bearer: () => string) =>
      Promise.all(
        Array.from({ length: 120 }, async (_, index) => {
          const answer = await both[index % 2]?.inject(request('198.51.100.77', bearer()))
          return answer?.statusCode
        }),
      )
    const known = await send(() => key)
    const served = known.filter((status) => status === 200).length
    expect(served).toBeGreaterThanOrEqual(40)
    expect(served).toBeLessThan(60) // what leaks out meanwhile is let in too
    const unknown = await send(makeApiKey)
    expect(unknown.filter((status) => status === 401).length).toBeLessThan(30)
  } finally {
    await app.close()
    await closeContext(elsewhere)
  }
})

describe('revoked', () => {
  test('closes the console it has open, and leaves those of its owner', async () => {
    const owner = await api.signUp()
    const server = await owner.call(createServer, {
      body: order(await topUp(api.context, owner, 10_000), '1.21.4'),
    })
    const { id, key } = await make(owner, { scopes: ['server.manage.read'] })
    const address = `${api.origin.replace('http', 'ws')}/api/v1/servers/${server.id}/console`
    const open = (headers: Record<string, string>) => {
      const socket = new WebSocket(address, { headers })
      const closed = new Promise<number>((resolve) => socket.on('close', resolve))
      const frames: { type: string; error?: string | null }[] = []
      socket.on('message', (data) => frames.push(JSON.parse(String(data)) as (typeof frames)[number]))
      return { socket, closed, frames }
    }
    const wrongScope = open({ authorization: `Bearer ${(await make(owner)).key}` })
    expect(await wrongScope.closed).toBe(4403)
    expect(await open({ authorization: `Bearer ${makeApiKey()}`, cookie: owner.cookie() }).closed).toBe(4401)

    const [byKey, bySession] = [open({ authorization: `Bearer ${key}` }), open({ cookie: owner.cookie() })]
    for (const { frames } of [byKey, bySession]) await until(async () => frames.length > 0, 'a first frame')
    byKey.socket.send(JSON.stringify({ type: 'command', id: randomUUID(), command: 'say hi' }))
    await until(async () => byKey.frames.some(({ type }) => type === 'command_result'), 'an answer')
    expect(byKey.frames.find(({ type }) => type === 'command_result')?.error).toBe('insufficient_capabilities')
    await revoke(owner, id)
    expect(await byKey.closed).toBe(4401)
    expect(bySession.socket.readyState).toBe(WebSocket.OPEN)
    bySession.socket.close()
    await bySession.closed
  })

  test('with its owner’s account, whether or not anybody is signed in; not with a session that ends', async () => {
    const owner = await api.signUp()
    const { key } = await make(owner)
    expect(await whoIs(key)).toBe(owner.user.id)
    const { db } = api.context
    await db.updateTable('sessions').set({ ended_at: new Date() }).where('user_id', '=', owner.user.id).execute()
    await until(
      async () => (await outcomeOf(owner.call(getUser, { params: { id: owner.user.id } }))) === 'unauthorized',
      '',
    )
    expect(await whoIs(key)).toBe(owner.user.id)
    await db.updateTable('users').set({ destroyed_at: new Date() }).where('id', '=', owner.user.id).execute()
    await until(async () => (await whoIs(key)) === 'unauthorized', 'the account is gone')
    await inTransaction(db, (trx) => erasePersonalData(trx, owner.user.id))
    expect(await db.selectFrom('api_keys').select('id').where('user_id', '=', owner.user.id).execute()).toEqual([])
  })
})
