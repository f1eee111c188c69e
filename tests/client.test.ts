/** The client as programs of customers use it: with an API key, against the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { ApiError, createWakestone, readWebhook, type Wakestone, WebhookError } from '../packages/client/src/index.ts'
import { signedHeaders, secretOf } from '../apps/server/src/features/ground/webhooks/signing.ts'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { order, prepareArtifacts, setPrepared, topUp } from './support/servers.ts'

let api: TestApi
let owner: Caller
let wakestone: Wakestone
let key: string

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  const made = await owner.call(createApiKey, {
    params: { id: owner.user.id },
    body: { name: 'program', scopes: ['server.manage.read', 'server.manage.power', 'user.offers'], expires_at: null },
  })
  key = made.key
  wakestone = createWakestone({ url: `${api.origin}/`, key })
})
afterAll(() => api?.close())

test('rents a server, sees it, and is told in a code what is refused', async () => {
  const { engineVersion } = await prepareArtifacts(api)
  const walletId = await topUp(api.context, owner, 5000)
  const { id } = await wakestone.createServer({ body: order(walletId, engineVersion) })
  await setPrepared(api, id)
  expect(await wakestone.getServer({ params: { id } })).toMatchObject({ id, name: 'Meadow' })
  const games = await wakestone.listGames()
  expect(games.length).toBeGreaterThan(0)

  const refused = wakestone.getServer({ params: { id: crypto.randomUUID() } })
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  await expect(refused).rejects.toMatchObject({ status: 404, body: { error: 'server_id_not_found' } })
  const stranger = createWakestone({ url: api.origin, key: 'wk_nobody' })
  await expect(stranger.getServer({ params: { id } })).rejects.toMatchObject({ status: 401 })
})

test('offers only what a key may call', () => {
  expect(wakestone).toHaveProperty('startServer')
  expect(wakestone).not.toHaveProperty('createApiKey')
  expect(wakestone).not.toHaveProperty('loginLocal')
})

test('sends again what was refused for now, as one purchase, and nothing that might be done twice', async () => {
  const sent: { method: string; key: string | null }[] = []
  const answers = [503, 429, 502]
  const flaky: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    sent.push({ method: init?.method ?? '', key: headers.get('idempotency-key') })
    const status = answers.shift()
    return status === undefined ? fetch(url, init) : new Response('{}', { status, headers: { 'retry-after': '0' } })
  }
  const client = createWakestone({ url: api.origin, key, fetch: flaky })
  const { engineVersion } = await prepareArtifacts(api)
  const walletId = await topUp(api.context, owner, 5000)
  await client.createServer({ body: order(walletId, engineVersion) })
  expect(sent).toHaveLength(4)
  expect(sent[0]?.key).toMatch(/^[\w-]{36}$/)
  expect(new Set(sent.map((one) => one.key)).size).toBe(1)

  sent.length = 0
  answers.push(503)
  await expect(client.stopServer({ params: { id: crypto.randomUUID() } })).rejects.toMatchObject({
    status: 503,
  })
  expect(sent).toHaveLength(1)
})

test('reads messages of webhooks, and no others', async () => {
  const { secrets } = api.context
  const webhookId = crypto.randomUUID()
  const body = JSON.stringify({ type: 'GAME_CRASHED', timestamp: new Date().toISOString(), data: { id: 'one' } })
  const signed = { id: crypto.randomUUID(), webhookId, body, at: new Date() }
  const until = new Date(Date.now() + 60_000)
  const headers = signedHeaders(secrets, signed, { secret_number: 2, secret_before_until: until })
  for (const number of [1, 2])
    expect(await readWebhook(secretOf(secrets, webhookId, number), headers, body)).toMatchObject({
      id: signed.id,
      type: 'GAME_CRASHED',
      data: { id: 'one' },
    })
  const secret = secretOf(secrets, webhookId, 2)
  const refused = [
    () => readWebhook(secretOf(secrets, crypto.randomUUID(), 2), headers, body),
    () => readWebhook(secret, headers, body.replace('one', 'two')),
    () => readWebhook(secret, { ...headers, 'webhook-signature': 'v1,!!' }, body),
    () => readWebhook(secret, new Headers(), body),
    () => readWebhook(secret, headers, body, new Date(Date.now() + 600_000)),
  ]
  for (const one of refused) await expect(one()).rejects.toBeInstanceOf(WebhookError)
})
