/**
 * Whatever is sent, the answer is one of the catalogue and never a 500.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBodySchema } from '@wakestone/contract/errors'
import type { RouteSpec } from '@wakestone/contract/route'
import { allRoutes } from '@wakestone/contract/routes'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { isLong } from './support/long.ts'

let api: TestApi
let caller: Caller
beforeAll(async () => {
  api = await startTestApi()
  caller = await api.signUp()
})
afterAll(() => api.close())

async function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${api.origin}${path}`, {
    method,
    headers: {
      cookie: caller.cookie(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  // Of lists that are told line by line, the first one.
  const isLines = response.headers.get('content-type')?.startsWith('application/x-ndjson') === true
  const told = isLines ? (text.split('\n')[0] ?? '') : text
  return { status: response.status, body: told === '' ? undefined : JSON.parse(told), headers: response.headers }
}

const fuzzed = Object.entries(allRoutes).filter(([name]) => name !== 'logout' && name !== 'refresh') as [
  string,
  RouteSpec,
][]

describe.each(fuzzed)('%s', (_name, route) => {
  test('survives arbitrary parameters, queries and bodies', async () => {
    const piece = fc.oneof(
      fc.uuid(),
      fc.string({ maxLength: 60 }),
      fc.constantFrom('..', '%00', '1e99', 'null', "' or 1=1 --"),
    )
    const keys = [...Object.keys(route.query?.shape ?? {}), 'surprise']
    const wild = fc.anything({ maxDepth: 2, withNullPrototype: false }).map((value) => JSON.stringify(value) ?? 'null')
    const known = route.body !== undefined && 'shape' in route.body ? Object.keys(route.body.shape as object) : []
    const body = fc.oneof(
      wild,
      fc
        .dictionary(
          fc.constantFrom(...known, 'surprise'),
          fc.oneof(
            fc.jsonValue({ maxDepth: 1 }),
            fc.uuid(),
            fc.constantFrom('PLN', 'XXX', 'GRASS', '720h', -1, 0.5, 1e300),
          ),
        )
        .map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 3, maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), piece),
        body,
        async (pieces, query, sent) => {
          let used = 0
          const path = route.path.replace(/:(\w+)/g, () => encodeURIComponent(pieces[used++] ?? '') || 'x')
          const search = new URLSearchParams(query).toString()
          const { status, body: answer } = await send(
            route.method,
            `/api/v1${path}${search === '' ? '' : `?${search}`}`,
            route.method === 'GET' ? {} : { body: sent },
          )
          expect(status, JSON.stringify(answer)).toBeLessThan(500)
          if (status >= 400) errorBodySchema.parse(answer)
        },
      ),
      { numRuns: isLong ? 50 : 4 },
    )
  })
})

test.each([
  ['a body that is no JSON', '{"login":', 400, 'invalid_request'],
  ['a body over the limit', JSON.stringify({ login: 'x'.repeat(300_000), password: 'x' }), 413, 'request_too_large'],
  ['wrong types', JSON.stringify({ login: 1, password: [] }), 400, 'invalid_request'],
  ['a poisoned prototype', '{"__proto__":{"admin":true},"login":"a","password":"b"}', 400, 'invalid_request'],
])('%s', async (_what, body, status, code) => {
  const answer = await send('POST', '/api/v1/users/login/local', { body })
  expect([answer.status, answer.body.error]).toEqual([status, code])
})

test('an unknown currency, and one of the wallet’s sisters', async () => {
  const wallet = caller.user.wallets.find(({ currency }) => currency === 'PLN')
  const deposit = (currency: string) =>
    send('POST', '/api/v1/transaction', {
      body: JSON.stringify({ action: 'DEPOSIT', provider: 'payu', wallet_id: wallet?.id, amount: 5000, currency }),
    })
  expect((await deposit('XXX')).body.error).toBe('wallet_has_other_currency')
  expect((await deposit('EUR')).body.error).toBe('wallet_has_other_currency')
})

test('an expired or forged session', async () => {
  const forged = await send('GET', '/api/v1/users/verify', {
    headers: { cookie: 'ws_access=eyJhbGciOiJub25lIn0.e30.' },
  })
  expect([forged.status, forged.body.error]).toEqual([401, 'unauthorized'])
})

test('X-transaction-ID is taken, or made', async () => {
  expect(
    (await send('GET', '/healthz', { headers: { 'X-transaction-ID': 'abc123def' } })).headers.get('x-transaction-id'),
  ).toBe('abc123def')
  expect((await send('GET', '/healthz')).headers.get('x-transaction-id')).toMatch(/^[\w-]{8}$/)
})
