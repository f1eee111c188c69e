import { sql } from 'kysely'
import type { Product } from '@wakestone/contract/sales/product'
import type { Handle, Transaction } from '#src/db/client.ts'

export type PriceRow = {
  cluster_id: string
  currency: string
  period: string
  amount: number
  /** Lowest net price of the 30 days before the last reduction; null when the price was not reduced. */
  lowest: number | null
}
export type ProductRow = {
  id: string
  type: Product['type']
  parameters: Product['parameters']
  depends_on_products: string[]
  upgrade_targets: string[]
  visible: boolean
  available: boolean
  availability: number | null
  trial_hours: number | null
  prices: PriceRow[]
}

/** Products with their prices on clusters that are open, shortest period first. */
export async function selectProducts(db: Handle, filter: { id?: string } = {}): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select products.*, (
      select coalesce(json_agg(json_build_object(
        'cluster_id', price.cluster_id, 'currency', price.currency, 'period', price.period, 'amount', price.amount, 'lowest', reduced.lowest
      ) order by price.currency, split_part(price.period, 'h', 1)::int, price.cluster_id), '[]')
      from prices price
      join clusters on clusters.id = price.cluster_id and not clusters.disabled
      left join lateral (
        -- Among the prices that were valid at some moment of the 30 days before the present one began.
        select min(past.amount) as lowest
        from (
          select amount, valid_from, lead(valid_from) over by_time as valid_to, lead(id) over by_time as next_id,
            first_value(valid_from) over (order by valid_from desc, id desc) as present_from,
            nth_value(amount, 2) over (order by valid_from desc, id desc rows between unbounded preceding and unbounded following) as before
          from price_history history
          where (history.product_id, history.cluster_id, history.currency, history.period) = (price.product_id, price.cluster_id, price.currency, price.period)
          window by_time as (order by valid_from, id)
        ) past
        where past.next_id is not null and past.before > price.amount and past.valid_to > past.present_from - interval '30 days'
      ) reduced on true
      where price.product_id = products.id
    ) as prices
    from products where ${filter.id === undefined ? sql`products.visible` : sql`products.id = ${filter.id}`} order by products.position`.execute(
    db,
  )
  return rows
}

/** @returns whether there was one left. */
export async function takeOne(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('products')
    .set((row) => ({ availability: row('availability', '-', 1) }))
    .where('id', '=', id)
    .where('availability', '>', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Clusters on which anything has a price. */
export async function selectClustersWithPrices(db: Handle): Promise<Set<string>> {
  const rows = await db.selectFrom('prices').select('cluster_id').distinct().execute()
  return new Set(rows.map(({ cluster_id }) => cluster_id))
}

/** A new cluster sells at the prices of another one. */
export async function copyPrices(trx: Transaction, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`insert into prices (product_id, cluster_id, currency, period, amount)
    select product_id, ${to}, currency, period, amount from prices where cluster_id = ${from}`.execute(trx)
}
