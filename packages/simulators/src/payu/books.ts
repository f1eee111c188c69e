/**
 * What the simulator knows and does, apart from HTTP: orders from their beginning to their end, refunds, and the
 * notifications that tell of each, with the faults that are set.
 */
import { randomBytes } from 'node:crypto'
import { createFaultBook, type FaultBook } from '../payments/fault-book.ts'
import { type Faults, faultsSchema } from '../payments/faults.ts'
import { createPostman, type Delivery } from '../payments/postman.ts'
import { openStateFile } from '../payments/state-file.ts'
import { schedule, type SignatureAlgorithm, signedHeaders } from './notifications.ts'
import {
  createOrder,
  isSettled,
  type Order,
  type OrderRequest,
  type OrderStatus,
  type Refund,
  showOrder,
} from './orders.ts'

/** A point of sale, and what it is called and signed with. */
export type Pos = { posId: string; clientId: string; clientSecret: string; secondKey: string }
export type Forgery = 'signature' | 'amount' | 'currency'
export type BooksOptions = {
  allPos: readonly Pos[]
  algorithm: SignatureAlgorithm
  stateFile: string | undefined
  timeScale: number
  holdRefunds: boolean
}
export type Books = ReturnType<typeof openBooks>

type State = { orders: Order[]; deliveries: Delivery[] }
/** Until a refund has left. */
const refundMilliseconds = 5_000

export function openBooks({ allPos, algorithm, stateFile, timeScale, holdRefunds }: BooksOptions) {
  const kept = openStateFile<State>(stateFile)
  const orders = new Map<string, Order>()
  const byName = new Map<string, Order>()
  const timers = new Set<NodeJS.Timeout>()
  const faultBook: FaultBook<Faults> = createFaultBook(faultsSchema)
  const postman = createPostman({ schedule, timeScale, isTaken: (status) => status === 200, onChange: save })
  const keyOf = ({ request }: Order) => allPos.find(({ posId }) => posId === request.merchantPosId)?.secondKey ?? ''
  const faultsOf = (order: Order) => faultBook.of(order.extOrderId)

  function save() {
    kept.write(() => ({ orders: [...orders.values()], deliveries: postman.waiting() }))
  }

  /** Takes up what an earlier process has left. */
  function restore() {
    const state = kept.read()
    if (state === undefined) return
    for (const order of state.orders) keep(order)
    postman.restore(state.deliveries)
  }

  function later(work: () => void, milliseconds: number) {
    const timer = setTimeout(() => timers.delete(timer) && work(), milliseconds)
    timers.add(timer.unref())
  }

  function keep(order: Order) {
    orders.set(order.orderId, order)
    byName.set(order.extOrderId, order)
    const wait = Date.parse(order.expiresAt) - Date.now()
    if (isSettled(order) || wait > 2 ** 31 - 1) return
    later(() => order.status === 'NEW' && settle(order, ['CANCELED']), wait)
  }

  /** What the order is when somebody asks; a mismatch is there for everybody. */
  function describe(order: Order, status: OrderStatus = order.status, more: object = {}) {
    const wrong = faultsOf(order).mismatch === true
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

  function forgery(order: Order, kind: Forgery) {
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
    const { lose, reorder, duplicate = 0, delay = 0, forge } = faultsOf(order)
    order.status = statuses.at(-1) ?? order.status
    save()
    if (order.request.notifyUrl === undefined) return
    if (forge !== undefined) postman.send(forgery(order, forge))
    if (lose === true) return
    const letters = statuses.map((status) => letter(order, describe(order, status)))
    for (const [index, one] of (reorder === true ? letters.toReversed() : letters).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(one, { delay: delay + index * 5 })
    }
  }

  const describeRefund = (order: Order, refund: Refund) => ({
    ...refund,
    currencyCode: order.request.currencyCode,
    creationDateTime: new Date().toISOString(),
  })

  /** A refund leaves, or comes to nothing, and that is told. */
  function settleRefund(order: Order, refund: Refund) {
    if (refund.status !== 'PENDING') return
    const { refund: fault, lose, duplicate = 0, delay = 0 } = faultsOf(order)
    refund.status = fault === 'fail' ? 'CANCELED' : 'FINALIZED'
    save()
    if (lose === true || order.request.notifyUrl === undefined) return
    // Our name of it is in the list of an order's refunds alone.
    const { extRefundId: _name, ...told } = describeRefund(order, refund)
    const body = JSON.stringify({ orderId: order.orderId, extOrderId: order.extOrderId, refund: told })
    const headers = signedHeaders(body, keyOf(order), algorithm)
    for (let copy = 0; copy <= duplicate; copy++) {
      postman.send({ orderId: order.orderId, url: order.request.notifyUrl, body, headers }, { delay })
    }
  }

  return {
    restore,
    faultBook,
    faultsOf,
    postman,
    describe,
    describeRefund,
    settle,
    orders: () => [...orders.values()],
    find: (orderId: string) => orders.get(orderId),
    hasName: (extOrderId: string) => byName.has(extOrderId),
    create(request: OrderRequest): Order {
      const order = createOrder(request)
      keep(order)
      save()
      return order
    },
    /** It is paid, and that is told, before anything else is. */
    async payFirst(order: Order) {
      if (order.request.notifyUrl === undefined) return
      order.status = 'COMPLETED'
      save()
      await postman.sendNow(letter(order, describe(order)))
    },
    pay(order: Order) {
      if (order.status !== 'NEW') return
      settle(order, ['PENDING', faultsOf(order).capture === true ? 'WAITING_FOR_CONFIRMATION' : 'COMPLETED'])
    },
    /** A notification as it would be sent; `more` is what it says else than the order. */
    letter: (order: Order, more?: object) => letter(order, describe(order, undefined, more)),
    forge: (order: Order, kind: Forgery) => postman.send(forgery(order, kind)),
    /** The same again is the same refund. @returns undefined where the order has not so much left. */
    giveBack(order: Order, { amount, extRefundId }: { amount: string; extRefundId: string }): Refund | undefined {
      const known = order.refunds.find((one) => one.extRefundId === extRefundId && one.amount === amount)
      if (known !== undefined) return known
      const refunded = order.refunds.reduce((sum, one) => sum + (one.status === 'CANCELED' ? 0 : Number(one.amount)), 0)
      const isTooMuch = refunded + Number(amount) > Number(order.request.totalAmount)
      if (order.status !== 'COMPLETED' || isTooMuch) return undefined
      const refundId = String(randomBytes(4).readUInt32BE())
      const refund: Refund = { refundId, extRefundId, amount, status: 'PENDING' }
      order.refunds.push(refund)
      save()
      if (!holdRefunds) later(() => settleRefund(order, refund), refundMilliseconds * timeScale)
      return refund
    },
    settleRefunds(order: Order) {
      for (const refund of order.refunds) settleRefund(order, refund)
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await postman.close()
    },
  }
}
