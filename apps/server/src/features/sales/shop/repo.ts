/** Shops and what is on sale. */
import { type Selectable, sql } from 'kysely'
import type { ShopItemBody, ShopSettings } from '@wakestone/contract/sales/shop'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ShopCategories, ShopCoupons, ShopGoals, ShopItems, Shops } from '#src/db/types.gen.ts'

export type ShopRow = Selectable<Shops>
export type ItemRow = Selectable<ShopItems>
export type CouponRow = Selectable<ShopCoupons>
export type GoalRow = Selectable<ShopGoals>
export type CategoryRow = Selectable<ShopCategories>

export function findShop(db: Handle, serverId: string): Promise<ShopRow | undefined> {
  return db.selectFrom('shops').selectAll().where('server_id', '=', serverId).executeTakeFirst()
}

/** By the server's id, or by the first part of one of its addresses. */
export async function findServerId(db: Handle, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select servers.id from servers
    where deleted_at is null and (servers.id::text = lower(${name})
      or exists (select from domains where server_id = servers.id and sub_domain = lower(${name})))
    order by servers.id limit 1`.execute(db)
  return rows[0]?.id
}

/** Makes the shop unless it is there; it is closed then. */
export async function ensureShop(
  trx: Transaction,
  shop: { serverId: string; title: string; currency: string },
): Promise<ShopRow> {
  await trx
    .insertInto('shops')
    .values({
      server_id: shop.serverId,
      title: shop.title,
      currency: shop.currency,
      seller: JSON.stringify({ name: '', address: '', email: '', tax_id: '' }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx
    .selectFrom('shops')
    .selectAll()
    .where('server_id', '=', shop.serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateShop(
  trx: Transaction,
  serverId: string,
  {
    settings,
    introHtml,
    confirmedBy,
    now,
  }: { settings: ShopSettings; introHtml: string; confirmedBy: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('shops')
    .set({
      open: settings.open,
      title: settings.title,
      intro: settings.intro,
      intro_html: introHtml,
      picture: settings.picture === '' ? null : settings.picture,
      currency: settings.currency,
      seller: JSON.stringify(settings.seller),
      rules_confirmed_at: settings.rules_confirmed ? sql`coalesce(rules_confirmed_at, ${now})` : null,
      rules_confirmed_by: settings.rules_confirmed ? sql`coalesce(rules_confirmed_by, ${confirmedBy})` : null,
    })
    .where('server_id', '=', serverId)
    .execute()
}

export async function hasOrders(db: Handle, serverId: string): Promise<boolean> {
  const row = await db
    .selectFrom('shop_orders')
    .select('id')
    .where('server_id', '=', serverId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function selectCategories(db: Handle, serverId: string): Promise<CategoryRow[]> {
  return db.selectFrom('shop_categories').selectAll().where('server_id', '=', serverId).orderBy('position').execute()
}

export async function writeCategories(
  trx: Transaction,
  serverId: string,
  categories: readonly { id: string | null; name: string }[],
): Promise<void> {
  const kept = categories.flatMap(({ id }) => id ?? [])
  await trx
    .deleteFrom('shop_categories')
    .where('server_id', '=', serverId)
    .where((row) => (kept.length === 0 ? sql<boolean>`true` : row.not(row('id', 'in', kept))))
    .execute()
  for (const [position, { id, name }] of categories.entries()) {
    if (id === null) await trx.insertInto('shop_categories').values({ server_id: serverId, name, position }).execute()
    else
      await trx
        .updateTable('shop_categories')
        .set({ name, position })
        .where('id', '=', id)
        .where('server_id', '=', serverId)
        .execute()
  }
}

/** With how many of each are sold, or ordered and not given up. */
export async function selectItems(db: Handle, serverId: string): Promise<(ItemRow & { sold: number })[]> {
  return db
    .selectFrom('shop_items')
    .selectAll()
    .select(soldOf('shop_items.id').as('sold'))
    .where('server_id', '=', serverId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** An order that was given up, not paid in time, or given back counts for nothing. */
const counts = sql`(o.paid_at is not null and o.return_kind is null or o.paid_at is null and exists (
  select from transactions t where t.id = o.transaction_id and t.status in ('DRAFT', 'NEW', 'PROCESSING', 'READY_TO_CAPTURE')))`
const soldOf = (item: string) =>
  sql<number>`(select coalesce(sum(o.quantity), 0)::int from shop_orders o where o.item_id = ${sql.ref(item)} and ${counts})`

/** @param player who gets it; null: all */
export async function countSold(trx: Transaction, itemId: string, player: string | null): Promise<number> {
  const { rows } = await sql<{ sold: number }>`select coalesce(sum(o.quantity), 0)::int as sold from shop_orders o
    where o.item_id = ${itemId} and (${player}::text is null or lower(o.player) = lower(${player})) and ${counts}`.execute(
    trx,
  )
  return rows[0]?.sold ?? 0
}

export async function countUses(trx: Handle, couponId: string, player: string | null): Promise<number> {
  const { rows } = await sql<{ uses: number }>`select count(*)::int as uses from shop_orders o
    where o.coupon_id = ${couponId} and (${player}::text is null or lower(o.player) = lower(${player})) and ${counts}`.execute(
    trx,
  )
  return rows[0]?.uses ?? 0
}

export function findItem(db: Handle, serverId: string, id: string): Promise<ItemRow | undefined> {
  return db
    .selectFrom('shop_items')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Whoever orders of it then waits for the transaction's end. */
export async function lockItem(trx: Transaction, id: string): Promise<void> {
  await trx.selectFrom('shop_items').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** An item as it is kept; `html` is its description as pages show it. */
export type ItemToKeep = ShopItemBody & { html: string }

const itemValues = (body: ItemToKeep) => ({
  category_id: body.category_id,
  name: body.name,
  description: body.description,
  html: body.html,
  picture: body.picture === '' ? null : body.picture,
  price: body.price,
  days: body.days,
  per_player: body.per_player,
  overall: body.overall,
  giftable: body.giftable,
  active: body.active,
  variables: JSON.stringify(body.variables),
  commands: JSON.stringify(body.commands),
  confirmed: body.confirmed,
})

export async function insertItem(trx: Transaction, serverId: string, body: ItemToKeep): Promise<void> {
  await trx
    .insertInto('shop_items')
    .values({ server_id: serverId, ...itemValues(body) })
    .execute()
}

export async function updateItem(trx: Transaction, serverId: string, id: string, body: ItemToKeep): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('shop_items')
    .set(itemValues(body))
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeFrom(
  trx: Transaction,
  table: 'shop_items' | 'shop_coupons' | 'shop_goals',
  { serverId, id, now }: { serverId: string; id: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable(table)
    .set({ deleted_at: now })
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function selectCoupons(db: Handle, serverId: string): Promise<(CouponRow & { used: number })[]> {
  return db
    .selectFrom('shop_coupons')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from shop_orders o where o.coupon_id = shop_coupons.id and ${counts})`.as(
        'used',
      ),
    )
    .where('server_id', '=', serverId)
    .where('deleted_at', 'is', null)
    .orderBy('code')
    .execute()
}

