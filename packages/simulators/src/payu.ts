/**
 * A stand-in for PayU's REST API 2.1: OAuth, orders, captures, refunds, the payer's page, and signed notifications on
 * PayU's schedule. It can be told to misbehave (`payments/faults.ts`), by its handle or by `POST /simulator/faults`.
 */
import { randomBytes } from 'node:crypto'
import formBody from 'node:querystring'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { documentHeaders } from './payments/document.ts'
import { createFaultBook, type FaultRule } from './payments/fault-book.ts'
import { type Faults, faultsSchema } from './payments/faults.ts'
import { createPostman, type Delivery } from './payments/postman.ts'
import { openStateFile } from './payments/state-file.ts'
import { schedule, type SignatureAlgorithm, signedHeaders } from './payu/notifications.ts'
import {
  createOrder,
  isSettled,
  type Order,
  orderRequestSchema,
  type OrderStatus,
  type Refund,
  showOrder,
} from './payu/orders.ts'
import { renderPayerPage } from './payu/page.ts'

export type { Faults } from './payments/faults.ts'
export type { Order } from './payu/orders.ts'

/** A point of sale, and what it is called and signed with. */
export type Pos = { posId: string; clientId: string; clientSecret: string; secondKey: string }

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
  /** What was pending of an order's refunds leaves. */
  settleRefunds(orderId: string): void
  /** Tells the shop of a payment that did not take place. */
  forge(orderId: string, kind: 'signature' | 'amount' | 'currency'): void
  setFaults(rule: FaultRule<Faults>): void
  clearFaults(): void
  /** Notifications not yet taken. */
  waiting(): Delivery[]
  close(): Promise<void>
}

type State = { orders: Order[]; deliveries: Delivery[] }
/** Until a refund has left. */
const refundMilliseconds = 5_000
const success = { statusCode: 'SUCCESS', statusDesc: 'Request processing successful' }

