/** Programs are told of events by signed messages: once each is taken, of what its owner may see, and again when asked. */
import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as webhooks from '@wakestone/contract/ground/webhooks-routes'
import { eventMessageSchema, mostEventWebhooks } from '@wakestone/contract/ground/webhooks'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { inTransaction } from '#src/db/client.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf, refusalOf } from '../../../../../../tests/support/outcome.ts'
import { recordUserEvent } from '../events/service.ts'
import { sendDue, triesAllowed } from './sending.ts'

type Told = { headers: IncomingHttpHeaders; body: string }
const told: Told[] = []
let answer = 200
const program = createServer((request, response) => {
  void text(request).then((body) => {
    told.push({ headers: request.headers, body })
    response.writeHead(answer).end()
  })
})
let origin = ''
let api: TestApi
let owner: Caller

beforeAll(async () => {
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(program.address() as AddressInfo).port}`
  api = await startTestApi({ ALLOW_PRIVATE_TARGETS: '1' })
})
afterAll(async () => {
  await api?.close()
  program.closeAllConnections()
  program.close()
})
beforeEach(async () => {
  await query('delete from event_webhooks')
  told.length = 0
  answer = 200
  owner = await api.signUp()
})

const query = (statement: string, values: unknown[] = []) => api.context.database.pool.query(statement, values)
/** As the worker does, for as long as something is due. */
async function sendAll(): Promise<void> {
  while ((await sendDue(api.context)) > 0);
}
const makeAllDue = () => query(`update event_webhook_deliveries set next_at = now() where state = 'pending'`)
const happen = (caller: Caller, action: 'USER_ADD_TOTP' | 'USER_REMOVE_TOTP' = 'USER_ADD_TOTP') =>
  inTransaction(api.context.db, (trx) => recordUserEvent(trx, caller.user.id, { action }))
const add = (caller: Caller, body: Partial<{ url: string; scope: 'own' | 'all'; actions: 'USER_ADD_TOTP'[] }> = {}) =>
  caller.call(webhooks.createEventWebhook, { params: { id: caller.user.id }, body: { url: `${origin}/hook`, ...body } })
const paramsOf = ({ id: webhookId }: { id: string }, caller = owner) => ({ id: caller.user.id, webhookId })
const list = async (caller = owner) => caller.call(webhooks.listEventWebhooks, { params: { id: caller.user.id } })
const deliveries = (webhook: { id: string }) =>
  owner.call(webhooks.listWebhookDeliveries, { params: paramsOf(webhook), query: {} })
const types = () => told.map(({ body }) => eventMessageSchema.parse(JSON.parse(body)).type)

/** As the specification of Standard Webhooks has a receiver do it. */
function isSignedBy(secret: string, { headers, body }: Told): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`)
}

test('an address is sent a ping, and what happens to its owner, signed', async () => {
  const webhook = await add(owner)
  const other = await api.signUp()
  const eventId = await happen(owner)
  await happen(other)
  await sendAll()
  expect(types().toSorted()).toEqual(['USER_ADD_TOTP', 'USER_CREATE_WEBHOOK', 'ping'])
  for (const one of told) {
    expect(isSignedBy(webhook.secret, one)).toBe(true)
    expect(isSignedBy(`${webhook.secret.slice(0, -4)}AAA=`, one)).toBe(false)
    expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30)
  }
  const { data } = eventMessageSchema.parse(JSON.parse(told.find(({ body }) => body.includes('ADD_TOTP'))!.body))
  expect(data).toMatchObject({ id: eventId, resource_id: owner.user.id, success: true })
  expect(await deliveries(webhook)).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: 'delivered', tries: 1, status: 200, error: null, next_at: null })),
  )
})

