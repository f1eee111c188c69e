/** What a shop's worker does: sends commands, confirms orders, ends what was bought for a time, gives back what was paid twice. */
import { createGateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { deliverNext, wakeForDeliveries } from './delivering.ts'
import { freeLeases } from './deliveries-repo.ts'
import { mailBuyers } from './order-mail.ts'
import { endDueOrders, returnPaidAgain } from './orders.ts'

const sweepMilliseconds = 1_000
const slowMilliseconds = 10_000
const serversAtOnce = 4

export type ShopWork = { close(): Promise<void> }

export function beginShops(context: Context): ShopWork {
  const gateways = createGateways(context.settings)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let slow = 0
  async function work() {
    while (!isClosed && (await deliverNext(context)));
  }
  async function sweep() {
    await freeLeases(context.db)
    await mailBuyers(context)
    if (Date.now() >= slow) {
      slow = Date.now() + slowMilliseconds
      await endDueOrders(context, new Date())
      await returnPaidAgain(context, gateways)
      await wakeForDeliveries(context)
    }
    await Promise.all(Array.from({ length: serversAtOnce }, work))
  }
  let sweeping: Promise<void> = Promise.resolve()
  function sweepOnce() {
    sweeping = sweep()
      .catch((error: unknown) => context.logger.warn({ error }, 'shops cannot be looked through'))
      .then(() => {
        if (!isClosed) timer = setTimeout(sweepOnce, sweepMilliseconds)
      })
  }
  sweepOnce()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
