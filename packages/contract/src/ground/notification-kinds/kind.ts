/** What a kind of notification is made of. */
import { z } from 'zod'
import { moneySchema, timeSchema } from '../../primitives.ts'

/** How a field is checked; texts show each format in its own way. */
export const fieldSchemas = {
  text: z.string().max(500),
  /** One of a few values that texts have words for: a reason, a state. */
  word: z.string().max(60),
  number: z.int(),
  /** A number that names something: written without groups of digits. */
  reference: z.int(),
  /** A product's id, shown as people call it. */
  product: z.string().max(64),
  days: z.int().min(0),
  /** Also parts of one. */
  hours: z.number().min(0),
  bytes: z.int().min(0),
  money: moneySchema,
  /** What was paid for, each product with its price; a line each. */
  items: z.array(z.object({ product: z.string().max(64), price: moneySchema })).min(1),
  time: timeSchema,
  /** A `User-Agent`, of which people read browser and system. */
  device: z.string().max(500),
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
  'marketplace',
] as const
export type NotificationGroup = (typeof notificationGroups)[number]

/**
 * What can be done about a notification; each is a page. `:id` in it is the resource's, another name a field of the kind:
 * what lacks it has no such page.
 */
export const notificationActions = {
  open_server: '/s/:id',
  renew_server: '/s/:id/payments/renew',
  open_plan: '/s/:id/payments',
  open_files: '/s/:id/files',
  open_servers: '/s',
  open_shop_orders: '/s/:id/shop?tab=orders',
  open_website: '/c/:id',
  open_websites: '/c',
  renew_website: '/c/:id/payments',
  open_website_plan: '/c/:id/payments',
  open_free_play: '/free-play',
  open_account: '/account',
  open_wallet: '/wallets/:id',
  open_document: '/account/invoices?transaction=:transaction&wallet=:wallet',
  open_referrals: '/account/referrals',
  open_bills: '/account/bills',
  open_affiliate: '/affiliate',
  see_devices: '/account/settings/security',
  open_settings: '/account/settings',
  open_webhooks: '/account/settings/webhooks',
  keep_account: '/account/settings',
  open_security: '/account/settings/security',
  open_ticket: '/account/support/:id',
  write_to_us: '/contact',
  change_password: '/forgot-password',
  open_reconciliation: '/admin/reconciliation',
  open_project: '/m/:id',
  open_moderation: '/admin/marketplace',
  open_payment_returns: '/admin/refunds',
} as const
export type NotificationAction = keyof typeof notificationActions

export type NotificationImportance = 'low' | 'normal' | 'high'

export type KindSpec = {
  group: NotificationGroup
  importance: NotificationImportance
  fields: Readonly<Record<string, FieldFormat>>
  /** Those that it may lack. Texts say them in square brackets, which are left out with them. */
  optional?: Readonly<Record<string, FieldFormat>>
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
  /** Other pages about it, behind the first. */
  more?: readonly NotificationAction[]
}

/** Where most kinds go unless their reader chose otherwise. */
export const everywhere = ['panel', 'mail', 'discord', 'push'] as const
export const withoutMail = ['panel', 'discord', 'push'] as const
/** Fields of what tells of one server. */
export const server = { server: 'text' } as const
/** Fields of what tells of one website. */
export const website = { website: 'text' } as const

/** What leads to the document of a payment, where there is one. */
const document = { transaction: 'text', wallet: 'text' } as const

/** Of what somebody paid into a wallet. */
export const paidIn = { provider: 'word', balance: 'money', ...document } as const

/**
 * What the confirmation of a purchase says. `amount` is gross, `tax` the VAT in it; `withdraw_until` and `asked_at`, when
 * it was asked to begin at once, are of consumers.
 */
export const purchase = {
  amount: 'money',
  tax: 'money',
  method: 'word',
  items: 'items',
  expires: 'time',
  withdraw_until: 'time',
  asked_at: 'time',
  ...document,
} as const
