/**
 * What the simulator knows and does, apart from HTTP: orders from approval to capture, refunds, reversals, disputes,
 * and the webhooks that tell of each, with the faults that are set.
 */
import { createFaultBook, type FaultBook } from '../payments/fault-book.ts'
import { openStateFile } from '../payments/state-file.ts'
import { makeSigningKey, type SigningKey } from './certificate.ts'
import { type Faults, faultsSchema } from './faults.ts'
import {
  type Amount,
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
  showDispute,
  showOrder,
  showRefund,
  unitOf,
} from './orders.ts'
import { createPostman, type Delivery, type Headers, signWebhook } from './webhooks.ts'

type State = { orders: Order[]; disputes: Dispute[]; deliveries: Delivery[] }
type Forgery = NonNullable<Faults['forge']>

/** How things stand; any word, also one that PayPal has not. */
export type Standing = { status?: string; capture?: string }
export type Letter = { body: string; headers: Headers }
export type BooksOptions = { webhookId: string; stateFile?: string | undefined; timeScale: number }
export type Books = ReturnType<typeof openBooks>

/** @param place addresses of the API and of the payer's page, and where webhooks go; known once it listens. */
export function openBooks(
  { webhookId, stateFile, timeScale }: BooksOptions,
  place: { api: string; payerPage: string; webhookUrl: string | undefined },
) {
  const kept = openStateFile<State>(stateFile)
  const orders = new Map<string, Order>()
  const disputes = new Map<string, Dispute>()
  const faultBook: FaultBook<Faults> = createFaultBook(faultsSchema)
  const key = makeSigningKey('messageverificationcerts.paypal.com')
  const stranger: SigningKey = makeSigningKey('messageverificationcerts.paypal.com')
  const old: SigningKey = makeSigningKey('messageverificationcerts.paypal.com', { days: -1 })
  // Named anew by each process: who keeps certificates keeps them by their address.
  const certificates = new Map([key, stranger, old].map((one) => [`CERT-${newId()}`, one]))
  const certificateUrl = (of: SigningKey) => {
    const [name] = [...certificates].find(([, one]) => one === of) ?? []
    return `${place.api}/v1/notifications/certs/${name}`
  }
  const signer = () => ({ key, webhookId, certificateUrl: certificateUrl(key) })
  const postman = createPostman({
    urlOf: () => place.webhookUrl,
    headersOf: (body) => signWebhook(body, signer()),
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

  function event(type: string, resourceType: string, resource: object): string {
    const id = `WH-${newId()}-${newId()}`
    const content = {
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary: type,
      resource,
      links: [{ href: `${place.api}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }],
    }
    return JSON.stringify(content)
  }
  const orderEvent = (order: Order, type: string) =>
    event(type, 'checkout-order', showOrder(order, place.api, place.payerPage))
  const captureEvent = (order: Order, capture: Capture) =>
    event(
      `PAYMENT.CAPTURE.${capture.status === 'DECLINED' || capture.status === 'FAILED' ? 'DENIED' : capture.status}`,
      'capture',
      showCapture(order, capture, place.api),
    )
  const refundEvent = (capture: Capture, refund: Refund) =>
    event(
      `PAYMENT.CAPTURE.${refund.isReversal ? 'REVERSED' : 'REFUNDED'}`,
      'refund',
      showRefund(capture, refund, place.api),
    )

  /** Sends these webhooks, with the faults of the order. */
  function tell(order: Order, bodies: readonly string[]) {
    const { lose, reorder, duplicate = 0, delay = 0 } = faultsOf(order)
    save()
    if (lose === true) return
    for (const [index, body] of (reorder === true ? bodies.toReversed() : bodies).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(body, { delay: delay + index * 5 })
    }
  }

  /** A webhook that is not PayPal's, or not true. */
  function forgery(order: Order, kind: Forgery): Letter {
    const { amount } = unitOf(order)
    const wrong: Partial<Record<Forgery, Amount>> = {
      amount: amountOf(cents(amount) * 10, amount.currency_code),
      currency: { ...amount, currency_code: amount.currency_code === 'EUR' ? 'USD' : 'EUR' },
    }
    const capture: Capture = {
      id: newId(),
      status: 'COMPLETED',
      amount: wrong[kind] ?? amount,
      createdAt: new Date().toISOString(),
      refunds: [],
    }
    const body = captureEvent(order, capture)
    const own = signer()
    const headers: Record<Forgery, () => Headers> = {
      signature: () => signWebhook(body, { ...own, key: stranger }),
      body: () => signWebhook(body.replace('"COMPLETED"', '"PENDING"'), own),
      webhook: () => signWebhook(body, { ...own, webhookId: 'ANOTHERWEBHOOK' }),
      stale: () => signWebhook(body, { ...own, time: new Date(Date.now() - 4 * 86_400_000) }),
      host: () =>
        signWebhook(body, {
          ...own,
          key: stranger,
          certificateUrl: 'https://paypal.com.example/v1/notifications/certs/CERT-2',
        }),
      expired: () => signWebhook(body, { ...own, key: old, certificateUrl: certificateUrl(old) }),
      amount: () => signWebhook(body, own),
      currency: () => signWebhook(body, own),
    }
    return { body, headers: headers[kind]() }
  }
  function forge(order: Order, kind: Forgery) {
    const { body, headers } = forgery(order, kind)
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
        ? orderEvent({ ...order, captures, status: standing as Order['status'] }, `CHECKOUT.ORDER.${standing}`)
        : captureEvent(order, made)
    return { body, headers: signWebhook(body, signer()) }
  }

  function approve(order: Order) {
    if (order.status !== 'CREATED' && order.status !== 'PAYER_ACTION_REQUIRED') return
    order.status = 'APPROVED'
    touch(order)
    tell(order, [orderEvent(order, 'CHECKOUT.ORDER.APPROVED')])
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
    return [orderEvent(order, 'CHECKOUT.ORDER.COMPLETED'), captureEvent(order, made)]
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
    const before = captureEvent(order, made)
    made.status = status
    touch(order)
    // Told of again, so that the order of the two may be mixed up.
    tell(order, [before, captureEvent(order, made)])
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
    if (refund.status === 'COMPLETED') tell(order, [refundEvent(capture, refund)])
    else save()
    return refund
  }

  function settleRefund(order: Order, capture: Capture, refund: Refund, status: RefundStatus) {
    refund.status = status
    countRefunds(capture)
    touch(order)
    if (status === 'COMPLETED') tell(order, [refundEvent(capture, refund)])
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
    tell(order, [event('CUSTOMER.DISPUTE.CREATED', 'dispute', showDispute(dispute))])
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
    tell(order, [event('CUSTOMER.DISPUTE.RESOLVED', 'dispute', showDispute(dispute))])
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
    certificates,
    signer,
    postman,
    faultBook,
    faultsOf,
    save,
    tell,
    forge,
    forgery,
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
    orderEvent,
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
