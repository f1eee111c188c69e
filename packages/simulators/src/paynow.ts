/**
 * A stand-in for PayNow's API v3: payments, BLIK by code, refunds, the payer's page, a page for their bank's app, and
 * signed notifications. It can be told to misbehave (`payments/faults.ts`), by its handle or by
 * `POST /simulator/faults`.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import formBody from 'node:querystring'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { documentHeaders } from './payments/document.ts'
import { createFaultBook, type faultRuleSchema } from './payments/faults.ts'
import { createPostman, type Delivery } from './payments/postman.ts'
import { renderBank, renderPayerPage } from './paynow/page.ts'
import {
  blikId,
  createPayment,
  isSettled,
  newPaymentId,
  newRefundId,
  type Payment,
  paymentRequestSchema,
  type PaymentStatus,
  type Refund,
  refundRequestSchema,
  showTime,
  testCodes,
} from './paynow/payments.ts'
import { isSignedCall, signNotification } from './paynow/signing.ts'

export type { Payment as PaynowPayment } from './paynow/payments.ts'

export type PaynowShop = { apiKey: string; signatureKey: string; currencies: readonly string[] }

export type PaynowSimulatorOptions = {
  /** 0: any free one. */
  port?: number
  host?: string
  /** Address under which payers reach it; unset: the one it listens on. */
  publicUrl?: string
  shops: readonly PaynowShop[]
  /** Where notifications go; PayNow keeps that with the shop. */
  notificationUrl?: string
  /** Where payments and unsent notifications outlive the process. */
  stateFile?: string
  /** Factor on the times between notifications, until a bank confirms and until a refund leaves. */
  timeScale?: number
}

export type PaynowSimulator = {
  url: string
  payments(): Payment[]
  refunds(): Refund[]
  setNotificationUrl(url: string): void
  /** The payer pays; as by the button on the page. */
  pay(paymentId: string): void
  /** Moves a payment to a status and tells of it. */
  settle(paymentId: string, status: PaymentStatus): void
  /** The payer begins anew. @returns the payment that follows. */
  abandon(paymentId: string): string
  /** Tells the shop of a payment that did not take place. */
  forge(paymentId: string, kind: 'signature' | 'amount' | 'currency'): void
  setFaults(rule: z.input<typeof faultRuleSchema>): void
  clearFaults(): void
  /** Notifications not yet taken. */
  waiting(): Delivery[]
  close(): Promise<void>
}

type State = { payments: Payment[]; refunds: Refund[]; deliveries: Delivery[] }
type Known = { hash: string; status: number; body: unknown }

const minute = 60_000
/** PayNow publishes none; this one is ours. */
const schedule = [0, 1, 2, 5, 10, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * minute)
/** Until the payer's bank answers a test code, and until it gives up one that nobody confirms. */
const bankMilliseconds = { answer: 3_000, patience: 60_000 }
const refundMilliseconds = 5_000

