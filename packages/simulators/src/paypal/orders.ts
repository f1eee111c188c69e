/** Orders, captures, refunds and disputes as the simulator keeps and shows them, and what a valid request is. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

const amountSchema = z.object({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().regex(/^\d{1,13}(\.\d{2})?$/),
})
export type Amount = z.infer<typeof amountSchema>

const contextSchema = z.looseObject({
  return_url: z.url().optional(),
  cancel_url: z.url().optional(),
  locale: z.string().optional(),
  brand_name: z.string().max(127).optional(),
})
export const orderRequestSchema = z.object({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z
    .array(
      z.looseObject({
        reference_id: z.string().max(256).default('default'),
        custom_id: z.string().max(255).optional(),
        invoice_id: z.string().max(127).optional(),
        description: z.string().max(127).optional(),
        amount: amountSchema,
      }),
    )
    .length(1),
  payment_source: z.object({ paypal: z.object({ experience_context: contextSchema.default({}) }) }).optional(),
  application_context: contextSchema.optional(),
})
export type OrderRequest = z.infer<typeof orderRequestSchema>
export const refundRequestSchema = z.object({
  amount: amountSchema.optional(),
  invoice_id: z.string().max(127).optional(),
  custom_id: z.string().max(127).optional(),
  note_to_payer: z.string().max(255).optional(),
})

export type CaptureStatus = 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED'
export type RefundStatus = 'CANCELLED' | 'FAILED' | 'PENDING' | 'COMPLETED'
export type OrderStatus = 'CREATED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED'

export type Refund = {
  id: string
  status: RefundStatus
  amount: Amount
  invoice_id?: string | undefined
  custom_id?: string | undefined
  createdAt: string
  /** Taken back by PayPal or the payer's bank, not given back by us. */
  isReversal: boolean
  /** Of a reversal: when it came back to the shop. */
  returnedAt?: string | undefined
}
export type Capture = { id: string; status: CaptureStatus; amount: Amount; createdAt: string; refunds: Refund[] }
export type Dispute = {
  id: string
  captureId: string
  status: 'OPEN' | 'RESOLVED'
  outcome?: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR'
  amount: Amount
  updatedAt: string
}
export type Order = {
  id: string
  /** `custom_id` of its one purchase unit, or its own id. */
  name: string
  status: OrderStatus
  createdAt: string
  updatedAt: string
  expiresAt: string
  request: OrderRequest
  captures: Capture[]
  /** Captures that were answered with an issue instead. */
  refusals: number
}

const alphabet = 'ABCDEFGHJKLMNPRSTUVWXY0123456789'
export const newId = () => Array.from(randomBytes(17), (byte) => alphabet[byte % alphabet.length]).join('')
/** How long a payer has; PayPal knows the order no more then. */
const lifetime = 3 * 3_600_000

export function makeOrder(request: OrderRequest, { withoutSource }: { withoutSource: boolean }): Order {
  const now = new Date()
  const id = newId()
  return {
    id,
    name: request.purchase_units[0]?.custom_id ?? id,
    status: withoutSource ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lifetime).toISOString(),
    request,
    captures: [],
    refusals: 0,
  }
}

export const unitOf = (order: Order) => order.request.purchase_units[0] as OrderRequest['purchase_units'][number]
export const cents = ({ value }: Amount) => Number(value.replace('.', value.includes('.') ? '' : '00'))
export const amountOf = (minor: number, currency_code: string): Amount => ({
  currency_code,
  value: `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`,
})

/** Sets a capture's status by what was given back of it. */
export function countRefunds(capture: Capture): void {
  const done = capture.refunds.filter(({ status }) => status === 'COMPLETED')
  const back = done.reduce((sum, { amount }) => sum + cents(amount), 0)
  if (back > 0) capture.status = back >= cents(capture.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

type Link = { href: string; rel: string; method: string }
const link = (href: string, rel: string, method = 'GET'): Link => ({ href, rel, method })

/** @param api address of the API. */
export function showRefund(capture: Capture, refund: Refund, api: string) {
  const { id, status, amount, invoice_id, custom_id, createdAt } = refund
  return {
    id,
    amount,
    status,
    ...(invoice_id === undefined ? {} : { invoice_id }),
    ...(custom_id === undefined ? {} : { custom_id }),
    create_time: createdAt,
    update_time: createdAt,
    links: [link(`${api}/v2/payments/refunds/${id}`, 'self'), link(`${api}/v2/payments/captures/${capture.id}`, 'up')],
  }
}

export function showCapture(order: Order, capture: Capture, api: string) {
  const { custom_id, invoice_id } = unitOf(order)
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: capture.amount,
    final_capture: true,
    custom_id,
    invoice_id,
    supplementary_data: { related_ids: { order_id: order.id } },
    create_time: capture.createdAt,
    update_time: order.updatedAt,
    links: [
      link(`${api}/v2/payments/captures/${capture.id}`, 'self'),
      link(`${api}/v2/payments/captures/${capture.id}/refund`, 'refund', 'POST'),
      link(`${api}/v2/checkout/orders/${order.id}`, 'up'),
    ],
  }
}

/** @param payerPage address of the page on which the payer approves. */
export function showOrder(order: Order, api: string, payerPage: string) {
  const payer = order.request.payment_source === undefined ? 'approve' : 'payer-action'
  const isOpen = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED'
  const refunds = order.captures.flatMap((capture) =>
    capture.refunds.filter(({ isReversal }) => !isReversal).map((refund) => showRefund(capture, refund, api)),
  )
  const payments = {
    captures: order.captures.map((capture) => showCapture(order, capture, api)),
    ...(refunds.length === 0 ? {} : { refunds }),
  }
  return {
    id: order.id,
    intent: order.request.intent,
    status: order.status,
    ...(order.request.payment_source === undefined ? {} : { payment_source: { paypal: {} } }),
    purchase_units: [{ ...unitOf(order), ...(order.captures.length === 0 ? {} : { payments }) }],
    create_time: order.createdAt,
    update_time: order.updatedAt,
    links: [
      link(`${api}/v2/checkout/orders/${order.id}`, 'self'),
      ...(isOpen ? [link(`${payerPage}?token=${order.id}`, payer)] : []),
      link(`${api}/v2/checkout/orders/${order.id}/capture`, 'capture', 'POST'),
    ],
  }
}

export function showDispute({ id, captureId, status, outcome, amount, updatedAt }: Dispute) {
  return {
    dispute_id: id,
    status,
    update_time: updatedAt,
    reason: 'UNAUTHORISED',
    dispute_amount: amount,
    disputed_transactions: [{ seller_transaction_id: captureId }],
    ...(outcome === undefined ? {} : { dispute_outcome: { outcome_code: outcome, amount_refunded: amount } }),
  }
}
