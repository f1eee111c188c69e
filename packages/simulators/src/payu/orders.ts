/** Orders as the simulator keeps them, and what a valid request for one is. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

const digits = z.string().regex(/^\d{1,15}$/)

export const orderRequestSchema = z.object({
  notifyUrl: z.url().optional(),
  continueUrl: z.url().optional(),
  customerIp: z.string().min(1),
  merchantPosId: z.string(),
  description: z.string().min(1).max(4000),
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
  totalAmount: digits,
  extOrderId: z.string().max(1024).optional(),
  validityTime: z.union([digits, z.int().transform(String)]).optional(),
  buyer: z.looseObject({ email: z.string(), language: z.string().optional() }).optional(),
  products: z
    .array(z.looseObject({ name: z.string().min(1), unitPrice: digits, quantity: z.union([digits, z.int()]) }))
    .min(1),
})
export type OrderRequest = z.infer<typeof orderRequestSchema>

export type OrderStatus = 'NEW' | 'PENDING' | 'WAITING_FOR_CONFIRMATION' | 'COMPLETED' | 'CANCELED' | 'REJECTED'

export type Refund = {
  refundId: string
  extRefundId: string
  amount: string
  status: 'PENDING' | 'FINALIZED' | 'CANCELED'
}

export type Order = {
  orderId: string
  extOrderId: string
  /** Opens the payer's page. */
  token: string
  status: OrderStatus
  createdAt: string
  expiresAt: string
  paymentId: string
  request: OrderRequest
  refunds: Refund[]
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'

export function createOrder(request: OrderRequest): Order {
  const now = new Date()
  const name = Array.from(randomBytes(10), (byte) => alphabet[byte % alphabet.length]).join('')
  const orderId = `${name}${now.toISOString().slice(2, 10).replaceAll('-', '')}GUEST000P01`
  return {
    orderId,
    extOrderId: request.extOrderId ?? orderId,
    token: randomBytes(24).toString('base64url'),
    status: 'NEW',
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + Number(request.validityTime ?? 86_400) * 1000).toISOString(),
    paymentId: String(randomBytes(4).readUInt32BE()),
    request,
    refunds: [],
  }
}

/** The order as PayU shows it in answers and notifications. */
export function showOrder(order: Order, more: object = {}) {
  const { request } = order
  return {
    orderId: order.orderId,
    extOrderId: order.extOrderId,
    orderCreateDate: order.createdAt,
    notifyUrl: request.notifyUrl,
    customerIp: request.customerIp,
    merchantPosId: request.merchantPosId,
    description: request.description,
    currencyCode: request.currencyCode,
    totalAmount: request.totalAmount,
    buyer: request.buyer,
    ...(order.status === 'NEW' ? {} : { payMethod: { type: 'PBL' } }),
    products: request.products,
    status: order.status,
    ...more,
  }
}

export const isSettled = ({ status }: Order) => status === 'COMPLETED' || status === 'CANCELED' || status === 'REJECTED'
