/** PayNow's API v3 over HTTP. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Books, PaynowShop } from './books.ts'
import { createReplays, findCaller, parse, refuse, vanish } from './calls.ts'
import { blikId, paymentRequestSchema, refundRequestSchema, testCodes } from './payments.ts'

type Place = { api: string; payerPage: string; notificationUrl: string | undefined }

const firstIssue = (error: z.ZodError) =>
  `${error.issues[0]?.path.join('.') || 'body'}: ${error.issues[0]?.message ?? 'invalid'}`
const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

export function registerPaynowApi(
  app: FastifyInstance,
  books: Books,
  { shops, place }: { shops: readonly PaynowShop[]; place: Place },
): void {
  const replay = createReplays()
  const away = (reply: FastifyReply) => refuse(reply, 503, 'SYSTEM_TEMPORARILY_UNAVAILABLE')

  /** A payment or refund of another shop does not exist for this one. */
  const findPayment = (request: FastifyRequest, shop: PaynowShop) => {
    const payment = books.find(idOf(request))
    return payment?.apiKey === shop.apiKey ? payment : undefined
  }
  const findRefund = (request: FastifyRequest, shop: PaynowShop) => {
    const refund = books.findRefund(idOf(request))
    return refund !== undefined && books.find(refund.paymentId)?.apiKey === shop.apiKey ? refund : undefined
  }

  app.post('/v3/payments', async (request, reply) => {
    const shop = findCaller(shops, request, reply)
    if (shop === undefined) return reply
    const { answer, remember } = replay(request, reply, shop)
    if (answer !== undefined) return answer
    const parsed = paymentRequestSchema.safeParse(parse(request))
    if (!parsed.success) return refuse(reply, 400, 'VALIDATION_ERROR', firstIssue(parsed.error))
    const { externalId, currency, paymentMethodId, authorizationCode } = parsed.data
    if (!shop.currencies.includes(currency)) {
      return refuse(reply, 400, 'VALIDATION_ERROR', `currency: invalid field value (${currency})`)
    }
    if (paymentMethodId === blikId && currency !== 'PLN') {
      return refuse(reply, 400, 'VALIDATION_ERROR', 'paymentMethodId: not for this currency')
    }
    const { createError, createRefusal, notifyFirst, createTimeout } = books.faultBook.of(externalId)
    if (createError === true) return away(reply)
    if (createRefusal !== undefined) return refuse(reply, createRefusal.status, createRefusal.code)
    const byCode = paymentMethodId === blikId && authorizationCode !== undefined
    const outcome = byCode ? testCodes[authorizationCode] : undefined
    if (outcome !== undefined && 'error' in outcome) return refuse(reply, 400, outcome.error)

    const payment = books.create(parsed.data, { apiKey: shop.apiKey, byCode })
    const { paymentId, token } = payment
    const redirectUrl = `${place.payerPage}?paymentId=${paymentId}&token=${token}`
    const body = { ...(byCode ? {} : { redirectUrl }), paymentId, status: payment.status }
    remember(201, body)
    if (notifyFirst === true) await books.payFirst(payment)
    if (createTimeout !== undefined) return vanish(request, reply, createTimeout)
    return reply.status(201).send(body)
  })

  app.get('/v3/payments/paymentmethods', async (request, reply) => {
    if (findCaller(shops, request, reply) === undefined) return reply
    const { currency = 'PLN' } = request.query as { currency?: string }
    const method = (id: number, name: string, authorizationType: 'CODE' | 'REDIRECT') => ({
      id,
      name,
      description: name,
      image: `${place.api}/images/${id}.png`,
      status: 'ENABLED',
      authorizationType,
    })
    return [
      ...(currency === 'PLN' ? [{ type: 'BLIK', paymentMethods: [method(blikId, 'BLIK', 'CODE')] }] : []),
      { type: 'CARD', paymentMethods: [method(2002, 'Card', 'REDIRECT')] },
    ]
  })

  app.get('/v3/payments/:id/status', async (request, reply) => {
    const shop = findCaller(shops, request, reply)
    if (shop === undefined) return reply
    const payment = findPayment(request, shop)
    if (payment === undefined) return refuse(reply, 404, 'NOT_FOUND')
    if (books.faultsOf(payment).retrieveError === true) return away(reply)
    return { paymentId: payment.paymentId, status: payment.status }
  })

  app.post('/v3/payments/:id/refunds', async (request, reply) => {
    const shop = findCaller(shops, request, reply)
    if (shop === undefined) return reply
    const { answer, remember } = replay(request, reply, shop)
    if (answer !== undefined) return answer
    const payment = findPayment(request, shop)
    if (payment === undefined) return refuse(reply, 404, 'NOT_FOUND')
    const parsed = refundRequestSchema.safeParse(parse(request))
    if (!parsed.success) return refuse(reply, 400, 'VALIDATION_ERROR', firstIssue(parsed.error))
    const { amount } = parsed.data
    if (payment.status !== 'CONFIRMED') return refuse(reply, 400, 'PAYMENT_NOT_CONFIRMED')
    if (books.refundedOf(payment) + amount > payment.request.amount) {
      return refuse(reply, 400, 'INSUFFICIENT_BALANCE_FUNDS')
    }
    const { refund: fault } = books.faultsOf(payment)
    if (fault === 'error') return away(reply)
    const { refundId, status } = books.giveBack(payment, amount)
    remember(201, { refundId, status })
    return fault === 'cut' ? vanish(request, reply, 'cut') : reply.status(201).send({ refundId, status })
  })

  app.get('/v3/refunds/:id/status', async (request, reply) => {
    const shop = findCaller(shops, request, reply)
    if (shop === undefined) return reply
    const refund = findRefund(request, shop)
    if (refund === undefined) return refuse(reply, 404, 'NOT_FOUND')
    return { refundId: refund.refundId, status: refund.status }
  })

  app.post('/v3/refunds/:id/cancel', async (request, reply) => {
    const shop = findCaller(shops, request, reply)
    if (shop === undefined) return reply
    const refund = findRefund(request, shop)
    if (refund === undefined) return refuse(reply, 404, 'NOT_FOUND')
    if (refund.status !== 'NEW') return refuse(reply, 400, 'VALIDATION_ERROR', 'status')
    refund.status = 'CANCELLED'
    books.save()
    return reply.status(200).send()
  })

  app.patch('/v3/configuration/shop/urls', async (request, reply) => {
    if (findCaller(shops, request, reply) === undefined) return reply
    const given = parse(request) as { notificationUrl?: string } | undefined
    place.notificationUrl = given?.notificationUrl ?? place.notificationUrl
    return reply.status(204).send()
  })
}
