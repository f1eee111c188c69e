import type { NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationChannel } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Db, Handle, Transaction } from '#src/db/client.ts'

export type Choice = { kind: NotificationKind; channel: NotificationChannel; wanted: boolean }

export async function selectChoices(db: Db, userId: string): Promise<Choice[]> {
  const rows = await db
    .selectFrom('notification_choices')
    .select(['kind', 'channel', 'wanted'])
    .where('user_id', '=', userId)
    .execute()
  return rows as Choice[]
}

export async function saveChoices(trx: Transaction, userId: string, choices: readonly Choice[]): Promise<void> {
  if (choices.length === 0) return
  await trx
    .insertInto('notification_choices')
    .values(choices.map((choice) => ({ user_id: userId, ...choice })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind', 'channel']).doUpdateSet((row) => ({ wanted: row.ref('excluded.wanted') })),
    )
    .execute()
}

export function findWebhook(db: Db, userId: string) {
  return db.selectFrom('notification_webhooks').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

export async function saveWebhook(db: Db, userId: string, url: string): Promise<void> {
  await db
    .insertInto('notification_webhooks')
    .values({ user_id: userId, url })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ url, last_error: null, created_at: new Date() }))
    .execute()
}

export async function deleteWebhook(db: Handle, userId: string): Promise<void> {
  await db.deleteFrom('notification_webhooks').where('user_id', '=', userId).execute()
}

/** Sessions of a user in whose browsers pushes are shown now. */
export async function selectPushSessions(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .select('sessions.id')
    .where('push_subscriptions.user_id', '=', userId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', new Date())
    .execute()
  return rows.map(({ id }) => id)
}

/** A session has one browser, and a browser pushes to whoever signed in to it last. */
export async function saveSubscription(
  trx: Transaction,
  subscription: { userId: string; sessionId: string; endpoint: string; p256dh: string; auth: string },
): Promise<void> {
  const { userId, sessionId, endpoint, p256dh, auth } = subscription
  await trx
    .deleteFrom('push_subscriptions')
    .where((row) => row.or([row('endpoint', '=', endpoint), row('session_id', '=', sessionId)]))
    .execute()
  await trx
    .insertInto('push_subscriptions')
    .values({ user_id: userId, session_id: sessionId, endpoint, p256dh, auth })
    .execute()
}

/** Of one session, or all of the user's where it is missing. */
export async function deleteSubscriptions(db: Handle, userId: string, sessionId?: string): Promise<void> {
  let subscriptions = db.deleteFrom('push_subscriptions').where('user_id', '=', userId)
  if (sessionId !== undefined) subscriptions = subscriptions.where('session_id', '=', sessionId)
  await subscriptions.execute()
}
