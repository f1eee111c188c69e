import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** The confirmed one, else the last that was declared. */
export function findWithdrawal(db: Handle, serviceId: string) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy(sql`confirmed_at is null`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertDeclaration(
  trx: Transaction,
  row: { serviceId: string; userId: string; currency: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('withdrawals')
    .values({ service_id: row.serviceId, user_id: row.userId, currency: row.currency, declared_at: row.now })
    .execute()
}

export async function confirmDeclaration(
  trx: Transaction,
  id: string,
  done: { refund: number; transactionIds: string[]; now: Date },
): Promise<void> {
  await trx
    .updateTable('withdrawals')
    .set({ confirmed_at: done.now, refund: done.refund, transaction_ids: done.transactionIds })
    .where('id', '=', id)
    .execute()
}

/** What customers paid by these transactions, and how much of it was credit that is never paid out. */
export async function findPayments(
  db: Handle,
  ids: readonly string[],
): Promise<{ id: string; amount: number; credit: number }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('transactions')
    .select(['id', 'amount'])
    .select(sql<number>`coalesce((details->>'non_refundable')::bigint, 0)`.as('credit'))
    .where('id', 'in', ids)
    .execute()
}
