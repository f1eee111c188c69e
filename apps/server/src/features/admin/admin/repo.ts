/** What administrators search for beyond users, and what a user rents and pays. */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

type Page = { after?: string | undefined; limit: number }
const asPart = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
/** Of names that many things have, only so many are looked at. */
const mostLookedAt = 200

/** Servers whose name holds a text in lower case, also deleted ones; newest first. */
export async function selectServerIdsByText(db: Handle, text: string, limit: number): Promise<string[]> {
  const rows = await db
    .with('found', (found) =>
      found
        .selectFrom('servers')
        .select(['id', 'created_at'])
        .where((row) => row(row.fn<string>('lower', ['name']), 'like', asPart(text)))
        .where('deleted_at', 'is', null)
        .limit(mostLookedAt),
    )
    .selectFrom('found')
    .select('id')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Transactions whose order at a gateway has this name there or here. */
export async function selectTransactionIdsByOrder(db: Handle, order: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_orders')
    .select('transaction_id')
    .where((row) => row.or([row('external_id', '=', order), row('gateway_order_id', '=', order)]))
    .limit(limit)
    .execute()
  return rows.map(({ transaction_id }) => transaction_id)
}

/** What a user rents or has rented, newest first; `count` is of all. */
export async function selectServicesOf(db: Handle, userId: string, { after, limit }: Page) {
  let page = db
    .selectFrom('services')
    .leftJoin('servers', 'servers.service_id', 'services.id')
    .selectAll('services')
    .select(['servers.id as server_id', 'servers.name as server_name'])
    .where('services.owner_id', '=', userId)
  if (after !== undefined) page = page.where('services.id', '<', after)
  const [rows, { count }] = await Promise.all([
    page.orderBy('services.id', 'desc').limit(limit).execute(),
    db
      .selectFrom('services')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner_id', '=', userId)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}
