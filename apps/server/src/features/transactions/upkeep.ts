/**
 * What keeps payments going whatever happened to the process that began them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type TransactionStatus, transactionTransitions } from '@wakestone/contract/states'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { expireHolds } from '#src/features/ledger/service.ts'
import { findLeftEvents, forgetRefusedEvents } from './inbox-repo.ts'
import { processEvent } from './inbox.ts'
import { findForgotten, findOrdersOf, lockTransaction, setTransactionStatus, updateOrder } from './orders-repo.ts'
import { pollDueOrders } from './polling.ts'

/** Nobody was ever sent to a top-up without an order; one with an order is over when the gateway's own time is, and some. */
const giveUpAfter = { withoutOrderSeconds: 3600, withOrderSeconds: 26 * 3600 }
const tickMilliseconds = 500
const upkeepMilliseconds = 60_000

/** Gives up top-ups that were forgotten, and sees to messages and holds that were left behind. */
export async function tidyPayments(context: Context, gateways: Gateways, limits = giveUpAfter): Promise<void> {
  for (const id of await findForgotten(context.db, { ...limits, limit: 100 })) {
    await inTransaction(context.db, async (trx) => {
      const transaction = await lockTransaction(trx, id)
      if (transaction === undefined) return
      if (!transactionTransitions[transaction.status as TransactionStatus].includes('CANCELLED')) return
      for (const order of await findOrdersOf(trx, id)) {
        if (order.state === 'open') await updateOrder(trx, order.id, { state: 'cancelled', pollInSeconds: null })
        if (order.state === 'creating') await updateOrder(trx, order.id, { state: 'lost' })
      }
      await setTransactionStatus(trx, id, { status: 'CANCELLED', failure: { reason: 'given up' } })
    })
  }
  for (const id of await findLeftEvents(context.db, { olderThanSeconds: 60, limit: 100 })) {
    await processEvent(context, gateways, id)
  }
  await forgetRefusedEvents(context.db, { olderThanDays: 30 })
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
