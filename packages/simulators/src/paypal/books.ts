/**
 * What the simulator knows and does, apart from HTTP: orders from approval to capture, refunds, reversals, disputes,
 * and the webhooks that tell of each, with the faults that are set.
 */
import { createFaultBook, type FaultBook } from '../payments/fault-book.ts'
import { openStateFile } from '../payments/state-file.ts'
import { type Faults, faultsSchema } from './faults.ts'
import { createLetters, type Forgery, type Letter, type Place } from './letters.ts'
import {
  amountOf,
  type Capture,
  cents,
  countRefunds,
  type Dispute,
  newId,
  type Order,
  type OrderRequest,
  makeOrder,
  type Refund,
  type RefundStatus,
  showCapture,
  showOrder,
  showRefund,
  unitOf,
} from './orders.ts'
import { createPostman, type Delivery } from './webhooks.ts'

type State = { orders: Order[]; disputes: Dispute[]; deliveries: Delivery[] }

/** How things stand; any word, also one that PayPal has not. */
export type Standing = { status?: string; capture?: string }
export type BooksOptions = { webhookId: string; stateFile?: string | undefined; timeScale: number }
export type Books = ReturnType<typeof openBooks>

export function openBooks({ webhookId, stateFile, timeScale }: BooksOptions, place: Place) {
  const kept = openStateFile<State>(stateFile)
  const orders = new Map<string, Order>()
  const disputes = new Map<string, Dispute>()
  const faultBook: FaultBook<Faults> = createFaultBook(faultsSchema)
  const letters = createLetters(webhookId, place)
  const postman = createPostman({
    urlOf: () => place.webhookUrl,
    headersOf: (body) => letters.sign(body).headers,
    timeScale,
    onChange: save,
  })

  function save() {
    kept.write(() => ({
      orders: [...orders.values()],
      disputes: [...disputes.values()],
      deliveries: postman.waiting(),
    }))
  }

  /** Takes up what an earlier process has left. */
  function restore() {
    const state = kept.read()
    if (state === undefined) return
    for (const order of state.orders) orders.set(order.id, order)
    for (const dispute of state.disputes) disputes.set(dispute.id, dispute)
    postman.restore(state.deliveries)
  }

  const faultsOf = (order: Order) => faultBook.of(order.name)
  const touch = (order: Order) => {
    order.updatedAt = new Date(Math.max(Date.now(), Date.parse(order.updatedAt) + 1)).toISOString()
  }

  /** Sends these webhooks, with the faults of the order. */
  function tell(order: Order, bodies: readonly string[]) {
    const { lose, reorder, duplicate = 0, delay = 0 } = faultsOf(order)
    save()
    if (lose === true) return
    for (const [index, body] of (reorder === true ? bodies.toReversed() : bodies).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(body, { delay: delay + index * 5 })
    }
  }

  function forge(order: Order, kind: Forgery) {
    const { body, headers } = letters.forgery(order, kind)
    postman.send(body, { headers })
  }

  /** The money of an order as it would be taken. */
  const captureIn = (order: Order, status: string): Capture => ({
    id: `${order.id.slice(0, -1)}C`,
    amount: unitOf(order).amount,
    createdAt: order.createdAt,
    refunds: [],
    ...order.captures.at(-1),
    status: status as Capture['status'],
  })

  /** An order, or what was taken for it, is in a status, and nobody is told. */
  function become(order: Order, { status, capture }: Standing) {
    if (status !== undefined) order.status = status as Order['status']
    if (capture !== undefined) order.captures = [captureIn(order, capture)]
    touch(order)
  }

  /** A signed webhook that is not sent. That a capture was given back is told of the order, or of the refund. */
  function letter(order: Order, { status, capture }: Standing): Letter {
    const standingNow = status === undefined ? order.captures : []
    const captures = capture === undefined ? standingNow : [captureIn(order, capture)]
    const [made] = capture?.endsWith('REFUNDED') === true ? [] : captures
    const standing = status ?? (capture === undefined ? order.status : 'COMPLETED')
    const body =
      capture === undefined || made === undefined
        ? letters.ofOrder({ ...order, captures, status: standing as Order['status'] }, `CHECKOUT.ORDER.${standing}`)
        : letters.ofCapture(order, made)
    return letters.sign(body)
  }

  function approve(order: Order) {
    if (order.status !== 'CREATED' && order.status !== 'PAYER_ACTION_REQUIRED') return
    order.status = 'APPROVED'
    touch(order)
    tell(order, [letters.ofOrder(order, 'CHECKOUT.ORDER.APPROVED')])
  }

  /** Takes the money of an approved order. */
  function takeMoney(order: Order): string[] {
    const { amount } = unitOf(order)
    const { mismatch, capture: becomes = 'COMPLETED', forge: lie } = faultsOf(order)
    const amounts = {
      amount: amountOf(cents(amount) + 1, amount.currency_code),
      currency: { ...amount, currency_code: amount.currency_code === 'EUR' ? 'USD' : 'EUR' },
    }
    const made: Capture = {
      id: newId(),
      status: becomes,
      amount: mismatch === undefined ? amount : amounts[mismatch],
      createdAt: new Date().toISOString(),
      refunds: [],
    }
    order.captures.push(made)
    order.status = 'COMPLETED'
    touch(order)
    save()
    if (lie !== undefined) forge(order, lie)
    return [letters.ofOrder(order, 'CHECKOUT.ORDER.COMPLETED'), letters.ofCapture(order, made)]
  }

  /** The payer has to act again, or never can; @returns where they would. */
  function refuseCapture(order: Order, issue: string): { href: string } {
    order.refusals++
    if (['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING'].includes(issue)) {
      order.status = 'PAYER_ACTION_REQUIRED'
      touch(order)
    }
    save()
    return { href: `${place.payerPage}?token=${order.id}` }
  }

  /** What becomes of a capture that waits. */
  function settleCapture(order: Order, status: 'COMPLETED' | 'DECLINED') {
    const [made] = order.captures.filter((one) => one.status === 'PENDING')
    if (made === undefined) throw new Error(`no capture of ${order.id} waits`)
    const before = letters.ofCapture(order, made)
    made.status = status
    touch(order)
    // Told of again, so that the order of the two may be mixed up.
    tell(order, [before, letters.ofCapture(order, made)])
  }

  function giveBack(
    order: Order,
    capture: Capture,
    more: Pick<Refund, 'amount' | 'status' | 'isReversal'> & Partial<Refund>,
  ) {
    const refund: Refund = {
      id: newId(),
      createdAt: new Date().toISOString(),
      custom_id: unitOf(order).custom_id,
      ...more,
    }
    capture.refunds.push(refund)
    if (!refund.isReversal) countRefunds(capture)
    touch(order)
    if (refund.status === 'COMPLETED') tell(order, [letters.ofRefund(capture, refund)])
    else save()
    return refund
  }

  function settleRefund(order: Order, capture: Capture, refund: Refund, status: RefundStatus) {
    refund.status = status
    countRefunds(capture)
    touch(order)
    if (status === 'COMPLETED') tell(order, [letters.ofRefund(capture, refund)])
    else save()
  }

  function openDispute(order: Order, made: Capture): Dispute {
    const dispute: Dispute = {
      id: `PP-D-${newId().slice(0, 5)}`,
      captureId: made.id,
      status: 'OPEN',
      amount: made.amount,
      updatedAt: new Date().toISOString(),
    }
    disputes.set(dispute.id, dispute)
    tell(order, [letters.ofDispute(dispute, 'CREATED')])
    return dispute
  }

  function resolveDispute(dispute: Dispute, favour: 'buyer' | 'seller') {
    const { order, capture: made } = findCapture(dispute.captureId) ?? {}
    if (order === undefined || made === undefined) throw new Error(`no capture ${dispute.captureId}`)
    dispute.status = 'RESOLVED'
    dispute.outcome = favour === 'buyer' ? 'RESOLVED_BUYER_FAVOUR' : 'RESOLVED_SELLER_FAVOUR'
    // Told by the second: what comes after the taking is later than it.
    const taken = made.refunds.filter(({ isReversal, returnedAt }) => isReversal && returnedAt === undefined)
    const after = Math.max(Date.now(), ...taken.map(({ createdAt }) => Date.parse(createdAt) + 1000))
    dispute.updatedAt = new Date(after).toISOString()
    if (favour === 'seller') for (const reversal of taken) reversal.returnedAt = dispute.updatedAt
    if (favour === 'buyer') giveBack(order, made, { amount: dispute.amount, status: 'COMPLETED', isReversal: true })
    tell(order, [letters.ofDispute(dispute, 'RESOLVED')])
  }

  function findCapture(id: string): { order: Order; capture: Capture } | undefined {
    for (const order of orders.values()) {
      const found = order.captures.find((one) => one.id === id)
      if (found !== undefined) return { order, capture: found }
    }
    return undefined
  }

  return {
    restore,
    letters,
    postman,
    faultBook,
    faultsOf,
    save,
    tell,
    forge,
    become,
    letter,
    approve,
    takeMoney,
    refuseCapture,
    settleCapture,
    giveBack,
    settleRefund,
    openDispute,
    resolveDispute,
    findCapture,
    create(request: OrderRequest): Order {
      const faults = faultBook.of(unitOf({ request } as Order).custom_id ?? '')
      const isBare = request.payment_source === undefined || faults.approveLink === true
      if (faults.approveLink === true) delete request.payment_source
      const order = makeOrder(request, { withoutSource: isBare })
      orders.set(order.id, order)
      save()
      return order
    },
    orders: () => [...orders.values()],
    /** Undefined also for one that nobody has approved in its time. */
    find(id: string): Order | undefined {
      const order = orders.get(id)
      const isForgotten = order !== undefined && order.captures.length === 0 && Date.parse(order.expiresAt) < Date.now()
      return isForgotten ? undefined : order
    },
    disputes: () => [...disputes.values()],
    show: (order: Order) => showOrder(order, place.api, place.payerPage),
    showCapture: (order: Order, capture: Capture) => showCapture(order, capture, place.api),
    showRefund: (capture: Capture, refund: Refund) => showRefund(capture, refund, place.api),
  }
}
