/** What a shop's worker does: sends commands, confirms orders, ends what was bought for a time, gives back what was paid twice. */
import { setTimeout as delay } from 'node:timers/promises'
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
  const closing = new AbortController()
  let slow = 0
  async function work() {
    while (!closing.signal.aborted && (await deliverNext(context)));
  }
  async function sweep() {
    await freeLeases(context.db)
    if (Date.now() >= slow) {
      slow = Date.now() + slowMilliseconds
      await endDueOrders(context, new Date())
      await returnPaidAgain(context, gateways)
      await wakeForDeliveries(context)
    }
    await Promise.all(Array.from({ length: serversAtOnce }, work))
  }
  /** Repeats `run` until the worker closes. */
  async function repeat(run: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      await run().catch((error: unknown) => context.logger.warn({ error }, 'shops cannot be looked through'))
      await delay(sweepMilliseconds, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  // Two loops: a mail server that does not answer must not delay deliveries.
  const running = [repeat(sweep), repeat(() => mailBuyers(context))]
  return {
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
