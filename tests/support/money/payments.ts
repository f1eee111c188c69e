/** Orders at payment providers, all seen in one way: what payers do with them, and what providers then have. */
import { type PaynowSimulator } from '@wakestone/simulators/paynow'
import { type PaypalSimulator } from '@wakestone/simulators/paypal'
import { type PayuSimulator } from '@wakestone/simulators/payu'

export const gatewayIds = ['payu', 'paynow', 'paypal'] as const
export type GatewayId = (typeof gatewayIds)[number]

/** What a provider makes of refunds of an order from now on. */
export type RefundFault = 'none' | 'cut' | 'error' | 'fail' | 'hold'
/** At the provider. Ours are found by our name, where it takes one, or by its own. */
export type RefundThere = { name: string; id: string; amount: number; state: 'pending' | 'gone' | 'failed' }

/** An order at a provider, as it is now. */
export type Payment = {
  gateway: GatewayId
  id: string
  /** By which the ledger names it once it is credited. */
  paidId: () => string
  transactionId: string
  currency: string
  amount: number
  isOpen: () => boolean
  /** The payer has paid: it is ours, or reserved until we take it. */
  isPaid: () => boolean
  /** We have the money. */
  isTaken: () => boolean
  pay: () => void
  cancel: () => void
  /** The payer begins anew before they pay, and may then pay both. */
  payAnew?: (given: { both: boolean }) => void
  forge: (kind: 'signature' | 'amount' | 'currency') => void
  /** Of it, what has gone back to the payer. */
  returned: () => number
  refunds: () => RefundThere[]
  /** @param isLost whether all messages of what goes back from now on are lost. */
  setRefundFault: (fault: RefundFault, isLost?: boolean) => void
  /** The provider lists what has gone back: whoever is told nothing of it learns of it by the comparison at night. */
  isListed: boolean
  /** Given back in the provider's panel. @returns the name of that, where nobody tells us of it. */
  refundInPanel: (amount: number, isLost?: boolean) => string | undefined
  /** A refund that is held goes on. */
  endRefund?: (id: string, isDone: boolean) => void
  /** The payer's bank takes all of it back, and we are told unless that is lost; and gives it again. */
  dispute?: { lose: (isLost: boolean) => void; win: (isLost: boolean) => void }
  describe: () => string
}

