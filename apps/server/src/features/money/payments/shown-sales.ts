/** What sellers read of their sales on their wallets. */
import type { Wallet, WalletLog } from '@wakestone/contract/money/wallet'
import type { Handle } from '#src/db/client.ts'
import { findSales, sumHeldSales } from './sales-repo.ts'

/** What shop sales brought to a wallet and is still held; null: nothing. */
export async function heldSalesOf(
  db: Handle,
  { id, currency }: Pick<Wallet, 'id' | 'currency'>,
): Promise<NonNullable<Wallet['held_sales']> | null> {
  const held = await sumHeldSales(db, id)
  if (held === undefined) return null
  return {
    amount: { amount: held.amount, currency },
    next: { amount: held.next, currency },
    next_at: held.next_at.toISOString(),
  }
}

/** Movements of a wallet with what was sold, where they are of sales. */
export async function withSales(db: Handle, logs: readonly WalletLog[]): Promise<WalletLog[]> {
  const ids = logs.flatMap(({ cause, transaction }) => (cause === 'ITEMSHOP_SELL' ? (transaction?.id ?? []) : []))
  if (ids.length === 0) return [...logs]
  const sales = new Map((await findSales(db, ids)).map((sale) => [sale.transaction_id, sale]))
  return logs.map((log) => {
    const sale = sales.get(log.transaction?.id ?? '')
    if (sale === undefined) return log
    const { description, hold_id, held_until, released_at } = sale
    const isHeld = hold_id !== null && released_at === null
    return { ...log, sale: { description, held_until: isHeld ? (held_until?.toISOString() ?? null) : null } }
  })
}
