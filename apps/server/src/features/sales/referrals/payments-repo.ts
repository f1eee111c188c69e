/** Top-ups of invited accounts, which a trigger notes down, and what is left of each. */
import { type RawBuilder, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import { notPaid } from './repo.ts'

export type TopUp = {
  id: string
  user_id: string
  wallet_id: string
  currency: string
  created_at: Date
  amount: number
  /** Of it, what its payer has not taken back. */
  kept: number
}

/** A top-up that is due, which nobody else then looks at; none of those in `but`. */
export async function takeDue(trx: Transaction, but: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ transaction_id: string }>`
    update referral_payments set due_at = null where transaction_id = (
      select transaction_id from referral_payments where due_at is not null and transaction_id <> all(${but}::uuid[])
      order by due_at limit 1 for update skip locked
    ) returning transaction_id`.execute(trx)
  return rows[0]?.transaction_id
}

/** Has what the top-ups of an invited account earn computed anew. */
export async function setDue(trx: Transaction, userId: string, at: Date): Promise<void> {
  await sql`update referral_payments set due_at = ${at} from transactions
    where transactions.id = referral_payments.transaction_id and transactions.user_id = ${userId}::uuid`.execute(trx)
}

/** Notes what a payer took back in all; never less than was known. Nothing happens for other transactions. */
export async function noteLoss(trx: Transaction, transactionId: string, lost: number | undefined): Promise<void> {
  await sql`insert into referral_payments (transaction_id, lost)
    select id, coalesce(${lost ?? null}::bigint, amount) from transactions
    where id = ${transactionId}::uuid and action = 'DEPOSIT' and amount > 0 and exists (
      select from referrals where referrals.user_id = transactions.user_id)
    on conflict (transaction_id) do update set lost = greatest(referral_payments.lost, excluded.lost)`.execute(trx)
}

/** A top-up that was paid at a gateway, with its row locked: payments given back wait. */
export async function lockTopUp(trx: Transaction, id: string): Promise<TopUp | undefined> {
  const row = await trx
    .selectFrom('transactions')
    .select(['id', 'user_id', 'wallet_id', 'currency', 'created_at', 'amount'])
    .where('id', '=', id)
    .where('status', '=', 'COMPLETED')
    .where('action', '=', 'DEPOSIT')
    .where('amount', '>', 0)
    .where('provider', 'not in', notPaid)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, kept: Math.max(0, row.amount - (await sumLost(trx, id))) }
}

/**
 * What went back of a payment is lost by itself. Of what came again, a refund that failed or a chargeback that was won,
 * it is what went back beyond the payment and beyond what came again earlier.
 */
async function sumLost(db: Handle, id: string): Promise<number> {
  const { rows } = await sql<{ lost: number }>`
    with again as (
      select back.details ->> 'reverses' as paid_id from transactions one
      join transactions back on back.id = (one.details ->> 'reverses')::uuid where one.id = ${id}::uuid
    )
    select greatest(
      (select coalesce(-sum(amount), 0)::bigint from transactions
        where details ->> 'reverses' = ${id} and amount < 0 and status = 'COMPLETED' and action = 'DEPOSIT'),
      (select lost from referral_payments where transaction_id = ${id}::uuid),
      (select -sum(gone.amount) - (select amount from transactions where id = paid_id::uuid)
          - coalesce((${selectAgain(sql`paid_id`, sql`sum(one.amount)`)} and one.id < ${id}::uuid), 0)
        from again join transactions gone on gone.details ->> 'reverses' = paid_id
          and gone.amount < 0 and gone.status = 'COMPLETED' and gone.action = 'DEPOSIT'
        group by paid_id)::bigint,
      0) as lost`.execute(db)
  return rows[0]?.lost ?? 0
}

/** What came again after it had gone back of a payment. */
const selectAgain = (paidId: RawBuilder<unknown>, what: RawBuilder<unknown>) => sql`
  select ${what} from transactions back join transactions one on one.details ->> 'reverses' = back.id::text
  where back.details ->> 'reverses' = ${paidId} and back.amount < 0 and one.amount > 0
    and one.status = 'COMPLETED' and one.action = 'DEPOSIT'`

/** Ids of top-ups that are what came again of another one, oldest first. */
export async function findAgain(db: Handle, paidId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${selectAgain(sql`${paidId}`, sql`one.id`)} order by one.id`.execute(db)
  return rows.map(({ id }) => id)
}
