import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import type { Language } from '@wakestone/contract/primitives'
import {
  getNotification,
  getNotificationSettings,
  listNotifications,
} from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'

/** Rows on a page. One more is asked for: it tells whether the list goes on. */
export const notificationsPerPage = 20

export type NotificationPage = { userId: string; language: Language; after: string | undefined; isUnreadOnly: boolean }

export const notificationsQuery = (
  { userId, language, after, isUnreadOnly }: NotificationPage,
  client: ApiClient = api,
) =>
  queryOptions({
    queryKey: ['users', userId, 'notifications', language, isUnreadOnly, after ?? null],
    queryFn: () =>
      client(listNotifications, {
        params: { id: userId },
        query: {
          limit: notificationsPerPage + 1,
          language,
          ...(isUnreadOnly ? { unread: '1' as const } : {}),
          ...(after === undefined ? {} : { after }),
        },
      }),
  })

export const notificationQuery = (
  { userId, id, language }: { userId: string; id: string; language: Language },
  client: ApiClient = api,
) =>
  queryOptions({
    queryKey: ['users', userId, 'notifications', language, id],
    queryFn: () => client(getNotification, { params: { userId, notificationId: id }, query: { language } }),
    retry: false,
  })

export const notificationSettingsQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'notification settings'],
    queryFn: () => client(getNotificationSettings, { params: { userId } }),
  })
