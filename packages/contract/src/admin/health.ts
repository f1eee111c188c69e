/** How the product itself is. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

/** What somebody should look at; `count` is of how many. */
export const troubles = [
  'jobs_failed',
  'jobs_late',
  'looks_late',
  'servers_unreached',
  'deliveries_late',
  'shop_late',
  'records_failed',
  'messages_refused',
  'orders_late',
  'disk_full',
  'certificate_ends',
  'backups_late',
] as const
export type Trouble = (typeof troubles)[number]

const seconds = z.int().min(0)
const count = z.int().min(0)
export const healthSchema = z.object({
  at: timeSchema,
  troubles: z.array(z.object({ trouble: z.enum(troubles), count })),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: count,
      active: count,
      /** Within a day. */
      failed: count,
      done: count,
      /** How long the one that has waited longest does, among those whose time has come. */
      oldest_seconds: seconds.nullable(),
    }),
  ),
  lag: z.object({
    /** Servers that should have been looked at by now, and how late the latest is. */
    looks: z.object({ count, seconds }),
    /** Servers whose supervisor does not answer. */
    unreached: z.object({ count, seconds }),
    /** Operations that nobody has begun. */
    operations: z.object({ count, seconds }),
    /** Mails and pushes. */
    deliveries: z.object({ count, seconds }),
    /** Commands of item shops that could be sent: the game runs, and the player is on where one is needed. */
    shop: z.object({ count, seconds }),
    /** Records of names that the name servers do not have yet. */
    records: z.object({ count, failed: count }),
  }),
  providers: z.array(
    z.object({
      provider: z.string(),
      /** Payments under way, and since when the first is. */
      open: count,
      oldest_seconds: seconds.nullable(),
      asked_at: timeSchema.nullable(),
      /** Of its messages. */
      heard_at: timeSchema.nullable(),
      waiting: count,
      /** Within a day: whoever sent them had no key of the provider. */
      refused: count,
    }),
  ),
  disk: z.array(z.object({ place: z.enum(['data', 'backups']), total: z.number(), free: z.number() })),
  /** Those that fail first, then those that end first; at most fifty. */
  certificates: z.array(
    z.object({
      name: z.string(),
      subject: z.string(),
      /** Null: it cannot be read, or is not there yet. */
      ends: timeSchema.nullable(),
      /** The product renews it by itself, long before it ends. */
      renews: z.boolean(),
      /** Why the last attempt came to nothing, as the authority says it. */
      error: z.string().nullable(),
    }),
  ),
  backups: z.object({
    count,
    /** The latest first, at most fifty. */
    late: z.array(
      z.object({
        server: z.object({ id: idSchema, name: z.string() }),
        due_at: timeSchema,
        last_at: timeSchema.nullable(),
        failed_at: timeSchema.nullable(),
      }),
    ),
  }),
})
export type Health = z.infer<typeof healthSchema>
