/** Payments of everybody, as administrators look for them. */
import { sql, type SqlBool } from 'kysely'
import { paymentReturnStates } from '@wakestone/contract/money/payment-return'
import type { Handle } from '#src/db/client.ts'

export type WantedPayments = {
  provider?: string | undefined
  status?: string | undefined
  /** Days, `yyyy-mm-dd`, both within. */
  from?: string | undefined
  to?: string | undefined
  timeZone: string
  /** Whose they are, what they are, or which service they paid for: one of these fits. */
  who?: { userIds: readonly string[]; transactionIds: readonly string[]; serviceIds: readonly string[] } | undefined
  after?: string | undefined
  limit: number
}

/** Ids of payments, newest first; `count` is of all that fit. */
export async function selectPaymentIds(
  db: Handle,
  { provider, status, from, to, timeZone, who, after, limit }: WantedPayments,
): Promise<{ ids: string[]; count: number }> {
  let all = db.selectFrom('transactions')
  if (provider !== undefined) all = all.where('provider', '=', provider)
  if (status !== undefined) all = all.where('status', '=', status)
  if (from !== undefined)
    all = all.where(sql<SqlBool>`created_at >= ${from}::date::timestamp at time zone ${timeZone}::text`)
  if (to !== undefined)
    all = all.where(sql<SqlBool>`created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}::text`)
  if (who !== undefined)
    all = all.where(
      sql<SqlBool>`(user_id = any(${who.userIds}::uuid[]) or id = any(${who.transactionIds}::uuid[])
        or (details ? 'service_id' and details ->> 'service_id' = any(${who.serviceIds}::text[])))`,
    )
  const page =
    after === undefined
      ? all
      : all.where(
          sql<SqlBool>`(created_at, id) <
            (select last.created_at, last.id from transactions last where last.id = ${after})`,
        )
  const [rows, { count }] = await Promise.all([
    page.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute(),
    all.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { ids: rows.map(({ id }) => id), count }
}

/** The order of a shop that a payment is for, also one that came again, or has gone back. */
const ofOrder = sql<SqlBool>`shop_orders.transaction_id = coalesce(
  (select coalesce((paid.details ->> 'second_payment_of')::uuid, paid.id) from payment_returns
    join transactions paid on paid.id = payment_returns.deposit_id
    where payment_returns.id = (transactions.details ->> 'return_id')::uuid),
  (transactions.details ->> 'second_payment_of')::uuid, transactions.id)`

/** Finds the user, server, shop order and reason of failure of payments. */
export function selectPaymentFacts(db: Handle, ids: readonly string[]) {
  return db
    .selectFrom('transactions')
    .innerJoin('users', 'users.id', 'transactions.user_id')
    .leftJoin('shop_orders', (join) => join.on(ofOrder))
    .leftJoin('servers', (join) =>
      join
        .on(
          sql<SqlBool>`servers.id = coalesce(shop_orders.server_id, (select paid_for.id from servers paid_for
            where paid_for.service_id = (transactions.details ->> 'service_id')::uuid and paid_for.deleted_at is null))`,
        )
        .on('servers.deleted_at', 'is', null),
    )
    .where('transactions.id', 'in', ids)
    .select([
      'transactions.id',
      'users.username',
      'servers.id as server_id',
      'servers.name as server_name',
      'shop_orders.id as order_id',
      'shop_orders.player',
      'shop_orders.email',
      sql<string | null>`shop_orders.item ->> 'name'`.as('item'),
      sql<string | null>`transactions.failure ->> 'reason'`.as('failure'),
    ])
    .execute()
}

/** States of returns whose money has left, or will. */
const away = paymentReturnStates.filter((state) => state !== 'FAILED' && state !== 'RETURNED')

/** Of payments: what of them went back, in minor units; none where nothing did. */
export function selectReturned(db: Handle, ids: readonly string[]) {
  return db
    .selectFrom('payment_returns')
    .where('deposit_id', 'in', ids)
    .where('state', 'in', away)
    .groupBy('deposit_id')
    .select(['deposit_id', sql<number>`sum(amount)::int`.as('amount')])
    .execute()
}

/** The service of a server, also of one that is gone. */
export async function selectServiceIdOfServer(db: Handle, serverId: string): Promise<string[]> {
  const rows = await db.selectFrom('servers').select('service_id').where('id', '=', serverId).execute()
  return rows.flatMap(({ service_id }) => service_id ?? [])
}
