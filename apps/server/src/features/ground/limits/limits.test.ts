/** How often somebody may ask, through the front door. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { type ApiError, createApiClient } from '@wakestone/contract/client'
import { completePaypal, createTransaction } from '@wakestone/contract/money/transactions-routes'
import { register } from '@wakestone/contract/accounts/users-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { networkOf, requireWithinLimit } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
afterEach(() => api?.close())

test('an address registers so many accounts, and others go on', async () => {
  api = await startTestApi({ LIMIT_REGISTRATIONS: '2' })
  let made = 0
  const registerFrom = (remoteAddress: string) =>
    createApiClient(async (url, init) => {
      const { headers, body: payload } = init
      const answer = await api.api.app.inject({ url, method: 'POST', headers, payload: payload ?? '', remoteAddress })
      return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode })
    })(register, {
      body: {
        username: `limited_${++made}`,
        email: `limited${made}@example.test`,
        password: 'correct horse battery',
        accepted_tos: true,
      },
    })
  expect(await outcomeOf(registerFrom('8.8.8.8'))).toBe('success')
  expect(await outcomeOf(registerFrom('8.8.8.8'))).toBe('success')
  const refused = (await registerFrom('8.8.8.8').catch((error: unknown) => error)) as ApiError
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({ error: 'too_many_requests', fields: { resource: 'user' } })
  const wait = Number(refused.body.fields?.['retry_after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(1800)
  expect(await outcomeOf(registerFrom('8.8.4.4'))).toBe('success')
  // One household has a whole IPv6 network.
  expect(await outcomeOf(registerFrom('2003:1:2:3::1'))).toBe('success')
  expect(await outcomeOf(registerFrom('2003:1:2:3:ffff::2'))).toBe('success')
  expect(await outcomeOf(registerFrom('2003:1:2:3::9'))).toBe('too_many_requests')
  expect(await outcomeOf(registerFrom('2003:1:2:4::1'))).toBe('success')
})

test.runIf(isLong)('an account begins so many top-ups, from wherever', async () => {
  api = await startTestApi({ LIMIT_TRANSACTIONS: '3' })
  const { user, cookie } = await api.signUp()
  const wallet = user.wallets[0]
  const begin = (remoteAddress: string, body: object) =>
    createApiClient(async (url, init) => {
      const headers = { ...init.headers, cookie: cookie() }
      const answer = await api.api.app.inject({
        url,
        method: 'POST',
        headers,
        payload: init.body ?? '',
        remoteAddress,
      })
      return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode })
    })(createTransaction, { body: body as never })
  const body = { action: 'DEPOSIT', provider: 'payu', wallet_id: wallet?.id, amount: 5000, currency: wallet?.currency }
  for (const address of ['8.8.8.1', '8.8.8.2', '8.8.8.3'])
    expect(await outcomeOf(begin(address, body))).toBe('unsupported_payment_method') // PayU is off here
  expect(await outcomeOf(begin('8.8.8.4', body))).toBe('too_many_requests')
})

test.runIf(isLong)('an account comes back from PayPal so many times', async () => {
  api = await startTestApi({ LIMIT_TRANSACTIONS: '2' })
  const { call } = await api.signUp()
  const comeBack = () => outcomeOf(call(completePaypal, { body: { transaction_id: randomUUID() } }))
  for (const expected of ['transaction_not_found', 'transaction_not_found', 'too_many_requests'])
    expect(await comeBack()).toBe(expected)
})

test.runIf(isLong)('one person works the power of one server so many times, and others go on', async () => {
  api = await startTestApi({ LIMIT_POWER: '3' })
  const owner = await api.signUp()
  const buy = async () => order(await topUp(api.context, owner, 10_000), '1.21.4')
  const server = await owner.call(servers.createServer, { body: await buy() })
  const params = { id: server.id }
  const setAutostart = () => outcomeOf(owner.call(servers.setAutostart, { params, query: { value: '1' } }))
  const kill = (by: Caller, id: string) => outcomeOf(by.call(servers.killServer, { params: { id } }))
  for (const expected of [...Array<string>(3).fill('server_is_preparing'), 'too_many_requests'])
    expect(await setAutostart()).toBe(expected)
  expect(await outcomeOf(owner.call(servers.startServer, { params }))).toBe('too_many_requests')
  expect(await outcomeOf(owner.call(servers.restartServer, { params, query: {} }))).toBe('too_many_requests')

  // Who has started too often can still end it; that is counted apart.
  for (const expected of [...Array<string>(3).fill('server_has_not_pod'), 'too_many_requests'])
    expect(await kill(owner, server.id)).toBe(expected)
  expect(await outcomeOf(owner.call(servers.stopServer, { params, query: {} }))).toBe('too_many_requests')

  const another = await owner.call(servers.createServer, { body: await buy() })
  expect(await kill(owner, another.id)).toBe('server_has_not_pod')
  expect(await kill(await api.signUp({ admin: true }), server.id)).toBe('server_has_not_pod')
})

test('all that come at once are counted; time lets in again; what ran empty is cleared away', async () => {
  api = await startTestApi({ LIMIT_TICKETS: '7' })
  const { context } = api
  const ask = (ip: string) => outcomeOf(requireWithinLimit(context, 'ticket', { ip }))
  const code = (error: unknown) => (error as { code: string }).code
  const askAtOnce = await Promise.all(
    Array.from({ length: 20 }, () =>
      requireWithinLimit(context, 'ticket', { ip: '9.9.9.9' }).then(() => 'success', code),
    ),
  )
  expect(askAtOnce.filter((one) => one === 'success')).toHaveLength(7)
  const { pool } = context.database
  await pool.query(`update request_limits set empty_at = empty_at - interval '9 minutes'`) // one share is 8:34
  expect(await ask('9.9.9.9')).toBe('success')
  await expect(requireWithinLimit(context, 'ticket', { ip: '9.9.9.9' })).rejects.toMatchObject({
    code: 'too_many_requests',
  })
  await pool.query(`update request_limits set empty_at = now() - interval '1 second'`)
  expect(await ask('9.9.9.8')).toBe('success')
  const { rows } = await pool.query('select subject from request_limits')
  expect(rows).toEqual([{ subject: 'ticket:ip:9.9.9.8' }])
})

test('0 is no limit', async () => {
  api = await startTestApi({ LIMIT_TICKETS: '0' })
  for (let count = 0; count < 30; count++) await requireWithinLimit(api.context, 'ticket', { ip: '9.9.9.9' })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
