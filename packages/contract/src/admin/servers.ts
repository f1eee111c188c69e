/** What administrators see of a server beyond what its owner does, and what they change. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { knownClusterIdSchema } from './clusters.ts'
import { productParametersSchema } from '../sales/product.ts'
import { serverSchema } from '../servers/server.ts'

/** Switches that only administrators have. */
export const serverFlags = ['disabled', 'hidden', 'testing', 'sponsored'] as const
export type ServerFlag = (typeof serverFlags)[number]

/** Why a server stands still whatever its owner wants. */
export const standstills = [
  'disabled',
  'owner_suspended',
  'bill_overdue',
  'withdrawn',
  'expired',
  'cluster_draining',
] as const

export const adminServerSchema = z.object({
  server: serverSchema,
  flags: z.record(z.enum(serverFlags), z.boolean()),
  standstills: z.array(z.enum(standstills)),
  placement: z.object({
    cluster: z.object({ id: z.string(), name: z.string(), disabled: z.boolean(), draining: z.boolean() }),
    /** Where its game is reached by the gateway; null: it is not placed. */
    host: z.string().nullable(),
    port: z.int().nullable(),
    placed_at: timeSchema.nullable(),
    phase: z.string().nullable(),
    phase_since: timeSchema.nullable(),
    want_running: z.boolean(),
    /** What keeps the game down for a while. */
    hold: z.string().nullable(),
    retry_at: timeSchema.nullable(),
    /** When it is looked at next; null: not until something changes. */
    next_look_at: timeSchema.nullable(),
    /** Since when its supervisor gives no answer, or its machine does not. */
    unreached_since: timeSchema.nullable(),
    disk_bytes: z.number().nullable(),
    /** Whether there is another cluster that it could be on. */
    has_elsewhere: z.boolean(),
  }),
  limits: z.object({
    plan: productParametersSchema,
    /** What an administrator has set beside it. */
    set: productParametersSchema.partial(),
    /** With what it runs now; null: it is not placed. */
    placed: productParametersSchema.nullable(),
  }),
})
export type AdminServer = z.infer<typeof adminServerSchema>

const reason = z.string().trim().min(3, 'reason').max(500, 'reason')

/** What is missing stays as it is. */
export const changeAdminServerBody = z
  .strictObject({
    disabled: z.boolean().optional(),
    hidden: z.boolean().optional(),
    testing: z.boolean().optional(),
    sponsored: z.boolean().optional(),
    reason,
  })
  .refine((body) => serverFlags.some((flag) => body[flag] !== undefined), 'nothing_to_change')

export const listAdminServersQuery = z.object({
  cluster_id: knownClusterIdSchema.optional(),
  flag: z.enum(serverFlags).optional(),
  /** Part of its name, of an address of its own, or of its owner's name or e-mail address; or its whole id. */
  q: z.string().trim().min(1, 'search').max(100, 'search').optional(),
})
export const adminServerParams = z.object({ serverId: idSchema })
