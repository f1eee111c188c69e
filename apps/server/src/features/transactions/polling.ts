/**
 * Asking PayU about orders that are open: closes what notifications miss.
 */
import { type Payu, PayuUnavailable } from '#src/adapters/payu/client.ts'
import type { Context } from '#src/context.ts'
import { takeDueOrders } from './orders-repo.ts'
import { applyPayuOrder, type Outcome } from './payments.ts'

/** Seconds between the polls of one order; the last one repeats. The first comes 5 s after the order was made. */
const waits = [15, 30, 60, 60, 60, 60, 120, 300, 600]

/** Asks about one order and applies the answer; takes the money where PayU waits for that. */
export async function pollOrder(context: Context, payu: Payu, gatewayOrderId: string): Promise<Outcome> {
  const ask = async (): Promise<Outcome> => {
    const order = await payu.findOrder(gatewayOrderId)
    return order === undefined ? 'unknown order' : applyPayuOrder(context, { payu, order, source: 'poll' })
  }
  const outcome = await ask()
  if (outcome !== 'capture') return outcome
  await payu.captureOrder(gatewayOrderId)
  return ask()
}

/** Asks about all orders whose turn it is. @returns how many there were. */
export async function pollDueOrders(context: Context, payu: Payu): Promise<number> {
  const due = await takeDueOrders(context.db, 'payu', waits, 10)
  await Promise.all(
    due.map(async ({ gateway_order_id }) => {
      try {
        await pollOrder(context, payu, gateway_order_id ?? '')
      } catch (error) {
        if (!(error instanceof PayuUnavailable)) throw error
        context.logger.warn({ error, order: gateway_order_id }, 'PayU cannot be asked about an order now')
      }
    }),
  )
  return due.length
}
