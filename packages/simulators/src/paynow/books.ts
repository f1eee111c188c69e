/**
 * What the simulator knows and does, apart from HTTP: payments from their beginning to their end, refunds, and the
 * notifications that tell of each, with the faults that are set.
 */
import { createFaultBook, type FaultBook } from '../payments/fault-book.ts'
import { type Faults, faultsSchema } from '../payments/faults.ts'
import { createPostman, type Delivery } from '../payments/postman.ts'
import { openStateFile } from '../payments/state-file.ts'
import {
  createPayment,
  isSettled,
  newPaymentId,
  newRefundId,
  type Payment,
  type PaymentRequest,
  type PaymentStatus,
  type Refund,
  showTime,
  testCodes,
} from './payments.ts'
import { signNotification } from './signing.ts'

export type PaynowShop = { apiKey: string; signatureKey: string; currencies: readonly string[] }
export type Forgery = 'signature' | 'amount' | 'currency'
export type Books = ReturnType<typeof openBooks>

type State = { payments: Payment[]; refunds: Refund[]; deliveries: Delivery[] }

const minute = 60_000
/** PayNow publishes none; this one is ours. */
const schedule = [0, 1, 2, 5, 10, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * minute)
/** Until the payer's bank answers a test code, and until it gives up one that nobody confirms. */
const bankMilliseconds = { answer: 3_000, patience: 60_000 }
const refundMilliseconds = 5_000

/** @param place where notifications go; may be set later. */
export function openBooks(
  { shops, stateFile, timeScale }: { shops: readonly PaynowShop[]; stateFile: string | undefined; timeScale: number },
  place: { notificationUrl: string | undefined },
) {
  const kept = openStateFile<State>(stateFile)
  const payments = new Map<string, Payment>()
  const refunds = new Map<string, Refund>()
  const timers = new Set<NodeJS.Timeout>()
  const faultBook: FaultBook<Faults> = createFaultBook(faultsSchema)
  const isTaken = (status: number) => status === 200 || status === 202
  const postman = createPostman({ schedule, timeScale, isTaken, onChange: save })
  const faultsOf = (payment: Payment) => faultBook.of(payment.externalId)
  const shopOf = (payment: Payment) => shops.find(({ apiKey }) => apiKey === payment.apiKey) as PaynowShop

  function save() {
    kept.write(() => ({
      payments: [...payments.values()],
      refunds: [...refunds.values()],
      deliveries: postman.waiting(),
    }))
  }

  /** Takes up what an earlier process has left. */
  function restore() {
    const state = kept.read()
    if (state === undefined) return
    for (const payment of state.payments) keep(payment)
    for (const refund of state.refunds) refunds.set(refund.refundId, refund)
    postman.restore(state.deliveries)
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

  /** A notification as it is sent; `more` is what it says else than the payment. */
  function letter(payment: Payment, more: object = {}, key = shopOf(payment).signatureKey) {
    const { paymentId, externalId, status, modifiedAt } = payment
    const body = JSON.stringify({ paymentId, externalId, status, modifiedAt: showTime(modifiedAt), ...more })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'PayNow-Simulator',
      signature: signNotification(body, key),
    }
    return { orderId: paymentId, url: place.notificationUrl ?? '', body, headers }
  }

  function forgery(payment: Payment, kind: Forgery) {
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
    const { lose, reorder, duplicate = 0, delay = 0, forge } = faultsOf(payment)
    const letters = statuses.map((status) => {
      payment.status = status
      payment.modifiedAt = new Date().toISOString()
      return letter(payment)
    })
    save()
    if (place.notificationUrl === undefined) return
    if (forge !== undefined) postman.send(forgery(payment, forge))
    if (lose === true) return
    for (const [index, one] of (reorder === true ? letters.toReversed() : letters).entries()) {
      for (let copy = 0; copy <= duplicate; copy++) postman.send(one, { delay: delay + index * 5 })
    }
  }

  return {
    restore,
    save,
    faultBook,
    faultsOf,
    postman,
    letter,
    settle,
    payments: () => [...payments.values()],
    find: (paymentId: string) => payments.get(paymentId),
    refunds: () => [...refunds.values()],
    findRefund: (refundId: string) => refunds.get(refundId),
    forge: (payment: Payment, kind: Forgery) => postman.send(forgery(payment, kind)),
    /** A new payment; one that was begun by a code goes to the payer's bank at once. */
    create(request: PaymentRequest, { apiKey, byCode }: { apiKey: string; byCode: boolean }): Payment {
      const payment = createPayment(request, apiKey)
      keep(payment)
      save()
      if (!byCode) return payment
      settle(payment, ['PENDING'])
      const known = testCodes[request.authorizationCode ?? '']
      const said = known === undefined ? 'REJECTED' : 'answer' in known ? known.answer : 'PENDING'
      const wait = known === undefined ? bankMilliseconds.patience : bankMilliseconds.answer * timeScale
      if (said !== 'PENDING') later(() => payment.status === 'PENDING' && settle(payment, [said]), wait)
      return payment
    },
    /** It is paid, and that is told, before anything else is. */
    async payFirst(payment: Payment) {
      payment.status = 'CONFIRMED'
      payment.modifiedAt = new Date().toISOString()
      save()
      if (place.notificationUrl !== undefined) await postman.sendNow(letter(payment))
    },
    pay(payment: Payment) {
      if (payment.status !== 'NEW') return
      const { abandon: times = 0 } = faultsOf(payment)
      let last = payment
      for (let time = 0; time < times; time++) last = this.abandon(last)
      settle(last, ['PENDING', 'CONFIRMED'])
    },
    /** The payer begins anew: another payment of the same name. */
    abandon(payment: Payment): Payment {
      const now = new Date().toISOString()
      const next: Payment = { ...payment, paymentId: newPaymentId(), status: 'NEW', modifiedAt: now }
      settle(payment, ['ABANDONED'])
      keep(next)
      settle(next, ['NEW'])
      return next
    },
    /** What of a payment has been given back, or is under way. */
    refundedOf: ({ paymentId }: Payment) =>
      [...refunds.values()]
        .filter((one) => one.paymentId === paymentId && one.status !== 'FAILED' && one.status !== 'CANCELLED')
        .reduce((sum, { amount }) => sum + amount, 0),
    giveBack(payment: Payment, amount: number): Refund {
      const refund: Refund = { refundId: newRefundId(), paymentId: payment.paymentId, amount, status: 'NEW' }
      const becomes = faultsOf(payment).refund === 'fail' ? 'FAILED' : 'SUCCESSFUL'
      refunds.set(refund.refundId, refund)
      later(() => {
        if (refund.status === 'NEW') refund.status = becomes
        save()
      }, refundMilliseconds * timeScale)
      save()
      return refund
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await postman.close()
    },
  }
}
