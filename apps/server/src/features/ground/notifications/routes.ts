import type { FastifyReply } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/ground/notifications-routes'
import { notificationStream } from '@wakestone/contract/transport'
import { type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { implementTransport } from '#src/http/transports.ts'
import { listNotifications, readNotifications, showNotification } from './reading.ts'
import { countUnread } from './service.ts'
import {
  chooseChannels,
  connectWebhook,
  disconnectWebhook,
  showSettings,
  subscribeBrowser,
  unsubscribeBrowser,
} from './settings.ts'
import { followUnread, type UnreadChanges } from './stream.ts'
import { unsubscribeByCode } from './unsubscribe.ts'

/** An administrator may look; what was read, and where it goes, is the reader's own. */
function requireSelf({ userId }: Principal, wanted: string): void {
  if (userId !== wanted) throw new DomainError('access_denied')
}

export async function registerNotificationRoutes(api: Api): Promise<void> {
  const { context } = api

  implement(api, routes.listNotifications, async ({ params, query, user }) =>
    listNotifications(context, { ...query, userId: params.id, language: query.language ?? user.language }),
  )
  implement(api, routes.listServerNotifications, async ({ params, query, user }) =>
    listNotifications(context, { ...query, ...params, language: query.language ?? user.language }),
  )
  implement(api, routes.getNotification, async ({ params: { userId, notificationId }, query, user }) =>
    showNotification(context, { userId, id: notificationId, language: query.language ?? user.language }),
  )
  implement(api, routes.markNotificationsRead, async ({ params: { userId }, body, user }) => {
    requireSelf(user, userId)
    const ids = body.notification_ids
    return { unread_notifications: await readNotifications(context, userId, { ids, source: 'panel' }) }
  })
  implement(api, routes.openNotification, async ({ params: { userId, notificationId: id }, query, user }) => {
    requireSelf(user, userId)
    await showNotification(context, { userId, id, language: user.language })
    const { source } = query
    return { unread_notifications: await readNotifications(context, userId, { ids: [id], source }) }
  })
  implement(api, routes.getNotificationSettings, async ({ params: { userId }, user }) =>
    showSettings(context, userId, user.sessionId),
  )
  implement(api, routes.setNotificationChoices, async ({ params: { userId }, body, user }) => {
    requireSelf(user, userId)
    await chooseChannels(context, userId, body.choices)
    return showSettings(context, userId, user.sessionId)
  })
  implement(api, routes.setWebhook, async ({ params: { userId }, body, user }) => {
    requireSelf(user, userId)
    await connectWebhook(context, userId, { url: body.url, language: user.language })
  })
  implement(api, routes.removeWebhook, async ({ params: { userId } }) => disconnectWebhook(context, userId))
  implement(api, routes.subscribeToPush, async ({ params: { userId }, body, user }) => {
    requireSelf(user, userId)
    await subscribeBrowser(context, user, body)
  })
  implement(api, routes.unsubscribeFromPush, async ({ params: { userId }, query, user }) => {
    requireSelf(user, userId)
    await unsubscribeBrowser(context, userId, query.all === '1' ? undefined : user.sessionId)
  })
  implement(api, routes.unsubscribeFromMails, async ({ body }) => ({
    kind: await unsubscribeByCode(context, body.code),
  }))

  const changes = await followUnread(context)
  api.app.addHook('onClose', () => changes.close())
  registerStream(api, changes)
}

const streamsPerUser = 24
const heartbeatMilliseconds = 20_000

/**
 * `GET /api/v1/notifications/stream`: server-sent events for the signed-in user, `unread` with the number. It ends with
 * the session, and when rights change: pages open it again with what holds then.
 */
function registerStream(api: Api, changes: UnreadChanges): void {
  const open = new Map<string, number>()
  const streams = new Set<FastifyReply['raw']>()
  api.app.addHook('preClose', () => {
    for (const stream of streams) stream.end() // a server waits for its open answers
  })
  implementTransport(api, notificationStream, async ({ user, reply }) => {
    const { userId } = user
    if ((open.get(userId) ?? 0) >= streamsPerUser) throw new DomainError('too_many_requests')
    open.set(userId, (open.get(userId) ?? 0) + 1)
    reply.hijack()
    const { raw } = reply
    streams.add(raw)
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    raw.write('retry: 2000\n\n')

    let told = -1
    let queue: Promise<void> = Promise.resolve()
    const tell = () => {
      queue = queue
        .then(async () => {
          const unread = await countUnread(api.context.db, userId)
          if (unread !== told && !raw.destroyed) raw.write(`event: unread\ndata: {"unread":${unread}}\n\n`)
          told = unread
        })
        .catch(() => undefined) // the database is away: told with the next change or beat
    }
    const check = () =>
      void api.principals.findAgain(user).then(
        (present) => present === undefined && raw.end(),
        () => undefined,
      )
    const ends = [changes.onChange(userId, tell), api.principals.onChange((changed) => changed === userId && raw.end())]
    const beat = setInterval(() => {
      raw.write(':\n\n')
      check()
    }, heartbeatMilliseconds)
    raw.on('error', () => raw.destroy())
    raw.on('close', () => {
      clearInterval(beat)
      for (const end of ends) end()
      streams.delete(raw)
      if (open.get(userId) === 1) open.delete(userId)
      else open.set(userId, (open.get(userId) ?? 1) - 1)
    })
    check() // it may have ended since it was looked up
    tell()
  })
}
