/** What a gateway told in a span of time of orders and payments that are not ours, or not known here yet. */
import type { GatewayEvent, GatewayOrder, Notification, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Db } from '#src/db/client.ts'
import type { Outcome } from '#src/features/money/payments/service.ts'
import { findUnmadeEvents } from './repo.ts'
import type { Heard, ReturnEvent } from './returns.ts'

export type { ReturnEvent } from './returns.ts'

type Span = { from: Date; until: Date }

async function readUnmade(db: Db, gateway: PaymentGateway, span: Span, note: Outcome | Heard): Promise<GatewayEvent[]> {
  const events = await findUnmadeEvents(db, { gateway: gateway.id, note, ...span })
  return events.map(({ raw, headers }) =>
    gateway.readNotification({ raw, headers: headers as Notification['headers'] }),
  )
}

/** The last word about each order. */
export async function listUnknownOrders(db: Db, gateway: PaymentGateway, span: Span): Promise<GatewayOrder[]> {
  const orders = new Map<string, GatewayOrder>()
  for (const event of await readUnmade(db, gateway, span, 'unknown order')) {
    if (event.kind === 'order' && orders.get(event.order.orderId)?.status !== 'paid') {
      orders.set(event.order.orderId, event.order)
    }
  }
  return [...orders.values()]
}

/** Refunds and chargebacks of payments that are not ours, or not credited. */
export async function listUnknownReturns(db: Db, gateway: PaymentGateway, span: Span): Promise<ReturnEvent[]> {
  const events = await readUnmade(db, gateway, span, 'unknown payment')
  return events.filter((event): event is ReturnEvent => event.kind === 'refund' || event.kind === 'chargeback')
}
