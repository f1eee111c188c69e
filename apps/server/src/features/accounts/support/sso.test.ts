/** The way to the operator's desk elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jwtVerify } from 'jose'
import { openSupport } from '@wakestone/contract/accounts/support-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'

const secret = 'shared with the desk elsewhere'
let api: TestApi
let alone: TestApi
beforeAll(async () => {
  api = await startTestApi({ SUPPORT_SSO_URL: 'https://x.zendesk.example/access/jwt', SUPPORT_SSO_SECRET: secret })
  alone = await startTestApi()
})
afterAll(async () => {
  await api?.close()
  await alone?.close()
})

test('somebody is signed in there as the account, for a few minutes, once', async () => {
  const { call, user } = await api.signUp()
  const [one, other] = [await call(openSupport, {}), await call(openSupport, {})]
  expect(one.url).toBe('https://x.zendesk.example/access/jwt')
  const { payload } = await jwtVerify(one.token ?? '', new TextEncoder().encode(secret), { algorithms: ['HS256'] })
  expect(payload).toMatchObject({ email: user.email, name: user.username, external_id: user.id })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(180)
  const second = await jwtVerify(other.token ?? '', new TextEncoder().encode(secret))
  expect(second.payload.jti).not.toBe(payload.jti)
})

test('nobody is signed in by an address that they only claim', async () => {
  const { call } = await api.signUp({ verified: false })
  expect(await call(openSupport, {})).toMatchObject({ token: null })
})

test('without a desk elsewhere it leads to our own pages', async () => {
  const { call } = await alone.signUp()
  expect(await call(openSupport, {})).toEqual({ url: expect.stringMatching(/\/en\/account\/support$/), token: null })
})
