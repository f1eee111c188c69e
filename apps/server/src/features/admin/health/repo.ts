/** What waits, what is late and what has failed. */
import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

export type QueueRow = {
  name: string
  waiting: number
  active: number
  failed: number
  done: number
  oldest_seconds: number | null
}

/** Every queue; failed and done within a day. */
export async function selectQueues(db: Handle): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select queue.name,
      count(job.id) filter (where job.state < 'active')::int as waiting,
      count(job.id) filter (where job.state = 'active')::int as active,
      count(job.id) filter (where job.state = 'failed' and job.completed_on > now() - interval '1 day')::int as failed,
      count(job.id) filter (where job.state = 'completed' and job.completed_on > now() - interval '1 day')::int as done,
      floor(extract(epoch from now() - min(job.start_after) filter (where job.state < 'active' and job.start_after <= now())))::int as oldest_seconds
    from pgboss.queue left join pgboss.job on job.name = queue.name
    where queue.name not like '\\_\\_pgboss%' -- its own upkeep
    group by queue.name order by queue.name`.execute(db)
  return rows
}

export type Late = { count: number; seconds: number }
const late = (since: string) =>
  sql.raw(`count(*)::int as count, coalesce(greatest(0, extract(epoch from now() - min(${since}))), 0)::int as seconds`)

export async function selectLag(db: Handle) {
  const one = async (query: RawBuilder<Late>) => (await query.execute(db)).rows[0] ?? { count: 0, seconds: 0 }
  const [looks, unreached, operations, deliveries, shop, records] = await Promise.all([
    one(sql<Late>`select ${late('next_look_at')} from server_looks join servers on servers.id = server_id
      and servers.volume_removed_at is null where next_look_at < now()`),
    one(sql<Late>`select ${late('unreached_since')} from server_looks join servers on servers.id = server_id
      and servers.deleted_at is null where unreached_since is not null`),
    one(sql<Late>`select ${late('coalesce(due_at, created_at)')} from operations
      where state = 'queued' and coalesce(due_at, created_at) < now()`),
    one(
      sql<Late>`select ${late('next_at')} from notification_deliveries where finished_at is null and next_at < now()`,
    ),
    one(sql<Late>`select ${late('since')} from (
      select coalesce(d.lease_until, d.next_try_at) as since from shop_deliveries d join servers s on s.id = d.server_id
      where s.deleted_at is null and (d.state in ('leased', 'sent')
        or d.state = 'waiting' and s.phase = 'running' and (not d.needs_player
          or exists (select from unnest(s.player_names) as on_it (name) where lower(name) = lower(d.player))))
    ) due where since < now()`),
    sql<{ count: number; failed: number }>`select count(*)::int as count,
      count(*) filter (where records_error is not null)::int as failed
      from domains where records_wanted <> records_done`.execute(db),
  ])
  return { looks, unreached, operations, deliveries, shop, records: records.rows[0] ?? { count: 0, failed: 0 } }
}

export type ProviderRow = {
  provider: string
  open: number
  oldest_seconds: number | null
  asked_at: Date | null
  heard_at: Date | null
  waiting: number
  refused: number
}

/** Payments under way at each provider, and its messages; refused ones within a day. */
export async function selectProviders(db: Handle): Promise<ProviderRow[]> {
  const { rows } = await sql<ProviderRow>`
    with orders as (
      select gateway, count(*) filter (where next_poll_at is not null)::int as open,
        extract(epoch from now() - min(created_at) filter (where next_poll_at is not null))::int as oldest_seconds,
        max(polled_at) as asked_at
      from payment_orders group by gateway
    ), messages as (
      select gateway, max(received_at) as heard_at, count(*) filter (where state in ('received', 'verified'))::int as waiting,
        count(*) filter (where state = 'refused' and received_at > now() - interval '1 day')::int as refused
      from gateway_events group by gateway
    )
    select coalesce(orders.gateway, messages.gateway) as provider, coalesce(open, 0) as open, oldest_seconds, asked_at,
      heard_at, coalesce(waiting, 0) as waiting, coalesce(refused, 0) as refused
    from orders full join messages on messages.gateway = orders.gateway order by 1`.execute(db)
  return rows
}
