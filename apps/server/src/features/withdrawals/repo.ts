import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** From the whole contract, or from a renewal: the confirmed one, else the last that was declared. */
export function findWithdrawal(db: Handle, serviceId: string, renewalId: string | null) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('renewal_id', renewalId === null ? 'is' : '=', renewalId)
    .orderBy(sql`confirmed_at is null`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Renewals that somebody asked for since then and that nobody has withdrawn from, the latest first. */
export function findRenewalsSince(db: Handle, serviceId: string, since: Date) {
  return db
    .selectFrom('renewals')
    .select(['id', 'at', 'expires_after', 'transaction_id', 'immediate'])
    .where('service_id', '=', serviceId)
    .where('executor_id', 'is not', null)
    .where('at', '>=', since)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('withdrawals')
            .select('withdrawals.id')
            .whereRef('withdrawals.renewal_id', '=', 'renewals.id')
            .where('withdrawals.confirmed_at', 'is not', null),
        ),
      ),
    )
    .orderBy('renewals.id', 'desc')
    .execute()
}
export type RenewalRow = Awaited<ReturnType<typeof findRenewalsSince>>[number]

/** The last renewal that was withdrawn from, with the withdrawal. */
export function findWithdrawnRenewal(db: Handle, serviceId: string) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('renewals', 'renewals.id', 'withdrawals.renewal_id')
    .select(['withdrawals.id', 'withdrawals.confirmed_at', 'withdrawals.refund', 'renewals.at', 'renewals.immediate'])
    .where('withdrawals.service_id', '=', serviceId)
    .where('withdrawals.confirmed_at', 'is not', null)
    .orderBy('withdrawals.confirmed_at', 'desc')
    .executeTakeFirst()
}

export async function insertDeclaration(
  trx: Transaction,
  row: { serviceId: string; renewalId: string | null; userId: string; currency: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('withdrawals')
    .values({
      service_id: row.serviceId,
      renewal_id: row.renewalId,
      user_id: row.userId,
      currency: row.currency,
      declared_at: row.now,
    })
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
): Promise<{ id: string; amount: number; credit: number; action: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('transactions')
    .select(['id', 'amount', 'action'])
    .select(sql<number>`coalesce((details->>'non_refundable')::bigint, 0)`.as('credit'))
    .where('id', 'in', ids)
    .execute()
}
