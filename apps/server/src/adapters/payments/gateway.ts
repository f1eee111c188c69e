/**
 * What every payment provider is to the product. Features know this type and the registry, never a provider.
 *
 * No call is repeated by an adapter: whether that is safe is for the caller to know. Amounts are minor units.
 */
import type { ProviderId } from '@wakestone/contract/money/transaction'

/** Named in the ledger's accounts, in stored orders and in the address of notifications: never renamed. */
export type GatewayId = 'payu' | 'paynow' | 'paypal'
/** As people know them, in every language. */
export const gatewayNames: Readonly<Record<GatewayId, string>> = { payu: 'PayU', paynow: 'PayNow', paypal: 'PayPal' }

/** What a new order is about. */
export type NewOrder = {
  /** Way to pay, one of the gateway's `methods`. */
  method: ProviderId
  /** Our name of the order, and the key by which making it twice is making it once. At most 45 characters. */
  externalId: string
  amount: number
  currency: string
  description: string
  payerIp: string
  email: string
  language: 'en' | 'pl' | 'de'
  notifyUrl: string
  /** Where the payer comes back to, and where to when they have cancelled. */
  continueUrl: string
  cancelUrl: string
  /** Time the payer has. */
  validitySeconds: number
  /** The payer's code, where they pay by one on our page; nobody is redirected then. Six digits. */
  code?: string | undefined
}

export type CodeProblem = 'invalid' | 'expired' | 'used'

export type CreatedOrder =
  /** `redirectUrl` is null where the payer has nothing to do there. */
  | { kind: 'created'; orderId: string; redirectUrl: string | null }
  /** An order of this name is there already, and the gateway does not tell more. */
  | { kind: 'duplicate' }
  /** No order was made: the payer needs another code. */
  | { kind: 'bad code'; problem: CodeProblem }
  /** The gateway will not make this order. */
  | { kind: 'refused'; reason: string }
  /** It may have been made, or not. */
  | { kind: 'unknown'; reason: string }

/**
 * - new: the payer has not begun
 * - pending: the payer has, the outcome is open
 * - authorized: the money is reserved and waits for `capture`
 * - paid: the money is ours
 * - refused, cancelled: it never will be, unless the gateway says otherwise later
 * - abandoned: the payer began anew; the gateway goes on under another order id with the same name
 * - unknown: a word of the gateway's that its adapter does not know; nothing follows from it but that somebody must look
 */
export type OrderStatus = 'new' | 'pending' | 'authorized' | 'paid' | 'refused' | 'cancelled' | 'abandoned' | 'unknown'

/** An order as the gateway tells of it. What a gateway leaves out is null, and cannot be compared. */
export type GatewayOrder = {
  orderId: string
  externalId: string | null
  /** Names the money that came in: of one name, one credit. */
  paymentId: string
  amount: number | null
  currency: string | null
  /** Whether it belongs to the shop that is set up here. */
  isOfOurShop: boolean
  status: OrderStatus
  /** The gateway's own word. */
  gatewayStatus: string
}

/** How to name an order to its gateway. */
export type OrderRef = { orderId: string; externalId: string; paymentId: string | null; currency: string }

export type CaptureOutcome =
  /** `findOrder` tells what came of it. */
  | { kind: 'asked' }
  /** The payer has to act again in the same order, there or where they were sent first. */
  | { kind: 'payer'; redirectUrl: string | null; reason: string }
  /** It will not be taken. */
  | { kind: 'refused'; reason: string }

export type NewRefund = {
  order: OrderRef
  /** Our name of the refund, and its idempotency key. A UUID. */
  externalId: string
  amount: number
  currency: string
  /** For the payer's statement. */
  description: string
}

/** done: the money has left · failed, cancelled: it stays with us, unless the gateway says otherwise later */
export type RefundStatus = 'pending' | 'done' | 'failed' | 'cancelled'

