/** Where the programs of a project's authors are told of its releases. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { releaseIdSchema } from './schemas.ts'

export const mostWebhooks = 5
const webhookEvents = ['ping', 'release.published', 'release.withdrawn'] as const

/** The body that is posted. `X-Wakestone-Signature: sha256=…` is its HMAC-SHA-256 by the webhook's secret. */
export const webhookBodySchema = z.object({
  event: z.enum(webhookEvents),
  /** The same each time that it is tried again. */
  delivery_id: idSchema,
  project: z.object({ id: idSchema, slug: z.string(), name: z.string(), url: z.url() }),
  /** Null for a ping. */
  release: z
    .object({
      id: releaseIdSchema,
      version: z.string(),
      release_type: z.string(),
      game_versions: z.array(z.string()),
      loaders: z.array(z.string()),
      published_at: timeSchema.nullable(),
    })
    .nullable(),
})

const deliverySchema = z.object({
  id: idSchema,
  event: z.enum(webhookEvents),
  release_id: releaseIdSchema.nullable(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  /** Null: it has not answered. */
  status: z.int().nullable(),
  created_at: timeSchema,
  done_at: timeSchema.nullable(),
})
export const webhookSchema = z.object({
  id: idSchema,
  url: z.url(),
  secret: z.string(),
  created_at: timeSchema,
  /** Newest first. */
  deliveries: z.array(deliverySchema),
})
export type Webhook = z.infer<typeof webhookSchema>
