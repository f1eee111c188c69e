/** What PayNow's API v3 sends, as far as we read it. */
import { z } from 'zod'

const id = z.string().min(1).max(64)

/** Any word: one that we do not know is no reason to know nothing of the payment. */
const paymentStatusSchema = z.string().min(1).max(64)
export const refundStatusSchema = z.enum(['NEW', 'PENDING', 'SUCCESSFUL', 'FAILED', 'CANCELLED'])

export const paymentCreatedSchema = z.object({
  paymentId: id,
  redirectUrl: z.url().optional(),
  status: paymentStatusSchema,
})
export const paymentSchema = z.object({ paymentId: id, status: paymentStatusSchema })
export const refundSchema = z.object({ refundId: id, status: refundStatusSchema })
export const errorSchema = z.object({
  errors: z.array(z.object({ errorType: z.string(), message: z.string().optional() })).min(1),
})

/** PayNow tells neither amount nor currency; should it ever, we compare them. */
export const notificationSchema = z.object({
  paymentId: id,
  externalId: z.string().min(1).max(100),
  status: paymentStatusSchema,
  amount: z.int().optional(),
  currency: z.string().optional(),
})