export type GatewayRefund = {
  refundId: string
  externalId: string | null
  /** Of the order, and of the money that came in, where the gateway says so. */
  orderId: string | null
  paymentId: string | null
  /** Our name of the order, where the gateway says so. */
  orderName?: string | undefined
  amount: number | null
  currency: string | null
  status: RefundStatus
  gatewayStatus: string
}

export type MadeRefund =
  | { kind: 'made'; refund: GatewayRefund }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string }

/** The payer's bank took the money back (`taken`), or gave it to us again (`returned`). */
export type GatewayChargeback = {
  /** The gateway's name of the case. */
  chargebackId: string
  orderId: string | null
  externalId: string | null
  paymentId: string | null
  /** Null where it says only that the case is won. */
  amount: number | null
  currency: string | null
  status: 'taken' | 'returned'
  /** By the gateway's clock, where it says so: what came first is told by it. */
  at: Date | null
  reason: string | null
}

/** What a notification means. */
export type GatewayEvent =
  | { kind: 'order'; order: GatewayOrder }
  | { kind: 'refund'; refund: GatewayRefund }
  | { kind: 'chargeback'; chargeback: GatewayChargeback }
  /** Understood by nobody here; kept, and told to the operator. */
  | { kind: 'other'; about: string }

/** A notification as it came. Names of headers are in lower case; of those, the ones in `notificationHeaders`. */
export type Notification = { raw: Buffer; headers: Readonly<Record<string, string | undefined>> }

/** One movement on the gateway's account, for reconciliation. `amount` is positive in both kinds. */
export type Movement = {
  kind: 'capture' | 'refund' | 'chargeback' | 'chargeback_returned'
  /** `paymentId` of a capture, `refundId` of a refund. */
  id: string
  /** Of what went back or came back: the payment, where the gateway says so. */
  paymentId: string | null
  orderId: string | null
  externalId: string | null
  amount: number
  currency: string
  at: Date
}

/** The gateway could not be asked, or gave no answer that makes sense. */
export class GatewayUnavailable extends Error {}

export type PaymentGateway = {
  id: GatewayId
  /** Ways to pay that it offers, in the order of the product. */
  methods: readonly ProviderId[]
  /** Currencies that a method takes here. */
  currenciesOf(method: ProviderId): readonly string[]
  /** Whether it takes payments of whoever has this e-mail address. */
  takesPayer(email: string): boolean
  /** Whether a method takes a code that the payer types on our page. */
  takesCode(method: ProviderId): boolean
  /** Whether an order goes on under further ids with the same name when the payer begins anew. */
  chainsOrders: boolean
  createOrder(order: NewOrder): Promise<CreatedOrder>
  /** @throws GatewayUnavailable; undefined when the gateway knows no such order. */
  findOrder(order: OrderRef): Promise<GatewayOrder | undefined>
  /** Takes the money of an authorized order; again is harmless. @throws GatewayUnavailable */
  capture(order: OrderRef): Promise<CaptureOutcome>
  /** Undefined: this gateway gives nothing back by itself. */
  refund?(refund: NewRefund): Promise<MadeRefund>
  /** @throws GatewayUnavailable */
  findRefund?(refund: {
    /** Null: by our name alone, where `findsRefundsByName`. */
    refundId: string | null
    externalId: string
    order: OrderRef
  }): Promise<GatewayRefund | undefined>
  /** Whether a refund can be found whose name at the gateway we never heard. */
  findsRefundsByName: boolean
  /** Headers that are kept with a notification: those `isSigned` reads. */
  notificationHeaders: readonly string[]
  /** Whether the gateway has sent exactly this. @throws GatewayUnavailable where it has to be asked. */
  isSigned(notification: Notification): Promise<boolean>
  /** Of a notification that is signed. Never throws. */
  readNotification(notification: Notification): GatewayEvent
  /** All movements of a day (UTC). Undefined: the gateway has no such list. @throws GatewayUnavailable */
  listMovements?(day: Date): Promise<Movement[]>
}
