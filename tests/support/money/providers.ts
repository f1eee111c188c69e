/** All payment providers' simulators as the product's, and what they have taken. */
import { startPaynowSimulator } from '@wakestone/simulators/paynow'
import { startPaypalSimulator } from '@wakestone/simulators/paypal'
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { gatewayPlace, gatewaySettings, paynowEuroShop, paynowShop, paypalKeys, payuKeys } from '../gateways.ts'
import { gatewayIds, type GatewayId, type Payment, paynowPayment, paypalPayment, payuPayment } from './payments.ts'

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

  const byLetter = new Map<Payment, number>()
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
    /** A bank takes money back, or gives it again, and only a letter tells of it. */
    takeByLetter: (payment: Payment, amount: number) =>
      void byLetter.set(payment, (byLetter.get(payment) ?? 0) + amount),
    /** Of a payment, what has gone back to its payer. */
    returnedOf: (payment: Payment) => payment.returned() + (byLetter.get(payment) ?? 0),
    /** Nobody is there any more; it is the same shop that is elsewhere now. */
    move(from: string, to: string) {
      for (const { request } of payu.orders()) request.notifyUrl = request.notifyUrl?.replace(from, to)
      for (const delivery of [...payu.waiting(), ...paynow.waiting()]) delivery.url = delivery.url.replace(from, to)
    },
    /** Whether something that was sent about one of these is not taken yet. PayPal's are not told apart. */
    isTelling(payments: readonly Payment[]): boolean {
      const names = new Set(payments.map(({ id }) => id))
      return (
        [...payu.waiting(), ...paynow.waiting()].some(({ orderId }) => names.has(orderId)) ||
        (payments.some(({ gateway }) => gateway === 'paypal') && paypal.waiting().length > 0)
      )
    },
    /** Notifications that are not taken yet. */
    waiting: () => payu.waiting().length + paynow.waiting().length + paypal.waiting().length,
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
