import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/ground/notifications-routes'
import { notificationStream } from '@wakestone/contract/transport'
import { type Api, implement } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { implementTransport } from '#src/http/transports.ts'
import { createUserStreams } from '#src/http/user-stream.ts'
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

/** `unread` with the number of the user's notifications that they have not read, now and whenever it changes. */
function registerStream(api: Api, changes: UnreadChanges): void {
  const streams = createUserStreams(api)
  implementTransport(api, notificationStream, async ({ user, reply }) => {
    streams.open({ user, reply }, (send) => {
      let told = -1
      let queue: Promise<void> = Promise.resolve()
      const tell = () => {
        queue = queue
          .then(async () => {
            const unread = await countUnread(api.context.db, user.userId)
            if (unread !== told) send('unread', { unread })
            told = unread
          })
          .catch(() => undefined) // the database is away: told with the next change
      }
      tell()
      return changes.onChange(user.userId, tell)
    })
  })
}
