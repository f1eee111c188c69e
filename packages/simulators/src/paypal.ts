/**
 * A stand-in for PayPal's REST API: OAuth, Orders v2, Payments v2, Disputes v1, Transaction Search v1, the page on which
 * payers approve, and webhooks signed by a certificate of its own. It can be told to misbehave (`paypal/faults.ts`), by
 * its handle or by `POST /simulator/faults`.
 */
import formBody from 'node:querystring'
import Fastify from 'fastify'
import { registerPaypalApi } from './paypal/api.ts'
import { openBooks, type Standing } from './paypal/books.ts'
import type { Letter } from './paypal/letters.ts'
import type { FaultRule } from './payments/fault-book.ts'
import type { Faults } from './paypal/faults.ts'
import { amountOf, type Dispute, type Order, type RefundStatus } from './paypal/orders.ts'
import { contextOf, renderPayerPage } from './paypal/page.ts'
import type { Delivery } from './paypal/webhooks.ts'

export type { Faults as PaypalFaults } from './paypal/faults.ts'
export { forgeries } from './paypal/faults.ts'
export { makeSigningKey } from './paypal/certificate.ts'
export { signWebhook } from './paypal/webhooks.ts'

export type PaypalSimulatorOptions = {
  /** 0: any free one. */
  port?: number
  host?: string
  /** Address under which payers reach it; unset: the one it listens on. */
  publicUrl?: string
  clientId: string
  clientSecret: string
  webhookId: string
  /** Where webhooks go; may be set later. */
  webhookUrl?: string
  /** Where orders and unsent webhooks outlive the process. */
  stateFile?: string
  /** Factor on the times between webhooks, and on how long a request's key is kept. */
  timeScale?: number
}

export type PaypalSimulator = {
  url: string
  orders(): Order[]
  disputes(): Dispute[]
  /** The payer agrees; as by the button on the page. */
  approve(orderId: string): void
  /** What becomes of a capture that waits. */
  settleCapture(orderId: string, status: 'COMPLETED' | 'DECLINED'): void
  settleRefund(refundId: string, status: RefundStatus): void
  /** Money given back on PayPal's own site, where our product was not asked: all of it, or an amount in minor units. */
  refundByHand(orderId: string, amount?: number): void
  dispute(orderId: string): Dispute
  resolveDispute(disputeId: string, favour: 'buyer' | 'seller'): void
  /** Tells the shop of a payment that did not take place. */
  forge(orderId: string, kind: NonNullable<Faults['forge']>): void
  /** A signed webhook of an order as it stands. */
  tell(orderId: string, type: string): void
  /** An order, or what was taken for it, is in a status, and nobody is told. */
  become(orderId: string, standing: Standing): void
  /** A signed webhook that is not sent: of what was taken where that is given, else of the order. */
  letter(orderId: string, standing: Standing): Letter
  /** The same, of what was given back last. */
  refundLetter(orderId: string): Letter
  /** A webhook that is not sent, and not PayPal's or not true. */
  forgery(orderId: string, kind: NonNullable<Faults['forge']>): Letter
  setFaults(rule: FaultRule<Faults>): void
  clearFaults(): void
  setWebhookUrl(url: string): void
  /** Webhooks not yet taken. */
  waiting(): Delivery[]
  close(): Promise<void>
}

export async function startPaypalSimulator(options: PaypalSimulatorOptions): Promise<PaypalSimulator> {
  const { clientId, clientSecret, webhookId, stateFile, timeScale = 1 } = options
  const place = { api: '', payerPage: '', webhookUrl: options.webhookUrl }
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 256 * 1024 })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )
  app.removeContentTypeParser('application/json')
  // As text: a webhook is verified by its bytes.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const books = openBooks({ webhookId, stateFile, timeScale }, place)
  registerPaypalApi(app, books, { clientId, clientSecret, timeScale })

  const html = (order: Order | undefined) => ({
    status: order === undefined ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    page: renderPayerPage(order),
  })
  app.get('/checkoutnow', async (request, reply) => {
    const { status, headers, page } = html(books.find((request.query as { token?: string }).token ?? ''))
    return reply.status(status).headers(headers).send(page)
  })
  app.post('/checkoutnow', async (request, reply) => {
    const form = (request.body ?? {}) as { token?: string; action?: string }
    const order = books.find(form.token ?? '')
    const { return_url, cancel_url } = order === undefined ? {} : contextOf(order)
    const target = form.action === 'approve' ? return_url : cancel_url
    if (order !== undefined && form.action === 'approve') books.approve(order)
    if (order === undefined || target === undefined) {
      const { status, headers, page } = html(order)
      return reply.status(status).headers(headers).send(page)
    }
    const back = new URL(target)
    back.searchParams.set('token', order.id)
    if (form.action === 'approve') back.searchParams.set('PayerID', 'SIMULATEDPAYER')
    return reply.redirect(back.href, 303)
  })

  await app.listen({ port: options.port ?? 0, host: options.host ?? '0.0.0.0' })
  place.api = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  place.payerPage = `${options.publicUrl ?? place.api}/checkoutnow`
  books.restore() // only now: what was left is signed with our addresses

  const known = (id: string) => {
    const order = books.orders().find((one) => one.id === id)
    if (order === undefined) throw new Error(`no order ${id}`)
    return order
  }
  const captured = (id: string) => {
    const order = known(id)
    const capture = order.captures.at(-1)
    if (capture === undefined) throw new Error(`nothing of ${id} is captured`)
    return { order, capture }
  }
  return {
    url: place.api,
    orders: () => books.orders(),
    disputes: () => books.disputes(),
    approve: (orderId) => books.approve(known(orderId)),
    settleCapture: (orderId, status) => books.settleCapture(known(orderId), status),
    settleRefund(refundId, status) {
      for (const order of books.orders()) {
        for (const capture of order.captures) {
          const refund = capture.refunds.find(({ id }) => id === refundId)
          if (refund !== undefined) return books.settleRefund(order, capture, refund, status)
        }
      }
      throw new Error(`no refund ${refundId}`)
    },
    refundByHand(orderId, part) {
      const { order, capture } = captured(orderId)
      const amount = part === undefined ? capture.amount : amountOf(part, capture.amount.currency_code)
      books.giveBack(order, capture, { amount, status: 'COMPLETED', isReversal: false })
    },
    dispute(orderId) {
      const { order, capture } = captured(orderId)
      return books.openDispute(order, capture)
    },
    resolveDispute(disputeId, favour) {
      const dispute = books.disputes().find(({ id }) => id === disputeId)
      if (dispute === undefined) throw new Error(`no dispute ${disputeId}`)
      books.resolveDispute(dispute, favour)
    },
    forge: (orderId, kind) => books.forge(known(orderId), kind),
    tell: (orderId, type) => books.tell(known(orderId), [books.letters.ofOrder(known(orderId), type)]),
    become: (orderId, standing) => books.become(known(orderId), standing),
    letter: (orderId, standing) => books.letter(known(orderId), standing),
    refundLetter(orderId) {
      const { capture } = captured(orderId)
      const refund = capture.refunds.at(-1)
      if (refund === undefined) throw new Error(`nothing of ${orderId} was given back`)
      return books.letters.sign(books.letters.ofRefund(capture, refund))
    },
    forgery: (orderId, kind) => books.letters.forgery(known(orderId), kind),
    setFaults: (rule) => books.faultBook.set(rule),
    clearFaults: () => books.faultBook.clear(),
    setWebhookUrl(url) {
      place.webhookUrl = url
    },
    waiting: () => books.postman.waiting(),
    async close() {
      await books.postman.close()
      await app.close()
    },
  }
}
