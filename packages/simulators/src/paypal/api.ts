/** The simulator's HTTP: PayPal's REST calls, and the control interface. */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Books } from './books.ts'
import { listMovements } from './movements.ts'
import { amountOf, cents, type Order, orderRequestSchema, refundRequestSchema, showDispute, unitOf } from './orders.ts'
import { isOurs } from './webhooks.ts'

type Options = { clientId: string; clientSecret: string; timeScale: number }
/** How long PayPal keeps the key of a request. */
const keyLifetime = 6 * 3_600_000

export function registerPaypalApi(app: FastifyInstance, books: Books, { clientId, clientSecret, timeScale }: Options) {
  const tokens = new Map<string, number>()
  /** What a `PayPal-Request-Id` was used for, and how to show what came of it as it is now. */
  const requests = new Map<string, { hash: string; until: number; show: () => object }>()

  const refuse = (reply: FastifyReply, status: number, name: string, issue?: string, links: object[] = []) =>
    reply.status(status).send({
      name,
      message: name,
      debug_id: randomBytes(6).toString('hex'),
      ...(issue === undefined ? {} : { details: [{ issue, description: issue }] }),
      links,
    })
  const unprocessable = (reply: FastifyReply, issue: string, links: object[] = []) =>
    refuse(reply, 422, 'UNPROCESSABLE_ENTITY', issue, links)
  const unknown = (reply: FastifyReply) => refuse(reply, 404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
  const broken = (reply: FastifyReply) => refuse(reply, 503, 'SERVICE_UNAVAILABLE')
  app.setErrorHandler((_error, _request, reply) => void refuse(reply, 500, 'INTERNAL_SERVER_ERROR'))

  const jsonOf = (request: FastifyRequest): unknown => {
    try {
      return typeof request.body === 'string' && request.body !== '' ? JSON.parse(request.body) : undefined
    } catch {
      return null
    }
  }
  const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

  /** No answer ever comes. */
  function fallSilent(request: FastifyRequest, reply: FastifyReply, how: 'cut' | 'silent') {
    reply.hijack()
    if (how === 'cut') request.raw.socket.destroy()
    return reply
  }

  /** Answers a call that was made before; undefined where it is new. */
  function repeat(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    const key = request.headers['paypal-request-id']
    if (typeof key !== 'string') return undefined
    const known = requests.get(`${request.url} ${key}`)
    if (known === undefined || known.until < Date.now()) return undefined
    if (known.hash !== hashOf(request)) return unprocessable(reply, 'PAYPAL_REQUEST_ID_PREVIOUSLY_USED')
    return reply.status(200).send(known.show())
  }
  const hashOf = (request: FastifyRequest) => createHash('sha256').update(String(request.body)).digest('hex')
  function remember(request: FastifyRequest, show: () => object) {
    const key = request.headers['paypal-request-id']
    if (typeof key !== 'string') return
    const until = Date.now() + keyLifetime * timeScale
    requests.set(`${request.url} ${key}`, { hash: hashOf(request), until, show })
  }

  app.post('/v1/oauth2/token', async (request, reply) => {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const form = (request.body ?? {}) as Record<string, string>
    if (request.headers.authorization !== basic || form['grant_type'] !== 'client_credentials') {
      return reply.status(401).send({ error: 'invalid_client', error_description: 'Client Authentication failed' })
    }
    const access_token = randomBytes(24).toString('base64url')
    tokens.set(access_token, Date.now() + 32_400_000)
    return { scope: '', access_token, token_type: 'Bearer', app_id: 'APP-SIMULATOR', expires_in: 32_400 }
  })
  app.get('/v1/notifications/certs/:id', async (request, reply) => {
    const key = books.letters.certificates.get(idOf(request))
    return key === undefined ? unknown(reply) : reply.type('application/x-pem-file').send(key.certificate)
  })

  void app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      return (tokens.get(token) ?? 0) > Date.now() ? undefined : refuse(reply, 401, 'AUTHENTICATION_FAILURE')
    })

    api.post('/v2/checkout/orders', async (request, reply) => {
      const parsed = orderRequestSchema.safeParse(jsonOf(request))
      if (!parsed.success) return refuse(reply, 400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX')
      if (cents(unitOf({ request: parsed.data } as Order).amount) <= 0) {
        return unprocessable(reply, 'CANNOT_BE_ZERO_OR_NEGATIVE')
      }
      const source = parsed.data.payment_source
      if (source !== undefined && request.headers['paypal-request-id'] === undefined) {
        return refuse(reply, 400, 'INVALID_REQUEST', 'PAYPAL_REQUEST_ID_REQUIRED')
      }
      const known = repeat(request, reply)
      if (known !== undefined) return known
      const faults = books.faultBook.of(unitOf({ request: parsed.data } as Order).custom_id ?? '')
      if (faults.createError === true) return broken(reply)
      const { createRefusal: no } = faults
      if (no !== undefined) return refuse(reply, no.status, 'ORDER_REFUSED', no.code)
      const order = books.create(parsed.data)
      remember(request, () => books.show(order))
      const answer = books.show(order)
      if (faults.notifyFirst === 'create') {
        books.approve(order)
        await books.postman.sendNow(books.letters.ofOrder(order, 'CHECKOUT.ORDER.APPROVED'))
      }
      if (faults.createTimeout !== undefined) return fallSilent(request, reply, faults.createTimeout)
      return reply.status(201).send(answer)
    })

    api.get('/v2/checkout/orders/:id', async (request, reply) => {
      const order = books.find(idOf(request))
      if (order === undefined) return unknown(reply)
      return books.faultsOf(order).retrieveError === true ? broken(reply) : books.show(order)
    })

    api.post('/v2/checkout/orders/:id/capture', async (request, reply) => {
      if (jsonOf(request) === null) return refuse(reply, 400, 'INVALID_REQUEST', 'MALFORMED_REQUEST_JSON')
      const order = books.find(idOf(request))
      if (order === undefined) return unknown(reply)
      const known = repeat(request, reply)
      if (known !== undefined) return known
      const faults = books.faultsOf(order)
      if (faults.captureError === true) return broken(reply)
      if (order.status === 'COMPLETED') return unprocessable(reply, 'ORDER_ALREADY_CAPTURED')
      if (order.status !== 'APPROVED') return unprocessable(reply, 'ORDER_NOT_APPROVED')
      const invoice = unitOf(order).invoice_id
      const isPaid = books
        .orders()
        .some((one) => one !== order && one.captures.length > 0 && unitOf(one).invoice_id === invoice)
      if (invoice !== undefined && isPaid) return unprocessable(reply, 'DUPLICATE_INVOICE_ID')
      if (faults.refuse !== undefined && order.refusals < faults.refuse.times) {
        const { href } = books.refuseCapture(order, faults.refuse.issue)
        return unprocessable(reply, faults.refuse.issue, [{ href, rel: 'redirect', method: 'GET' }])
      }
      const events = books.takeMoney(order)
      remember(request, () => books.show(order))
      if (faults.notifyFirst === 'capture') for (const body of events) await books.postman.sendNow(body)
      else books.tell(order, events)
      if (faults.captureTimeout !== undefined) return fallSilent(request, reply, faults.captureTimeout)
      return reply.status(201).send(books.show(order))
    })

    api.get('/v2/payments/captures/:id', async (request, reply) => {
      const { order, capture } = books.findCapture(idOf(request)) ?? {}
      if (order === undefined || capture === undefined) return unknown(reply)
      return books.faultsOf(order).retrieveError === true ? broken(reply) : books.showCapture(order, capture)
    })

    api.post('/v2/payments/captures/:id/refund', async (request, reply) => {
      const { order, capture } = books.findCapture(idOf(request)) ?? {}
      if (order === undefined || capture === undefined) return unknown(reply)
      const parsed = refundRequestSchema.safeParse(jsonOf(request) ?? {})
      if (!parsed.success) return refuse(reply, 400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX')
      const faults = books.faultsOf(order)
      const known = faults.refundAgain === true ? undefined : repeat(request, reply)
      if (known !== undefined) return known
      if (faults.refundError === true) return broken(reply)
      if (capture.status === 'PENDING') return unprocessable(reply, 'PENDING_CAPTURE')
      if (!['COMPLETED', 'PARTIALLY_REFUNDED'].includes(capture.status)) {
        return unprocessable(reply, capture.status === 'REFUNDED' ? 'CAPTURE_FULLY_REFUNDED' : 'REFUND_NOT_ALLOWED')
      }
      const isTaken = capture.refunds.some(({ isReversal }) => isReversal)
      if (isTaken) return unprocessable(reply, 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
      if (books.disputes().some((one) => one.captureId === capture.id && one.status === 'OPEN')) {
        return unprocessable(reply, 'TRANSACTION_DISPUTED')
      }
      const gone = capture.refunds
        .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
        .reduce((sum, { amount }) => sum + cents(amount), 0)
      const rest = cents(capture.amount) - gone
      const { amount = amountOf(rest, capture.amount.currency_code), invoice_id, custom_id } = parsed.data
      if (amount.currency_code !== capture.amount.currency_code) {
        return unprocessable(reply, 'REFUND_CAPTURE_CURRENCY_MISMATCH')
      }
      const isKnownInvoice = books
        .orders()
        .some((one) => one.captures.some(({ refunds }) => refunds.some((refund) => refund.invoice_id === invoice_id)))
      if (invoice_id !== undefined && isKnownInvoice && faults.refundAgain !== true)
        return unprocessable(reply, 'DUPLICATE_INVOICE_ID')
      if (cents(amount) <= 0) return unprocessable(reply, 'CANNOT_BE_ZERO_OR_NEGATIVE')
      if (cents(amount) > rest) return unprocessable(reply, 'REFUND_AMOUNT_EXCEEDED')
      const status = faults.refund ?? 'COMPLETED'
      const refund = books.giveBack(order, capture, {
        amount,
        status,
        isReversal: false,
        invoice_id,
        ...(custom_id === undefined ? {} : { custom_id }),
      })
      remember(request, () => books.showRefund(capture, refund))
      if (faults.refundTimeout !== undefined) return fallSilent(request, reply, faults.refundTimeout)
      return reply.status(201).send(books.showRefund(capture, refund))
    })

    api.get('/v2/payments/refunds/:id', async (request, reply) => {
      for (const order of books.orders()) {
        for (const capture of order.captures) {
          const refund = capture.refunds.find(({ id }) => id === idOf(request))
          if (refund !== undefined) return books.showRefund(capture, refund)
        }
      }
      return unknown(reply)
    })

    api.get('/v1/customer/disputes', (request) => {
      const { disputed_transaction_id: of } = request.query as Record<string, string | undefined>
      const items = books.disputes().filter(({ captureId }) => of === undefined || captureId === of)
      return { items: items.map(showDispute), links: [] }
    })
    api.get('/v1/customer/disputes/:id', async (request, reply) => {
      const dispute = books.disputes().find(({ id }) => id === idOf(request))
      return dispute === undefined ? unknown(reply) : showDispute(dispute)
    })

    api.get('/v1/reporting/transactions', async (request, reply) => {
      const query = request.query as Record<string, string | undefined>
      const from = Date.parse(query['start_date'] ?? '')
      const to = Date.parse(query['end_date'] ?? '')
      if (Number.isNaN(from) || Number.isNaN(to) || to < from || to - from > 31 * 86_400_000) {
        return refuse(reply, 400, 'INVALID_REQUEST', 'INVALID_PARAMETER_VALUE')
      }
      const size = Math.min(500, Math.max(1, Number(query['page_size'] ?? 100)))
      const page = Math.max(1, Number(query['page'] ?? 1))
      const all = listMovements(books.orders(), { from, to })
      return {
        transaction_details: all
          .slice((page - 1) * size, page * size)
          .map((transaction_info) => ({ transaction_info })),
        account_number: 'SIMULATOR',
        start_date: query['start_date'],
        end_date: query['end_date'],
        page,
        total_items: all.length,
        total_pages: Math.max(1, Math.ceil(all.length / size)),
        links: [],
      }
    })

    api.post('/v1/notifications/verify-webhook-signature', async (request, reply) => {
      const fields = jsonOf(request)
      if (fields === null || typeof fields !== 'object') return refuse(reply, 400, 'VALIDATION_ERROR')
      const text = /,"webhook_event":(.*)\}$/s.exec(String(request.body))?.[1] ?? ''
      const isGood = isOurs(fields as Record<string, unknown>, text, books.letters.signer())
      return { verification_status: isGood ? 'SUCCESS' : 'FAILURE' }
    })
  })

  // The control interface: from this machine only.
  void app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) =>
      /^(::ffff:)?127\.|^::1$/.test(request.ip) ? undefined : refuse(reply, 403, 'NOT_AUTHORIZED'),
    )
    control.get('/simulator/orders', () => ({ orders: books.orders(), disputes: books.disputes() }))
    control.get('/simulator/webhooks', () => ({ waiting: books.postman.waiting() }))
    control.post('/simulator/faults', async (request, reply) => {
      books.faultBook.set(jsonOf(request))
      return reply.status(204).send()
    })
    control.delete('/simulator/faults', async (_request, reply) => {
      books.faultBook.clear()
      return reply.status(204).send()
    })
    control.post('/simulator/orders/:id/approve', async (request, reply) => {
      const order = books.find(idOf(request))
      if (order === undefined) return unknown(reply)
      books.approve(order)
      return reply.status(204).send()
    })
  })
}
