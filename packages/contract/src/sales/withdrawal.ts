/** Withdrawal from a contract made online: within 14 days, in two steps (Directive 2011/83/EU, article 11a). */
import { z } from 'zod'
import { idSchema, moneySchema, timeSchema } from '../primitives.ts'

export const withdrawalDays = 14

/**
 * `business`: not a consumer; `nothing_paid`: a gift or a free plan; `other_currency`: paid in two, for which somebody has
 * to see to it; `too_late`; `withdrawn`: already.
 */
export const withdrawalObstacles = ['business', 'nothing_paid', 'other_currency', 'too_late', 'withdrawn'] as const

/** Only from what was bought last: a renewal, an upgrade, an add-on. */
export const withdrawalParts = ['latest'] as const

export const withdrawalSchema = z.object({
  service_id: idSchema,
  /** Of which renewal, and until when it runs without it; null: from the whole contract, which ends at once. */
  renewal: z.object({ at: timeSchema, runs_until: timeSchema }).nullable(),
  /** Of which upgrade or add-on, alone; null: of none. */
  change: z
    .object({
      kind: z.enum(['upgrade', 'add_on']),
      at: timeSchema,
      product: z.string(),
      /** The plan that it is again then. */
      product_before: z.string().nullable(),
    })
    .nullable(),
  /** Until when it is possible. */
  deadline: timeSchema,
  /** Null: possible now. */
  obstacle: z.enum(withdrawalObstacles).nullable(),
  /** What would be, or was, given back to the wallet, gross. */
  refund: moneySchema,
  /** Whether the buyer had asked for it to begin at once: only then is the time used up paid for. */
  immediate: z.boolean(),
  /** Of the declaration that waits for its confirmation. */
  declaration_id: idSchema.nullable(),
  confirmed_at: timeSchema.nullable(),
})
export type Withdrawal = z.infer<typeof withdrawalSchema>
