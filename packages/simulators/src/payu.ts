/**
 * A stand-in for PayU's REST API 2.1: OAuth, orders, captures, refunds, the payer's page, and signed notifications on
 * PayU's schedule. It can be told to misbehave (`payments/faults.ts`), by its handle or by `POST /simulator/faults`.
 */
import { randomUUID } from 'node:crypto'
import formBody from 'node:querystring'
import Fastify, { type FastifyInstance } from 'fastify'
import type { FaultRule } from './payments/fault-book.ts'
import type { Faults } from './payments/faults.ts'
import type { Delivery } from './payments/postman.ts'
import { refuse, registerPayuApi } from './payu/api.ts'
import { type Books, type Forgery, openBooks, type Pos } from './payu/books.ts'
import type { SignatureAlgorithm } from './payu/notifications.ts'
import type { Order, OrderStatus } from './payu/orders.ts'
import { registerPayuPages } from './payu/pages.ts'

export type { Faults } from './payments/faults.ts'
export type { Order } from './payu/orders.ts'

export type PayuSimulatorOptions = Pos & {
  /** Further points of sale of the same shop. */
  morePos?: readonly Pos[]
  /** 0: any free one. */
  port?: number
  host?: string
  /** Address under which payers reach it; unset: the one it listens on. */
  publicUrl?: string
  algorithm?: SignatureAlgorithm
  /** Where orders and unsent notifications outlive the process. */
  stateFile?: string
  /** Factor on the times between notifications, and until a refund leaves. */
  timeScale?: number
  /** Refunds stay pending until `settleRefunds`. */
  holdRefunds?: boolean
}

export type PayuSimulator = {
  url: string
  orders(): Order[]
  /** The payer pays; as by the button on the page. */
  pay(orderId: string): void
  cancel(orderId: string): void
  /** The payer's bank will not pay. */
  reject(orderId: string): void
  /** An order is in a status, and nobody is told. Any word: also one that PayU has not. */
  become(orderId: string, status: string): void
  /** A signed notification that is not sent; of the order as it stands, but for what is given. */
  letter(orderId: string, more?: object): { body: string; headers: Record<string, string> }
  /** Money given back in PayU's panel, where our product was not asked. */
  refundByHand(orderId: string, amount: number): void
  /** What was pending of an order's refunds leaves. */
  settleRefunds(orderId: string): void
  /** Tells the shop of a payment that did not take place. */
  forge(orderId: string, kind: Forgery): void
  setFaults(rule: FaultRule<Faults>): void
  clearFaults(): void
  /** Notifications not yet taken. */
  waiting(): Delivery[]
  close(): Promise<void>
}

export async function startPayuSimulator(options: PayuSimulatorOptions): Promise<PayuSimulator> {
  const { stateFile, algorithm = 'MD5', timeScale = 1, holdRefunds = false } = options
  const allPos: readonly Pos[] = [options, ...(options.morePos ?? [])]
  const place = { payerPage: '' }
  const books = openBooks({ allPos, algorithm, stateFile, timeScale, holdRefunds })
  const app = Fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )
  // Captures come with a JSON content type and nothing in it.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      done(null, null)
    }
  })
  app.setErrorHandler((error, _request, reply) => void refuse(reply, 500, 'ERROR_INTERNAL', String(error)))
  registerPayuApi(app, books, { allPos, place })
  registerPayuPages(app, books)
  registerControl(app, books)

  books.restore()
  await app.listen({ port: options.port ?? 0, host: options.host ?? '0.0.0.0' })
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  place.payerPage = `${options.publicUrl ?? url}/pay/`

  const known = (orderId: string) => {
    const order = books.find(orderId)
    if (order === undefined) throw new Error(`no order ${orderId}`)
    return order
  }
  return {
    url,
    orders: books.orders,
    pay: (orderId) => books.pay(known(orderId)),
    cancel: (orderId) => books.settle(known(orderId), ['CANCELED']),
    reject: (orderId) => books.settle(known(orderId), ['PENDING', 'REJECTED']),
    become: (orderId, status) => void (known(orderId).status = status as OrderStatus),
    letter: (orderId, more) => books.letter(known(orderId), more),
    refundByHand(orderId, amount) {
      const extRefundId = randomUUID().slice(0, 13) // none of ours
      const made = books.giveBack(known(orderId), { amount: String(amount), extRefundId })
      if (made === undefined) throw new Error(`${orderId} has not so much left`)
    },
    settleRefunds: (orderId) => books.settleRefunds(known(orderId)),
    forge: (orderId, kind) => books.forge(known(orderId), kind),
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
    control.get('/simulator/orders', () => ({ orders: books.orders() }))
    control.get('/simulator/notifications', () => ({ waiting: books.postman.waiting() }))
    control.post('/simulator/faults', async (request, reply) => {
      books.faultBook.set(request.body)
      return reply.status(204).send()
    })
    control.delete('/simulator/faults', async (_request, reply) => {
      books.faultBook.clear()
      return reply.status(204).send()
    })
    control.post('/simulator/orders/:id/pay', async (request, reply) => {
      const order = books.find((request.params as { id: string }).id)
      if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
      books.pay(order)
      return reply.status(204).send()
    })
  })
}
