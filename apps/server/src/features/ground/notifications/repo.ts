import type { NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationAction, NotificationChannel } from '@wakestone/contract/ground/notification-kinds/kind'
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import { deleteOldest } from '#src/db/delete-oldest.ts'

/** Where a user can be reached with a kind. Undefined when there is no such account any more. */
export async function findReader(
  trx: Transaction,
  userId: string,
  kind: NotificationKind,
): Promise<
  | {
      choices: Partial<Record<NotificationChannel, boolean>>
      isProven: boolean
      hasWebhook: boolean
      subscriptions: string[]
    }
  | undefined
> {
  const row = await trx
    .selectFrom('users')
    .select((user) => [
      'users.email_verified',
      user
        .selectFrom('notification_choices')
        .select((choice) =>
          choice.fn<Partial<Record<NotificationChannel, boolean>>>('jsonb_object_agg', ['channel', 'wanted']).as('all'),
        )
        .whereRef('notification_choices.user_id', '=', 'users.id')
        .where('notification_choices.kind', '=', kind)
        .as('choices'),
      user
        .exists(
          user
            .selectFrom('notification_webhooks')
            .select('user_id')
            .whereRef('user_id', '=', 'users.id')
            .where('last_error', 'is distinct from', 'gone'),
        )
        .as('has_webhook'),
      user
        .selectFrom('push_subscriptions')
        .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
        .select((one) => one.fn<string[]>('array_agg', ['push_subscriptions.id']).as('ids'))
        .whereRef('push_subscriptions.user_id', '=', 'users.id')
        .where('sessions.ended_at', 'is', null)
        .where('sessions.expires_at', '>', new Date())
        .as('subscriptions'),
    ])
    .where('users.id', '=', userId)
    .where('users.destroyed_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      choices: row.choices ?? {},
      isProven: row.email_verified !== null,
      hasWebhook: Boolean(row.has_webhook),
      subscriptions: row.subscriptions ?? [],
    }
  )
}

/** @returns undefined when one with the same key is there already. */
export async function insertNotification(
  trx: Transaction,
  notification: {
    userId: string
    kind: NotificationKind
    fields: Record<string, unknown>
    resource: { type: string; id: string } | undefined
    actions: readonly NotificationAction[]
    actionExpires: Date | undefined
    eventId: string | undefined
    dedupeKey: string | undefined
    inPanel: boolean
  },
): Promise<string | undefined> {
  const row = await trx
    .insertInto('notifications')
    .values({
      user_id: notification.userId,
      kind: notification.kind,
      fields: JSON.stringify(notification.fields),
      resource_type: notification.resource?.type ?? null,
      resource_id: notification.resource?.id ?? null,
      event_id: notification.eventId ?? null,
      actions: [...notification.actions],
      action_expires: notification.actionExpires ?? null,
      dedupe_key: notification.dedupeKey ?? null,
      in_panel: notification.inPanel,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export type NewDelivery =
  | { channel: 'mail'; mailTo: string | undefined; secret: Record<string, unknown> | undefined }
  | { channel: 'discord' }
  | { channel: 'push'; subscriptionId: string }

export async function insertDeliveries(
  trx: Transaction,
  notificationId: string,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await trx
    .insertInto('notification_deliveries')
    .values(
      deliveries.map((delivery) => ({
        notification_id: notificationId,
        channel: delivery.channel,
        subscription_id: delivery.channel === 'push' ? delivery.subscriptionId : null,
        mail_to: delivery.channel === 'mail' ? (delivery.mailTo ?? null) : null,
        secret: delivery.channel === 'mail' && delivery.secret ? JSON.stringify(delivery.secret) : null,
      })),
    )
    .execute()
}

/** Removes some of the notifications made before a moment, read or not, with their deliveries. @returns how many. */
export function deleteNotificationsBefore(db: Handle, before: Date, limit: number): Promise<number> {
  return deleteOldest(db, 'notifications', { before, limit })
}

/** Removes some of the deliveries that came to an end, of notifications made before a moment. @returns how many. */
export function deleteDeliveriesBefore(db: Handle, before: Date, limit: number): Promise<number> {
  return deleteOldest(db, 'notification_deliveries', { before, limit, and: sql`state <> 'waiting'` })
}

/** Who is told what concerns the business: everybody with the capability `admin`. */
export async function findAdministratorIds(db: Handle): Promise<string[]> {
  const rows = await db
    .selectFrom('held_capabilities')
    .innerJoin('users', 'users.id', 'held_capabilities.user_id')
    .select('users.id')
    .distinct()
    .where('held_capabilities.name', '=', 'admin')
    .where(sql<boolean>`held_capabilities.value not in ('false', '0', '""')`)
    .where('users.suspended_at', 'is', null)
    .where('users.destroyed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