export async function startPaynowSimulator(options: PaynowSimulatorOptions): Promise<PaynowSimulator> {
  const { shops, stateFile, timeScale = 1 } = options
  const payments = new Map<string, Payment>()
  const refunds = new Map<string, Refund>()
  const answers = new Map<string, Known>()
  const timers = new Set<NodeJS.Timeout>()
  const faultBook = createFaultBook()
  const isTaken = (status: number) => status === 200 || status === 202
  const postman = createPostman({ schedule, timeScale, isTaken, onChange: save })
  const app = Fastify({ forceCloseConnections: true })
  let notificationUrl = options.notificationUrl
  let url = ''

  function save() {
    if (stateFile === undefined) return
    const state: State = {
      payments: [...payments.values()],
      refunds: [...refunds.values()],
      deliveries: postman.waiting(),
    }
    writeFileSync(`${stateFile}.new`, JSON.stringify(state), { mode: 0o600 })
    renameSync(`${stateFile}.new`, stateFile)
  }

  function later(work: () => void, milliseconds: number) {
    const timer = setTimeout(() => timers.delete(timer) && work(), Math.min(milliseconds, 2 ** 31 - 1))
    timers.add(timer.unref())
  }

  function keep(payment: Payment) {
    payments.set(payment.paymentId, payment)
    if (isSettled(payment)) return
    later(() => !isSettled(payment) && settle(payment, ['EXPIRED']), Date.parse(payment.expiresAt) - Date.now())
  }

  const shopOf = (payment: Payment) => shops.find(({ apiKey }) => apiKey === payment.apiKey) as PaynowShop

  function letter(payment: Payment, more: object = {}, key = shopOf(payment).signatureKey) {
    const { paymentId, externalId, status, modifiedAt } = payment
    const body = JSON.stringify({ paymentId, externalId, status, modifiedAt: showTime(modifiedAt), ...more })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'PayNow-Simulator',
      signature: signNotification(body, key),
    }
    return { orderId: paymentId, url: notificationUrl ?? '', body, headers }
  }

  function forgery(payment: Payment, kind: 'signature' | 'amount' | 'currency') {
    const more = {
      signature: {},
      amount: { amount: payment.request.amount * 10 },
      currency: { currency: payment.request.currency === 'EUR' ? 'USD' : 'EUR' },
    }[kind]
    const paid: Payment = { ...payment, status: 'CONFIRMED', modifiedAt: new Date().toISOString() }
    return { ...(kind === 'signature' ? letter(paid, more, 'not the key') : letter(paid, more)), once: true }
  }

  /** Moves a payment through statuses and tells of each, with the faults that are set for it. */
  function settle(payment: Payment, statuses: readonly PaymentStatus[]) {
    const { lose, reorder, duplicate = 0, delay = 0, forge } = faultBook.of(payment.externalId)
    const letters = statuses.map((status) => {
      payment.status = status
      payment.modifiedAt = new Date().toISOString()
      return letter(payment)
    })
    save()
    if (notificationUrl === undefined) return
    if (forge !== undefined) postman.send(forgery(payment, forge))
    if (lose === true) return
    for (const [index, one] of (reorder === true ? letters.toReversed() : letters).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(one, { delay: delay + index * 5 })
    }
  }

  /** The payer begins anew: another payment of the same name. */
  function abandon(payment: Payment): Payment {
    const next: Payment = { ...payment, paymentId: newPaymentId(), status: 'NEW', modifiedAt: new Date().toISOString() }
    settle(payment, ['ABANDONED'])
    keep(next)
    settle(next, ['NEW'])
    return next
  }

  function pay(payment: Payment) {
    if (payment.status !== 'NEW') return
    const { abandon: times = 0 } = faultBook.of(payment.externalId)
    let last = payment
    for (let time = 0; time < times; time++) last = abandon(last)
    settle(last, ['PENDING', 'CONFIRMED'])
  }

  const refuse = (reply: FastifyReply, statusCode: number, errorType: string, message = errorType) =>
    reply.status(statusCode).send({ statusCode, errors: [{ errorType, message }] })

  /** The shop that calls, if the call's headers are in order. */
  function findCaller(request: FastifyRequest, reply: FastifyReply): PaynowShop | undefined {
    const header = (name: string) => String(request.headers[name] ?? '')
    const shop = shops.find(({ apiKey }) => apiKey === header('api-key'))
    const idempotencyKey = header('idempotency-key')
    const fault =
      shop === undefined
        ? 'Api-Key'
        : idempotencyKey === '' || idempotencyKey.length > 45
          ? 'Idempotency-Key'
          : header('accept') !== 'application/json'
            ? 'Accept'
            : undefined
    if (shop === undefined || fault !== undefined) {
      void refuse(
        reply,
        shop === undefined ? 401 : 400,
        shop === undefined ? 'UNAUTHORIZED' : 'VALIDATION_ERROR',
        fault,
      )
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
  function replay(request: FastifyRequest, reply: FastifyReply, shop: PaynowShop) {
    const name = `${shop.apiKey} ${request.url} ${String(request.headers['idempotency-key'])}`
    const hash = createHash('sha256').update(String(request.body)).digest('hex')
    const known = answers.get(name)
    if (known === undefined) {
      return {
        answer: undefined,
        remember: (status: number, body: unknown) => answers.set(name, { hash, status, body }),
      }
    }
    const answer =
      known.hash === hash
        ? reply.status(known.status).send(known.body)
        : refuse(reply, 400, 'VALIDATION_ERROR', 'Idempotency-Key: used with another body')
    return { answer, remember: () => undefined }
  }

  function vanish(request: FastifyRequest, reply: FastifyReply, how: 'cut' | 'silent') {
    reply.hijack()
    if (how === 'cut') request.raw.socket.destroy()
    return reply
  }

  const parse = (request: FastifyRequest): unknown => {
    try {
      return JSON.parse(String(request.body))
    } catch {
      return undefined
    }
  }
  const firstIssue = (error: z.ZodError) =>
    `${error.issues[0]?.path.join('.') || 'body'}: ${error.issues[0]?.message ?? 'invalid'}`

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(
    (error, _request, reply) => void refuse(reply, 500, 'SYSTEM_TEMPORARILY_UNAVAILABLE', String(error)),
  )

  app.post('/v3/payments', async (request, reply) => {
    const shop = findCaller(request, reply)
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
    const faults = faultBook.of(externalId)
    if (faults.createError === true) return refuse(reply, 503, 'SYSTEM_TEMPORARILY_UNAVAILABLE')
    const byCode = paymentMethodId === blikId && authorizationCode !== undefined
    const outcome = byCode ? (testCodes[authorizationCode] ?? { answer: 'bank' as const }) : undefined
    if (outcome !== undefined && 'error' in outcome) return refuse(reply, 400, outcome.error)

    const payment = createPayment(parsed.data, shop.apiKey)
    keep(payment)
    save()
    if (byCode) settle(payment, ['PENDING'])
    if (outcome?.answer === 'CONFIRMED' || outcome?.answer === 'REJECTED') {
      const { answer: said } = outcome
      later(() => payment.status === 'PENDING' && settle(payment, [said]), bankMilliseconds.answer * timeScale)
    }
    if (outcome?.answer === 'bank') {
      later(() => payment.status === 'PENDING' && settle(payment, ['REJECTED']), bankMilliseconds.patience)
    }
    const { paymentId, token } = payment
    const redirectUrl = `${options.publicUrl ?? url}/pay?paymentId=${paymentId}&token=${token}`
    const body = { ...(byCode ? {} : { redirectUrl }), paymentId, status: payment.status }
    remember(201, body)
    if (faults.notifyFirst === true && notificationUrl !== undefined) {
      payment.status = 'CONFIRMED'
      payment.modifiedAt = new Date().toISOString()
      save()
      await postman.sendNow(letter(payment))
    }
    if (faults.createTimeout !== undefined) return vanish(request, reply, faults.createTimeout)
    return reply.status(201).send(body)
  })

  app.get('/v3/payments/paymentmethods', async (request, reply) => {
    const shop = findCaller(request, reply)
    if (shop === undefined) return reply
    const { currency = 'PLN' } = request.query as { currency?: string }
    const method = (id: number, name: string, authorizationType: 'CODE' | 'REDIRECT') => ({
      id,
      name,
      description: name,
      image: `${url}/images/${id}.png`,
      status: 'ENABLED',
      authorizationType,
    })
    return [
      ...(currency === 'PLN' ? [{ type: 'BLIK', paymentMethods: [method(blikId, 'BLIK', 'CODE')] }] : []),
      { type: 'CARD', paymentMethods: [method(2002, 'Card', 'REDIRECT')] },
    ]
  })

  app.get('/v3/payments/:id/status', async (request, reply) => {
    const shop = findCaller(request, reply)
    if (shop === undefined) return reply
    const payment = payments.get((request.params as { id: string }).id)
    if (payment?.apiKey !== shop.apiKey) return refuse(reply, 404, 'NOT_FOUND')
    if (faultBook.of(payment.externalId).retrieveError === true) {
      return refuse(reply, 503, 'SYSTEM_TEMPORARILY_UNAVAILABLE')
    }
    return { paymentId: payment.paymentId, status: payment.status }
  })

  app.post('/v3/payments/:id/refunds', async (request, reply) => {
    const shop = findCaller(request, reply)
    if (shop === undefined) return reply
    const { answer, remember } = replay(request, reply, shop)
    if (answer !== undefined) return answer
    const payment = payments.get((request.params as { id: string }).id)
    if (payment?.apiKey !== shop.apiKey) return refuse(reply, 404, 'NOT_FOUND')
    const parsed = refundRequestSchema.safeParse(parse(request))
    if (!parsed.success) return refuse(reply, 400, 'VALIDATION_ERROR', firstIssue(parsed.error))
    const { amount } = parsed.data
    const given = [...refunds.values()].filter(
      ({ paymentId, status }) => paymentId === payment.paymentId && status !== 'FAILED' && status !== 'CANCELLED',
    )
    if (payment.status !== 'CONFIRMED') return refuse(reply, 400, 'PAYMENT_NOT_CONFIRMED')
    if (given.reduce((sum, one) => sum + one.amount, amount) > payment.request.amount) {
      return refuse(reply, 400, 'INSUFFICIENT_BALANCE_FUNDS')
    }
    const fault = faultBook.of(payment.externalId).refund
    if (fault === 'error') return refuse(reply, 503, 'SYSTEM_TEMPORARILY_UNAVAILABLE')
    const refund: Refund = { refundId: newRefundId(), paymentId: payment.paymentId, amount, status: 'NEW' }
    refunds.set(refund.refundId, refund)
    later(() => {
      if (refund.status === 'NEW') refund.status = fault === 'fail' ? 'FAILED' : 'SUCCESSFUL'
      save()
    }, refundMilliseconds * timeScale)
    const body = { refundId: refund.refundId, status: 'NEW' }
    remember(201, body)
    save()
    return fault === 'cut' ? vanish(request, reply, 'cut') : reply.status(201).send(body)
  })

  const findRefund = (request: FastifyRequest, shop: PaynowShop) => {
    const refund = refunds.get((request.params as { id: string }).id)
    return refund !== undefined && payments.get(refund.paymentId)?.apiKey === shop.apiKey ? refund : undefined
  }
  app.get('/v3/refunds/:id/status', async (request, reply) => {
    const shop = findCaller(request, reply)
    if (shop === undefined) return reply
    const refund = findRefund(request, shop)
    if (refund === undefined) return refuse(reply, 404, 'NOT_FOUND')
    return { refundId: refund.refundId, status: refund.status }
  })
  app.post('/v3/refunds/:id/cancel', async (request, reply) => {
    const shop = findCaller(request, reply)
    if (shop === undefined) return reply
    const refund = findRefund(request, shop)
    if (refund === undefined) return refuse(reply, 404, 'NOT_FOUND')
    if (refund.status !== 'NEW') return refuse(reply, 400, 'VALIDATION_ERROR', 'status')
    refund.status = 'CANCELLED'
    save()
    return reply.status(200).send()
  })
  app.patch('/v3/configuration/shop/urls', async (request, reply) => {
    if (findCaller(request, reply) === undefined) return reply
    const given = parse(request) as { notificationUrl?: string } | undefined
    notificationUrl = given?.notificationUrl ?? notificationUrl
    return reply.status(204).send()
  })

  const findByToken = ({ paymentId = '', token = '' }: { paymentId?: string; token?: string }) => {
    const payment = payments.get(paymentId)
    return payment?.token === token ? payment : undefined
  }
  function continueUrlOf(payment: Payment | undefined): string | undefined {
    if (payment?.request.continueUrl === undefined) return undefined
    const back = new URL(payment.request.continueUrl)
    back.searchParams.set('paymentId', payment.paymentId)
    back.searchParams.set('paymentStatus', payment.status)
    return back.href
  }
  const page = (reply: FastifyReply, html: string, status = 200) =>
    reply.status(status).headers(documentHeaders).send(html)
  const payerPage = (reply: FastifyReply, payment: Payment | undefined) =>
    page(reply, renderPayerPage(payment, continueUrlOf(payment)), payment === undefined ? 404 : 200)

  app.get('/pay', async (request, reply) => payerPage(reply, findByToken(request.query as object)))
  app.post('/pay', async (request, reply) => {
    const form = request.body as { paymentId?: string; token?: string; action?: string }
    const payment = findByToken(form)
    if (payment === undefined) return payerPage(reply, payment)
    if (payment.status === 'NEW') {
      if (form.action === 'again') {
        const { paymentId, token } = abandon(payment)
        return reply.redirect(`/pay?paymentId=${paymentId}&token=${token}`, 303)
      }
      if (form.action === 'pay') pay(payment)
      if (form.action === 'reject') settle(payment, ['PENDING', 'REJECTED'])
    }
    const back = continueUrlOf(payment)
    return back === undefined ? payerPage(reply, payment) : reply.redirect(back, 303)
  })

  const atBank = () =>
    [...payments.values()].filter(
      ({ status, request }) => status === 'PENDING' && request.authorizationCode !== undefined,
    )
  app.get('/bank', async (_request, reply) => page(reply, renderBank(atBank())))
  app.post('/bank', async (request, reply) => {
    const form = request.body as { paymentId?: string; token?: string; action?: string }
    const payment = findByToken(form)
    if (payment?.status === 'PENDING') settle(payment, [form.action === 'confirm' ? 'CONFIRMED' : 'REJECTED'])
    return reply.redirect('/bank', 303)
  })

  // The control interface: from this machine only.
  app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!/^(::ffff:)?127\.|^::1$/.test(request.ip)) return refuse(reply, 403, 'FORBIDDEN')
      return undefined
    })
    control.get('/simulator/payments', () => ({ payments: [...payments.values()], refunds: [...refunds.values()] }))
    control.get('/simulator/notifications', () => ({ waiting: postman.waiting() }))
    control.post('/simulator/faults', async (request, reply) => {
      faultBook.set(parse(request) as z.input<typeof faultRuleSchema>)
      return reply.status(204).send()
    })
    control.delete('/simulator/faults', async (_request, reply) => {
      faultBook.clear()
      return reply.status(204).send()
    })
  })

  if (stateFile !== undefined && existsSync(stateFile)) {
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State
    for (const payment of state.payments) keep(payment)
    for (const refund of state.refunds) refunds.set(refund.refundId, refund)
    postman.restore(state.deliveries)
  }
  await app.listen({ port: options.port ?? 0, host: options.host ?? '0.0.0.0' })
  url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`

  const known = (paymentId: string) => {
    const payment = payments.get(paymentId)
    if (payment === undefined) throw new Error(`no payment ${paymentId}`)
    return payment
  }
  return {
    url,
    payments: () => [...payments.values()],
    refunds: () => [...refunds.values()],
    setNotificationUrl: (to) => void (notificationUrl = to),
    pay: (paymentId) => pay(known(paymentId)),
    settle: (paymentId, status) => settle(known(paymentId), [status]),
    abandon: (paymentId) => abandon(known(paymentId)).paymentId,
    forge: (paymentId, kind) => postman.send(forgery(known(paymentId), kind)),
    setFaults: (rule) => faultBook.set(rule),
    clearFaults: () => faultBook.clear(),
    waiting: () => postman.waiting(),
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await postman.close()
      await app.close()
    },
  }
}
