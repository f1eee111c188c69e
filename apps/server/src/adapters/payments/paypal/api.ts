/**
 * PayPal's REST API: Orders v2, Payments v2, Transaction Search v1, Webhooks v1. No call is repeated here
 * but for a withdrawn token: whether that is safe is for the caller to know.
 */
import type { z } from 'zod'
import type { Money } from '@wakestone/kit/money'
import { GatewayUnavailable } from '../gateway.ts'
import { type Answer, ask, isRefusal, parseJson, read as readAnswer } from '../http.ts'
import { writeAmount } from './amounts.ts'
import {
  createdOrderSchema,
  errorSchema,
  orderSchema,
  type PaypalError,
  type PaypalMovement,
  type PaypalOrder,
  type PaypalRefund,
  refundSchema,
  tokenSchema,
  transactionListSchema,
  verificationSchema,
} from './schemas.ts'
import type { Transmission } from './signature.ts'

/**
 * PayPal said no, and why: what was asked for did not happen. To whoever does not care why it is one more way of not
 * being told; where no answer came at all, a plain `GatewayUnavailable` is thrown.
 */
export class PaypalRefusal extends GatewayUnavailable {
  /** Such as `INSTRUMENT_DECLINED`; the name of the error where it has no details. */
  readonly issue: string
  readonly status: number
  readonly error: PaypalError | undefined

  constructor(status: number, error: PaypalError | undefined, what: string) {
    const issue = error?.details[0]?.issue ?? error?.name ?? `HTTP ${status}`
    super(`PayPal refused ${what}: ${issue}${error?.debug_id === undefined ? '' : ` (${error.debug_id})`}`)
    this.issue = issue
    this.status = status
    this.error = error
  }
}

export type PaypalOrderRequest = {
  /** Our name of the order; PayPal makes one order of a name within six hours, and takes money once for it, ever. */
  externalId: string
  money: Money
  description: string
  brand: string
  /** `pl-PL` and the like. */
  locale: string
  returnUrl: string
  cancelUrl: string
}

type Options = { url: string; clientId: string; clientSecret: string; timeout?: number | undefined }
type Call = { method: 'GET' | 'POST'; path: string; body?: string | undefined; requestId?: string | undefined }

const gateway = 'PayPal'

export type PaypalApi = ReturnType<typeof createPaypalApi>

