/** PayU REST 2.1 as a payment gateway. */
import type { Settings } from '@wakestone/kit/settings'
import {
  type CreatedOrder,
  type GatewayEvent,
  type GatewayOrder,
  GatewayUnavailable,
  type GatewayRefund,
  type NewOrder,
  type OrderStatus,
  type PaymentGateway,
  type RefundStatus,
} from '../gateway.ts'
import { type Answer, isRefusal, parseJson, read } from '../http.ts'
import { readPayuAccounts } from './accounts.ts'
import { createPayuClient, type PayuClient } from './client.ts'
import {
  errorSchema,
  orderCreatedSchema,
  orderListSchema,
  orderNotificationSchema,
  type PayuOrder,
  type PayuRefund,
  refundListSchema,
  refundMadeSchema,
  refundNotificationSchema,
} from './schemas.ts'
import { isSignedByPayu } from './signature.ts'

const name = 'PayU'
const signatureHeader = 'openpayu-signature'
/** Under which the same came in earlier versions of PayU. */
const olderSignatureHeader = `x-${signatureHeader}`

/** Each of PayU's words, and what it is to us. */
export const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  NEW: 'new',
  PENDING: 'pending',
  WAITING_FOR_CONFIRMATION: 'authorized',
  COMPLETED: 'paid',
  CANCELED: 'cancelled',
  REJECTED: 'refused',
}
export const refundStatuses: Record<PayuRefund['status'], RefundStatus> = {
  PENDING: 'pending',
  FINALIZED: 'done',
  CANCELED: 'cancelled',
}

/** Undefined where PayU is not set up. */
export function createPayuGateway(settings: Settings, options?: { timeout?: number }): PaymentGateway | undefined {
  const { PAYU_URL: url } = settings
  if (!url) return undefined
  const clients = new Map(
    [...readPayuAccounts(settings)].map(([currency, account]) => [currency, createPayuClient(url, account, options)]),
  )
  const currencies = [...clients.keys()]
  if (currencies.length === 0) return undefined

  /** The point of sale that settles a currency. @throws GatewayUnavailable */
  function clientOf(currency: string): PayuClient {
    const client = clients.get(currency)
    if (client === undefined) throw new GatewayUnavailable(`no point of sale at ${name} settles ${currency}`)
    return client
  }
  const showOrder = (order: PayuOrder): GatewayOrder => ({
    orderId: order.orderId,
    externalId: order.extOrderId ?? null,
    paymentId: order.orderId,
    amount: order.totalAmount,
    currency: order.currencyCode,
    isOfOurShop: order.merchantPosId === clients.get(order.currencyCode)?.posId,
    status: orderStatuses[order.status] ?? 'unknown',
    gatewayStatus: order.status,
  })

  return {
    id: 'payu',
    methods: ['payu'],
    currenciesOf: () => currencies,
    takesPayer: () => true,
    takesCode: () => false,
    chainsOrders: false,
    findsRefundsByName: true,
    createOrder: (order) => createOrder(clientOf(order.currency), order),
    async findOrder({ orderId, currency }) {
      const { status, body } = await clientOf(currency).call('GET', `/orders/${encodeURIComponent(orderId)}`)
      if (status === 404) return undefined
      if (status !== 200) throw new GatewayUnavailable(`${name} answered ${status} about an order`)
      const [order] = read(name, orderListSchema, body).orders
      return order === undefined ? undefined : showOrder(order)
    },
    async capture({ orderId, currency }) {
      const { status } = await clientOf(currency).call('POST', `/orders/${encodeURIComponent(orderId)}/captures`)
      if (status >= 300) throw new GatewayUnavailable(`${name} answered ${status} to a capture`)
      return { kind: 'asked' }
    },
    async refund({ order, externalId, amount, currency, description }) {
      const refund = { description, amount: String(amount), extRefundId: externalId, currencyCode: currency }
      let answer: Answer
      try {
        answer = await clientOf(currency).call('POST', `/orders/${encodeURIComponent(order.orderId)}/refunds`, {
          refund,
        })
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) }
      }
      const { status, body } = answer
      const made = refundMadeSchema.safeParse(body)
      if (status < 300 && made.success) return { kind: 'made', refund: showRefund(made.data.refund, order.orderId) }
      const code = errorSchema.safeParse(body).data?.status.statusCode ?? `HTTP ${status}`
      return { kind: isRefusal(status) ? 'refused' : 'unknown', reason: code }
    },
    async findRefund({ refundId, externalId, order }) {
      const { status, body } = await clientOf(order.currency).call(
        'GET',
        `/orders/${encodeURIComponent(order.orderId)}/refunds`,
      )
      if (status === 404) return undefined
      if (status !== 200) throw new GatewayUnavailable(`${name} answered ${status} about refunds`)
      const refund = read(name, refundListSchema, body).find((known) =>
        refundId === null ? known.extRefundId === externalId : known.refundId === refundId,
      )
      return refund === undefined ? undefined : showRefund(refund, order.orderId)
    },
    notificationHeaders: [signatureHeader, olderSignatureHeader],
    isSigned: async ({ raw, headers }) =>
      [...clients.values()].some(({ secondKey }) =>
        isSignedByPayu(raw, headers[signatureHeader] ?? headers[olderSignatureHeader], secondKey),
      ),
    readNotification({ raw }): GatewayEvent {
      const body = parseJson(raw.toString('utf8'))
      const order = orderNotificationSchema.safeParse(body)
      if (order.success) return { kind: 'order', order: showOrder(order.data.order) }
      const refund = refundNotificationSchema.safeParse(body)
      if (refund.success) {
        const { orderId = null, extOrderId: orderName } = refund.data
        return { kind: 'refund', refund: { ...showRefund(refund.data.refund, orderId), orderName } }
      }
      return { kind: 'other', about: 'neither an order nor a refund' }
    },
  }
}

async function createOrder({ call, posId }: PayuClient, order: NewOrder): Promise<CreatedOrder> {
  let answer: Answer
  try {
    answer = await call('POST', '/orders', orderRequest(order, posId))
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) }
  }
  const { status, body } = answer
  if (status === 201 || status === 302 || status === 200) {
    const created = orderCreatedSchema.safeParse(body)
    if (!created.success) return { kind: 'unknown', reason: `PayU answered ${status} without an order` }
    return { kind: 'created', orderId: created.data.orderId, redirectUrl: created.data.redirectUri ?? null }
  }
  const code = errorSchema.safeParse(body).data?.status.statusCode ?? `HTTP ${status}`
  if (code === 'ERROR_ORDER_NOT_UNIQUE') return { kind: 'duplicate' }
  return { kind: isRefusal(status) ? 'refused' : 'unknown', reason: code }
}

function orderRequest(order: NewOrder, posId: string) {
  const total = String(order.amount)
  return {
    notifyUrl: order.notifyUrl,
    continueUrl: order.continueUrl,
    customerIp: order.payerIp,
    merchantPosId: posId,
    description: order.description,
    currencyCode: order.currency,
    totalAmount: total,
    extOrderId: order.externalId,
    validityTime: String(order.validitySeconds),
    buyer: { email: order.email, language: order.language },
    products: [{ name: order.description, unitPrice: total, quantity: '1', virtual: true }],
  }
}

function showRefund(refund: PayuRefund, orderId: string | null): GatewayRefund {
  return {
    refundId: refund.refundId,
    externalId: refund.extRefundId ?? null,
    orderId,
    paymentId: orderId,
    amount: refund.amount,
    currency: refund.currencyCode ?? null,
    status: refundStatuses[refund.status],
    gatewayStatus: refund.status,
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayUnavailable) return error.message
  throw error
}