export function findCoupon(db: Handle, serverId: string, code: string): Promise<CouponRow | undefined> {
  return db
    .selectFrom('shop_coupons')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function lockCoupon(trx: Transaction, id: string): Promise<void> {
  await trx.selectFrom('shop_coupons').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** @returns false where there is one of this code. */
export async function insertCoupon(
  trx: Transaction,
  row: Omit<CouponRow, 'id' | 'created_at' | 'deleted_at'>,
): Promise<boolean> {
  const made = await trx
    .insertInto('shop_coupons')
    .values(row)
    .onConflict((conflict) => conflict.columns(['server_id', 'code']).where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** What has come in for a goal, less what went back. */
export async function selectGoals(db: Handle, serverId: string): Promise<(GoalRow & { reached: number })[]> {
  return db
    .selectFrom('shop_goals')
    .selectAll()
    .select(
      sql<number>`(select coalesce(sum(o.amount - o.refunded), 0)::bigint from shop_orders o
        where o.server_id = shop_goals.server_id and o.paid_at >= shop_goals.since)`.as('reached'),
    )
    .where('server_id', '=', serverId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function insertGoal(
  trx: Transaction,
  row: { serverId: string; title: string; target: number; commands: string[] },
): Promise<void> {
  const { serverId, ...goal } = row
  await trx
    .insertInto('shop_goals')
    .values({ server_id: serverId, ...goal })
    .execute()
}

/** @returns false where somebody else has reached it. */
export async function markReached(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('shop_goals')
    .set({ reached_at: now })
    .where('id', '=', id)
    .where('reached_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
