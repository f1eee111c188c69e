/** What PayU's REST API 2.1 sends, as far as we read it. */
import { z } from 'zod'

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const id = z.string().min(1).max(64)
/** Amounts come as text in minor units. */
const amount = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

const orderSchema = z.object({
  orderId: id,
  extOrderId: z.string().max(128).optional(),
  merchantPosId: z.string(),
  currencyCode: z.string(),
  totalAmount: amount,
  /** Any word: one that we do not know is no reason to know nothing of the order. */
  status: z.string().min(1).max(64),
})
export type PayuOrder = z.infer<typeof orderSchema>

const refundSchema = z.object({
  refundId: id,
  extRefundId: z.string().max(128).optional(),
  amount,
  currencyCode: z.string().optional(),
  status: z.enum(['PENDING', 'FINALIZED', 'CANCELED']),
})
export type PayuRefund = z.infer<typeof refundSchema>

export const orderCreatedSchema = z.object({ orderId: id, redirectUri: z.url().optional() })
export const orderListSchema = z.object({ orders: z.array(orderSchema).min(1) })
export const refundMadeSchema = z.object({ refund: refundSchema })
export const refundListSchema = z.array(refundSchema)
export const errorSchema = z.object({ status: z.object({ statusCode: z.string(), code: z.string().optional() }) })

export const orderNotificationSchema = z.object({ order: orderSchema })
/** Its refund lacks our name of it, which only the list of an order's refunds has. */
export const refundNotificationSchema = z.object({
  orderId: id.optional(),
  extOrderId: z.string().max(128).optional(),
  refund: refundSchema,
})
