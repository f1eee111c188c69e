/** Payments and refunds as the simulator keeps them, and what a valid request for one is. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

export const blikId = 2007
export const currencies = ['PLN', 'EUR', 'USD', 'GBP', 'CZK'] as const

export const paymentRequestSchema = z.object({
  amount: z.int().min(100).max(100_000_000),
  currency: z.enum(currencies).default('PLN'),
  externalId: z.string().min(1).max(100),
  description: z.string().min(1).max(255),
  continueUrl: z.url().max(1000).optional(),
  buyer: z.looseObject({ email: z.email().max(50), locale: z.string().optional() }),
  validityTime: z.int().min(60).max(864_000).optional(),
  paymentMethodId: z.int().optional(),
  authorizationCode: z
    .string()
    .regex(/^\d{6}$/)
    .optional(),
})
export type PaymentRequest = z.infer<typeof paymentRequestSchema>

export const refundRequestSchema = z.object({
  amount: z.int().min(1),
  reason: z.enum(['RMA', 'REFUND_BEFORE_14', 'REFUND_AFTER_14', 'OTHER']).optional(),
})

export type PaymentStatus = 'NEW' | 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'ERROR' | 'EXPIRED' | 'ABANDONED'
export type RefundStatus = 'NEW' | 'PENDING' | 'SUCCESSFUL' | 'FAILED' | 'CANCELLED'

export type Payment = {
  paymentId: string
  externalId: string
  /** Opens the payer's page. */
  token: string
  status: PaymentStatus
  modifiedAt: string
  expiresAt: string
  /** Whose it is. */
  apiKey: string
  request: PaymentRequest
}
export type Refund = { refundId: string; paymentId: string; amount: number; status: RefundStatus }

/** What a test code brings about at once, or what its payer's bank then says; other codes wait at `/bank`. */
export const testCodes: Record<string, { error: string } | { answer: 'CONFIRMED' | 'REJECTED' | 'PENDING' }> = {
  111111: { answer: 'CONFIRMED' },
  222222: { answer: 'PENDING' },
  333333: { error: 'AUTHORIZATION_CODE_INVALID' },
  // These three are ours: PayNow's own list is longer than what we know of it.
  444444: { error: 'AUTHORIZATION_CODE_EXPIRED' },
  555555: { error: 'AUTHORIZATION_CODE_USED' },
  666666: { answer: 'REJECTED' },
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
const part = (length: number) => Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')

export const newPaymentId = () => `N${part(3)}-${part(3)}-${part(3)}-${part(3)}`
export const newRefundId = () => `REF${part(1)}-${part(3)}-${part(3)}-${part(3)}`

export function createPayment(request: PaymentRequest, apiKey: string): Payment {
  const now = new Date()
  return {
    paymentId: newPaymentId(),
    externalId: request.externalId,
    token: randomBytes(24).toString('base64url'),
    status: 'NEW',
    modifiedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + (request.validityTime ?? 864_000) * 1000).toISOString(),
    apiKey,
    request,
  }
}

export const isSettled = ({ status }: Payment) => status !== 'NEW' && status !== 'PENDING'

/** Without a zone, as PayNow writes times. */
export const showTime = (iso: string) => iso.slice(0, 19)