test('only what it asks for is told, and nothing of what is rolled back', async () => {
  const webhook = await add(owner, { actions: ['USER_ADD_TOTP'] })
  await happen(owner, 'USER_REMOVE_TOTP')
  await happen(owner)
  const failing = inTransaction(api.context.db, async (trx) => {
    await recordUserEvent(trx, owner.user.id, { action: 'USER_ADD_TOTP' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await sendAll()
  expect(types().toSorted()).toEqual(['USER_ADD_TOTP', 'ping'])
  await owner.call(webhooks.changeEventWebhook, { params: paramsOf(webhook), body: { paused: true } })
  await happen(owner)
  await sendAll()
  expect(told).toHaveLength(2)
})

test('what is not taken is sent again, later each time and the same; what has failed, when it is asked for', async () => {
  const webhook = await add(owner, { actions: ['USER_ADD_TOTP'] })
  await sendAll()
  answer = 503
  await happen(owner)
  await sendAll()
  const [first] = await deliveries(webhook)
  expect(first).toMatchObject({ state: 'pending', tries: 1, status: 503 })
  const wait = Date.parse(first!.next_at!) - Date.now()
  expect(wait).toBeGreaterThan(5_000)
  expect(wait).toBeLessThan(11_000)
  expect((await list())[0]).toMatchObject({ failing_since: expect.any(String) as string, paused_for: null })
  for (let tries = 1; tries < triesAllowed; tries += 1) {
    await makeAllDue()
    await sendAll()
  }
  expect((await deliveries(webhook))[0]).toMatchObject({ state: 'failed', tries: triesAllowed })
  const bodies = told.slice(1).map(({ body, headers }) => `${String(headers['webhook-id'])} ${body}`)
  expect(bodies).toHaveLength(triesAllowed)
  expect(new Set(bodies).size).toBe(1)

  answer = 204
  const since = new Date(Date.now() - 3600_000).toISOString()
  const params = paramsOf(webhook)
  expect(await owner.call(webhooks.replayFailedDeliveries, { params, body: { since } })).toEqual({ count: 1 })
  await sendAll()
  expect((await deliveries(webhook))[0]).toMatchObject({ state: 'delivered', status: 204 })
  expect((await list())[0]).toMatchObject({ failing_since: null })
  await owner.call(webhooks.replayDelivery, { params: { ...params, deliveryId: first!.id } })
  await sendAll()
  expect(told.at(-1)).toMatchObject({ headers: { 'webhook-id': first!.id } })
  expect(`${first!.id} ${told.at(-1)!.body}`).toBe(bodies[0])
})

test.runIf(isLong)(
  'who answers that it is gone, or takes nothing for days, is told no more until its owner says so',
  async () => {
    const webhook = await add(owner)
    answer = 410
    await sendAll()
    expect((await list())[0]).toMatchObject({ paused_for: 'gone' })
    await owner.call(webhooks.changeEventWebhook, { params: paramsOf(webhook), body: { paused: false } })
    answer = 500
    await happen(owner)
    await sendAll()
    await query(`update event_webhooks set failing_since = now() - interval '4 days'`)
    await query(`update event_webhook_deliveries set tries = $1, next_at = now() where state = 'pending'`, [
      triesAllowed - 1,
    ])
    await sendAll()
    expect((await list())[0]).toMatchObject({ paused_for: 'failing' })
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id }, query: {} })
    expect(notifications.map(({ type }) => type).filter((type) => type === 'WEBHOOK_STOPPED')).toHaveLength(2)
    const before = told.length
    await happen(owner)
    await sendAll()
    expect(told).toHaveLength(before)
  },
)

test('with a new secret, messages carry both signatures for a day', async () => {
  const webhook = await add(owner)
  const renewed = await owner.call(webhooks.renewWebhookSecret, { params: paramsOf(webhook) })
  expect(renewed.secret).not.toBe(webhook.secret)
  expect(renewed.secret_before_until).not.toBeNull()
  await sendAll()
  for (const { secret } of [webhook, renewed]) expect(isSignedBy(secret, told[0]!)).toBe(true)
  await query(`update event_webhooks set secret_before_until = now() - interval '1 second'`)
  told.length = 0
  await happen(owner)
  await sendAll()
  expect([webhook, renewed].map(({ secret }) => isSignedBy(secret, told[0]!))).toEqual([false, true])
})

test('an operator is told of everybody, for as long as they are one', async () => {
  const boss = await api.signUp({ admin: true })
  expect(await outcomeOf(add(owner, { scope: 'all' }))).toBe('insufficient_capabilities')
  await add(boss, { scope: 'all', actions: ['USER_ADD_TOTP'] })
  await happen(owner)
  await sendAll()
  expect(types().toSorted()).toEqual(['USER_ADD_TOTP', 'ping'])
  await query(`delete from user_capabilities where user_id = $1`, [boss.user.id])
  await query(`delete from user_capability_sets where user_id = $1`, [boss.user.id])
  await happen(owner)
  await sendAll()
  expect(told).toHaveLength(2)
})

test('they are their owner’s alone, a few of them, and none leads inside', async () => {
  const webhook = await add(owner)
  const boss = await api.signUp({ admin: true })
  const params = { id: owner.user.id, webhookId: webhook.id }
  for (const call of [
    () => boss.call(webhooks.listEventWebhooks, { params: { id: owner.user.id } }),
    () => boss.call(webhooks.renewWebhookSecret, { params }),
    () => boss.call(webhooks.deleteEventWebhook, { params }),
  ])
    expect(await outcomeOf(call())).toBe('access_denied')
  expect(await outcomeOf(boss.call(webhooks.pingEventWebhook, { params: paramsOf(webhook, boss) }))).toBe(
    'resource_not_found',
  )
  expect(await outcomeOf(add(owner))).toBe('resource_already_exists')
  for (const url of ['ftp://example.test/x', 'no address', 'http://user:pass@example.test'])
    expect(await outcomeOf(add(owner, { url })), url).toBe('invalid_request')
  for (let count = 1; count < mostEventWebhooks; count += 1) await add(owner, { url: `${origin}/${count}` })
  expect(await refusalOf(add(owner, { url: `${origin}/more` }))).toMatchObject({
    error: 'too_many_requests',
    fields: { limit: mostEventWebhooks },
  })
  expect(
    await outcomeOf(
      owner.call(webhooks.replayDelivery, { params: { ...paramsOf(webhook), deliveryId: randomUUID() } }),
    ),
  ).toBe('resource_not_found')
  await owner.call(webhooks.deleteEventWebhook, { params: paramsOf(webhook) })
  expect(await list()).toHaveLength(mostEventWebhooks - 1)
})
