/** PayU's REST API 2.1 over HTTP. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Books, Pos } from './books.ts'
import { isSettled, type Order, orderRequestSchema } from './orders.ts'

const success = { statusCode: 'SUCCESS', statusDesc: 'Request processing successful' }

export function refuse(reply: FastifyReply, status: number, statusCode: string, statusDesc = statusCode) {
  return reply.status(status).send({ status: { statusCode, severity: 'ERROR', code: String(status), statusDesc } })
}

const away = (reply: FastifyReply) => refuse(reply, 503, 'SERVICE_NOT_AVAILABLE')

/** @param place where payers go; known once it listens. */
export function registerPayuApi(
  app: FastifyInstance,
  books: Books,
  { allPos, place }: { allPos: readonly Pos[]; place: { payerPage: string } },
): void {
  const tokens = new Map<string, { pos: Pos; until: number }>()

  app.post('/pl/standard/user/oauth/authorize', async (request, reply) => {
    const form = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
      ? (request.body as Record<string, string>)
      : {}
    const pos = allPos.find(
      ({ clientId, clientSecret }) => form['client_id'] === clientId && form['client_secret'] === clientSecret,
    )
    if (form['grant_type'] !== 'client_credentials' || pos === undefined) {
      return reply.status(401).send({ error: 'invalid_client', error_description: 'Bad client credentials' })
    }
    const access_token = randomBytes(18).toString('hex')
    tokens.set(access_token, { pos, until: Date.now() + 43_199_000 })
    return { access_token, token_type: 'bearer', expires_in: 43_199, grant_type: 'client_credentials' }
  })

  /** The point of sale that calls; without one the call is refused here. */
  function findCaller(request: FastifyRequest, reply: FastifyReply): Pos | undefined {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const known = tokens.get(token)
    if (known !== undefined && known.until > Date.now()) return known.pos
    void refuse(reply, 401, 'UNAUTHORIZED')
    return undefined
  }

  /** Answers calls about the order that they name; those of another point of sale do not exist for the caller. */
  const about =
    (answer: (order: Order, request: FastifyRequest, reply: FastifyReply) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const pos = findCaller(request, reply)
      if (pos === undefined) return reply
      const order = books.find((request.params as { id: string }).id)
      if (order?.request.merchantPosId !== pos.posId) return refuse(reply, 404, 'DATA_NOT_FOUND')
      return answer(order, request, reply)
    }

  app.post('/api/v2_1/orders', async (request, reply) => {
    const pos = findCaller(request, reply)
    if (pos === undefined) return reply
    const parsed = orderRequestSchema.safeParse(request.body)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return refuse(reply, 400, 'ERROR_VALUE_INVALID', `${issue?.path.join('.')}: ${issue?.message}`)
    }
    const { merchantPosId, totalAmount, extOrderId } = parsed.data
    if (merchantPosId !== pos.posId) return refuse(reply, 403, 'UNAUTHORIZED_REQUEST')
    if (Number(totalAmount) <= 0) return refuse(reply, 400, 'ERROR_VALUE_INVALID', 'totalAmount')
    const { createError, createRefusal, notifyFirst, createTimeout } = books.faultBook.of(extOrderId ?? '')
    if (createError === true) return away(reply)
    if (createRefusal !== undefined) return refuse(reply, createRefusal.status, createRefusal.code)
    if (extOrderId !== undefined && books.hasName(extOrderId)) return refuse(reply, 400, 'ERROR_ORDER_NOT_UNIQUE')
    const order = books.create(parsed.data)
    if (notifyFirst === true) await books.payFirst(order)
    if (createTimeout !== undefined) {
      reply.hijack()
      if (createTimeout === 'cut') request.raw.socket.destroy()
      return reply
    }
    const redirectUri = `${place.payerPage}?orderId=${order.orderId}&token=${order.token}`
    return reply
      .status(302)
      .header('location', redirectUri)
      .send({ status: success, redirectUri, orderId: order.orderId, extOrderId: order.extOrderId })
  })

  app.get(
    '/api/v2_1/orders/:id',
    about((order, _request, reply) =>
      books.faultsOf(order).retrieveError === true
        ? away(reply)
        : {
            orders: [books.describe(order)],
            status: success,
            properties: [{ name: 'PAYMENT_ID', value: order.paymentId }],
          },
    ),
  )

  app.delete(
    '/api/v2_1/orders/:id',
    about((order, _request, reply) => {
      if (isSettled(order)) return refuse(reply, 400, 'ERROR_ORDER_NOT_CANCELABLE')
      books.settle(order, ['CANCELED'])
      return { orderId: order.orderId, extOrderId: order.extOrderId, status: success }
    }),
  )

  app.post(
    '/api/v2_1/orders/:id/captures',
    about((order, _request, reply) => {
      if (order.status !== 'WAITING_FOR_CONFIRMATION') return refuse(reply, 400, 'ERROR_ORDER_STATUS')
      books.settle(order, ['COMPLETED'])
      return { status: success }
    }),
  )

  app.post(
    '/api/v2_1/orders/:id/refunds',
    about((order, request, reply) => {
      const { refund: asked = {} } = (request.body ?? {}) as { refund?: { amount?: string; extRefundId?: string } }
      const fault = books.faultsOf(order).refund
      if (fault === 'error') return away(reply)
      const amount = asked.amount ?? order.request.totalAmount
      const refund = books.giveBack(order, { amount, extRefundId: asked.extRefundId ?? '' })
      if (refund === undefined) return refuse(reply, 400, 'ERROR_AMOUNT_TOO_LARGE')
      if (fault === 'cut') {
        reply.hijack()
        request.raw.socket.destroy()
        return reply
      }
      return { orderId: order.orderId, refund: books.describeRefund(order, refund), status: success }
    }),
  )

  app.get(
    '/api/v2_1/orders/:id/refunds',
    about((order) => order.refunds.map((refund) => books.describeRefund(order, refund))),
  )
}
