/** Discord and Web Push: what arrives, what is refused, and that one in trouble holds up nobody. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as notifications from '@wakestone/contract/ground/notifications-routes'
import { startPushService } from '@wakestone/simulators/push-service'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { ForbiddenTarget } from '#src/adapters/outbound/guarded-lookup.ts'
import { postOutside } from '#src/adapters/outbound/post.ts'
import { isPublicAddress } from '#src/adapters/outbound/public-address.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

type Embed = { title: string; description: string }
type Posted = { allowed_mentions: unknown; embeds: Embed[] }

let api: TestApi
let push: Awaited<ReturnType<typeof startPushService>>
const posted: Posted[] = []
let discordAnswer = 204
const discord = createServer((request, response) => {
  void json(request).then((body) => {
    if (discordAnswer === 204) posted.push(body as Posted)
    response.writeHead(discordAnswer).end()
  })
})
let webhook = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(discord.address() as AddressInfo).port}`
  webhook = `http://${host}/api/webhooks/123456789/a-secret_token`
  push = await startPushService()
  api = await startTestApi({ WEBHOOK_HOSTS: host, ALLOW_PRIVATE_TARGETS: '1' }, { mails: true })
})
afterAll(async () => {
  await api.close()
  await push.close()
  discord.close()
})

const of = ({ user }: Caller) => ({ params: { userId: user.id } })
const tell = (caller: Caller, server = 'Meadow') =>
  inTransaction(api.context.db, (trx) =>
    notify(trx, {
      userId: caller.user.id,
      kind: 'SERVER_CRASHED_TOO_MANY_TIMES',
      fields: { server, crash_count: 3 },
    }),
  )
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- whoever calls it awaits
const soon = <Value>(read: () => Value) => expect.poll(read, { timeout: 10_000 })
const deliveriesOf = async (id: string | undefined, channel: string) =>
  api.context.db
    .selectFrom('notification_deliveries')
    .select(['state', 'tries', 'last_error'])
    .where('notification_id', '=', id ?? '')
    .where('channel', '=', channel)
    .execute()

test('a webhook gets what happened, and nothing in it is more than words', async () => {
  const caller = await api.signUp()
  await caller.call(notifications.setWebhook, { ...of(caller), body: { url: webhook } })
  expect(posted.at(-1)?.embeds[0]?.title).toBe('You’re connected')
  await tell(caller, '@everyone "[x](http://evil.example)",')
  await soon(() => posted.at(-1)?.embeds[0]?.title).toContain('keeps crashing')
  expect(posted.at(-1)?.allowed_mentions).toEqual({ parse: [] })
  expect(posted.at(-1)?.embeds[0]?.title).toContain('\\@everyone "\\[x\\]\\(http\\:')
  const { webhook: shown } = await caller.call(notifications.getNotificationSettings, of(caller))
  expect(shown?.hint).not.toContain('token')
})

test
  .runIf(isLong)
  .each(['https://evil.example/api/webhooks/1/x', 'http://169.254.169.254/api/webhooks/1/x', 'file:///etc/passwd'])(
  '%s is no webhook',
  async (url) => {
    const caller = await api.signUp()
    expect(await outcomeOf(caller.call(notifications.setWebhook, { ...of(caller), body: { url } }))).toBe(
      'webhook_not_allowed',
    )
  },
)

test('a webhook in trouble waits by itself, and one that has gone is not tried again', async () => {
  const caller = await api.signUp()
  await caller.call(notifications.setWebhook, { ...of(caller), body: { url: webhook } })
  discordAnswer = 500
  const first = await tell(caller)
  await expect
    .poll(() => deliveriesOf(first, 'discord'))
    .toEqual([{ state: 'waiting', tries: 1, last_error: 'HTTP 500' }])
  await waitForMail(api.dataDir, caller.user.email, 'Meadow keeps crashing') // the mail came all the same
  discordAnswer = 404
  const second = await tell(caller)
  await expect
    .poll(() => deliveriesOf(second, 'discord'))
    .toEqual([{ state: 'failed', tries: 1, last_error: 'HTTP 404' }])
  discordAnswer = 204
  const { webhook: shown } = await caller.call(notifications.getNotificationSettings, of(caller))
  expect(shown?.last_error).toBe('gone')
  expect(await deliveriesOf(await tell(caller), 'discord')).toEqual([])
})

test('a mail that stays in the outbox is not told to be sent', async () => {
  const caller = await api.signUp()
  const id = await tell(caller)
  await soon(async () => (await deliveriesOf(id, 'mail'))[0]?.state).not.toBe('waiting')
  const shown = await caller.call(notifications.getNotification, {
    params: { userId: caller.user.id, notificationId: id ?? '' },
  })
  expect(shown.statuses).toEqual([{ channel: 'mail', status: 'kept', tries: 1, error: null }])
})

test('a push reaches one browser encrypted, until it or its session has gone', async () => {
  const caller = await api.signUp()
  await caller.call(notifications.subscribeToPush, { ...of(caller), body: push.subscription })
  const settings = await caller.call(notifications.getNotificationSettings, of(caller))
  expect(settings.push).toMatchObject({ browsers: 1, here: true })
  const id = await tell(caller)
  await soon(() => push.pushed.at(-1)?.message['id']).toBe(id)
  expect(push.pushed.at(-1)).toMatchObject({
    message: { title: 'Meadow keeps crashing', path: `/en/notifications/${id}` },
    topic: id?.replaceAll('-', ''),
    urgency: 'high',
  })
  push.answerWith(410)
  await tell(caller)
  const browsers = async () => (await caller.call(notifications.getNotificationSettings, of(caller))).push.browsers
  await soon(browsers).toBe(0)
})

test('an administrator may look, but neither subscribes nor reads for others', async () => {
  const caller = await api.signUp()
  const admin = await api.signUp({ admin: true })
  const body = push.subscription
  expect(await outcomeOf(admin.call(notifications.subscribeToPush, { ...of(caller), body }))).toBe('access_denied')
  expect(await outcomeOf(admin.call(notifications.markNotificationsRead, { ...of(caller), body: {} }))).toBe(
    'access_denied',
  )
})

test('the stream tells the number of unread ones as it changes', async () => {
  const caller = await api.signUp()
  const stopping = new AbortController()
  const response = await fetch(`${api.origin}/api/v1/notifications/stream`, {
    headers: { cookie: caller.cookie() },
    signal: stopping.signal,
  })
  let text = ''
  void (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  await soon(() => text).toContain('{"unread":0}')
  const id = (await tell(caller)) ?? ''
  await soon(() => text).toContain('{"unread":1}')
  const params = { userId: caller.user.id, notificationId: id }
  await caller.call(notifications.openNotification, { params, query: { source: 'push' } })
  await soon(() => text.endsWith('{"unread":0}\n\n')).toBe(true)
  stopping.abort()
})

test.each([
  ['8.8.8.8', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['2606:4700::1111', true],
])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

test('a name that leads to this machine is not called', async () => {
  const call = (url: string) => postOutside(url, { headers: {}, body: '', mayBePrivate: false })
  await expect(call('https://localhost/')).rejects.toThrow(ForbiddenTarget)
  await expect(call('https://127.0.0.1/')).rejects.toThrow(ForbiddenTarget)
  await expect(call('http://example.com/')).rejects.toThrow(ForbiddenTarget)
})
