import { type TransactionStatus, transactionTransitions } from '@wakestone/contract/states'
import { type Db, inTransaction } from '#src/db/client.ts'
import { findForgotten, findOrdersOf, lockTransaction, setTransactionStatus, updateOrder } from './orders-repo.ts'

/** Nobody was ever sent to a top-up without an order; one with an order is over when the gateway's own time is, and some. */
const giveUpAfter = { withoutOrderSeconds: 3600, withOrderSeconds: 26 * 3600 }

/** Top-ups that were forgotten are given up. */
export async function giveUpForgotten(db: Db, limits = giveUpAfter): Promise<void> {
  for (const id of await findForgotten(db, { ...limits, limit: 100 })) {
    await inTransaction(db, async (trx) => {
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
}
