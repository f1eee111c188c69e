/**
 * PayNow (mBank), API v3, as a payment gateway: its own page, and BLIK there or by a code typed on ours.
 *
 * A payment that its buyer begins anew goes on under another `paymentId` with the same `externalId`; its answers tell
 * neither amount nor currency, so what was asked for is what counts.
 */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'
import {
  type CodeProblem,
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
import { type Answer, ask, isRefusal, parseJson, read } from '../http.ts'
import { paynowAddress, type PaynowAccount, readPaynowAccounts } from './accounts.ts'
import {
  errorSchema,
  notificationSchema,
  paymentCreatedSchema,
  paymentSchema,
  refundSchema,
  type refundStatusSchema,
} from './schemas.ts'
import { asciiJson, isSignedByPaynow, signCall } from './signature.ts'

const name = 'PayNow'
/** BLIK among PayNow's payment methods. */
const blikId = 2007
/** The buyer's address is required, and no longer than this. */
const longestEmail = 50

/** Each of PayNow's words, and what it is to us. Its documentation lacks two that its own SDK knows. */
export const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  NEW: 'new',
  PENDING: 'pending',
  WAITING_FOR_CONFIRMATION: 'pending', // of the SDK; nothing there takes the money but PayNow itself
  CONFIRMED: 'paid',
  REJECTED: 'refused',
  ERROR: 'refused',
  EXPIRED: 'cancelled',
  CANCELLED: 'cancelled', // of the SDK
  ABANDONED: 'abandoned',
}
export const refundStatuses: Record<z.infer<typeof refundStatusSchema>, RefundStatus> = {
  NEW: 'pending',
  PENDING: 'pending',
  SUCCESSFUL: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}
const codeProblems: Record<string, CodeProblem> = {
  AUTHORIZATION_CODE_INVALID: 'invalid',
  AUTHORIZATION_CODE_EXPIRED: 'expired',
  AUTHORIZATION_CODE_USED: 'used',
}

