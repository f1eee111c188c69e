/** What payment gateways say of a day, compared with our books, for administrators. Beyond the specification. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const reconciliationStates = ['clean', 'differs', 'incomplete'] as const
export const differenceKinds = ['missing_here', 'missing_there', 'amount', 'state'] as const
export const movementKinds = ['capture', 'refund', 'chargeback', 'chargeback_returned'] as const

export const reconciliationSchema = z.object({
  id: idSchema,
  gateway: z.string(),
  /** UTC. */
  day: z.iso.date(),
  /** incomplete: the gateway could not be asked about everything. */
  state: z.enum(reconciliationStates),
  /** list: by the gateway's list of the day · each: payment by payment, where it has none. */
  method: z.enum(['list', 'each']),
  compared: z.int(),
  /** Differences that were made good meanwhile, and those that are left. */
  healed: z.int(),
  open: z.int(),
  /** Payments that the gateway could not be asked about. */
  unanswered: z.int(),
  finished_at: timeSchema,
})
export type Reconciliation = z.infer<typeof reconciliationSchema>

/** One difference. Amounts in minor units; null where a side knows nothing of it. */
export const differenceSchema = z.object({
  kind: z.enum(differenceKinds),
  movement: z.enum(movementKinds),
  gateway_id: z.string().nullable(),
  order_id: z.string().nullable(),
  transaction_id: idSchema.nullable(),
  currency: z.string().nullable(),
  our_amount: z.int().nullable(),
  their_amount: z.int().nullable(),
  our_state: z.string().nullable(),
  their_state: z.string().nullable(),
  healed: z.boolean(),
})
export type Difference = z.infer<typeof differenceSchema>