export async function startPayuSimulator(options: PayuSimulatorOptions): Promise<PayuSimulator> {
  const { algorithm = 'MD5', timeScale = 1 } = options
  const allPos: readonly Pos[] = [options, ...(options.morePos ?? [])]
  const keyOf = ({ request }: Order) => allPos.find(({ posId }) => posId === request.merchantPosId)?.secondKey ?? ''
  const kept = openStateFile<State>(options.stateFile)
  const orders = new Map<string, Order>()
  const byName = new Map<string, Order>()
  const tokens = new Map<string, { pos: Pos; until: number }>()
  const callers = new WeakMap<FastifyRequest, Pos>()
  const expiries = new Set<NodeJS.Timeout>()
  const faultBook = createFaultBook(faultsSchema)
  const postman = createPostman({ schedule, timeScale, isTaken: (status) => status === 200, onChange: save })
  const app = Fastify({ forceCloseConnections: true })
  let url = ''

  function save() {
    kept.write(() => ({ orders: [...orders.values()], deliveries: postman.waiting() }))
  }

  function keep(order: Order) {
    orders.set(order.orderId, order)
    byName.set(order.extOrderId, order)
    const wait = Date.parse(order.expiresAt) - Date.now()
    if (isSettled(order) || wait > 2 ** 31 - 1) return
    later(() => order.status === 'NEW' && settle(order, ['CANCELED']), wait)
  }

  /** What the order is when somebody asks; a mismatch is there for everybody. */
  function describeOrder(order: Order, status: OrderStatus = order.status, more: object = {}) {
    const wrong = faultBook.of(order.extOrderId).mismatch === true
    const total = wrong ? { totalAmount: String(Number(order.request.totalAmount) + 1) } : {}
    return showOrder({ ...order, status }, { ...total, ...more })
  }

  function letter(order: Order, shown: object, key = keyOf(order)) {
    const body = JSON.stringify({
      order: shown,
      localReceiptDateTime: new Date().toISOString(),
      properties: [{ name: 'PAYMENT_ID', value: order.paymentId }],
    })
    return {
      orderId: order.orderId,
      url: order.request.notifyUrl ?? '',
      body,
      headers: signedHeaders(body, key, algorithm),
    }
  }

  function forgery(order: Order, kind: 'signature' | 'amount' | 'currency') {
    const more = {
      signature: {},
      amount: { totalAmount: String(Number(order.request.totalAmount) * 10) },
      currency: { currencyCode: order.request.currencyCode === 'EUR' ? 'USD' : 'EUR' },
    }[kind]
    const shown = showOrder({ ...order, status: 'COMPLETED' }, more)
    return { ...letter(order, shown, kind === 'signature' ? 'not the key' : undefined), once: true }
  }

  /** Moves an order through statuses and tells of each, with the faults that are set for it. */
  function settle(order: Order, statuses: readonly OrderStatus[]) {
    const { lose, reorder, duplicate = 0, delay = 0, forge } = faultBook.of(order.extOrderId)
    order.status = statuses.at(-1) ?? order.status
    save()
    if (order.request.notifyUrl === undefined) return
    if (forge !== undefined) postman.send(forgery(order, forge))
    if (lose === true) return
    const letters = statuses.map((status) => letter(order, describeOrder(order, status)))
    for (const [index, one] of (reorder === true ? letters.toReversed() : letters).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(one, { delay: delay + index * 5 })
    }
  }

  function pay(order: Order) {
    if (order.status !== 'NEW') return
    const { capture } = faultBook.of(order.extOrderId)
    settle(order, ['PENDING', capture === true ? 'WAITING_FOR_CONFIRMATION' : 'COMPLETED'])
  }

  const describeRefund = (order: Order, refund: Refund) => ({
    ...refund,
    currencyCode: order.request.currencyCode,
    creationDateTime: new Date().toISOString(),
  })

  /** A refund leaves, or comes to nothing, and that is told. */
  function settleRefund(order: Order, refund: Refund) {
    if (refund.status !== 'PENDING') return
    const { refund: fault, lose, duplicate = 0, delay = 0 } = faultBook.of(order.extOrderId)
    refund.status = fault === 'fail' ? 'CANCELED' : 'FINALIZED'
    save()
    if (lose === true || order.request.notifyUrl === undefined) return
    const shown = { orderId: order.orderId, extOrderId: order.extOrderId, refund: describeRefund(order, refund) }
    const body = JSON.stringify(shown)
    const headers = signedHeaders(body, keyOf(order), algorithm)
    for (let copy = 0; copy <= duplicate; copy++) {
      postman.send({ orderId: order.orderId, url: order.request.notifyUrl, body, headers }, { delay })
    }
  }

  function later(work: () => void, milliseconds: number) {
    const timer = setTimeout(() => expiries.delete(timer) && work(), milliseconds)
    expiries.add(timer.unref())
  }

  function refuse(reply: FastifyReply, status: number, statusCode: string, statusDesc = statusCode) {
    return reply.status(status).send({ status: { statusCode, severity: 'ERROR', code: String(status), statusDesc } })
  }

  function requireToken(request: FastifyRequest, reply: FastifyReply): boolean {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const known = tokens.get(token)
    if (known !== undefined && known.until > Date.now()) {
      callers.set(request, known.pos)
      return true
    }
    void refuse(reply, 401, 'UNAUTHORIZED')
    return false
  }

  /** The order that a call names; those of another point of sale do not exist for it. */
  const find = (request: FastifyRequest) => {
    const order = orders.get((request.params as { id: string }).id)
    return order?.request.merchantPosId === callers.get(request)?.posId ? order : undefined
  }

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

  app.post('/api/v2_1/orders', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const parsed = orderRequestSchema.safeParse(request.body)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return refuse(reply, 400, 'ERROR_VALUE_INVALID', `${issue?.path.join('.')}: ${issue?.message}`)
    }
    if (parsed.data.merchantPosId !== callers.get(request)?.posId) return refuse(reply, 403, 'UNAUTHORIZED_REQUEST')
    if (Number(parsed.data.totalAmount) <= 0) return refuse(reply, 400, 'ERROR_VALUE_INVALID', 'totalAmount')
    const faults = faultBook.of(parsed.data.extOrderId ?? '')
    if (faults.createError === true) return refuse(reply, 503, 'SERVICE_NOT_AVAILABLE')
    if (faults.createRefusal !== undefined) {
      return refuse(reply, faults.createRefusal.status, faults.createRefusal.code)
    }
    if (parsed.data.extOrderId !== undefined && byName.has(parsed.data.extOrderId)) {
      return refuse(reply, 400, 'ERROR_ORDER_NOT_UNIQUE')
    }
    const order = createOrder(parsed.data)
    keep(order)
    save()
    if (faults.notifyFirst === true && order.request.notifyUrl !== undefined) {
      order.status = 'COMPLETED'
      save()
      await postman.sendNow(letter(order, describeOrder(order)))
    }
    if (faults.createTimeout !== undefined) {
      reply.hijack()
      if (faults.createTimeout === 'cut') request.raw.socket.destroy()
      return reply
    }
    const redirectUri = `${options.publicUrl ?? url}/pay/?orderId=${order.orderId}&token=${order.token}`
    return reply
      .status(302)
      .header('location', redirectUri)
      .send({ status: success, redirectUri, orderId: order.orderId, extOrderId: order.extOrderId })
  })

  app.get('/api/v2_1/orders/:id', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const order = find(request)
    if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
    if (faultBook.of(order.extOrderId).retrieveError === true) return refuse(reply, 503, 'SERVICE_NOT_AVAILABLE')
    return {
      orders: [describeOrder(order)],
      status: success,
      properties: [{ name: 'PAYMENT_ID', value: order.paymentId }],
    }
  })

  app.delete('/api/v2_1/orders/:id', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const order = find(request)
    if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
    if (isSettled(order)) return refuse(reply, 400, 'ERROR_ORDER_NOT_CANCELABLE')
    settle(order, ['CANCELED'])
    return { orderId: order.orderId, extOrderId: order.extOrderId, status: success }
  })

  app.post('/api/v2_1/orders/:id/captures', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const order = find(request)
    if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
    if (order.status !== 'WAITING_FOR_CONFIRMATION') return refuse(reply, 400, 'ERROR_ORDER_STATUS')
    settle(order, ['COMPLETED'])
    return { status: success }
  })

  app.post('/api/v2_1/orders/:id/refunds', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const order = find(request)
    if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
    const { refund = {} } = (request.body ?? {}) as { refund?: { amount?: string; extRefundId?: string } }
    const amount = refund.amount ?? order.request.totalAmount
    const extRefundId = refund.extRefundId ?? ''
    const fault = faultBook.of(order.extOrderId).refund
    if (fault === 'error') return refuse(reply, 503, 'SERVICE_NOT_AVAILABLE')
    let made = order.refunds.find((known) => known.extRefundId === extRefundId && known.amount === amount)
    if (made === undefined) {
      const refunded = order.refunds.reduce(
        (sum, known) => sum + (known.status === 'CANCELED' ? 0 : Number(known.amount)),
        0,
      )
      if (order.status !== 'COMPLETED' || refunded + Number(amount) > Number(order.request.totalAmount)) {
        return refuse(reply, 400, 'ERROR_AMOUNT_TOO_LARGE')
      }
      made = { refundId: String(randomBytes(4).readUInt32BE()), extRefundId, amount, status: 'PENDING' }
      order.refunds.push(made)
      save()
      if (options.holdRefunds !== true) later(() => settleRefund(order, made as Refund), refundMilliseconds * timeScale)
    }
    if (fault === 'cut') {
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    return { orderId: order.orderId, refund: describeRefund(order, made), status: success }
  })

  app.get('/api/v2_1/orders/:id/refunds', async (request, reply) => {
    if (!requireToken(request, reply)) return reply
    const order = find(request)
    if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
    return order.refunds.map((refund) => describeRefund(order, refund))
  })

  const page = (reply: FastifyReply, order: Order | undefined) =>
    reply
      .status(order === undefined ? 404 : 200)
      .headers(documentHeaders)
      .send(renderPayerPage(order))
  const findByToken = ({ orderId = '', token = '' }: { orderId?: string; token?: string }) => {
    const order = orders.get(orderId)
    return order?.token === token ? order : undefined
  }

  app.get('/pay/', async (request, reply) => page(reply, findByToken(request.query as object)))
  app.post('/pay/', async (request, reply) => {
    const form = request.body as { orderId?: string; token?: string; action?: string }
    const order = findByToken(form)
    if (order === undefined) return page(reply, order)
    const isPaying = form.action === 'pay'
    if (isPaying) pay(order)
    else if (order.status === 'NEW') settle(order, ['CANCELED'])
    if (order.request.continueUrl === undefined) return page(reply, order)
    const back = new URL(order.request.continueUrl)
    if (!isPaying) back.searchParams.set('error', '501')
    return reply.redirect(back.href, 303)
  })

  // The control interface: from this machine only.
  app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!/^(::ffff:)?127\.|^::1$/.test(request.ip)) return refuse(reply, 403, 'FORBIDDEN')
      return undefined
    })
    control.get('/simulator/orders', () => ({ orders: [...orders.values()] }))
    control.get('/simulator/notifications', () => ({ waiting: postman.waiting() }))
    control.post('/simulator/faults', async (request, reply) => {
      faultBook.set(request.body)
      return reply.status(204).send()
    })
    control.delete('/simulator/faults', async (_request, reply) => {
      faultBook.clear()
      return reply.status(204).send()
    })
    control.post('/simulator/orders/:id/pay', async (request, reply) => {
      const order = orders.get((request.params as { id: string }).id)
      if (order === undefined) return refuse(reply, 404, 'DATA_NOT_FOUND')
      pay(order)
      return reply.status(204).send()
    })
  })

  const left = kept.read()
  for (const order of left?.orders ?? []) keep(order)
  postman.restore(left?.deliveries ?? [])
  await app.listen({ port: options.port ?? 0, host: options.host ?? '0.0.0.0' })
  url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`

  const known = (orderId: string) => {
    const order = orders.get(orderId)
    if (order === undefined) throw new Error(`no order ${orderId}`)
    return order
  }
  return {
    url,
    orders: () => [...orders.values()],
    pay: (orderId) => pay(known(orderId)),
    cancel: (orderId) => settle(known(orderId), ['CANCELED']),
    reject: (orderId) => settle(known(orderId), ['PENDING', 'REJECTED']),
    become: (orderId, status) => void (known(orderId).status = status as OrderStatus),
    letter: (orderId, more) => letter(known(orderId), describeOrder(known(orderId), undefined, more)),
    settleRefunds: (orderId) => {
      const order = known(orderId)
      for (const refund of order.refunds) settleRefund(order, refund)
    },
    forge: (orderId, kind) => postman.send(forgery(known(orderId), kind)),
    setFaults: (rule) => faultBook.set(rule),
    clearFaults: () => faultBook.clear(),
    waiting: () => postman.waiting(),
    async close() {
      for (const timer of expiries) clearTimeout(timer)
      await postman.close()
      await app.close()
    },
  }
}
