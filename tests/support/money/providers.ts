/** All payment providers' simulators as the product's, what their payers do, and what they have taken. */
import { type PaynowSimulator, startPaynowSimulator } from '@wakestone/simulators/paynow'
import { type PaypalSimulator, startPaypalSimulator } from '@wakestone/simulators/paypal'
import { type PayuSimulator, startPayuSimulator } from '@wakestone/simulators/payu'
import { gatewayPlace, gatewaySettings, paynowEuroShop, paynowShop, paypalKeys, payuKeys } from '../gateways.ts'

export const gatewayIds = ['payu', 'paynow', 'paypal'] as const
export type GatewayId = (typeof gatewayIds)[number]

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
  forge: (kind: 'signature' | 'amount' | 'currency') => void
  /** Of it, what has gone back to the payer. */
  returned: () => number
  describe: () => string
}

/** Everything that a provider gets wrong now and then. */
const faults = {
  duplicate: 2,
  delay: 40,
  reorder: true,
  lose: true,
  forge: 'amount',
  createTimeout: 'cut',
  notifyFirst: true,
} as const
/** Each fault meets this share of orders. */
const share = 0.12

export type Providers = Awaited<ReturnType<typeof startProviders>>

export async function startProviders(seed: number) {
  const payu = await startPayuSimulator({ ...payuKeys, ...gatewayPlace })
  const paynow = await startPaynowSimulator({ shops: [paynowShop, paynowEuroShop], ...gatewayPlace })
  const paypal = await startPaypalSimulator({ ...paypalKeys, ...gatewayPlace })
  payu.setFaults({ seed, share, faults: { ...faults, capture: true } })
  paynow.setFaults({ seed, share, faults })
  paypal.setFaults({ seed, share, faults: { ...faults, notifyFirst: 'create', captureTimeout: 'cut' } })

  const gone = new Set<string>()
  const known = new Map<string, Payment[]>()
  const seen: Record<GatewayId, number> = { payu: 0, paynow: 0, paypal: 0 }
  const describe = {
    payu: () =>
      payu
        .orders()
        .slice(seen.payu)
        .map((order) => payuPayment(payu, order)),
    paynow: () =>
      paynow
        .payments()
        .slice(seen.paynow)
        .map((payment) => paynowPayment(paynow, payment)),
    paypal: () =>
      paypal
        .orders()
        .slice(seen.paypal)
        .map((order) => paypalPayment(paypal, order)),
  }
  function look() {
    for (const gateway of gatewayIds) {
      for (const payment of describe[gateway]()) {
        seen[gateway]++
        known.set(payment.transactionId, [...(known.get(payment.transactionId) ?? []), payment])
      }
    }
  }

  return {
    payu,
    env: gatewaySettings({ payu, paynow, paypal }),
    /** Where those that do not hear it with each order send their notifications. */
    notifyAt(origin: string) {
      paynow.setNotificationUrl(`${origin}/api/v1/payments/paynow/notify`)
      paypal.setWebhookUrl(`${origin}/api/v1/payments/paypal/notify`)
    },
    /** What was begun at providers for a top-up. */
    paymentsOf(transactionId: string): readonly Payment[] {
      look()
      return known.get(transactionId) ?? []
    },
    /** Of those what is ours, or will be. */
    paidFor(transactionId: string): readonly Payment[] {
      look()
      return ours(known.get(transactionId) ?? [])
    },
    /** All that is ours, or will be. */
    paid(): readonly Payment[] {
      look()
      return [...known.values()].flatMap(ours)
    },
    /** Nobody is there any more: what is sent there later is lost. */
    forget: (origin: string) => void gone.add(origin),
    /** Notifications that are not taken yet. */
    waiting: () =>
      // PayPal sends to where it is told to by then.
      [...payu.waiting(), ...paynow.waiting()].filter(({ url }) => !gone.has(new URL(url).origin)).length +
      paypal.waiting().length,
    clearFaults() {
      for (const one of [payu, paynow, paypal]) one.clearFaults()
    },
    async close() {
      await Promise.all([payu.close(), paynow.close(), paypal.close()])
    },
  }
}

/** Money that is only reserved, for a top-up that was paid already, is not taken and is its payer's again some day. */
function ours(payments: readonly Payment[]): Payment[] {
  const paid = payments.filter((one) => one.isPaid())
  const taken = paid.filter((one) => one.isTaken())
  return taken.length > 0 ? taken : paid
}

/** Their timers go by the machine's clock. */
const isInTime = ({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) > Date.now()

/** Names of orders begin with the id of the top-up. */
const idIn = (name: string) => name.slice(0, 36)

function payuPayment(payu: PayuSimulator, order: ReturnType<PayuSimulator['orders']>[number]): Payment {
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
    returned: () =>
      order.refunds.reduce((sum, { status, amount }) => sum + (status === 'FINALIZED' ? Number(amount) : 0), 0),
    describe: () => `payu ${order.extOrderId} ${order.status} ${order.request.totalAmount}`,
  }
}

function paynowPayment(paynow: PaynowSimulator, payment: ReturnType<PaynowSimulator['payments']>[number]): Payment {
  const isPaid = () => payment.status === 'CONFIRMED'
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
    forge: (kind) => paynow.forge(payment.paymentId, kind === 'amount' ? 'signature' : kind),
    returned: () =>
      paynow
        .refunds()
        .filter(({ paymentId, status }) => paymentId === payment.paymentId && status === 'SUCCESSFUL')
        .reduce((sum, { amount }) => sum + amount, 0),
    describe: () => `paynow ${payment.externalId} ${payment.status} ${payment.request.amount}`,
  }
}

function paypalPayment(paypal: PaypalSimulator, order: ReturnType<PaypalSimulator['orders']>[number]): Payment {
  const [unit] = order.request.purchase_units
  return {
    gateway: 'paypal',
    id: order.id,
    paidId: () => order.captures.find(({ status }) => status !== 'FAILED')?.id ?? order.id,
    transactionId: idIn(order.name),
    currency: unit?.amount.currency_code ?? '',
    amount: Math.round(Number(unit?.amount.value) * 100),
    isOpen: () => order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED',
    isPaid: () => order.status === 'APPROVED' || order.status === 'COMPLETED',
    isTaken: () => order.status === 'COMPLETED',
    pay: () => paypal.approve(order.id),
    cancel: () => undefined, // the payer closes the page
    forge: (kind) => paypal.forge(order.id, kind),
    returned: () =>
      order.captures
        .flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'COMPLETED'))
        .reduce((sum, { amount }) => sum + Math.round(Number(amount.value) * 100), 0),
    describe: () => `paypal ${order.name} ${order.status} ${unit?.amount.value}`,
  }
}
