import type { GatewayOrder, Notification, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Db } from '#src/db/client.ts'
import type { Outcome } from '#src/features/transactions/service.ts'
import { findIgnoredEvents } from './repo.ts'

/** What a gateway told of orders that are not ours, in a span of time; the last word about each. */
export async function listUnknownOrders(
  db: Db,
  gateway: PaymentGateway,
  span: { from: Date; until: Date },
): Promise<GatewayOrder[]> {
  const unknown: Outcome = 'unknown order'
  const events = await findIgnoredEvents(db, { gateway: gateway.id, note: unknown, ...span })
  const orders = new Map<string, GatewayOrder>()
  for (const { raw, headers } of events) {
    const event = gateway.readNotification({ raw, headers: headers as Notification['headers'] })
    if (event.kind === 'order' && orders.get(event.order.orderId)?.status !== 'paid') {
      orders.set(event.order.orderId, event.order)
    }
  }
  return [...orders.values()]
}
