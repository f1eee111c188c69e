/**
 * Every kind of notification: what it carries, how much it matters, where it goes unless its reader chose otherwise.
 * Those of the specification, section 3, and more after their manner.
 */
import type { z } from 'zod'
import { accountKinds } from './notification-kinds/account.ts'
import type { fieldSchemas, FieldFormat, KindSpec, NotificationChannel } from './notification-kinds/kind.ts'
import { marketplaceKinds } from './notification-kinds/marketplace.ts'
import { paymentKinds } from './notification-kinds/payments.ts'
import { securityKinds } from './notification-kinds/security.ts'
import { serverKinds } from './notification-kinds/servers.ts'
import { serviceKinds } from './notification-kinds/services.ts'
import { websiteKinds } from './notification-kinds/websites.ts'

const notificationKinds = {
  ...securityKinds,
  ...accountKinds,
  ...paymentKinds,
  ...serviceKinds,
  ...serverKinds,
  ...websiteKinds,
  ...marketplaceKinds,
}

export type NotificationKind = keyof typeof notificationKinds
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]
/** Kinds that are not mails around a secret only: what a user can be told of, and choose. */
export type ToldKind = {
  [Kind in NotificationKind]: (typeof notificationKinds)[Kind] extends { mailOnly: true } ? never : Kind
}[NotificationKind]
/** The table without its literal types, for code that walks all kinds. */
export const kindSpecs: Readonly<Record<NotificationKind, KindSpec>> = notificationKinds

/** What a caller hands over with a notification of a kind. */
export type FieldsOf<Kind extends NotificationKind> = ValuesOf<(typeof notificationKinds)[Kind]['fields']> &
  ((typeof notificationKinds)[Kind] extends { optional: infer Optional } ? Partial<ValuesOf<Optional>> : unknown)

type ValuesOf<Formats> = {
  [Name in keyof Formats]: Formats[Name] extends FieldFormat ? z.output<(typeof fieldSchemas)[Formats[Name]]> : never
}

export const toldKindNames = notificationKindNames.filter((kind) => !kindSpecs[kind].mailOnly) as [
  ToldKind,
  ...ToldKind[],
]

export const isNotificationKind = (name: string): name is NotificationKind => Object.hasOwn(kindSpecs, name)

/** Whether a kind goes to a channel whatever its reader chose. */
export function isChannelFixed(kind: NotificationKind, channel: NotificationChannel): boolean {
  return kindSpecs[kind].fixed?.includes(channel) ?? false
}

/** Whether a kind goes to a channel, given what its reader chose (undefined: nothing). */
export function isChannelOn(
  kind: NotificationKind,
  channel: NotificationChannel,
  choice: boolean | undefined,
): boolean {
  const { channels, mailOnly = false } = kindSpecs[kind]
  if (mailOnly) return channel === 'mail'
  return isChannelFixed(kind, channel) || (choice ?? channels.includes(channel))
}
