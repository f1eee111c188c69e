/** What PayU's REST API 2.1 sends, as far as we read it. */
import { z } from 'zod'

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() })

export const orderStatuses = [
  'NEW',
  'PENDING',
  'WAITING_FOR_CONFIRMATION',
  'COMPLETED',
  'CANCELED',
  'REJECTED',
] as const

/** An order; amounts come as text in minor units. */
export const orderSchema = z.object({
  orderId: z.string().min(1).max(64),
  extOrderId: z.string().max(128).optional(),
  merchantPosId: z.string(),
  currencyCode: z.string(),
  totalAmount: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  status: z.enum(orderStatuses),
})
export type PayuOrder = z.infer<typeof orderSchema>

export const orderCreatedSchema = z.object({ orderId: z.string().min(1).max(64), redirectUri: z.url().optional() })
export const orderListSchema = z.object({ orders: z.array(orderSchema).min(1) })
export const errorSchema = z.object({ status: z.object({ statusCode: z.string(), code: z.string().optional() }) })

export const notificationSchema = z.object({ order: orderSchema })
