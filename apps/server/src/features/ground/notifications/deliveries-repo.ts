import { sql } from 'kysely'
import { kindSpecs, type NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationAction, NotificationImportance } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import type { Db } from '#src/db/client.ts'

export const deliveryChannels = ['mail', 'discord', 'push'] as const
export type DeliveryChannel = (typeof deliveryChannels)[number]

/** Everything a channel needs to send one notification to one receiver. */
export type Delivery = {
  id: string
  notificationId: string
  channel: DeliveryChannel
  /** This one included. */
  tries: number
  kind: NotificationKind
  importance: NotificationImportance
  fields: Record<string, unknown>
  secret: Record<string, unknown>
  actions: NotificationAction[]
  resourceId: string | null
  /** A server’s name in addresses, if it has one. */
  inPanel: boolean
  createdAt: Date
  userId: string
  username: string
  email: string
  language: Language
  /** By which times are told. */
  timeZone: string
  mailTo: string | null
  webhook: string | null
  subscription: { id: string; endpoint: string; p256dh: string; auth: string } | null
}

/**
 * Takes some of what is due; nobody else gets it until `claimSeconds` have passed.
 * @param timeZone where the reader's is not known
 */
export async function claimDeliveries(
  db: Db,
  channel: DeliveryChannel,
  { limit, claimSeconds, timeZone }: { limit: number; claimSeconds: number; timeZone: string },
): Promise<Delivery[]> {
  const rows = await db
    .with('claimed', (query) =>
      query
        .updateTable('notification_deliveries')
        .set((row) => ({
          tries: row('tries', '+', 1),
          next_at: sql<Date>`now() + make_interval(secs => ${claimSeconds})`,
        }))
        .where('id', 'in', (due) =>
          due
            .selectFrom('notification_deliveries')
            .select('id')
            .where('channel', '=', channel)
            .where('state', '=', 'waiting')
            .where('next_at', '<=', sql<Date>`now()`)
            .orderBy('next_at')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll(),
    )
    .selectFrom('claimed')
    .innerJoin('notifications', 'notifications.id', 'claimed.notification_id')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .leftJoin('notification_webhooks', 'notification_webhooks.user_id', 'users.id')
    .leftJoin('push_subscriptions', 'push_subscriptions.id', 'claimed.subscription_id')
    .select([
      'claimed.id',
      'claimed.tries',
      'claimed.secret',
      'claimed.mail_to',
      'notifications.id as notification_id',
      'notifications.kind',
      'notifications.fields',
      'notifications.actions',
      'notifications.resource_id',
      'notifications.in_panel',
      'notifications.created_at',
      'users.id as user_id',
      'users.username',
      'users.email',
      'users.language',
      'users.time_zone',
      'notification_webhooks.url',
      'push_subscriptions.id as subscription_id',
      'push_subscriptions.endpoint',
      'push_subscriptions.p256dh',
      'push_subscriptions.auth',
    ])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    notificationId: row.notification_id,
    channel,
    tries: row.tries,
    kind: row.kind as NotificationKind,
    importance: kindSpecs[row.kind as NotificationKind].importance,
    fields: row.fields as Record<string, unknown>,
    secret: (row.secret ?? {}) as Record<string, unknown>,
    actions: row.actions as NotificationAction[],
    resourceId: row.resource_id,
    inPanel: row.in_panel,
    createdAt: row.created_at,
    userId: row.user_id,
    username: row.username,
    email: row.email,
    language: row.language as Language,
    timeZone: row.time_zone ?? timeZone,
    mailTo: row.mail_to,
    webhook: row.url,
    subscription:
      row.subscription_id === null
        ? null
        : { id: row.subscription_id, endpoint: row.endpoint!, p256dh: row.p256dh!, auth: row.auth! },
  }))
}

/** Done, `kept` where it stayed in the outbox: what only the message may carry is forgotten. */
export async function markDelivered(db: Db, id: string, state: 'sent' | 'kept'): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({ state, finished_at: new Date(), last_error: null, secret: null })
    .where('id', '=', id)
    .execute()
}

/** Tries again after `seconds`, or never. */
export async function putOff(
  db: Db,
  id: string,
  { reason, seconds }: { reason: string; seconds: number | undefined },
): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set(
      seconds === undefined
        ? { state: 'failed', finished_at: new Date(), last_error: reason, secret: null }
        : { next_at: sql<Date>`now() + make_interval(secs => ${seconds})`, last_error: reason },
    )
    .where('id', '=', id)
    .execute()
}

export async function forgetSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/** How the webhook of a user does; null when it works. */
export async function noteWebhook(db: Db, userId: string, error: string | null): Promise<void> {
  await db
    .updateTable('notification_webhooks')
    .set({ last_error: error })
    .where('user_id', '=', userId)
    .where('last_error', 'is distinct from', error)
    .execute()
}
