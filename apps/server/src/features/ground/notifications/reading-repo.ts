import { sql } from 'kysely'
import type { z } from 'zod'
import { notificationCountLimit, type notificationQuery } from '@wakestone/contract/ground/notification'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import { leastId } from '#src/db/least-id.ts'

type Filter = Omit<z.output<typeof notificationQuery>, 'language'> & { userId: string; serverId?: string }

const inPanel = (db: Handle, userId: string) =>
  db.selectFrom('notifications').where('user_id', '=', userId).where('in_panel', '=', true)

/** Newest first; `count` is of all that the filter lets through, whatever the page, as far as it is counted. */
export async function selectNotifications(db: Db, { userId, serverId, after, limit, fromDate, types, unread }: Filter) {
  let filtered = inPanel(db, userId)
  if (serverId !== undefined)
    filtered = filtered.where('resource_id', '=', serverId).where('resource_type', '=', 'server')
  // The id says it too, and is what the list is ordered by: reading stops there.
  if (fromDate !== undefined)
    filtered = filtered.where('id', '>=', leastId(new Date(fromDate))).where('created_at', '>=', new Date(fromDate))
  if (types !== undefined) filtered = filtered.where('kind', 'in', types.length === 0 ? [''] : types)
  if (unread !== undefined) filtered = filtered.where('opened_at', 'is', null)
  const page = after === undefined ? filtered : filtered.where('id', '<', after)
  const [rows, { count }] = await Promise.all([
    page.selectAll().orderBy('id', 'desc').limit(limit).execute(),
    db
      .selectFrom(filtered.select('id').limit(notificationCountLimit).as('counted'))
      .select(db.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    rows,
    count,
    deliveries: await selectDeliveries(
      db,
      rows.map(({ id }) => id),
    ),
  }
}

export type NotificationRow = Awaited<ReturnType<typeof selectNotifications>>['rows'][number]

export async function findNotification(db: Db, userId: string, id: string) {
  const row = await inPanel(db, userId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && { row, deliveries: await selectDeliveries(db, [id]) }
}

/** By which times are told to a user, as far as it is known. */
export async function findTimeZone(db: Db, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
  return row?.time_zone ?? undefined
}

function selectDeliveries(db: Db, notificationIds: string[]) {
  if (notificationIds.length === 0) return []
  return db
    .selectFrom('notification_deliveries')
    .select(['notification_id', 'channel', 'state', 'tries', 'last_error'])
    .where('notification_id', 'in', notificationIds)
    .orderBy('id')
    .execute()
}

export type DeliveryState = Awaited<ReturnType<typeof selectDeliveries>>[number]

export async function countUnread(db: Handle, userId: string): Promise<number> {
  const { count } = await inPanel(db, userId)
    .where('opened_at', 'is', null)
    .select(db.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Marks what is unread: some, or all. */
export async function markOpened(
  trx: Transaction,
  userId: string,
  { ids, source }: { ids: readonly string[] | undefined; source: string },
): Promise<void> {
  let unread = trx
    .updateTable('notifications')
    .set({ opened_at: sql<Date>`now()`, opened_from: source })
    .where('user_id', '=', userId)
    .where('in_panel', '=', true)
    .where('opened_at', 'is', null)
  if (ids !== undefined) {
    if (ids.length === 0) return
    unread = unread.where('id', 'in', ids)
  }
  await unread.execute()
}
