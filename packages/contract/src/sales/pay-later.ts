/** Buying now and paying within some days. */
import { z } from 'zod'
import { idSchema, moneySchema, pagingQuery, timeSchema } from '../primitives.ts'

export const billStates = ['open', 'overdue', 'paid'] as const

export const billSchema = z.object({
  id: idSchema,
  state: z.enum(billStates),
  amount: moneySchema,
  service_id: idSchema,
  /** Product that was bought, and the server's name where it is one. */
  product_id: z.string(),
  server: z.object({ id: idSchema, name: z.string() }).nullable(),
  wallet_id: idSchema,
  created_at: timeSchema,
  due_at: timeSchema,
  paid_at: timeSchema.nullable(),
})
export type Bill = z.infer<typeof billSchema>

/** Why nothing can be bought on a bill now. */
export const payLaterRefusals = ['off', 'not_verified', 'too_new', 'too_few_payments', 'was_overdue'] as const

export const payLaterSchema = z.object({
  /** Null: something can be bought, as far as `limits` go. */
  refusal: z.enum(payLaterRefusals).nullable(),
  /** Days until a bill is due. */
  days: z.int(),
  limits: z.array(
    z.object({
      currency: z.string().length(3),
      /** Minor units: what may be open in all, what is, and what is left. */
      limit: z.int(),
      open: z.int(),
      available: z.int(),
    }),
  ),
  /** The open ones first, then the latest; a hundred at most. */
  bills: z.array(billSchema),
})
export type PayLater = z.infer<typeof payLaterSchema>

/** From which wallet; that of the purchase where missing. */
export const payBillBody = z.object({ wallet_id: idSchema.optional() })

export const adminBillSchema = billSchema.extend({ user: z.object({ id: idSchema, username: z.string() }) })
export type AdminBill = z.infer<typeof adminBillSchema>
export const adminBillQuery = z.object({ ...pagingQuery, state: z.enum(billStates).optional() })