/** Their timers go by the machine's clock. */
const isInTime = ({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) > Date.now()
/** Names of orders begin with the id of the top-up. */
const idIn = (name: string) => name.slice(0, 36)
const sumOf = (refunds: readonly RefundThere[]) =>
  refunds.reduce((sum, { state, amount }) => sum + (state === 'gone' ? amount : 0), 0)
const cents = (value: string | undefined) => Math.round(Number(value) * 100)
/** Told twice and the latest first, but told, unless a command has it otherwise. */
const told = { duplicate: 1, reorder: true } as const

export function payuPayment(payu: PayuSimulator, order: ReturnType<PayuSimulator['orders']>[number]): Payment {
  const states = { PENDING: 'pending', FINALIZED: 'gone', CANCELED: 'failed' } as const
  const refunds = () =>
    order.refunds.map(({ extRefundId, refundId, amount, status }) => {
      return { name: extRefundId, id: refundId, amount: Number(amount), state: states[status] }
    })
  const setRefundFault = (fault: RefundFault, isLost = false) =>
    payu.setFaults({
      order: order.extOrderId,
      faults: { ...told, lose: isLost, ...(fault !== 'none' && fault !== 'hold' && { refund: fault }) },
    })
  return {
    gateway: 'payu',
    id: order.orderId,
    paidId: () => order.orderId,
    transactionId: idIn(order.extOrderId),
    currency: order.request.currencyCode,
    amount: Number(order.request.totalAmount),
    isOpen: () => order.status === 'NEW' && isInTime(order),
    isPaid: () => order.status !== 'NEW' && order.status !== 'CANCELED',
    isTaken: () => order.status === 'COMPLETED',
    pay: () => payu.pay(order.orderId),
    cancel: () => payu.cancel(order.orderId),
    forge: (kind) => payu.forge(order.orderId, kind),
    returned: () => sumOf(refunds()),
    refunds,
    setRefundFault,
    isListed: false,
    refundInPanel(amount) {
      setRefundFault('none')
      payu.refundByHand(order.orderId, amount)
      return undefined
    },
    describe: () => `payu ${order.extOrderId} ${order.status} ${order.request.totalAmount}`,
  }
}

export function paynowPayment(
  paynow: PaynowSimulator,
  payment: ReturnType<PaynowSimulator['payments']>[number],
): Payment {
  const states = {
    NEW: 'pending',
    PENDING: 'pending',
    SUCCESSFUL: 'gone',
    FAILED: 'failed',
    CANCELLED: 'failed',
  } as const
  const isPaid = () => payment.status === 'CONFIRMED'
  const refunds = () =>
    paynow
      .refunds()
      .filter(({ paymentId }) => paymentId === payment.paymentId)
      .map(({ refundId, amount, status }) => ({ name: '', id: refundId, amount, state: states[status] }))
  const setFaults = (more: object) => paynow.setFaults({ order: payment.externalId, faults: { ...told, ...more } })
  return {
    gateway: 'paynow',
    id: payment.paymentId,
    paidId: () => payment.paymentId,
    transactionId: idIn(payment.externalId),
    currency: payment.request.currency,
    amount: payment.request.amount,
    isOpen: () => payment.status === 'NEW' && isInTime(payment),
    isPaid,
    isTaken: isPaid,
    pay: () => paynow.pay(payment.paymentId),
    cancel: () => paynow.settle(payment.paymentId, 'REJECTED'),
    payAnew({ both }) {
      setFaults({}) // what follows an order is known by its messages alone
      const next = paynow.abandon(payment.paymentId)
      paynow.pay(next)
      if (both) paynow.settle(payment.paymentId, 'CONFIRMED')
    },
    forge: (kind) => paynow.forge(payment.paymentId, kind === 'amount' ? 'signature' : kind),
    returned: () => sumOf(refunds()),
    refunds,
    setRefundFault: (fault) => setFaults(fault === 'none' || fault === 'hold' ? {} : { refund: fault }),
    isListed: false,
    refundInPanel(amount) {
      setFaults({})
      return paynow.refundByHand(payment.paymentId, amount)
    },
    describe: () => `paynow ${payment.externalId} ${payment.status} ${payment.request.amount}`,
  }
}

export function paypalPayment(paypal: PaypalSimulator, order: ReturnType<PaypalSimulator['orders']>[number]): Payment {
  const [unit] = order.request.purchase_units
  const states = { PENDING: 'pending', COMPLETED: 'gone', FAILED: 'failed', CANCELLED: 'failed' } as const
  const back = () => order.captures.flatMap((capture) => capture.refunds)
  const refunds = () =>
    back()
      .filter(({ isReversal }) => !isReversal)
      .map(({ invoice_id: name = '', id, amount, status }) => {
        return { name, id, amount: cents(amount.value), state: states[status] }
      })
  const taken = () =>
    back()
      .filter(({ isReversal, returnedAt }) => isReversal && returnedAt === undefined)
      .reduce((sum, { amount }) => sum + cents(amount.value), 0)
  const disputes = () => paypal.disputes().filter(({ captureId }) => order.captures.some(({ id }) => id === captureId))
  const setFaults = (more: object) => paypal.setFaults({ order: order.name, faults: { ...told, ...more } })
  return {
    gateway: 'paypal',
    id: order.id,
    paidId: () => order.captures.find(({ status }) => status !== 'FAILED')?.id ?? order.id,
    transactionId: idIn(order.name),
    currency: unit?.amount.currency_code ?? '',
    amount: cents(unit?.amount.value),
    isOpen: () => order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED',
    isPaid: () => order.status === 'APPROVED' || order.status === 'COMPLETED',
    isTaken: () => order.status === 'COMPLETED',
    pay: () => paypal.approve(order.id),
    cancel: () => undefined, // the payer closes the page
    forge: (kind) => paypal.forge(order.id, kind),
    returned: () => sumOf(refunds()) + taken(),
    refunds,
    isListed: true,
    setRefundFault(fault, isLost = false) {
      const faults = {
        none: {},
        cut: { refundTimeout: 'cut' },
        error: { refundError: true },
        fail: { refund: 'FAILED' },
        hold: { refund: 'PENDING' },
      } as const
      setFaults({ ...faults[fault], lose: isLost })
    },
    refundInPanel(amount, isLost = false) {
      setFaults({ lose: isLost })
      paypal.refundByHand(order.id, amount)
      return undefined
    },
    endRefund: (id, isDone) => paypal.settleRefund(id, isDone ? 'COMPLETED' : 'FAILED'),
    dispute: {
      lose(isLost) {
        setFaults({ lose: isLost })
        paypal.resolveDispute(paypal.dispute(order.id).id, 'buyer')
      },
      win(isLost) {
        setFaults({ lose: isLost })
        const last = disputes().at(-1)
        if (last !== undefined) paypal.resolveDispute(last.id, 'seller')
      },
    },
    describe: () => `paypal ${order.name} ${order.status} ${unit?.amount.value}`,
  }
}
