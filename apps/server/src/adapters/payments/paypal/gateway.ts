/** PayPal, by Orders v2: the payer approves on PayPal's page, and our server takes the money then. */
import { createHash } from 'node:crypto'
import type { Settings } from '@wakestone/kit/settings'
import {
  type CaptureOutcome,
  type CreatedOrder,
  GatewayUnavailable,
  type MadeRefund,
  type OrderRef,
  type PaymentGateway,
} from '../gateway.ts'
import { createPaypalApi, type PaypalApi, PaypalRefusal, payerUrl } from './api.ts'
import { createCertificates, type FetchCertificate } from './certificates.ts'
import { readMovement, readOrder, readRefund, readWebhook } from './reading.ts'
import { isCertificateAddress, isSignedWith, isTimely, readTransmission, transmissionHeaders } from './signature.ts'

const addresses = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' } as const
const locales = { en: 'en-US', pl: 'pl-PL', de: 'de-DE' } as const

/** The payer has to choose another way to pay, or to prove who they are, on PayPal's page of the same order. */
const askPayerAgain = ['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING']
/** Nothing stands in the way: the order tells what became of it. */
const underWay = ['ORDER_ALREADY_CAPTURED', 'ORDER_COMPLETION_IN_PROGRESS', 'ORDER_NOT_APPROVED']

type Options = {
  timeout?: number
  /** Where certificates of webhooks come from. */
  fetchCertificate?: FetchCertificate
  clock?: () => Date
}

/** Undefined where PayPal is not set up. */
export function createPaypalGateway(
  settings: Settings,
  { timeout, fetchCertificate, clock = () => new Date() }: Options = {},
): PaymentGateway | undefined {
  const { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_CURRENCIES } = settings
  if (!PAYPAL_CLIENT_ID || !PAYPAL_CLIENT_SECRET || !PAYPAL_WEBHOOK_ID) return undefined
  const webhookId = PAYPAL_WEBHOOK_ID
  const url = settings.PAYPAL_URL ?? addresses[settings.PAYPAL_ENVIRONMENT]
  // A stand-in has certificates of its own; production knows only PayPal's.
  const simulator =
    settings.PAYPAL_URL === undefined || settings.NODE_ENV === 'production' ? undefined : new URL(url).origin
  const api = createPaypalApi({ url, clientId: PAYPAL_CLIENT_ID, clientSecret: PAYPAL_CLIENT_SECRET, timeout })
  const certificateAt = createCertificates({ fetchCertificate, simulator })

  return {
    id: 'paypal',
    methods: ['paypal'],
    currenciesOf: () => PAYPAL_CURRENCIES,
    takesPayer: () => true,
    takesCode: () => false,
    chainsOrders: false,
    findsRefundsByName: true,
    async createOrder(order): Promise<CreatedOrder> {
      try {
        const { orderId, payerUrl: redirectUrl } = await api.createOrder({
          externalId: order.externalId,
          money: { amount: order.amount, currency: order.currency },
          description: order.description,
          brand: settings.OPERATOR_NAME ?? 'Wakestone',
          locale: locales[order.language],
          returnUrl: order.continueUrl,
          cancelUrl: order.cancelUrl,
        })
        return { kind: 'created', orderId, redirectUrl }
      } catch (error) {
        if (error instanceof PaypalRefusal) return { kind: 'refused', reason: error.issue }
        if (error instanceof GatewayUnavailable) return { kind: 'unknown', reason: error.message }
        throw error
      }
    },
    async findOrder({ orderId }) {
      const order = await api.findOrder(orderId)
      return order === undefined ? undefined : readOrder(order)
    },
    capture: (order) => capture(api, order),
    async refund({ order, externalId, amount, currency, description }): Promise<MadeRefund> {
      const captureId = order.paymentId ?? (await captureOf(api, order))
      if (captureId === undefined) return { kind: 'refused', reason: 'NOT_CAPTURED' }
      const money = { amount, currency }
      try {
        const refund = await api.refundCapture(captureId, { money, requestId: externalId, note: description })
        return { kind: 'made', refund: { ...readRefund(refund), orderId: order.orderId } }
      } catch (error) {
        if (error instanceof PaypalRefusal) {
          // PayPal forgets a request's key after hours, but not the name of a refund.
          const known = error.issue === 'DUPLICATE_INVOICE_ID' ? await refundOf(api, order, externalId) : undefined
          return known === undefined ? { kind: 'refused', reason: error.issue } : { kind: 'made', refund: known }
        }
        if (error instanceof GatewayUnavailable) return { kind: 'unknown', reason: error.message }
        throw error
      }
    },
    async findRefund({ refundId, externalId, order }) {
      if (refundId === null) return refundOf(api, order, externalId)
      const refund = await api.findRefund(refundId)
      return refund === undefined ? undefined : { ...readRefund(refund), orderId: order.orderId }
    },
    notificationHeaders: transmissionHeaders,
    async isSigned({ raw, headers }) {
      const transmission = readTransmission(headers)
      if (transmission === undefined || !isTimely(transmission, clock())) return false
      if (!isCertificateAddress(transmission.certificateUrl, simulator)) return false
      if (settings.PAYPAL_VERIFICATION === 'online') return api.verifyWebhook(raw, { transmission, webhookId })
      let certificate: string | undefined
      try {
        certificate = await certificateAt(transmission.certificateUrl)
      } catch (error) {
        throw new GatewayUnavailable('PayPal’s certificate cannot be had now', { cause: error })
      }
      return certificate !== undefined && isSignedWith(certificate, { raw, transmission, webhookId, at: clock() })
    },
    readNotification: ({ raw }) => readWebhook(raw),
    async listMovements(day) {
      const from = new Date(day.toISOString().slice(0, 10))
      const movements = await api.listMovements({ from, to: new Date(from.getTime() + 86_400_000 - 1) })
      return movements.map(readMovement).filter((movement) => movement !== undefined)
    },
  }
}

async function capture(api: PaypalApi, { orderId }: OrderRef): Promise<CaptureOutcome> {
  const order = await api.findOrder(orderId)
  if (order?.status !== 'APPROVED') return { kind: 'asked' }
  // One name per approval: a call whose answer was lost is repeated, a capture after another approval is a new one.
  const requestId = createHash('sha256').update(`${orderId} ${order.update_time}`).digest('hex').slice(0, 32)
  try {
    await api.captureOrder(orderId, requestId)
    return { kind: 'asked' }
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error
    if (underWay.includes(error.issue)) return { kind: 'asked' }
    if (askPayerAgain.includes(error.issue)) {
      return { kind: 'payer', redirectUrl: payerUrl(error.error?.links ?? []), reason: error.issue }
    }
    return { kind: 'refused', reason: error.issue }
  }
}

async function captureOf(api: PaypalApi, { orderId }: OrderRef): Promise<string | undefined> {
  const order = await api.findOrder(orderId)
  if (order === undefined) return undefined
  const { paymentId, status } = readOrder(order)
  return status === 'paid' ? paymentId : undefined
}

async function refundOf(api: PaypalApi, { orderId }: OrderRef, externalId: string) {
  const order = await api.findOrder(orderId)
  const refund = order?.purchase_units[0]?.payments?.refunds.find(({ invoice_id }) => invoice_id === externalId)
  return refund === undefined ? undefined : { ...readRefund(refund), orderId }
}
