/** What PayPal's Orders v2, Payments v2, Disputes v1 and Webhooks v1 send, as far as we read it. */
import { z } from 'zod'
import { MoneyError } from '@wakestone/kit/money'
import { readAmount } from './amounts.ts'

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const paypalId = z.string().min(1).max(64)

const amountSchema = z
  .object({ currency_code: z.string().regex(/^[A-Z]{3}$/), value: z.string().max(32) })
  .transform((amount, context) => {
    try {
      return readAmount(amount)
    } catch (error) {
      if (!(error instanceof MoneyError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  })

const linksSchema = z.array(z.object({ rel: z.string(), href: z.string() })).default([])
const detailsSchema = z.object({ reason: z.string().max(64).optional() }).optional()

/** Any word: one that we do not know is no reason to know nothing of the payment. */
const statusSchema = z.string().min(1).max(64)

export const captureSchema = z.object({
  id: paypalId,
  status: statusSchema,
  status_details: detailsSchema,
  amount: amountSchema,
  custom_id: z.string().max(255).optional(),
  supplementary_data: z.object({ related_ids: z.object({ order_id: paypalId.optional() }).optional() }).optional(),
  links: linksSchema,
})
export type PaypalCapture = z.infer<typeof captureSchema>

export const refundStatuses = ['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'] as const
export const refundSchema = z.object({
  id: paypalId,
  status: z.enum(refundStatuses),
  status_details: detailsSchema,
  amount: amountSchema,
  custom_id: z.string().max(255).optional(),
  invoice_id: z.string().max(127).optional(),
  create_time: z.string().optional(),
  links: linksSchema,
})
export type PaypalRefund = z.infer<typeof refundSchema>

export const orderSchema = z.object({
  id: paypalId,
  status: statusSchema,
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().max(255).optional(),
        amount: amountSchema,
        payments: z
          .object({ captures: z.array(captureSchema).default([]), refunds: z.array(refundSchema).default([]) })
          .optional(),
      }),
    )
    .length(1), // we ask for one, and PayPal adds none
  update_time: z.string().optional(),
  links: linksSchema,
})
export type PaypalOrder = z.infer<typeof orderSchema>

/** Answers to the creation of an order may be the short form. */
export const createdOrderSchema = z.object({ id: paypalId, status: statusSchema, links: linksSchema })

export const errorSchema = z.object({
  name: z.string(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string(), description: z.string().optional() })).default([]),
  links: linksSchema,
})
export type PaypalError = z.infer<typeof errorSchema>

export const disputeSchema = z.object({
  dispute_id: paypalId,
  status: z.string(),
  reason: z.string().optional(),
  update_time: z.string().optional(),
  dispute_amount: amountSchema.optional(),
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: amountSchema.optional() })
    .optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: paypalId.optional() })).default([]),
})

export const verificationSchema = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) })

/** A webhook's envelope; what `resource` is depends on the type. */
export const eventSchema = z.object({
  id: z.string().min(1).max(128),
  event_type: z.string().max(128),
  resource_type: z.string().max(64).optional(),
  resource: z.record(z.string(), z.unknown()),
})

export const transactionListSchema = z.object({
  total_pages: z.int().default(1),
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: paypalId,
          paypal_reference_id: z.string().max(64).optional(),
          paypal_reference_id_type: z.string().max(8).optional(),
          /** T00nn payments, T11nn reversals and refunds, T12nn chargebacks. */
          transaction_event_code: z.string().max(8),
          transaction_initiation_date: z.string(),
          transaction_amount: amountSchema,
          /** S: done, P: pending, D: denied, V: reversed. */
          transaction_status: z.string().max(4),
          invoice_id: z.string().max(127).optional(),
          custom_field: z.string().max(255).optional(),
        }),
      }),
    )
    .default([]),
})
export type PaypalMovement = z.infer<typeof transactionListSchema>['transaction_details'][number]['transaction_info']
