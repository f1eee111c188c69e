/**
 * Payments at providers: what becomes of a transaction that a provider carries out.
 */
import { DomainError } from '@wakestone/contract/errors'
import { isFinalTransaction } from '@wakestone/contract/states'
import type { Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import type { Db } from '#src/db/client.ts'
import { findTransaction, showTransaction } from '#src/features/money/statements/service.ts'
import { hastenPoll } from './orders-repo.ts'

export { findOrderRef, lockTransaction } from './orders-repo.ts'
export { notificationPath } from './orders.ts'
export { applyOrder, type Outcome } from './payments.ts'
export { pollDueOrders, pollOrder } from './polling.ts'
export { completePaypal } from './paypal-return.ts'
export {
  beginSale,
  createSale,
  freeHeld,
  giveShareBack,
  heldOf,
  releaseDueSales,
  salePaid,
  waysToSell,
} from './sales.ts'
export { forgetPayers } from './sales-repo.ts'
export { heldSalesOf, withSales } from './shown-sales.ts'
export { giveUpForgotten } from './upkeep.ts'

/** One transaction. Whoever looks at an open one has its provider asked soon. */
export async function getTransaction(db: Db, id: string): Promise<ShownTransaction> {
  const row = await findTransaction(db, id)
  if (row === undefined) throw new DomainError('transaction_not_found', { resource: 'transactions' })
  const shown = showTransaction(row)
  if (!isFinalTransaction(shown.status)) await hastenPoll(db, id)
  return shown
}
