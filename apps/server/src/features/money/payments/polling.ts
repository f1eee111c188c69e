/**
 * Asking gateways about orders that are open: closes what notifications miss.
 */
import { GatewayUnavailable, type OrderRef, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { sendPayerAgain, takeDueOrders } from './orders-repo.ts'
import { applyOrder, type Outcome } from './payments.ts'

/** Seconds between the polls of one order; the last one repeats. The first comes 5 s after the order was made. */
const waits = [15, 30, 60, 60, 60, 60, 120, 300, 600]

/**
 * Asks about one order and applies the answer; takes the money where the gateway waits for that.
 * @param wanted the payer says so: also for a top-up that was given up.
 */
export async function pollOrder(
  context: Context,
  gateway: PaymentGateway,
  ref: OrderRef,
  { wanted = false } = {},
): Promise<Outcome> {
  const ask = async (): Promise<Outcome> => {
    const order = await gateway.findOrder(ref)
    return order === undefined ? 'unknown order' : applyOrder(context, { gateway, order, source: 'poll', wanted })
  }
  const outcome = await ask()
  if (outcome !== 'capture') return outcome
  const captured = await gateway.capture(ref)
  if (captured.kind === 'payer') {
    await sendPayerAgain(context.db, { gateway: gateway.id, orderId: ref.orderId, redirectUrl: captured.redirectUrl })
    return 'declined'
  }
  if (captured.kind === 'asked') return ask()
  const order = await gateway.findOrder(ref)
  if (order === undefined) return 'unknown order'
  // What stands in the way is said once, to who wanted to take the money; the order itself goes on looking approved.
  const refused = { ...order, status: 'refused', gatewayStatus: captured.reason } as const
  return applyOrder(context, { gateway, order: order.status === 'authorized' ? refused : order, source: 'poll' })
}

/** Asks about all orders whose turn it is. @returns how many there were. */
export async function pollDueOrders(context: Context, gateways: Gateways): Promise<number> {
  const due = await takeDueOrders(
    context.db,
    gateways.all.map(({ id }) => id),
    waits,
    10,
  )
  await Promise.all(
    due.map(async ({ gateway: id, ref }) => {
      const gateway = gateways.find(id)
      if (gateway === undefined) return
      try {
        await pollOrder(context, gateway, ref)
      } catch (error) {
        if (!(error instanceof GatewayUnavailable)) throw error
        context.logger.warn({ error, gateway: id, order: ref.orderId }, 'a gateway cannot be asked about an order now')
      }
    }),
  )
  return due.length
}
