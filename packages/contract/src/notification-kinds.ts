/**
 * Every kind of notification: what it carries, how much it matters, where it goes unless its reader chose otherwise.
 * The first ones are those of the specification, section 3; those after `added` follow its manner.
 */
import { z } from 'zod'
import { moneySchema, timeSchema } from './primitives.ts'

/** How a field is checked; texts show each format in its own way. */
export const fieldSchemas = {
  text: z.string().max(500),
  /** One of a few values that texts have words for: a reason, a state. */
  word: z.string().max(60),
  number: z.int(),
  days: z.int().min(0),
  hours: z.int().min(0),
  bytes: z.int().min(0),
  money: moneySchema,
  time: timeSchema,
  /** Two letters. */
  country: z.string().length(2),
} as const
export type FieldFormat = keyof typeof fieldSchemas

export const notificationChannels = ['panel', 'mail', 'discord', 'push'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

export const notificationGroups = [
  'security',
  'account',
  'payments',
  'services',
  'servers',
  'players',
  'support',
] as const
export type NotificationGroup = (typeof notificationGroups)[number]

/** What can be done about a notification; each is a page, `:id` in it is the resource's. */
export const notificationActions = {
  open_server: '/s/:id',
  open_servers: '/s',
  open_account: '/account',
  open_referrals: '/account/referrals',
  open_bills: '/account/bills',
  open_affiliate: '/affiliate',
  see_devices: '/account/settings/security',
  open_settings: '/account/settings',
  keep_account: '/account/settings',
  open_security: '/account/settings/security',
  write_to_us: '/contact',
  change_password: '/forgot-password',
  open_reconciliation: '/admin/reconciliation',
  open_payment_returns: '/admin/refunds',
} as const
export type NotificationAction = keyof typeof notificationActions

export type NotificationImportance = 'low' | 'normal' | 'high'

export type KindSpec = {
  group: NotificationGroup
  importance: NotificationImportance
  fields: Readonly<Record<string, FieldFormat>>
  /** Where it goes unless the reader chose otherwise. */
  channels: readonly NotificationChannel[]
  /** Where it goes whatever the reader chose: an account must not be taken silently. */
  fixed?: readonly NotificationChannel[]
  /** Fields that the mail alone carries; nothing keeps them once it is sent. */
  secret?: readonly string[]
  /** A mail around a secret, of which panel and other channels never know. */
  mailOnly?: true
  /** For administrators alone; nobody chooses where it goes. */
  forAdministrators?: true
  action?: NotificationAction
}

const everywhere = ['panel', 'mail', 'discord', 'push'] as const
const withoutMail = ['panel', 'discord', 'push'] as const
/** Tells of an account's safety: mailed in any case. */
const security = { group: 'security', importance: 'high', channels: everywhere, fixed: ['panel', 'mail'] } as const
const secretMail = {
  group: 'security',
  importance: 'high',
  channels: ['mail'],
  fixed: ['mail'],
  mailOnly: true,
} as const
const server = { server: 'text' } as const

const notificationKinds = {
  ACCOUNT_EMAIL_CONFIRM: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  RESET_PASSWORD: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  FAST_LOGIN: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  FAST_REGISTER: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  SERVER_EXPIRED: {
    group: 'services',
    importance: 'high',
    fields: { ...server, deleted_at: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_server',
  },
  SERVER_CREATED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, address: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_RENEWED: {
    group: 'services',
    importance: 'normal',
    fields: { ...server, expires: 'time' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_CRASHED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, crash_count: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_TESTING_ENABLED: {
    group: 'services',
    importance: 'normal',
    fields: { ...server, expires: 'time' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_CLEANED_UP: {
    group: 'services',
    importance: 'high',
    fields: server,
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_servers',
  },
  SERVER_RECOMPENSED: {
    group: 'services',
    importance: 'normal',
    fields: { ...server, hours: 'hours' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_DISK_QUOTA_WARNING: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, free: 'bytes', percent: 'number' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_CLEANUP_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { ...server, days: 'days' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_server',
  },
  PACKAGE_INSTALL_FAILED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, package: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  PACKAGE_UNINSTALL_FAILED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, package: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_EXPIRES_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { ...server, days: 'days', expires: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_server',
  },
  SERVICE_EXPIRES_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { product: 'text', days: 'days', expires: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_servers',
  },
  PLAYER_JOINED: {
    group: 'players',
    importance: 'low',
    fields: { ...server, player: 'text' },
    channels: [],
    action: 'open_server',
  },
  PLAYER_TRIED_TO_JOIN: {
    group: 'players',
    importance: 'low',
    fields: { ...server, player: 'text' },
    channels: [],
    action: 'open_server',
  },
  RECOGNISED_CRASH: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, reason: 'word' },
    channels: withoutMail,
    action: 'open_server',
  },
  TOO_MANY_PLUGINS: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, limit: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  DOWNGRADE_FAILED: {
    group: 'services',
    importance: 'high',
    fields: { ...server, product: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  SUPPORT_TICKET_UPDATED: {
    group: 'support',
    importance: 'normal',
    fields: { number: 'number', subject: 'text', status: 'word' },
    channels: everywhere,
  },
  SERVER_MIGRATED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, cluster: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  TESTING_CODE: {
    group: 'services',
    importance: 'normal',
    fields: { product: 'text', code: 'text', expires: 'time' },
    channels: ['panel', 'mail'],
    fixed: ['mail'],
    secret: ['code'],
  },
  SUCCESSFUL_PAYMENT: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money' },
    channels: everywhere,
    action: 'open_account',
  },
  FAILED_PAYMENT: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money' },
    channels: everywhere,
    action: 'open_account',
  },
  // added
  WITHDRAWAL_CONFIRMED: {
    group: 'payments',
    importance: 'high',
    fields: { product: 'text', amount: 'money', at: 'time' },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_account',
  },
  RENEWAL_WITHDRAWN: {
    group: 'payments',
    importance: 'high',
    fields: { product: 'text', amount: 'money', at: 'time', until: 'time' },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_account',
  },
  ACCOUNT_EMAIL_CHANGE: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  STEP_UP: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  ACCOUNT_DELETE_CONFIRM: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  SERVER_CRASHED_TOO_MANY_TIMES: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, crash_count: 'number' },
    channels: everywhere,
    action: 'open_server',
  },
  AUTO_RENEW_FAILED: {
    group: 'payments',
    importance: 'high',
    fields: { ...server, amount: 'money', expires: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** A payment provider and our books do not say the same of a day. */
  PAYMENTS_DIFFER: {
    group: 'payments',
    importance: 'high',
    fields: { provider: 'text', day: 'text', differences: 'number' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_reconciliation',
  },
  /** A top-up, or a part of it, has gone back to its payer. */
  PAYMENT_REFUNDED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', provider: 'text', reason: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** It could not, and is in the wallet again. */
  REFUND_FAILED: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  PAYMENT_TAKEN_BACK: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', owed: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  PAYMENT_RETURNED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** The same order was paid twice; both payments are in the wallet. */
  SECOND_PAYMENT: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  /** For administrators: money left past us. */
  MONEY_TAKEN_BACK: {
    group: 'payments',
    importance: 'high',
    fields: { username: 'text', amount: 'money', owed: 'money', provider: 'text', reason: 'text' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_payment_returns',
  },
  /** For administrators: a refund failed, or its provider does not say what became of it. */
  REFUND_TROUBLE: {
    group: 'payments',
    importance: 'high',
    fields: { username: 'text', amount: 'money', provider: 'text', reason: 'text' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_payment_returns',
  },
  REFERRAL_REWARD: {
    group: 'account',
    importance: 'normal',
    fields: { hours: 'hours', reason: 'word' },
    channels: everywhere,
    action: 'open_referrals',
  },
  REFERRAL_REVERSED: {
    group: 'account',
    importance: 'normal',
    fields: { hours: 'hours' },
    channels: everywhere,
    action: 'open_referrals',
  },
  COMMISSION_AVAILABLE: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money' },
    channels: everywhere,
    action: 'open_affiliate',
  },
  AFFILIATE_APPROVED: {
    group: 'account',
    importance: 'normal',
    fields: {},
    channels: everywhere,
    action: 'open_affiliate',
  },
  AFFILIATE_SUSPENDED: {
    group: 'account',
    importance: 'high',
    fields: {},
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  BILL_DUE: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', days: 'days', due: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_bills',
  },
  BILL_OVERDUE: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', server: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_bills',
  },
  BILL_PAID: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', server: 'text' },
    channels: everywhere,
    action: 'open_bills',
  },
  SERVER_ADDRESS_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { ...server, address: 'text', days: 'days' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_servers',
  },
  SERVER_SHARED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, by: 'text' },
    // The invitation itself is mailed, with a link of its own.
    channels: withoutMail,
    action: 'open_servers',
  },
  SERVER_ACCESS_CHANGED: {
    group: 'servers',
    importance: 'normal',
    fields: server,
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_ACCESS_REVOKED: {
    group: 'servers',
    importance: 'normal',
    fields: server,
    channels: everywhere,
    action: 'open_servers',
  },
  /** To the owner: somebody took up an invitation, or left. */
  SERVER_GUEST_JOINED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, guest: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_GUEST_LEFT: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, guest: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  NEW_DEVICE: {
    ...security,
    fields: { country: 'country', ip: 'text', browser: 'text' },
    action: 'see_devices',
  },
  SESSION_STOLEN: { ...security, fields: {}, action: 'see_devices' },
  PASSWORD_CHANGED: { ...security, fields: {}, action: 'change_password' },
  EMAIL_CHANGED: { ...security, fields: {}, action: 'open_settings' },
  /** `name` of a passkey comes with a space and brackets, or is empty. */
  FACTOR_ADDED: { ...security, fields: { factor: 'word', name: 'text' }, action: 'open_security' },
  FACTOR_REMOVED: { ...security, fields: { factor: 'word', name: 'text' }, action: 'open_security' },
  RECOVERY_CODES_NEW: { ...security, fields: {}, action: 'open_security' },
  RECOVERY_CODE_USED: { ...security, fields: { left: 'number' }, action: 'open_security' },
  SOCIAL_LINKED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  SOCIAL_UNLINKED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  API_KEY_CREATED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  DELETION_SCHEDULED: { ...security, fields: { at: 'time' }, action: 'keep_account' },
  DATA_EXPORT_READY: {
    group: 'account',
    importance: 'normal',
    fields: { expires: 'time' },
    channels: everywhere,
    action: 'open_settings',
  },
  ACCOUNT_SUSPENDED: { ...security, fields: { reason: 'text' }, action: 'write_to_us' },
  ACCOUNT_RESTORED: { ...security, fields: {}, action: 'open_account' },
} as const satisfies Record<string, KindSpec>

export type NotificationKind = keyof typeof notificationKinds
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]
/** Kinds that are not mails around a secret only: what a user can be told of, and choose. */
export type ToldKind = {
  [Kind in NotificationKind]: (typeof notificationKinds)[Kind] extends { mailOnly: true } ? never : Kind
}[NotificationKind]
/** The table without its literal types, for code that walks all kinds. */
export const kindSpecs: Readonly<Record<NotificationKind, KindSpec>> = notificationKinds

/** What a caller hands over with a notification of a kind. */
export type FieldsOf<Kind extends NotificationKind> = {
  [
    Name in keyof (typeof notificationKinds)[Kind]['fields']
  ]: (typeof notificationKinds)[Kind]['fields'][Name] extends FieldFormat
    ? z.output<(typeof fieldSchemas)[(typeof notificationKinds)[Kind]['fields'][Name]]>
    : never
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
