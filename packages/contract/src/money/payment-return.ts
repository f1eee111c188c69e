/** Money that goes back to a payer: refunds, and what their bank takes. For administrators. Beyond the specification. */
import { z } from 'zod'
import { idSchema, moneySchema, timeSchema } from '../primitives.ts'

/** outside: given back at the gateway, past us · chargeback: taken by the payer's bank. */
export const paymentReturnKinds = ['refund', 'outside', 'chargeback'] as const
export type PaymentReturnKind = (typeof paymentReturnKinds)[number]

/**
 * REQUESTED: the wallet has paid it, the gateway may not know yet · SENT: the gateway has it in hand · COMPLETED: the
 * money has left · FAILED: it never will · RETURNED: it had left, and is ours again.
 */
export const paymentReturnStates = ['REQUESTED', 'SENT', 'COMPLETED', 'FAILED', 'RETURNED'] as const
export type PaymentReturnState = (typeof paymentReturnStates)[number]

export const paymentReturnSteps: Record<PaymentReturnState, readonly PaymentReturnState[]> = {
  REQUESTED: ['SENT', 'COMPLETED', 'FAILED'],
  SENT: ['COMPLETED', 'FAILED'],
  COMPLETED: ['RETURNED'],
  FAILED: [],
  RETURNED: [],
}
/** How an administrator may say that a return has ended, where the gateway does not. */
export const settledByHand = ['COMPLETED', 'FAILED', 'RETURNED'] as const satisfies readonly PaymentReturnState[]

const person = z.object({ id: idSchema, username: z.string() })

export const paymentReturnSchema = z.object({
  id: idSchema,
  kind: z.enum(paymentReturnKinds),
  state: z.enum(paymentReturnStates),
  /** The top-up that it is of. */
  deposit_id: idSchema,
  /** Whose wallet it came into: who paid, or the seller in a server's shop. */
  user: person,
  /** Who paid in a shop, without an account; null: the user did. */
  buyer: z.object({ player: z.string(), email: z.string().nullable() }).nullable(),
  wallet_id: idSchema,
  amount: moneySchema,
  /** Of it, what the wallet did not hold, and how much of that is still owed. */
  owed: moneySchema,
  still_owed: moneySchema,
  gateway: z.string(),
  /** The gateway's name of the refund or the case. */
  gateway_return_id: z.string().nullable(),
  reason: z.string(),
  asked_by: person.nullable(),
  /** Why it failed or has to wait. */
  failure: z.string().nullable(),
  attempts: z.int(),
  created_at: timeSchema,
  sent_at: timeSchema.nullable(),
  finished_at: timeSchema.nullable(),
})
export type PaymentReturn = z.infer<typeof paymentReturnSchema>

/** Why a transaction cannot be refunded. */
export const refundObstacles = ['no_payment', 'gateway_off', 'all_back', 'balance'] as const
export type RefundObstacle = (typeof refundObstacles)[number]

/** What of a top-up can go back, and what did. */
export const transactionReturnsSchema = z.object({
  /** What came in, less what went back. */
  left: moneySchema,
  /** Of that, as much as the wallet holds of money that may be paid out. */
  refundable: moneySchema,
  obstacle: z.enum(refundObstacles).nullable(),
  data: z.array(paymentReturnSchema),
})
export type TransactionReturns = z.infer<typeof transactionReturnsSchema>

const reason = z.string().trim().min(3, 'reason').max(500, 'reason')
/** Minor units. */
const amount = z.int().positive('amount').max(1_000_000, 'amount')

/** Its owner reads the reason. */
export const refundBody = z.object({ amount, reason })
/**
 * What no message told of: a chargeback by letter, a refund made at a provider that tells of none. The provider's or
 * bank's name of the case makes entering it twice entering it once.
 */
export const chargebackBody = z.object({
  kind: z.enum(['chargeback', 'outside']).default('chargeback'),
  amount,
  reason,
  case_id: z
    .string()
    .trim()
    .min(3, 'caseId')
    .max(64, 'caseId')
    .regex(/^[\w./-]+$/, 'caseId'),
})
export const settleReturnBody = z.object({ outcome: z.enum(settledByHand), reason })

/** What somebody owes after a payment of theirs was taken back. */
export const debtSchema = z.object({
  id: idSchema,
  return_id: idSchema,
  user: person,
  wallet_id: idSchema,
  amount: moneySchema,
  open: moneySchema,
  created_at: timeSchema,
  settled_at: timeSchema.nullable(),
})
export type Debt = z.infer<typeof debtSchema>
