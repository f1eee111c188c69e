/** The ledger of deliveries: each command of an order once, and what became of it. */
import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ShopDeliveries } from '#src/db/types.gen.ts'

export type DeliveryRow = Selectable<ShopDeliveries>

export type NewDelivery = Pick<
  DeliveryRow,
  | 'server_id'
  | 'order_id'
  | 'goal_id'
  | 'item_id'
  | 'stage'
  | 'number'
  | 'command'
  | 'answer'
  | 'player'
  | 'needs_player'
  | 'wakes'
>

/** One that is there already stays; one that was given up is taken up again. */
export async function insertDelivery(trx: Transaction, row: NewDelivery): Promise<void> {
  if (row.order_id === null) {
    await trx
      .insertInto('shop_deliveries')
      .values(row)
      .onConflict((conflict) => conflict.columns(['goal_id', 'number']).where('goal_id', 'is not', null).doNothing())
      .execute()
    return
  }
  await trx
    .insertInto('shop_deliveries')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['order_id', 'item_id', 'stage', 'number'])
        .where('order_id', 'is not', null)
        .doUpdateSet({ state: 'waiting', problem: null, next_try_at: sql`now()` })
        .where('shop_deliveries.state', '=', 'dropped'),
    )
    .execute()
}

/** What was not sent yet never is. */
export async function dropWaiting(
  trx: Transaction,
  orderId: string,
  { stages, problem }: { stages: readonly string[]; problem: string },
): Promise<void> {
  await trx
    .updateTable('shop_deliveries')
    .set({ state: 'dropped', problem, lease_until: null })
    .where('order_id', '=', orderId)
    .where('stage', 'in', [...stages])
    .where('state', 'in', ['waiting', 'leased', 'failed'])
    .execute()
}

