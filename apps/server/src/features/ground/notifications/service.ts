/**
 * Tells users what happened. A notification and a row for each way out to its reader are written in the transaction of
 * what they tell of; the worker delivers.
 */
import { z } from 'zod'
import {
  type FieldsOf,
  isChannelFixed,
  isChannelOn,
  kindSpecs,
  type NotificationKind,
} from '@wakestone/contract/ground/notification-kinds'
import {
  fieldSchemas,
  type NotificationAction,
  type NotificationChannel,
} from '@wakestone/contract/ground/notification-kinds/kind'
import type { notificationResourceTypes } from '@wakestone/contract/ground/notification'
import type { Transaction } from '#src/db/client.ts'
import { findReader, insertDeliveries, insertNotification, type NewDelivery } from './repo.ts'
import { deleteSubscriptions, deleteWebhook } from './settings-repo.ts'

export { countUnread } from './reading-repo.ts'
export {
  deleteDeliveriesBefore as dropDeliveriesBefore,
  deleteNotificationsBefore as dropNotificationsBefore,
  findAdministratorIds,
} from './repo.ts'
export { beginDeliveries } from './deliveries.ts'
export { type KindMail, writeMail } from './render.ts'

export type NewNotification<Kind extends NotificationKind = NotificationKind> = {
  userId: string
  kind: Kind
  fields: FieldsOf<Kind>
  /** What it is about; links lead there. */
  resource?: { type: (typeof notificationResourceTypes)[number]; id: string }
  /** The kind's own where missing. */
  actions?: readonly NotificationAction[]
  /** When the actions stop to make sense. */
  actionExpires?: Date
  /** The audit event that it tells of. */
  eventId?: string
  /** A second one of the same user with the same key is not written. */
  dedupeKey?: string
  /** Mailed there instead of the account's address. */
  mailTo?: string
}

/**
 * Writes a notification in the caller's transaction. Nothing is written where no channel is wanted.
 * @returns its id; undefined when nothing was written.
 */
export async function notify<Kind extends NotificationKind>(
  trx: Transaction,
  notification: NewNotification<Kind>,
): Promise<string | undefined> {
  const { userId, kind, resource, actions, actionExpires, eventId, dedupeKey, mailTo } = notification
  const spec = kindSpecs[kind]
  if (spec.mailOnly) throw new Error(`${kind} is a mail around a secret, which is never stored`)
  const fields = checkFields(kind, notification.fields)
  const reader = await findReader(trx, userId, kind)
  if (reader === undefined) return undefined
  const isOn = (channel: NotificationChannel) => isChannelOn(kind, channel, reader.choices[channel])

  const secret = Object.fromEntries((spec.secret ?? []).map((name) => [name, fields[name]]))
  const deliveries: NewDelivery[] = []
  // Others may have typed an address wrong: to one that nobody confirmed goes only what must.
  const isMailed = isOn('mail') && (reader.isProven || isChannelFixed(kind, 'mail'))
  if (isMailed) deliveries.push({ channel: 'mail', mailTo, secret: spec.secret && secret })
  if (isOn('discord') && reader.hasWebhook) deliveries.push({ channel: 'discord' })
  if (isOn('push'))
    for (const subscriptionId of reader.subscriptions) deliveries.push({ channel: 'push', subscriptionId })
  const inPanel = isOn('panel')
  if (!inPanel && deliveries.length === 0) return undefined

  const id = await insertNotification(trx, {
    userId,
    kind,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in secret))),
    resource,
    actions: actions ?? [...(spec.action === undefined ? [] : [spec.action]), ...(spec.more ?? [])],
    actionExpires,
    eventId,
    dedupeKey,
    inPanel,
  })
  if (id !== undefined) await insertDeliveries(trx, id, deliveries)
  return id
}

/** Nobody outside is told any more: who set that up turned out not to be the account's owner. */
export async function forgetWaysOut(trx: Transaction, userId: string): Promise<void> {
  await deleteWebhook(trx, userId)
  await deleteSubscriptions(trx, userId)
}

/** @throws Error naming the field: what a kind carries is the caller's to know. */
function checkFields(kind: NotificationKind, given: unknown): Record<string, unknown> {
  const { fields, optional = {} } = kindSpecs[kind]
  const shape = Object.entries(fields).map(([name, format]) => [name, fieldSchemas[format]] as const)
  const more = Object.entries(optional).map(([name, format]) => [name, fieldSchemas[format].optional()] as const)
  return z.strictObject(Object.fromEntries([...shape, ...more])).parse(given)
}
