import type { ApiClient } from '@wakestone/contract/client'
import type { Language } from '@wakestone/contract/primitives'
import {
  getNotification,
  getNotificationSettings,
  listNotifications,
} from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** Rows on a page. One more is asked for: it tells whether the list goes on. */
export const notificationsPerPage = 20

export type NotificationPage = { userId: string; language: Language; after: string | undefined; isUnreadOnly: boolean }

export const notificationsQuery = (
  { userId, language, after, isUnreadOnly }: NotificationPage,
  client: ApiClient = api,
) =>
  queryOf(
    listNotifications,
    {
      params: { id: userId },
      query: {
        limit: notificationsPerPage + 1,
        language,
        ...(isUnreadOnly ? { unread: '1' as const } : {}),
        ...(after === undefined ? {} : { after }),
      },
    },
    { client },
  )

export const notificationQuery = (
  { userId, id, language }: { userId: string; id: string; language: Language },
  client: ApiClient = api,
) => queryOf(getNotification, { params: { userId, notificationId: id }, query: { language } }, { client, retry: false })

export const notificationSettingsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(getNotificationSettings, { params: { userId } }, { client })