/** Whether the game may know of an order. */
export async function wasSent(trx: Transaction, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('shop_deliveries')
    .select('id')
    .where('order_id', '=', orderId)
    .where('stage', 'in', ['purchase', 'renewal'])
    .where('state', 'in', ['sent', 'confirmed', 'unclear'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes one command whose server is up and whose player is on, of a server to which nothing else is being sent; those of
 * one order go in their order.
 */
export async function takeWaiting(trx: Transaction, leaseSeconds: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    update shop_deliveries set state = 'leased', attempt_id = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select d.id from shop_deliveries d join servers s on s.id = d.server_id
      where d.state = 'waiting' and d.next_try_at <= now() and s.deleted_at is null and s.phase in ('running', 'frozen')
        and (s.phase = 'running' or not d.needs_player and d.wakes)
        and (not d.needs_player or exists (select from unnest(s.player_names) as on_it (name) where lower(name) = lower(d.player)))
        and not exists (select from shop_deliveries other where other.server_id = d.server_id and other.state in ('leased', 'sent'))
        and not exists (select from shop_deliveries before where before.order_id = d.order_id and before.stage = d.stage
          and before.number < d.number and before.state in ('waiting', 'leased', 'sent'))
      order by d.next_try_at, d.id limit 1 for update of d skip locked)
    returning *`.execute(trx)
  return rows[0]
}

/** Takes one that was sent by somebody who has not come back: what became of it has to be looked for. */
export async function takeLost(trx: Transaction, leaseSeconds: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    update shop_deliveries set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (select id from shop_deliveries where state = 'sent' and lease_until < now()
      order by lease_until limit 1 for update skip locked)
    returning *`.execute(trx)
  return rows[0]
}

/** Those that were taken and not sent wait again. */
export async function freeLeases(db: Handle): Promise<void> {
  await sql`update shop_deliveries set state = 'waiting', lease_until = null
    where state = 'leased' and lease_until < now()`.execute(db)
}

/** @returns false where it is no longer this attempt's to send. */
export async function markSent(db: Handle, { id, attempt_id }: DeliveryRow, leaseSeconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update shop_deliveries set state = 'sent', sent_at = clock_timestamp(),
      attempts = attempts + 1, problem = null, lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and attempt_id = ${attempt_id} and state = 'leased' and lease_until > now()`.execute(db)
  return numAffectedRows === 1n
}

export type Ending = {
  state: 'waiting' | 'confirmed' | 'failed' | 'unclear'
  problem?: string | null
  said?: string
  waitSeconds?: number
}

/** Ends an attempt, unless another has begun since. */
export async function endAttempt(db: Handle, { id, attempt_id }: DeliveryRow, ending: Ending): Promise<void> {
  await db
    .updateTable('shop_deliveries')
    .set({
      state: ending.state,
      problem: ending.problem ?? null,
      ...(ending.said !== undefined && { said: ending.said }),
      lease_until: null,
      confirmed_at: ending.state === 'confirmed' ? sql`now()` : null,
      next_try_at: sql`now() + make_interval(secs => ${ending.waitSeconds ?? 0})`,
    })
    .where('id', '=', id)
    .where('attempt_id', '=', attempt_id)
    .where('state', 'in', ['leased', 'sent'])
    .execute()
}

/** Servers that sleep, and for which a command waits that wakes; each is looked at once in a while. */
export async function takeToWake(db: Handle, againSeconds: number): Promise<string[]> {
  const { rows } = await sql<{ server_id: string }>`
    update shop_deliveries set next_try_at = now() + make_interval(secs => ${againSeconds})
    where id in (select distinct on (d.server_id) d.id from shop_deliveries d join servers s on s.id = d.server_id
      where d.state = 'waiting' and d.wakes and d.next_try_at <= now() and s.deleted_at is null
        and s.phase is distinct from 'running' and s.phase is distinct from 'frozen' and not d.needs_player
      order by d.server_id, d.id limit 20)
    returning server_id`.execute(db)
  return rows.map(({ server_id }) => server_id)
}

export type ListedDelivery = DeliveryRow & { about: string; phase: string | null; is_on: boolean }
const listed = (db: Handle) =>
  db
    .selectFrom('shop_deliveries')
    .innerJoin('servers', 'servers.id', 'shop_deliveries.server_id')
    .leftJoin('shop_orders', 'shop_orders.id', 'shop_deliveries.order_id')
    .leftJoin('shop_goals', 'shop_goals.id', 'shop_deliveries.goal_id')
    .selectAll('shop_deliveries')
    .select([
      sql<string>`coalesce(shop_orders.item ->> 'name', shop_goals.title, '')`.as('about'),
      'servers.phase',
      sql<boolean>`exists (select from unnest(servers.player_names) as on_it (name)
        where lower(name) = lower(shop_deliveries.player))`.as('is_on'),
    ])

const open = ['waiting', 'leased', 'sent', 'failed', 'unclear'] as const

export async function selectDeliveries(
  db: Handle,
  serverId: string,
  page: { after?: string | undefined; limit: number; open: boolean; orderId?: string | undefined },
): Promise<{ rows: ListedDelivery[]; count: number }> {
  const wanted = sql<boolean>`shop_deliveries.server_id = ${serverId}
    and (not ${page.open}::boolean or shop_deliveries.state = any(${[...open]}::text[]))
    and (${page.orderId ?? null}::uuid is null or shop_deliveries.order_id = ${page.orderId ?? null}::uuid)`
  const rows = await listed(db)
    .where(wanted)
    .where((row) => (page.after === undefined ? sql<boolean>`true` : row('shop_deliveries.id', '<', page.after)))
    .orderBy('shop_deliveries.id', 'desc')
    .limit(page.limit)
    .execute()
  const { rows: counted } = await sql<{
    count: number
  }>`select count(*)::int as count from shop_deliveries where ${wanted}`.execute(db)
  return { rows: rows as unknown as ListedDelivery[], count: counted[0]?.count ?? 0 }
}

export async function findListed(db: Handle, serverId: string, id: string): Promise<ListedDelivery | undefined> {
  return (await listed(db)
    .where('shop_deliveries.server_id', '=', serverId)
    .where('shop_deliveries.id', '=', id)
    .executeTakeFirst()) as unknown as ListedDelivery | undefined
}

export function lockDelivery(trx: Transaction, serverId: string, id: string): Promise<DeliveryRow | undefined> {
  return trx
    .selectFrom('shop_deliveries')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** As the owner says. */
export async function settle(
  trx: Transaction,
  id: string,
  { state, now }: { state: 'waiting' | 'confirmed' | 'dropped'; now: Date },
): Promise<void> {
  await trx
    .updateTable('shop_deliveries')
    .set({
      state,
      problem: state === 'waiting' ? null : 'by_hand',
      confirmed_at: state === 'confirmed' ? now : null,
      lease_until: null,
      next_try_at: now,
      ...(state === 'waiting' && { attempts: 0 }),
    })
    .where('id', '=', id)
    .execute()
}
