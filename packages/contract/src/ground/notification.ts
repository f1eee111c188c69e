import { z } from 'zod'
import { notificationKindNames, toldKindNames } from './notification-kinds.ts'
import { notificationActions, notificationChannels, notificationGroups } from './notification-kinds/kind.ts'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'

export const notificationResourceTypes = [
  'user',
  'server',
  'service',
  'transaction',
  'wallet',
  'ticket',
  'craftum',
  'market_project',
] as const

export const notificationSchema = z.object({
  id: idSchema,
  user_id: idSchema,
  type: z.enum(notificationKindNames),
  importance: z.enum(['low', 'normal', 'high']),
  /** What it says, in the language that was asked for. */
  title: z.string(),
  text: z.string(),
  fields: z.record(z.string(), z.unknown()),
  resource_type: z.enum(notificationResourceTypes).nullable(),
  resource_id: idSchema.nullable(),
  event_log_id: idSchema.nullable(),
  /** Pages on which something can be done about it, until `action_expires`. */
  actions: z.array(
    z.object({
      name: z.enum(Object.keys(notificationActions) as [keyof typeof notificationActions]),
      path: z.string(),
    }),
  ),
  action_expires: timeSchema.nullable(),
  created_at: timeSchema,
  opened_at: timeSchema.nullable(),
  /** Of the shape of `fields`. */
  version: z.int(),
  /** Of a mailing to many; nothing sends those yet. */
  campaign: z.string().nullable(),
  receivers: z.array(idSchema),
  /** How it went on each channel. */
  statuses: z.array(
    z.object({
      channel: z.enum(notificationChannels),
      /** `kept`: in the outbox, because no mail server is set. */
      status: z.enum(['waiting', 'sent', 'kept', 'failed']),
      tries: z.int(),
      error: z.string().nullable(),
    }),
  ),
})
export type Notification = z.infer<typeof notificationSchema>

/** A list counts no further: who has more turns pages. */
export const notificationCountLimit = 1000

export const notificationListSchema = z.object({
  notifications: z.array(notificationSchema),
  /** Of all that the filter lets through, whatever the page, up to `notificationCountLimit`. */
  count: z.int(),
})

const types = z
  .string()
  .transform((list) => list.split(',').filter((type) => type !== ''))
  .pipe(z.array(z.enum(notificationKindNames)).max(100))

export const notificationQuery = z.object({
  /** Keyset paging: id of the last one seen. */
  after: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  fromDate: timeSchema.optional(),
  /** Kinds, comma-separated. */
  types: types.optional(),
  unread: z.literal('1').optional(),
  /** Of `title` and `text`; the account's where it is missing. */
  language: languageSchema.optional(),
})

/** Where a notification was opened from. */
export const notificationSources = [...notificationChannels, 'bell'] as const

export const markAsReadBody = z.object({
  /** Missing: all of them. */
  notification_ids: z.array(idSchema).max(100).optional(),
})

/** Whether one kind goes to one channel; a fixed one cannot be changed. */
const channelChoiceSchema = z.object({ on: z.boolean(), fixed: z.boolean() })

export const notificationSettingsSchema = z.object({
  kinds: z.array(
    z.object({
      kind: z.enum(toldKindNames),
      group: z.enum(notificationGroups),
      channels: z.record(z.enum(notificationChannels), channelChoiceSchema),
    }),
  ),
  webhook: z
    .object({
      /** Enough to know it again; the whole address would let others write there. */
      hint: z.string(),
      /** Why the last message did not arrive; `gone` when the webhook no longer exists. */
      last_error: z.string().nullable(),
    })
    .nullable(),
  push: z.object({
    /** With which browsers subscribe: the `applicationServerKey`. */
    public_key: z.string(),
    /** Browsers that get pushes now. */
    browsers: z.int(),
    /** Whether the session that asks is one of them. */
    here: z.boolean(),
  }),
})
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

export const notificationChoicesBody = z.object({
  choices: z
    .array(
      z.object({
        kind: z.enum(toldKindNames),
        channel: z.enum(notificationChannels),
        wanted: z.boolean(),
      }),
    )
    .min(1)
    .max(400),
})

export const webhookBody = z.object({ url: z.url().max(300) })

const base64url = z.string().regex(/^[\w-]+={0,2}$/)
/** What `PushSubscription.toJSON()` yields. */
export const pushSubscriptionBody = z.object({
  endpoint: z.url().max(1000),
  keys: z.object({ p256dh: base64url.min(80).max(100), auth: base64url.min(20).max(40) }),
})
