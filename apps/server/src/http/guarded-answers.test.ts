/** What every answer carries, whose cookies count, and that one address cannot have all of this process. */
import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '@wakestone/contract/client'
import { loginLocal, logout, verify } from '@wakestone/contract/accounts/users-routes'
import { startTestApi, type TestApi } from '../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../tests/support/outcome.ts'

let plain: TestApi
let secure: TestApi
beforeAll(async () => {
  plain = await startTestApi({ TRUST_PROXY: '127.0.0.1', DATABASE_CONNECTIONS: '10' })
  secure = await startTestApi({ PUBLIC_URL: 'https://play.example' })
})
afterAll(async () => {
  await plain.close()
  await secure.close()
})

describe('headers', () => {
  const ask = async ({ origin }: TestApi, path: string) =>
    Object.fromEntries((await fetch(origin + path, { redirect: 'manual' })).headers)

  test.each(['/healthz', '/api/v1/users/verify', '/api/v1/nothing', '/api/v1/documents/privacy-policy', '/api/docs/'])(
    '%s is taken for nothing else, framed by nobody, and asked for by https alone where the site is',
    async (path) => {
      const headers = await ask(secure, path)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
      expect(await ask(plain, path)).not.toHaveProperty('strict-transport-security')
    },
  )

  test('answers of the API are not kept, and show nothing by themselves; errors neither', async () => {
    for (const path of ['/api/v1/users/verify', '/api/v1/location', '/api/v1/nothing'])
      expect(await ask(plain, path)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
  })

  test('the reference page runs scripts of its own only', async () => {
    for (const path of ['/api/docs/', '/api/docs/static/swagger-ui-bundle.js'])
      expect((await ask(plain, path))['content-security-policy']).toMatch(/default-src 'self';.*frame-ancestors 'none'/)
  })
})

describe('cookies of an https site', () => {
  const setBy = async (path: string, body: object, cookie = '') => {
    const answer = await fetch(`${secure.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    return answer.headers.getSetCookie()
  }

  test('come from this host alone: all carry the prefix, and without it they count for nothing', async () => {
    const { user, password, cookie } = await secure.signUp()
    const set = await setBy(loginLocal.path, { login: user.username, password })
    expect(set.length).toBeGreaterThan(2)
    for (const line of set) expect(line).toMatch(/^__Host-ws_\w+=[^;]+; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const asked = (sent: string) =>
      outcomeOf(
        createApiClient((path, init) => fetch(secure.origin + path, { ...init, headers: { cookie: sent } }))(
          verify,
          {},
        ),
      )
    expect(await asked(cookie())).toBe('success')
    const tossed = cookie().replaceAll('__Host-', '')
    expect(await asked(tossed)).toBe('unauthorized')
    expect(await asked(`${tossed}; ${cookie()}`)).toBe('success')
  })

  test('are removed by that name when signing out', async () => {
    const { cookie } = await secure.signUp()
    const removed = await setBy(logout.path, {}, cookie())
    expect(removed.map((line) => line.split('=')[0]).sort()).toEqual([
      '__Host-ws_access',
      '__Host-ws_refresh',
      '__Host-ws_view_as',
    ])
    // A browser takes a change of such a cookie only with these.
    for (const line of removed) expect(line).toMatch(/Path=\/;.*Secure/)
  })

  test('have plain names on a site without https', async () => {
    const { cookie } = await plain.signUp()
    expect(cookie()).toMatch(/(^|; )ws_access=/)
  })
})

describe('the description of the API', () => {
  const ask = (headers: Record<string, string> = {}) => fetch(`${plain.origin}/api/v1/openapi.json`, { headers })

  test('is sent compressed, and once to who keeps it', async () => {
    const whole = await ask({ 'accept-encoding': 'identity' })
    const text = await whole.text()
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0' })
    const inject = (encoding: string) =>
      plain.api.app.inject({ url: '/api/v1/openapi.json', headers: { 'accept-encoding': encoding } })
    const small = await inject('gzip, br')
    expect(small.headers['content-encoding']).toBe('br')
    expect(small.rawPayload.length).toBeLessThan(text.length / 8)
    const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
    expect(hash(brotliDecompressSync(small.rawPayload))).toBe(hash(text))
    expect((await inject('gzip;q=1, br;q=0')).headers['content-encoding']).toBe('gzip')
    const etag = whole.headers.get('etag') ?? ''
    const again = await ask({ 'if-none-match': `"other", ${etag}` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await ask({ 'if-none-match': 'W/"other"' })).status).toBe(200)
  })

  test('is written anew for nobody', async () => {
    for (const path of ['/api/docs/json', '/api/docs/yaml']) {
      const answer = await fetch(plain.origin + path, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/api/v1/openapi.json'])
    }
  })
})

describe('many requests of one address without a session', () => {
  const from = (address: string, path: string, cookie = '') =>
    fetch(`${plain.origin}/api/v1${path}`, { headers: { 'x-forwarded-for': address, cookie } })
  const waitingForTable = async () => {
    const { rows } = await plain.context.database.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%"users"%'`,
    )
    return rows[0]?.count
  }

  test('wait for each other, and not others for them', async () => {
    const customer = await plain.signUp()
    // While somebody holds the table, whoever asks for a name takes a connection of the pool and keeps it.
    const { rows, promises } = await plain.context.db.transaction().execute(async (trx) => {
      await sql`lock table users in access exclusive mode`.execute(trx)
      const asked = Array.from({ length: 30 }, (_, number) => from('203.0.113.7', `/users/username/name_${number}`))
      await expect.poll(waitingForTable).toBe(4)
      // Another visitor, and a customer at the same address.
      const others = await Promise.all([
        from('203.0.113.8', '/documents/privacy-policy'),
        from('203.0.113.7', '/documents/privacy-policy', customer.cookie()),
      ])
      expect(await waitingForTable()).toBe(4)
      const more = from('2001:db8::1', '/users/username/name_of_another')
      await expect.poll(waitingForTable).toBe(5)
      return { rows: others.map(({ status }) => status), promises: [...asked, more] }
    })
    expect(rows).toEqual([200, 200])
    const answers = await Promise.all(promises)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  })

  test('who has gone keeps no place, and too many are turned away', async () => {
    const gone = new AbortController()
    const { left, refused, last } = await plain.context.db.transaction().execute(async (trx) => {
      await sql`lock table users in access exclusive mode`.execute(trx)
      const ask = (number: number, signal?: AbortSignal) =>
        fetch(`${plain.origin}/api/v1/users/username/name_${number}`, {
          headers: { 'x-forwarded-for': '203.0.113.9' },
          ...(signal && { signal }),
        }).then(
          ({ status }) => status,
          () => 'gone' as const,
        )
      const inside = Array.from({ length: 4 }, (_, number) => ask(number))
      await expect.poll(waitingForTable).toBe(4)
      const waiting = Array.from({ length: 256 }, (_, number) => ask(number, gone.signal))
      let status: number | string = 0
      await expect.poll(async () => (status = await ask(300, AbortSignal.timeout(200)))).toBe(429)
      gone.abort()
      const late = ask(301)
      return { left: waiting, refused: status, last: [...inside, late] }
    })
    expect(refused).toBe(429)
    expect(new Set(await Promise.all(left))).toEqual(new Set(['gone']))
    expect(await Promise.all(last)).toEqual([204, 204, 204, 204, 204])
  })
})
