/** The panel's list: what it shows of a notification, and what was read. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Notification, notificationQuery, notificationSources } from '@wakestone/contract/ground/notification'
import { kindSpecs, type NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationAction } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { pathOfAction } from './links.ts'
import {
  countUnread,
  type DeliveryState,
  findNotification,
  findTimeZone,
  markOpened,
  type NotificationRow,
  selectNotifications,
} from './reading-repo.ts'
import { type Locale, sayShortly } from './render.ts'
import { findServerNames } from './server-names.ts'

type Deps = Pick<Context, 'db' | 'settings'>

type Beside = { deliveries: readonly DeliveryState[]; serverNames: ReadonlyMap<string, string> }

function show(row: NotificationRow, { deliveries, serverNames }: Beside, locale: Locale): Notification {
  const kind = row.kind as NotificationKind
  const fields = row.fields as Record<string, unknown>
  const isOver = row.action_expires !== null && row.action_expires.getTime() < Date.now()
  return {
    id: row.id,
    user_id: row.user_id,
    type: kind,
    importance: kindSpecs[kind].importance,
    ...sayShortly(kind, { ...locale, fields }),
    fields,
    resource_type: row.resource_type as Notification['resource_type'],
    resource_id: row.resource_id,
    event_log_id: row.event_id,
    actions: isOver
      ? []
      : (row.actions as NotificationAction[]).flatMap((name) => {
          const path = pathOfAction(
            name,
            { resourceId: row.resource_id, serverName: serverNames.get(row.resource_id ?? ''), fields },
            locale.language,
          )
          return path === undefined ? [] : [{ name, path }]
        }),
    action_expires: row.action_expires?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    opened_at: row.opened_at?.toISOString() ?? null,
    version: row.version,
    campaign: null,
    receivers: [row.user_id],
    statuses: deliveries
      .filter(({ notification_id }) => notification_id === row.id)
      .map(({ channel, state, tries, last_error }) => ({
        channel: channel as 'mail' | 'discord' | 'push',
        status: state as Notification['statuses'][number]['status'],
        tries,
        error: last_error,
      })),
  }
}

/** Newest first. `language` is that of the texts. */
export async function listNotifications(
  { db, settings }: Deps,
  {
    language,
    ...filter
  }: Omit<z.output<typeof notificationQuery>, 'language'> & {
    userId: string
    serverId?: string
    language: Language
  },
): Promise<{ notifications: Notification[]; count: number }> {
  const [{ rows, count, deliveries }, zone] = await Promise.all([
    selectNotifications(db, filter),
    findTimeZone(db, filter.userId),
  ])
  const locale = { language, timeZone: zone ?? settings.SELLER_TIME_ZONE }
  const serverNames = await findServerNames(
    db,
    rows.map(({ resource_id }) => resource_id),
  )
  return { notifications: rows.map((row) => show(row, { deliveries, serverNames }, locale)), count }
}

/** @throws DomainError `resource_not_found` when the user has no such notification. */
export async function showNotification(
  { db, settings }: Deps,
  { userId, id, language }: { userId: string; id: string; language: Language },
): Promise<Notification> {
  const found = await findNotification(db, userId, id)
  if (found === undefined) throw new DomainError('resource_not_found', { resource: 'notification' })
  const timeZone = (await findTimeZone(db, userId)) ?? settings.SELLER_TIME_ZONE
  const { row, deliveries } = found
  const serverNames = await findServerNames(db, [row.resource_id])
  return show(row, { deliveries, serverNames }, { language, timeZone })
}

/** Marks as read: some, or all where `ids` is missing. @returns how many are unread then. */
export async function readNotifications(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { ids, source }: { ids?: readonly string[] | undefined; source: (typeof notificationSources)[number] },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await markOpened(trx, userId, { ids, source })
    return countUnread(trx, userId)
  })
}
