/**
 * PayU REST 2.1. No call is repeated here: whether that is safe is for the caller to know.
 */
import type { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'
import {
  errorSchema,
  notificationSchema,
  orderCreatedSchema,
  orderListSchema,
  type PayuOrder,
  tokenSchema,
} from './schemas.ts'
import { isSignedByPayu } from './signature.ts'

export type NewOrder = {
  /** Our name of the order: PayU makes one order of a name, ever. */
  externalId: string
  /** Minor units. */
  amount: number
  currency: string
  description: string
  payerIp: string
  email: string
  language: string
  notifyUrl: string
  continueUrl: string
  /** Time the payer has. */
  validitySeconds: number
}

export type CreatedOrder =
  | { kind: 'created'; orderId: string; redirectUrl: string | null }
  /** An order of this name is there already. */
  | { kind: 'duplicate' }
  /** PayU will not make this order. */
  | { kind: 'refused'; reason: string }
  /** It may have been made, or not. */
  | { kind: 'unknown'; reason: string }

/** PayU could not be asked, or gave no answer that makes sense. */
export class PayuUnavailable extends Error {}

export type Payu = {
  posId: string
  currencies: readonly string[]
  createOrder(order: NewOrder): Promise<CreatedOrder>
  /** @throws PayuUnavailable; undefined when PayU knows no such order. */
  findOrder(orderId: string): Promise<PayuOrder | undefined>
  /** Takes the money of an order that waits for confirmation. @throws PayuUnavailable */
  captureOrder(orderId: string): Promise<void>
  isSigned(raw: Buffer, signature: string | undefined): boolean
  /** The order a notification tells of; undefined when it is about something else (a refund). */
  readNotification(raw: Buffer): PayuOrder | undefined
}

/** Undefined where PayU is not set up. */
export function createPayu(settings: Settings, { timeout = 10_000 } = {}): Payu | undefined {
  const { PAYU_URL, PAYU_POS_ID, PAYU_CLIENT_ID, PAYU_CLIENT_SECRET, PAYU_SECOND_KEY, PAYU_CURRENCIES } = settings
  if (!PAYU_URL || !PAYU_POS_ID || !PAYU_CLIENT_ID || !PAYU_CLIENT_SECRET || !PAYU_SECOND_KEY) return undefined
  const base = PAYU_URL.replace(/\/$/, '')
  const [posId, clientId, clientSecret, secondKey] = [PAYU_POS_ID, PAYU_CLIENT_ID, PAYU_CLIENT_SECRET, PAYU_SECOND_KEY]
  let token: { value: string; expires: number } | undefined

  async function send(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${base}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
      text = await response.text()
    } catch (error) {
      throw new PayuUnavailable(`PayU did not answer ${path.split('?')[0]}`, { cause: error })
    }
    try {
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return { status: response.status, body: undefined }
    }
  }

  async function authorize(): Promise<string> {
    if (token !== undefined && token.expires > Date.now()) return token.value
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    const { status, body } = await send('/pl/standard/user/oauth/authorize', { method: 'POST', body: form })
    if (status !== 200) throw new PayuUnavailable(`PayU refused our credentials (${status})`)
    const { access_token, expires_in } = read(tokenSchema, body)
    token = { value: access_token, expires: Date.now() + (expires_in - 60) * 1000 }
    return access_token
  }

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const ask = async () =>
      send(`/api/v2_1${path}`, {
        method,
        headers: { authorization: `Bearer ${await authorize()}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const answer = await ask()
    if (answer.status !== 401) return answer
    token = undefined // withdrawn before its time
    return ask()
  }

  return {
    posId,
    currencies: PAYU_CURRENCIES,
    async createOrder(order) {
      let answer: { status: number; body: unknown }
      try {
        answer = await call('POST', '/orders', orderRequest(order, posId))
      } catch (error) {
        if (error instanceof PayuUnavailable) return { kind: 'unknown', reason: error.message }
        throw error
      }
      const { status, body } = answer
      if (status === 201 || status === 302 || status === 200) {
        const created = orderCreatedSchema.safeParse(body)
        if (!created.success) return { kind: 'unknown', reason: `PayU answered ${status} without an order` }
        return { kind: 'created', orderId: created.data.orderId, redirectUrl: created.data.redirectUri ?? null }
      }
      const code = errorSchema.safeParse(body).data?.status.statusCode ?? `HTTP ${status}`
      if (code === 'ERROR_ORDER_NOT_UNIQUE') return { kind: 'duplicate' }
      return status >= 400 && status < 500 && status !== 408 && status !== 429
        ? { kind: 'refused', reason: code }
        : { kind: 'unknown', reason: code }
    },
    async findOrder(orderId) {
      const { status, body } = await call('GET', `/orders/${encodeURIComponent(orderId)}`)
      if (status === 404) return undefined
      if (status !== 200) throw new PayuUnavailable(`PayU answered ${status} about an order`)
      return read(orderListSchema, body).orders[0]
    },
    async captureOrder(orderId) {
      const { status } = await call('POST', `/orders/${encodeURIComponent(orderId)}/captures`)
      if (status >= 300) throw new PayuUnavailable(`PayU answered ${status} to a capture`)
    },
    isSigned: (raw, signature) => isSignedByPayu(raw, signature, secondKey),
    readNotification(raw) {
      return notificationSchema.safeParse(parseJson(raw)).data?.order
    },
  }
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

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (!result.success) throw new PayuUnavailable('PayU answered something else than its documentation says')
  return result.data
}
