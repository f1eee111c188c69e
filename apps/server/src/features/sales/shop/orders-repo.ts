/** Orders of shops. */
import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ShopOrders } from '#src/db/types.gen.ts'

export type OrderRow = Selectable<ShopOrders>

export async function newOrderId(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx)
  return (rows[0] as { id: string }).id
}

export function insertOrder(
  trx: Transaction,
  row: Pick<
    OrderRow,
    | 'id'
    | 'server_id'
    | 'item_id'
    | 'quantity'
    | 'player'
    | 'player_id'
    | 'giver'
    | 'coupon_id'
    | 'currency'
    | 'full_amount'
    | 'amount'
    | 'transaction_id'
    | 'language'
    | 'email'
    | 'idempotency_key'
    | 'request_hash'
  > & { item: object; chosen: object },
): Promise<OrderRow | undefined> {
  return trx
    .insertInto('shop_orders')
    .values({ ...row, item: JSON.stringify(row.item), chosen: JSON.stringify(row.chosen) })
    .onConflict((conflict) => conflict.columns(['server_id', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findOrder(db: Handle, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('shop_orders').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findOrderByKey(db: Handle, serverId: string, key: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('shop_orders')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

export function lockOrderOf(trx: Transaction, transactionId: string): Promise<OrderRow | undefined> {
  return trx
    .selectFrom('shop_orders')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .forUpdate()
    .executeTakeFirst()
}

export function lockOrder(trx: Transaction, id: string): Promise<OrderRow | undefined> {
  return trx.selectFrom('shop_orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateOrder(
  trx: Transaction,
  id: string,
  change: {
    paid_at?: Date
    mail_at?: Date | null
    mail_tries?: number
    refunded?: number
    return_kind?: string | null
    ends_at?: Date | null
    ended_at?: Date | null
    renewed_by?: string | null
  },
): Promise<void> {
  await trx.updateTable('shop_orders').set(change).where('id', '=', id).execute()
}

/**
 * Takes one whose buyer is to be told. Nobody else tells them for two minutes; one that is not ended comes again, later
 * each time.
 */
export async function claimMail(db: Handle): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`update shop_orders set mail_tries = mail_tries + 1,
      mail_at = now() + make_interval(secs => least(14400, 120 * 3 ^ mail_tries))
    where id in (select id from shop_orders where mail_at <= now() order by mail_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** Of one that was claimed, unless there is something else to tell by now. */
export async function endMail(db: Handle, claimed: OrderRow): Promise<void> {
  await db
    .updateTable('shop_orders')
    .set({ mail_at: null })
    .where('id', '=', claimed.id)
    .where('mail_tries', '=', claimed.mail_tries)
    .where(sql<boolean>`return_kind is not distinct from ${claimed.return_kind}`)
    .execute()
}

/** Somebody has paid for the same once more: that is to go back. */
export async function notePaidAgain(trx: Transaction, id: string, depositId: string): Promise<void> {
  await sql`update shop_orders set paid_again = array_append(paid_again, ${depositId}::uuid) where id = ${id}`.execute(
    trx,
  )
}

export async function findPaidAgain(db: Handle): Promise<{ id: string; server_id: string; deposit_id: string }[]> {
  const { rows } = await sql<{ id: string; server_id: string; deposit_id: string }>`
    select id, server_id, unnest(paid_again) as deposit_id from shop_orders where paid_again <> '{}' limit 20`.execute(
    db,
  )
  return rows
}

export async function forgetPaidAgain(db: Handle, id: string, depositId: string): Promise<void> {
  await sql`update shop_orders set paid_again = array_remove(paid_again, ${depositId}::uuid) where id = ${id}`.execute(
    db,
  )
}

/** The one that a player has of an item that ends, and that is not over; nobody else goes on from it meanwhile. */
export function lockRunning(
  trx: Transaction,
  { server_id, item_id, player }: Pick<OrderRow, 'server_id' | 'item_id' | 'player'>,
  now: Date,
): Promise<OrderRow | undefined> {
  return trx
    .selectFrom('shop_orders')
    .selectAll()
    .where('server_id', '=', server_id)
    .where('item_id', '=', item_id)
    .where(sql<boolean>`lower(player) = lower(${player})`)
    .where('paid_at', 'is not', null)
    .where('return_kind', 'is', null)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .orderBy('ends_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

/** The one that an order goes on from. */
export function findRenewed(trx: Transaction, id: string): Promise<OrderRow | undefined> {
  return trx.selectFrom('shop_orders').selectAll().where('renewed_by', '=', id).executeTakeFirst()
}

export async function findEnded(db: Handle, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('shop_orders')
    .select('id')
    .where('ends_at', '<=', now)
    .where('ended_at', 'is', null)
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type ListedOrder = OrderRow & {
  status: string | null
  coupon: string | null
  deliveries: number
  delivered: number
  trouble: number
}
const listed = (db: Handle) =>
  db
    .selectFrom('shop_orders')
    .leftJoin('transactions', 'transactions.id', 'shop_orders.transaction_id')
    .leftJoin('shop_coupons', 'shop_coupons.id', 'shop_orders.coupon_id')
    .selectAll('shop_orders')
    .select(['transactions.status', 'shop_coupons.code as coupon'])
    .select(
      (['deliveries', 'delivered', 'trouble'] as const).map((name) =>
        sql<number>`(select count(*)::int from shop_deliveries d where d.order_id = shop_orders.id and ${countedAs[name]})`.as(
          name,
        ),
      ),
    )
const countedAs = {
  deliveries: sql`d.state <> 'dropped'`,
  delivered: sql`d.state = 'confirmed'`,
  trouble: sql`d.state in ('failed', 'unclear')`,
}

export async function selectOrders(
  db: Handle,
  serverId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ rows: ListedOrder[]; count: number }> {
  const rows = await listed(db)
    .where('shop_orders.server_id', '=', serverId)
    .where((row) => (after === undefined ? sql<boolean>`true` : row('shop_orders.id', '<', after)))
    .orderBy('shop_orders.id', 'desc')
    .limit(limit)
    .execute()
  const { count } = await db
    .selectFrom('shop_orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return { rows: rows as unknown as ListedOrder[], count: Number(count) }
}

export async function findListed(db: Handle, id: string): Promise<ListedOrder | undefined> {
  return (await listed(db).where('shop_orders.id', '=', id).executeTakeFirst()) as unknown as ListedOrder | undefined
}

/** The last who got something, for the shop's page. */
export function selectRecent(db: Handle, serverId: string, most: number) {
  return db
    .selectFrom('shop_orders')
    .select(['player', sql<string>`item ->> 'name'`.as('item'), 'paid_at'])
    .where('server_id', '=', serverId)
    .where('paid_at', 'is not', null)
    .where('return_kind', 'is', null)
    .orderBy('paid_at', 'desc')
    .limit(most)
    .execute()
}

/** What of the owner's wallet is held for sales of this shop. */
export async function sumHeld(db: Handle, serverId: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`select coalesce(sum(h.amount), 0)::bigint as held from shop_orders o
    join sale_payments s on s.transaction_id = o.transaction_id or s.transaction_id = any(o.paid_again)
    join ledger_holds h on h.id = s.hold_id and h.state = 'held' where o.server_id = ${serverId}`.execute(db)
  return rows[0]?.held ?? 0
}

/** Addresses of buyers are kept for a time only. @returns how many were forgotten. */
export async function forgetBuyers(db: Handle, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`update shop_orders set email = null where id = any(array(
    select id from shop_orders where email is not null and created_at < ${before} order by id limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