/** Undefined where PayNow is not set up. */
export function createPaynowGateway(settings: Settings, { timeout = 10_000 } = {}): PaymentGateway | undefined {
  const accounts = readPaynowAccounts(settings)
  if (accounts.size === 0) return undefined
  const base = paynowAddress(settings)
  const currencies = [...accounts.keys()]

  function call(
    currency: string,
    { method, path, key = randomUUID(), body }: { method: string; path: string; key?: string; body?: object },
  ): Promise<Answer> {
    const account: PaynowAccount | undefined = accounts.get(currency)
    if (account === undefined) throw new GatewayUnavailable(`no account at PayNow takes ${currency}`)
    const text = body === undefined ? undefined : asciiJson(body)
    const headers = {
      'Api-Key': account.apiKey,
      'Idempotency-Key': key,
      Signature: signCall(
        { apiKey: account.apiKey, idempotencyKey: key, ...(text === undefined ? {} : { body: text }) },
        account.signatureKey,
      ),
      Accept: 'application/json',
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    return ask(name, `${base}${path}`, { method, headers, ...(text === undefined ? {} : { body: text }) }, { timeout })
  }

  /** PayNow names no currency; an account of one currency speaks of no other. Null where the account takes several. */
  function currencyOfSigner(raw: Buffer, signature: string | undefined): string | null {
    const signed = [...accounts].filter(([, account]) => isSignedByPaynow(raw, signature, account.signatureKey))
    return signed.length === 1 ? (signed[0]?.[0] ?? null) : null
  }

  return {
    id: 'paynow',
    methods: ['paynow', 'blik'],
    currenciesOf: (method) => (method === 'blik' ? currencies.filter((currency) => currency === 'PLN') : currencies),
    takesPayer: (email) => email.length <= longestEmail,
    takesCode: (method) => method === 'blik' && settings.PAYNOW_BLIK_CODES,
    chainsOrders: true,
    findsRefundsByName: false,
    async createOrder(order): Promise<CreatedOrder> {
      let answer: Answer
      try {
        const key = order.externalId
        answer = await call(order.currency, { method: 'POST', path: '/v3/payments', key, body: paymentRequest(order) })
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) }
      }
      const { status, body } = answer
      if (status === 200 || status === 201) {
        const created = paymentCreatedSchema.safeParse(body)
        if (!created.success) return { kind: 'unknown', reason: `PayNow answered ${status} without a payment` }
        return { kind: 'created', orderId: created.data.paymentId, redirectUrl: created.data.redirectUrl ?? null }
      }
      const errors = errorTypes(body)
      const problem = errors.map((type) => codeProblems[type]).find((known) => known !== undefined)
      if (problem !== undefined) return { kind: 'bad code', problem }
      return { kind: isRefusal(status) ? 'refused' : 'unknown', reason: errors.join(', ') || `HTTP ${status}` }
    },
    async findOrder({ orderId, currency }) {
      const path = `/v3/payments/${encodeURIComponent(orderId)}/status`
      const { status, body } = await call(currency, { method: 'GET', path })
      if (status === 404) return undefined
      if (status !== 200) throw new GatewayUnavailable(`${name} answered ${status} about a payment`)
      const payment = read(name, paymentSchema, body)
      return showOrder({ ...payment, externalId: null, amount: null, currency: null })
    },
    capture: async () => ({ kind: 'asked' }), // PayNow takes the money by itself
    async refund({ order, externalId, amount, currency }) {
      const path = `/v3/payments/${encodeURIComponent(order.orderId)}/refunds`
      const request = { amount, reason: 'OTHER' }
      let answer: Answer
      try {
        answer = await call(currency, { method: 'POST', path, key: externalId, body: request })
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) }
      }
      const { status, body } = answer
      const made = refundSchema.safeParse(body)
      if (status < 300 && made.success) return { kind: 'made', refund: showRefund(made.data, order.orderId) }
      const reasonGiven = errorTypes(body).join(', ') || `HTTP ${status}`
      return { kind: isRefusal(status) ? 'refused' : 'unknown', reason: reasonGiven }
    },
    async findRefund({ refundId, order }) {
      if (refundId === null) return undefined // PayNow has no list of a payment's refunds
      const path = `/v3/refunds/${encodeURIComponent(refundId)}/status`
      const { status, body } = await call(order.currency, { method: 'GET', path })
      if (status === 404) return undefined
      if (status !== 200) throw new GatewayUnavailable(`${name} answered ${status} about a refund`)
      return showRefund(read(name, refundSchema, body), order.orderId)
    },
    notificationHeaders: ['signature'],
    isSigned: async ({ raw, headers }) =>
      [...accounts.values()].some(({ signatureKey }) => isSignedByPaynow(raw, headers['signature'], signatureKey)),
    readNotification({ raw, headers }): GatewayEvent {
      const told = notificationSchema.safeParse(parseJson(raw.toString('utf8')))
      if (!told.success) return { kind: 'other', about: 'not about a payment' }
      const { amount = null } = told.data
      const currency = told.data.currency ?? currencyOfSigner(raw, headers['signature'])
      const order = showOrder({ ...told.data, amount, currency })
      return { kind: 'order', order }
    },
  }
}

function paymentRequest(order: NewOrder) {
  return {
    amount: order.amount,
    currency: order.currency,
    externalId: order.externalId,
    description: order.description,
    continueUrl: order.continueUrl,
    buyer: { email: order.email, locale: { en: 'en-GB', pl: 'pl-PL', de: 'de-DE' }[order.language] },
    validityTime: order.validitySeconds,
    ...(order.method === 'blik' ? { paymentMethodId: blikId } : {}),
    ...(order.code === undefined ? {} : { authorizationCode: order.code }),
  }
}

function showOrder(payment: {
  paymentId: string
  externalId: string | null
  status: string
  amount: number | null
  currency: string | null
}): GatewayOrder {
  return {
    orderId: payment.paymentId,
    externalId: payment.externalId,
    paymentId: payment.paymentId,
    amount: payment.amount,
    currency: payment.currency,
    isOfOurShop: true, // nobody else's payments can be asked for, or are signed with our key
    status: orderStatuses[payment.status] ?? 'unknown',
    gatewayStatus: payment.status,
  }
}

function showRefund(refund: z.infer<typeof refundSchema>, orderId: string): GatewayRefund {
  return {
    refundId: refund.refundId,
    externalId: null,
    orderId,
    paymentId: orderId,
    amount: null,
    currency: null,
    status: refundStatuses[refund.status],
    gatewayStatus: refund.status,
  }
}

const errorTypes = (body: unknown): string[] =>
  errorSchema.safeParse(body).data?.errors.map(({ errorType }) => errorType) ?? []

function reasonOf(error: unknown): string {
  if (error instanceof GatewayUnavailable) return error.message
  throw error
}
