/** Bills, and what somebody's history says of how much they may owe. */
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export type History = {
  created_at: Date
  is_verified: boolean
  /** Top-ups that were paid and did not go back whole; what came back again, from a refund that failed, did not go. */
  payments: number
  was_overdue: boolean
}

/** Holds back whatever else this user would buy on a bill until the transaction ends. */
export async function lockBuyer(trx: Transaction, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

const gateways = sql`provider not in ('wallet', 'affiliate', 'pay-later') and status = 'COMPLETED' and action = 'DEPOSIT'`

export async function findHistory(db: Handle, userId: string): Promise<History | undefined> {
  const { rows } = await sql<History>`
    select created_at, email_verified is not null and suspended_at is null and destroyed_at is null as is_verified,
      (select count(*)::int from transactions paid where user_id = users.id and ${gateways} and amount > 0 and not details ? 'reverses' and not exists (
        select from transactions back where back.details ->> 'reverses' = paid.id::text and back.amount < 0
          and back.status = 'COMPLETED' having sum(back.amount + coalesce((
            select sum(again.amount) from transactions again where again.details ->> 'reverses' = back.id::text
              and again.amount > 0 and again.status = 'COMPLETED'), 0)) <= -paid.amount)) as payments,
      exists (select from bills where user_id = users.id and overdue_at is not null)
        or exists (select from payment_returns where user_id = users.id and kind = 'chargeback' and state = 'COMPLETED') as was_overdue
    from users where id = ${userId}::uuid`.execute(db)
  return rows[0]
}

/**
 * What customers paid for these purchases, and how much of it was credit that is never paid out. What was bought on a bill
 * was paid by whatever paid that, and until then by credit.
 */
export async function findPaidWith(
  db: Handle,
  purchaseIds: readonly string[],
): Promise<{ id: string; action: string; product: string | null; currency: string; amount: number; credit: number }[]> {
  if (purchaseIds.length === 0) return []
  return db
    .selectFrom('transactions as bought')
    .leftJoin('bills', 'bills.purchase_id', 'bought.id')
    .leftJoin('transactions as payment', 'payment.id', 'bills.payment_id')
    .select(['bought.id', 'bought.action', 'bought.currency'])
    .select(sql<string | null>`bought.positions -> 0 ->> 'name'`.as('product'))
    .select(sql<number>`coalesce(payment.amount, bought.amount)`.as('amount'))
    .select(
      sql<number>`coalesce((coalesce(payment.details, bought.details) ->> 'non_refundable')::bigint, 0)`.as('credit'),
    )
    .where('bought.id', 'in', purchaseIds)
    .execute()
}

/** Paid in since a moment and not given back, and on open bills; by currency, minor units. */
export async function sumByCurrency(
  db: Handle,
  userId: string,
  since: Date,
): Promise<{ currency: string; paid: number; open: number }[]> {
  const { rows } = await sql<{ currency: string; paid: number; open: number }>`
    select wallets.currency,
      (select greatest(0, coalesce(sum(amount), 0))::bigint from transactions
        where wallet_id = wallets.id and ${gateways} and created_at > ${since}) as paid,
      (select coalesce(sum(amount), 0)::bigint from bills where user_id = wallets.user_id
        and bills.currency = wallets.currency and paid_at is null) as open
    from wallets where user_id = ${userId}::uuid order by wallets.currency`.execute(db)
  return rows
}

export type BillRow = {
  id: string
  user_id: string
  username: string
  wallet_id: string
  currency: string
  amount: number
  service_id: string
  product_id: string
  server_id: string | null
  server_name: string | null
  created_at: Date
  due_at: Date
  overdue_at: Date | null
  paid_at: Date | null
}

const selectBills = (db: Handle) =>
  db
    .selectFrom('bills')
    .innerJoin('services', 'services.id', 'bills.service_id')
    .innerJoin('users', 'users.id', 'bills.user_id')
    .leftJoin('servers', 'servers.service_id', 'bills.service_id')
    .select([
      'bills.id',
      'bills.user_id',
      'users.username',
      'bills.wallet_id',
      'bills.currency',
      'bills.amount',
      'bills.service_id',
      'services.product_id',
      'servers.id as server_id',
      'servers.name as server_name',
      'bills.created_at',
      'bills.due_at',
      'bills.overdue_at',
      'bills.paid_at',
    ])

export function findBill(db: Handle, id: string): Promise<BillRow | undefined> {
  return selectBills(db).where('bills.id', '=', id).executeTakeFirst()
}

/** The bill, which nobody else then pays or finds overdue. */
export async function lockBill(trx: Transaction, id: string): Promise<BillRow | undefined> {
  await trx.selectFrom('bills').select('id').where('id', '=', id).forUpdate().execute()
  return findBill(trx, id)
}

/** Id of the bill of a purchase that is not paid. */
export async function findOpenBillOf(db: Handle, purchaseId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bills')
    .select('id')
    .where('purchase_id', '=', purchaseId)
    .where('paid_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** The open ones first, then the latest. */
export function selectBillsOf(db: Handle, userId: string, limit: number): Promise<BillRow[]> {
  return selectBills(db)
    .where('bills.user_id', '=', userId)
    .orderBy(sql`bills.paid_at is not null`)
    .orderBy('bills.id', 'desc')
    .limit(limit)
    .execute()
}

type Page = { state?: 'open' | 'overdue' | 'paid' | undefined; after?: string | undefined; limit: number }

/** The latest first. */
export function selectAllBills(db: Handle, { state, after, limit }: Page): Promise<BillRow[]> {
  let query = selectBills(db)
  if (state !== undefined) query = query.where('bills.paid_at', state === 'paid' ? 'is not' : 'is', null)
  if (state === 'open' || state === 'overdue')
    query = query.where('bills.overdue_at', state === 'open' ? 'is' : 'is not', null)
  if (after !== undefined) query = query.where('bills.id', '<', after)
  return query.orderBy('bills.id', 'desc').limit(limit).execute()
}

export async function countBills(db: Handle, state: Page['state']): Promise<number> {
  let query = db.selectFrom('bills').select(db.fn.countAll<number>().as('n'))
  if (state !== undefined) query = query.where('paid_at', state === 'paid' ? 'is not' : 'is', null)
  if (state === 'open' || state === 'overdue')
    query = query.where('overdue_at', state === 'open' ? 'is' : 'is not', null)
  return (await query.executeTakeFirstOrThrow()).n
}

/** Open bills that are due before a moment, and overdue ones. */
export async function selectNear(db: Handle, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('bills')
    .select('id')
    .where('paid_at', 'is', null)
    .where('due_at', '<=', before)
    .orderBy('due_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertBill(
  trx: Transaction,
  bill: {
    userId: string
    key: string
    walletId: string
    currency: string
    amount: number
    serviceId: string
    createdAt: Date
    dueAt: Date
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('bills')
    .values({
      user_id: bill.userId,
      key: bill.key,
      wallet_id: bill.walletId,
      currency: bill.currency,
      amount: bill.amount,
      service_id: bill.serviceId,
      created_at: bill.createdAt,
      due_at: bill.dueAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateBill(
  trx: Transaction,
  id: string,
  change: { amount?: number; purchase_id?: string; overdue_at?: Date; paid_at?: Date; payment_id?: string },
): Promise<void> {
  await trx.updateTable('bills').set(change).where('id', '=', id).execute()
}

export async function hasOverdue(db: Handle, serviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bills')
    .select('id')
    .where('service_id', '=', serviceId)
    .where('paid_at', 'is', null)
    .where('overdue_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
