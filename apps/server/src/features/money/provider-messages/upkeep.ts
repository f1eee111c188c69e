/**
 * What keeps payments going whatever happened to the process that began them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { expireHolds } from '#src/features/money/ledger/service.ts'
import { giveUpForgotten, pollDueOrders, releaseDueSales } from '#src/features/money/payments/service.ts'
import { processEvent } from './inbox.ts'
import { findLeftEvents, forgetRefusedEvents, postponeEvent } from './repo.ts'

const tickMilliseconds = 500
const upkeepMilliseconds = 60_000

/** Gives up top-ups that were forgotten, and sees to messages and holds that were left behind. */
export async function tidyPayments(
  context: Context,
  gateways: Gateways,
  limits?: Parameters<typeof giveUpForgotten>[1],
): Promise<void> {
  await giveUpForgotten(context.db, limits)
  for (const id of await findLeftEvents(context.db, { olderThanSeconds: 60, limit: 100 })) {
    try {
      await processEvent(context, gateways, id)
    } catch (error) {
      // One that cannot be made out must stand in the way of no other.
      context.logger.warn({ error, event: id }, 'a notification that was left behind cannot be processed now')
      await postponeEvent(context.db, id)
    }
  }
  await forgetRefusedEvents(context.db, { olderThanDays: 30 })
  await releaseDueSales(context, new Date())
  await expireHolds(context.db)
}

/** Polls until `signal` aborts. Any number of workers may do so. */
export async function keepPolling(context: Context, gateways: Gateways, signal: AbortSignal): Promise<void> {
  let upkeep = 0
  while (!signal.aborted) {
    try {
      while ((await pollDueOrders(context, gateways)) > 0 && !signal.aborted);
      if (Date.now() >= upkeep) {
        upkeep = Date.now() + upkeepMilliseconds
        await tidyPayments(context, gateways)
      }
    } catch (error) {
      if (!signal.aborted) context.logger.warn({ error }, 'payments: cannot poll now')
    }
    await delay(tickMilliseconds, undefined, { signal }).catch(() => undefined)
  }
}