export function createPaypalApi({ url, clientId, clientSecret, timeout = 10_000 }: Options) {
  const base = url.replace(/\/$/, '')
  let token: { value: string; expires: number } | undefined

  const send = (path: string, init: RequestInit): Promise<Answer> => ask(gateway, `${base}${path}`, init, { timeout })

  async function authorize(): Promise<string> {
    if (token !== undefined && token.expires > Date.now()) return token.value
    const { status, body } = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    if (status !== 200) throw new GatewayUnavailable(`PayPal refused our credentials (${status})`)
    const { access_token, expires_in } = read(tokenSchema, body)
    token = { value: access_token, expires: Date.now() + (expires_in - 60) * 1000 }
    return access_token
  }

  /** @throws PaypalRefusal for an answer that says no, GatewayUnavailable for none. */
  async function call({ method, path, body, requestId }: Call): Promise<unknown> {
    const attempt = async () =>
      send(path, {
        method,
        headers: {
          authorization: `Bearer ${await authorize()}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
        },
        ...(body === undefined ? {} : { body }),
      })
    let answer = await attempt()
    if (answer.status === 401) {
      token = undefined // withdrawn before its time
      answer = await attempt()
    }
    if (answer.status >= 200 && answer.status < 300) return answer.body
    const said = `${method} ${path.split('?')[0]}`
    if (!isRefusal(answer.status)) {
      throw new GatewayUnavailable(`PayPal answered ${answer.status} to ${said}`)
    }
    throw new PaypalRefusal(answer.status, errorSchema.safeParse(answer.body).data, said)
  }

  /** Undefined where PayPal knows no such thing. */
  async function find<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | undefined> {
    try {
      return read(schema, await call({ method: 'GET', path }))
    } catch (error) {
      if (error instanceof PaypalRefusal && error.status === 404) return undefined
      throw error
    }
  }

  const name = encodeURIComponent
  return {
    /** The same request again gives the same order. */
    async createOrder(order: PaypalOrderRequest): Promise<{ orderId: string; payerUrl: string | null }> {
      const body = JSON.stringify(orderRequest(order))
      const answer = await call({ method: 'POST', path: '/v2/checkout/orders', body, requestId: order.externalId })
      const { id, links } = read(createdOrderSchema, answer)
      return { orderId: id, payerUrl: payerUrl(links) }
    },
    findOrder: (orderId: string): Promise<PaypalOrder | undefined> =>
      find(orderSchema, `/v2/checkout/orders/${name(orderId)}`),
    /**
     * Takes the money of an approved order; again is harmless.
     * @throws PaypalRefusal with what stands in the way.
     */
    async captureOrder(orderId: string, requestId: string): Promise<PaypalOrder> {
      const path = `/v2/checkout/orders/${name(orderId)}/capture`
      return read(orderSchema, await call({ method: 'POST', path, body: '{}', requestId }))
    },
    /** Gives money back; the same request id again is the same refund. */
    async refundCapture(
      captureId: string,
      { money, requestId, note }: { money: Money; requestId: string; note: string },
    ): Promise<PaypalRefund> {
      const path = `/v2/payments/captures/${name(captureId)}/refund`
      const refund = { amount: writeAmount(money), invoice_id: requestId, note_to_payer: note.slice(0, 255) }
      const body = JSON.stringify(refund)
      return read(refundSchema, await call({ method: 'POST', path, body, requestId }))
    },
    findRefund: (refundId: string): Promise<PaypalRefund | undefined> =>
      find(refundSchema, `/v2/payments/refunds/${name(refundId)}`),
    /** What moved on our account in a span of at most 31 days; PayPal lists it up to three hours late. */
    async listMovements({ from, to }: { from: Date; to: Date }): Promise<PaypalMovement[]> {
      const found: PaypalMovement[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const query = new URLSearchParams({
          start_date: from.toISOString(),
          end_date: to.toISOString(),
          fields: 'transaction_info',
          page_size: '500',
          page: String(page),
        })
        const answer = await call({ method: 'GET', path: `/v1/reporting/transactions?${query}` })
        const { transaction_details, total_pages } = read(transactionListSchema, answer)
        found.push(...transaction_details.map(({ transaction_info }) => transaction_info))
        pages = total_pages
      }
      return found
    },
    /** Has PayPal itself check a message. */
    async verifyWebhook(raw: Buffer, { transmission, webhookId }: { transmission: Transmission; webhookId: string }) {
      if (parseJson(raw.toString('utf8')) === undefined) return false
      const fields = JSON.stringify({
        auth_algo: transmission.algorithm,
        cert_url: transmission.certificateUrl,
        transmission_id: transmission.id,
        transmission_sig: transmission.signature,
        transmission_time: transmission.time,
        webhook_id: webhookId,
      })
      // The event in its own bytes: what is signed is their checksum.
      const body = `${fields.slice(0, -1)},"webhook_event":${raw.toString('utf8')}}`
      const path = '/v1/notifications/verify-webhook-signature'
      try {
        return read(verificationSchema, await call({ method: 'POST', path, body })).verification_status === 'SUCCESS'
      } catch (error) {
        if (error instanceof PaypalRefusal) return false
        throw error
      }
    },
  }
}

/** Where a payer goes: with `payment_source` the link is called otherwise than without, and again otherwise in errors. */
export function payerUrl(links: readonly { rel: string; href: string }[]): string | null {
  for (const name of ['payer-action', 'approve', 'redirect']) {
    const link = links.find(({ rel }) => rel === name)
    if (link !== undefined) return link.href
  }
  return null
}

function orderRequest(order: PaypalOrderRequest) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: order.externalId,
        invoice_id: order.externalId,
        description: order.description.slice(0, 127),
        amount: writeAmount(order.money),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          brand_name: order.brand.slice(0, 127),
          locale: order.locale,
          return_url: order.returnUrl,
          cancel_url: order.cancelUrl,
        },
      },
    },
  }
}

const read = <Schema extends z.ZodType>(schema: Schema, body: unknown) => readAnswer(gateway, schema, body)
