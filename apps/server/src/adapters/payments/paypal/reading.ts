/** What PayPal's orders, captures, refunds and webhooks mean in the words of every gateway. */
import type { GatewayEvent, GatewayOrder, GatewayRefund, Movement, OrderStatus, RefundStatus } from '../gateway.ts'
import {
  captureSchema,
  disputeSchema,
  eventSchema,
  orderSchema,
  type PaypalCapture,
  type PaypalMovement,
  type PaypalOrder,
  type PaypalRefund,
  refundSchema,
} from './schemas.ts'

/** Whether the money is ours is what the capture says: a completed order may hold one that was declined. */
export const captureStatuses: Readonly<Record<string, OrderStatus>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'refused',
  FAILED: 'refused',
}

export const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  CREATED: 'new',
  SAVED: 'new',
  PAYER_ACTION_REQUIRED: 'new',
  APPROVED: 'authorized',
  VOIDED: 'cancelled',
  COMPLETED: 'pending', // completed by a capture that the answer does not show
}

const refundStatuses: Record<PaypalRefund['status'], RefundStatus> = {
  PENDING: 'pending',
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

/** How a dispute ends that leaves the money with us, or gives it back to us. */
const wonOutcomes = ['RESOLVED_SELLER_FAVOUR', 'CANCELED_BY_BUYER']

const ofCapture = ({ status }: PaypalCapture): OrderStatus => captureStatuses[status] ?? 'unknown'
const ranks: readonly OrderStatus[] = ['paid', 'unknown', 'pending', 'refused']

export function readOrder(order: PaypalOrder): GatewayOrder {
  const [unit] = order.purchase_units
  const captures = unit?.payments?.captures ?? []
  const [capture] = captures.toSorted((left, right) => ranks.indexOf(ofCapture(left)) - ranks.indexOf(ofCapture(right)))
  // After a declined capture the payer may try again in the same order, which is then not completed.
  const isOver = capture !== undefined && (ofCapture(capture) !== 'refused' || order.status === 'COMPLETED')
  const money = (isOver ? capture.amount : unit?.amount) ?? null
  return {
    orderId: order.id,
    externalId: unit?.custom_id ?? null,
    paymentId: capture?.id ?? order.id,
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    isOfOurShop: true, // PayPal shows us no others
    status: isOver ? ofCapture(capture) : (orderStatuses[order.status] ?? 'unknown'),
    gatewayStatus: isOver ? describe(capture) : order.status,
  }
}

const describe = ({ status, status_details }: PaypalCapture) =>
  status_details?.reason === undefined ? status : `${status} ${status_details.reason}`

function readTime(text: string | undefined): Date | null {
  const time = new Date(text ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}

/** The last part of the address of a related thing, such as the capture of a refund. */
function related(links: readonly { rel: string; href: string }[], kind: string): string | undefined {
  const up = links.find(({ rel, href }) => rel === 'up' && href.includes(`/${kind}/`))
  return up === undefined ? undefined : /\/([\w-]{1,64})$/.exec(up.href)?.[1]
}

function readCapture(capture: PaypalCapture): GatewayOrder | undefined {
  const orderId = capture.supplementary_data?.related_ids?.order_id ?? related(capture.links, 'orders')
  if (orderId === undefined) return undefined
  return {
    orderId,
    externalId: capture.custom_id ?? null,
    paymentId: capture.id,
    amount: capture.amount.amount,
    currency: capture.amount.currency,
    isOfOurShop: true,
    status: ofCapture(capture),
    gatewayStatus: describe(capture),
  }
}

export function readRefund(refund: PaypalRefund): GatewayRefund {
  return {
    refundId: refund.id,
    externalId: refund.invoice_id ?? null,
    orderId: null,
    paymentId: related(refund.links, 'captures') ?? null,
    orderName: refund.custom_id,
    amount: refund.amount.amount,
    currency: refund.amount.currency,
    status: refundStatuses[refund.status],
    gatewayStatus: refund.status,
  }
}

/** Of a message that is signed. What is not understood says so; nothing throws. */
export function readWebhook(raw: Buffer): GatewayEvent {
  let json: unknown
  try {
    json = JSON.parse(raw.toString('utf8'))
  } catch {
    return { kind: 'other', about: 'no JSON' }
  }
  const event = eventSchema.safeParse(json).data
  if (event === undefined) return { kind: 'other', about: 'no event' }
  const { event_type: type, resource } = event
  const other = { kind: 'other', about: type } as const
  if (type.startsWith('CHECKOUT.ORDER.')) {
    const order = orderSchema.safeParse(resource).data
    return order === undefined ? other : { kind: 'order', order: readOrder(order) }
  }
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type === 'PAYMENT.CAPTURE.REVERSED') {
    const refund = refundSchema.safeParse(resource).data
    if (refund === undefined) return other
    if (type === 'PAYMENT.CAPTURE.REFUNDED') return { kind: 'refund', refund: readRefund(refund) }
    return {
      kind: 'chargeback',
      chargeback: {
        chargebackId: refund.id,
        orderId: null,
        externalId: refund.custom_id ?? null,
        paymentId: related(refund.links, 'captures') ?? null,
        amount: refund.amount.amount,
        currency: refund.amount.currency,
        status: 'taken',
        at: readTime(refund.create_time),
        reason: refund.status_details?.reason ?? null,
      },
    }
  }
  if (type.startsWith('PAYMENT.CAPTURE.')) {
    const capture = captureSchema.safeParse(resource).data
    const order = capture === undefined ? undefined : readCapture(capture)
    return order === undefined ? other : { kind: 'order', order }
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) return readDispute(type, resource)
  return other
}

/** That a dispute is open, or lost, moves nothing: a reversal tells of the money. Won, what was taken is ours again. */
function readDispute(type: string, resource: Record<string, unknown>): GatewayEvent {
  const id = typeof resource['dispute_id'] === 'string' ? resource['dispute_id'].slice(0, 64) : ''
  const dispute = disputeSchema.safeParse(resource).data
  const paymentId = dispute?.disputed_transactions[0]?.seller_transaction_id
  const outcome = dispute?.dispute_outcome?.outcome_code ?? ''
  if (type !== 'CUSTOMER.DISPUTE.RESOLVED' || !wonOutcomes.includes(outcome) || paymentId === undefined) {
    return { kind: 'other', about: `${type} ${id} ${outcome}`.trim() }
  }
  return {
    kind: 'chargeback',
    chargeback: {
      chargebackId: id,
      orderId: null,
      externalId: null,
      paymentId,
      amount: dispute?.dispute_amount?.amount ?? null,
      currency: dispute?.dispute_amount?.currency ?? null,
      status: 'returned',
      at: readTime(dispute?.update_time),
      reason: outcome,
    },
  }
}

/** Undefined for what is no payment and no return of one: fees, conversions, withdrawals. */
export function readMovement(movement: PaypalMovement): Movement | undefined {
  const { transaction_event_code: code, transaction_status: status, transaction_amount: money } = movement
  const isPayment = code.startsWith('T00') && money.amount > 0
  const isTaken = /^T(1106|12\d\d)$/.test(code) && money.amount < 0
  // T1202: a chargeback comes back; a reversal that is called off has the code of one, and the other sign.
  const isReturned = /^T(1106|12\d\d)$/.test(code) && money.amount > 0
  const kind = isPayment
    ? 'capture'
    : code === 'T1107'
      ? 'refund'
      : isTaken
        ? 'chargeback'
        : isReturned
          ? 'chargeback_returned'
          : null
  // Pending and denied ones have moved nothing; a reversed payment is one all the same, and its reversal another.
  if (kind === null || (status !== 'S' && status !== 'V')) return undefined
  return {
    kind,
    id: movement.transaction_id,
    orderId: movement.paypal_reference_id_type === 'ODR' ? (movement.paypal_reference_id ?? null) : null,
    paymentId: movement.paypal_reference_id_type === 'TXN' ? (movement.paypal_reference_id ?? null) : null,
    // A refund bears its own name as invoice, and that of its order beside it.
    externalId:
      (kind === 'refund' ? movement.invoice_id : undefined) ?? movement.custom_field ?? movement.invoice_id ?? null,
    amount: Math.abs(money.amount),
    currency: money.currency,
    at: new Date(movement.transaction_initiation_date),
  }
}
