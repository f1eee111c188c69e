/**
 * A stand-in for PayNow's API v3: payments, BLIK by code, refunds, the payer's page, a page for their bank's app, and
 * signed notifications. It can be told to misbehave (`payments/faults.ts`), by its handle or by
 * `POST /simulator/faults`.
 */
import formBody from 'node:querystring'
import Fastify, { type FastifyInstance } from 'fastify'
import type { FaultRule } from './payments/fault-book.ts'
import type { Faults } from './payments/faults.ts'
import type { Delivery } from './payments/postman.ts'
import { registerPaynowApi } from './paynow/api.ts'
import { type Books, type Forgery, openBooks, type PaynowShop } from './paynow/books.ts'
import { parse, refuse } from './paynow/calls.ts'
import { registerPaynowPages } from './paynow/pages.ts'
import type { Payment, PaymentStatus, Refund } from './paynow/payments.ts'

export { signNotification } from './paynow/signing.ts'

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
  /** A payment is in a status, and nobody is told. Any word: also one that PayNow has not. */
  become(paymentId: string, status: string): void
  /** The payer begins anew. @returns the payment that follows. */
  abandon(paymentId: string): string
  /** Money given back in PayNow's panel, of which PayNow tells nobody. @returns the refund's name there. */
  refundByHand(paymentId: string, amount: number): string
  /** A signed notification that is not sent; of the payment as it stands, but for what is given. */
  letter(paymentId: string, more?: object): { body: string; headers: Record<string, string> }
  /** Tells the shop of a payment that did not take place. */
  forge(paymentId: string, kind: Forgery): void
  setFaults(rule: FaultRule<Faults>): void
  clearFaults(): void
  /** Notifications not yet taken. */
  waiting(): Delivery[]
  close(): Promise<void>
}

export async function startPaynowSimulator(options: PaynowSimulatorOptions): Promise<PaynowSimulator> {
  const { shops, stateFile, timeScale = 1 } = options
  const place = { api: '', payerPage: '', notificationUrl: options.notificationUrl }
  const books = openBooks({ shops, stateFile, timeScale }, place)
  const app = Fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )
  app.removeContentTypeParser('application/json')
  // As text: a call is signed over its bytes.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(
    (error, _request, reply) => void refuse(reply, 500, 'SYSTEM_TEMPORARILY_UNAVAILABLE', String(error)),
  )
  registerPaynowApi(app, books, { shops, place })
  registerPaynowPages(app, books)
  registerControl(app, books)

  books.restore()
  await app.listen({ port: options.port ?? 0, host: options.host ?? '0.0.0.0' })
  place.api = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  place.payerPage = `${options.publicUrl ?? place.api}/pay`

  const known = (paymentId: string) => {
    const payment = books.find(paymentId)
    if (payment === undefined) throw new Error(`no payment ${paymentId}`)
    return payment
  }
  return {
    url: place.api,
    payments: books.payments,
    refunds: books.refunds,
    setNotificationUrl: (to) => void (place.notificationUrl = to),
    pay: (paymentId) => books.pay(known(paymentId)),
    settle: (paymentId, status) => books.settle(known(paymentId), [status]),
    become: (paymentId, status) => void (known(paymentId).status = status as PaymentStatus),
    abandon: (paymentId) => books.abandon(known(paymentId)).paymentId,
    refundByHand: (paymentId, amount) => books.giveBack(known(paymentId), amount).refundId,
    letter: (paymentId, more) => books.letter(known(paymentId), more),
    forge: (paymentId, kind) => books.forge(known(paymentId), kind),
    setFaults: (rule) => books.faultBook.set(rule),
    clearFaults: () => books.faultBook.clear(),
    waiting: () => books.postman.waiting(),
    async close() {
      await books.close()
      await app.close()
    },
  }
}

/** The control interface: from this machine only. */
function registerControl(app: FastifyInstance, books: Books): void {
  app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!/^(::ffff:)?127\.|^::1$/.test(request.ip)) return refuse(reply, 403, 'FORBIDDEN')
      return undefined
    })
    control.get('/simulator/payments', () => ({ payments: books.payments(), refunds: books.refunds() }))
    control.get('/simulator/notifications', () => ({ waiting: books.postman.waiting() }))
    control.post('/simulator/faults', async (request, reply) => {
      books.faultBook.set(parse(request))
      return reply.status(204).send()
    })
    control.delete('/simulator/faults', async (_request, reply) => {
      books.faultBook.clear()
      return reply.status(204).send()
    })
  })
}
