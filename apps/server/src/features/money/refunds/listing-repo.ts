import { sql, type SqlBool } from 'kysely'
import type { Handle } from '#src/db/client.ts'

const shown = (db: Handle) =>
  db
    .selectFrom('payment_returns as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .leftJoin('users as a', 'a.id', 'r.asked_by')
    .leftJoin('debts as d', 'd.return_id', 'r.id')
    .innerJoin('transactions as t', 't.id', 'r.deposit_id')
    .leftJoin('shop_orders as o', (join) =>
      // Also of a second payment for the same order.
      join.on(sql<SqlBool>`o.transaction_id = coalesce((t.details ->> 'second_payment_of')::uuid, t.id)`),
    )
    .selectAll('r')
    .select([
      'u.username',
      'a.username as asked_by_name',
      'd.amount as owed',
      'd.open as still_owed',
      'o.player',
      'o.email',
    ])

export type ShownRow = NonNullable<Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirst']>>>

export function findShownReturn(db: Handle, id: string): Promise<ShownRow | undefined> {
  return shown(db).where('r.id', '=', id).executeTakeFirst()
}

export function findShownReturnsOfOrder(db: Handle, orderId: string): Promise<ShownRow[]> {
  return shown(db).where('r.order_id', '=', orderId).orderBy('r.id', 'desc').execute()
}

/** Newest first. */
export async function findShownReturns(
  db: Handle,
  filter: {
    kind?: string | undefined
    state?: string | undefined
    user_id?: string | undefined
    offset: number
    limit: number
  },
): Promise<{ rows: ShownRow[]; count: number }> {
  let page = shown(db)
  let all = db.selectFrom('payment_returns as r').select(({ fn }) => fn.countAll<number>().as('count'))
  for (const name of ['kind', 'state', 'user_id'] as const) {
    const value = filter[name]
    if (value === undefined) continue
    page = page.where(`r.${name}`, '=', value)
    all = all.where(`r.${name}`, '=', value)
  }
  const found = await page.orderBy('r.id', 'desc').offset(filter.offset).limit(filter.limit).execute()
  return { rows: found, count: (await all.executeTakeFirstOrThrow()).count }
}
