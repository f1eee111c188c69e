/** Where programs of owners and operators are told of events. */
import { z } from 'zod'
import { idSchema, pagingQuery, timeSchema } from '../primitives.ts'
import { auditActions, auditEventSchema } from './event.ts'

export const mostEventWebhooks = 10
/** The secret before goes on to sign as well for so long, so that receivers can be changed in their own time. */
export const secretOverlapHours = 24

/** `own`: of the account and its servers. `all`: of every account and server, for administrators. */
const scopeSchema = z.enum(['own', 'all'])
const actionsSchema = z.array(z.enum(auditActions)).max(auditActions.length)

/**
 * The body that is posted, signed as [Standard Webhooks](https://www.standardwebhooks.com) are: `webhook-id`,
 * `webhook-timestamp` and `webhook-signature`. Tried again, a message has the id that it had.
 */
export const eventMessageSchema = z.object({
  /** The action of the event; `ping` for a message to try it. */
  type: z.enum(['ping', ...auditActions]),
  /** When it happened. */
  timestamp: timeSchema,
  /** Null for a ping. */
  data: auditEventSchema.nullable(),
})
export type EventMessage = z.infer<typeof eventMessageSchema>

export const eventWebhookSchema = z.object({
  id: idSchema,
  scope: scopeSchema,
  url: z.url(),
  /** Empty: all. */
  actions: z.array(z.string()),
  /** `whsec_` and the key in base64. */
  secret: z.string(),
  secret_before_until: timeSchema.nullable(),
  /** Null while it works. `owner`: paused by its owner; `gone`: answered 410; `failing`: took nothing for days. */
  paused_for: z.enum(['owner', 'gone', 'failing']).nullable(),
  /** Since when no message has been taken; null while they are. */
  failing_since: timeSchema.nullable(),
  created_at: timeSchema,
})
export type EventWebhook = z.infer<typeof eventWebhookSchema>

export const createEventWebhookBody = z.object({
  url: z.string().trim().min(1, 'required').max(500),
  scope: scopeSchema.default('own'),
  actions: actionsSchema.default([]),
})
export const changeEventWebhookBody = z
  .strictObject({ url: createEventWebhookBody.shape.url, actions: actionsSchema, paused: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { message: 'nothing to change' })

/** `forbidden`: an address that is not called; `event_gone`: what it told of is not kept any more. */
export const deliveryFaults = [
  'name_not_found',
  'refused',
  'timeout',
  'certificate',
  'unreachable',
  'forbidden',
  'event_gone',
] as const
export type DeliveryFault = (typeof deliveryFaults)[number]

export const webhookDeliverySchema = z.object({
  id: idSchema,
  /** Null for a ping. */
  event: z.object({ id: idSchema, action: z.string(), resource_id: idSchema }).nullable(),
  state: z.enum(['pending', 'delivered', 'failed']),
  tries: z.int(),
  /** Null: it has not answered. */
  status: z.int().nullable(),
  /** Why there was no answer. */
  error: z.enum(deliveryFaults).nullable(),
  milliseconds: z.int().nullable(),
  created_at: timeSchema,
  /** When it is tried next; null where it is over. */
  next_at: timeSchema.nullable(),
  done_at: timeSchema.nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>

/** `after` is the id of the last delivery seen: the next ones are older. */
export const webhookDeliveryQuery = z.object({ ...pagingQuery, state: webhookDeliverySchema.shape.state.optional() })
/** Every failed delivery of that time is sent again. */
export const replayFailedBody = z.object({ since: timeSchema })
