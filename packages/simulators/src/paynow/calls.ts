/** Calls as API v3 takes them: who calls, whether the call was answered before, and how it is refused. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PaynowShop } from './books.ts'
import { isSignedCall } from './signing.ts'

export const refuse = (reply: FastifyReply, statusCode: number, errorType: string, message = errorType) =>
  reply.status(statusCode).send({ statusCode, errors: [{ errorType, message }] })

/** The body, which comes as text; undefined when it is no JSON. */
export function parse(request: FastifyRequest): unknown {
  try {
    return JSON.parse(String(request.body))
  } catch {
    return undefined
  }
}

/** The answer never comes. */
export function vanish(request: FastifyRequest, reply: FastifyReply, how: 'cut' | 'silent') {
  reply.hijack()
  if (how === 'cut') request.raw.socket.destroy()
  return reply
}

/** The shop that calls, if the call's headers are in order; otherwise it is refused here. */
export function findCaller(
  shops: readonly PaynowShop[],
  request: FastifyRequest,
  reply: FastifyReply,
): PaynowShop | undefined {
  const header = (name: string) => String(request.headers[name] ?? '')
  const shop = shops.find(({ apiKey }) => apiKey === header('api-key'))
  if (shop === undefined) {
    void refuse(reply, 401, 'UNAUTHORIZED', 'Api-Key')
    return undefined
  }
  const idempotencyKey = header('idempotency-key')
  const isKeyed = idempotencyKey !== '' && idempotencyKey.length <= 45
  const fault = !isKeyed ? 'Idempotency-Key' : header('accept') !== 'application/json' ? 'Accept' : undefined
  if (fault !== undefined) {
    void refuse(reply, 400, 'VALIDATION_ERROR', fault)
    return undefined
  }
  const call = {
    apiKey: shop.apiKey,
    idempotencyKey,
    query: new URL(request.url, 'http://paynow').searchParams,
    body: typeof request.body === 'string' ? request.body : '',
    signature: header('signature'),
  }
  if (isSignedCall(call, shop.signatureKey)) return shop
  void refuse(reply, 401, 'VERIFICATION_FAILED', 'Signature')
  return undefined
}

/** Answers a call as it was answered before under its key; with another body, not at all. */
export function createReplays() {
  const answers = new Map<string, { hash: string; status: number; body: unknown }>()
  return (request: FastifyRequest, reply: FastifyReply, shop: PaynowShop) => {
    const name = `${shop.apiKey} ${request.url} ${String(request.headers['idempotency-key'])}`
    const hash = createHash('sha256').update(String(request.body)).digest('hex')
    const known = answers.get(name)
    if (known === undefined) {
      const remember = (status: number, body: unknown) => void answers.set(name, { hash, status, body })
      return { answer: undefined, remember }
    }
    const answer =
      known.hash === hash
        ? reply.status(known.status).send(known.body)
        : refuse(reply, 400, 'VALIDATION_ERROR', 'Idempotency-Key: used with another body')
    return { answer, remember: () => undefined }
  }
}
