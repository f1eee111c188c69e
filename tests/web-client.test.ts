/** The browser's client against the real API, in a browser that is no more than `fetch` and a jar of cookies. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as account from '@wakestone/contract/accounts/account-routes'
import { getSecurity, stepUp } from '@wakestone/contract/accounts/security-routes'
import { loginLocal, logout, verify } from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { api as client, askForProofBy } from '../apps/web/app/api/client.ts'

let server: TestApi
let owner: Caller
const jar = new Map<string, string>()
let sent: string[] = []
beforeAll(async () => {
  server = await startTestApi()
})
afterAll(() => server.close())
beforeEach(async () => {
  jar.clear()
  vi.stubGlobal('fetch', browse)
  owner = await signUp()
  await client(loginLocal, { body: { login: owner.user.email, password: owner.password } })
  sent = []
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const { fetch: realFetch } = globalThis
async function browse(path: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (typeof path !== 'string' || !path.startsWith('/')) return realFetch(path, init)
  sent.push(`${init.method ?? 'GET'} ${path.replace('/api/v1', '')}`)
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await realFetch(server.origin + path, { ...init, headers: { ...init.headers, cookie } })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  return response
}
/** By a client of its own, past the jar. */
const signUp = () => server.signUp()
const count = (what: string) => sent.filter((line) => line === what).length

test('calls whose session has run out share one renewal, and each is sent once more', async () => {
  jar.delete('ws_access')
  const results = await Promise.all(Array.from({ length: 5 }, () => client(verify, {})))
  expect(new Set(results.map(({ id }) => id))).toEqual(new Set([owner.user.id]))
  expect(count('GET /users/refresh')).toBe(1)
  expect(count('GET /users/verify')).toBe(10)
})

test('where the session cannot be renewed the refusal stands, and nothing is sent again', async () => {
  jar.clear()
  const results = await Promise.allSettled([client(verify, {}), client(getSecurity, {}), client(verify, {})])
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { status: 401 } })
  expect(count('GET /users/refresh')).toBe(1)
  expect(count('GET /users/verify')).toBe(2)
  expect(count('GET /users/security')).toBe(1)
})

test('a wrong password and signing out are no reason to renew', async () => {
  jar.clear()
  await expect(client(loginLocal, { body: { login: 'nobody', password: 'wrong' } })).rejects.toMatchObject({
    status: 401,
  })
  await client(logout, {})
  expect(count('GET /users/refresh')).toBe(0)
})

test('calls that want a proof share one question, and go on by themselves once it is answered', async () => {
  const { db } = server.context
  const grow = () =>
    db
      .updateTable('sessions')
      .set({ proven_at: new Date(0) })
      .execute()
  await grow()
  let asked = 0
  const undo = askForProofBy(async () => {
    asked++
    await client(stepUp, { body: { method: 'password', password: owner.password } })
    return true
  })
  const calls = await Promise.allSettled([
    client(account.resendDeletionCode, {}),
    client(account.confirmDeletion, { query: { code: '12345678' } }),
  ])
  expect(asked).toBe(1)
  // Let in: what they answer now is about themselves.
  expect(calls.map((call) => (call.status === 'rejected' ? String(call.reason.message) : 'done'))).not.toContain(
    'step_up_required',
  )
  expect(count('POST /users/delete/resend')).toBe(2)
  await grow()
  undo()
  const stop = askForProofBy(async () => false)
  await expect(client(account.resendDeletionCode, {})).rejects.toThrow('step_up_required')
  expect(count('POST /users/delete/resend')).toBe(3)
  stop()
})
