/** What a user is told, and on which ways. */
import { z } from 'zod'
import {
  markAsReadBody,
  notificationChoicesBody,
  notificationListSchema,
  notificationQuery,
  notificationSchema,
  notificationSettingsSchema,
  notificationSources,
  pushSubscriptionBody,
  webhookBody,
} from './notification.ts'
import { notificationKindNames } from './notification-kinds.ts'
import { idSchema, languageSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'Notifications'
const self = { kind: 'self', param: 'userId' } as const
const params = z.object({ userId: idSchema })
const notificationParams = z.object({ userId: idSchema, notificationId: idSchema })

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/users/:id/notifications',
  tag,
  summary: 'List the user’s notifications, newest first',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  query: notificationQuery,
  responses: { 200: notificationListSchema },
  errors: ['user_not_found'],
})
export const listServerNotifications = defineRoute({
  method: 'GET',
  path: '/users/:userId/notifications/server/:serverId',
  tag,
  summary: 'List the user’s notifications about one server, newest first',
  access: self,
  params: z.object({ userId: idSchema, serverId: idSchema }),
  query: notificationQuery,
  responses: { 200: notificationListSchema },
  errors: ['user_not_found'],
})
export const getNotification = defineRoute({
  method: 'GET',
  path: '/users/:userId/notifications/:notificationId',
  tag,
  summary: 'Get a notification',
  access: self,
  params: notificationParams,
  query: z.object({ language: languageSchema.optional() }),
  responses: { 200: notificationSchema },
  errors: ['user_not_found', 'resource_not_found'],
})
export const markNotificationsRead = defineRoute({
  method: 'PUT',
  path: '/users/:userId/notifications/mark_as_read',
  tag,
  summary: 'Mark some or all notifications as read',
  access: self,
  beforeTerms: true,
  params,
  body: markAsReadBody,
  responses: { 200: z.object({ unread_notifications: z.int() }) },
  errors: ['user_not_found', 'access_denied'],
})
export const openNotification = defineRoute({
  method: 'POST',
  path: '/users/:userId/notifications/:notificationId',
  tag,
  summary: 'Record that a notification was opened, and from where',
  access: self,
  beforeTerms: true,
  params: notificationParams,
  query: z.object({ source: z.enum(notificationSources).default('panel') }),
  responses: { 201: z.object({ unread_notifications: z.int() }) },
  errors: ['user_not_found', 'resource_not_found', 'access_denied'],
})
export const getNotificationSettings = defineRoute({
  method: 'GET',
  path: '/users/:userId/notification_settings',
  tag,
  summary: 'Get the channels used for each kind of notification',
  access: self,
  params,
  responses: { 200: notificationSettingsSchema },
  errors: ['user_not_found'],
})
export const setNotificationChoices = defineRoute({
  method: 'PUT',
  path: '/users/:userId/notification_settings',
  tag,
  summary: 'Choose the channels for kinds of notification. Fixed ones do not change.',
  access: self,
  beforeTerms: true,
  params,
  body: notificationChoicesBody,
  responses: { 200: notificationSettingsSchema },
  errors: ['user_not_found', 'access_denied'],
})
export const setWebhook = defineRoute({
  method: 'PUT',
  path: '/users/:userId/notification_webhook',
  tag,
  summary: 'Send notifications to a Discord webhook. A first message is sent at once.',
  access: self,
  params,
  body: webhookBody,
  responses: { 204: null },
  errors: ['user_not_found', 'access_denied', 'webhook_not_allowed', 'webhook_unreachable'],
})
export const removeWebhook = defineRoute({
  method: 'DELETE',
  path: '/users/:userId/notification_webhook',
  tag,
  summary: 'Stop sending notifications to Discord',
  access: self,
  beforeTerms: true,
  params,
  responses: { 204: null },
  errors: ['user_not_found'],
})
export const subscribeToPush = defineRoute({
  method: 'POST',
  path: '/users/:userId/push_subscriptions',
  tag,
  summary: 'Enable push notifications in this browser until its session ends',
  access: self,
  params,
  body: pushSubscriptionBody,
  responses: { 201: null },
  errors: ['user_not_found', 'access_denied', 'invalid_request'],
})
export const unsubscribeFromPush = defineRoute({
  method: 'DELETE',
  path: '/users/:userId/push_subscriptions',
  tag,
  summary: 'Disable push notifications in this browser, or in all of the user’s browsers with `all=1`',
  access: self,
  beforeTerms: true,
  params,
  query: z.object({ all: z.literal('1').optional() }),
  responses: { 204: null },
  errors: ['user_not_found', 'access_denied'],
})
export const unsubscribeFromMails = defineRoute({
  method: 'POST',
  path: '/users/notifications/unsubscribe',
  tag,
  summary: 'Unsubscribe from one kind of e-mail with the code that each of them contains',
  access: { kind: 'public' },
  body: z.object({ code: z.string().max(200) }),
  responses: { 200: z.object({ kind: z.enum(notificationKindNames) }) },
  errors: ['no_code'],
})
