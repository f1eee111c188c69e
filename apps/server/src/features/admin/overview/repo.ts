import { type RawBuilder, sql } from 'kysely'
import type { Overview } from '@wakestone/contract/admin/overview'
import { sleepingLevels } from '@wakestone/contract/servers/levels'
import type { Handle } from '#src/db/client.ts'

async function one<Row>(db: Handle, query: RawBuilder<Row>): Promise<Row> {
  const { rows } = await query.execute(db)
  return rows[0] as Row
}

export const countServers = (db: Handle) =>
  one<Overview['servers']>(
    db,
    sql`select count(*)::int as all,
      count(*) filter (where phase in ('starting', 'running', 'stopping', 'restarting'))::int as up,
      count(*) filter (where level = any(${sql.val(sleepingLevels)}::text[]))::int as asleep,
      count(*) filter (where crashed)::int as crashed, coalesce(sum(players_online), 0)::int as players
      from servers where deleted_at is null`,
  )

export const countFree = (db: Handle) =>
  one<Overview['free']>(
    db,
    sql`select (select count(*)::int from free_sessions where ended_at is null) as taken,
      (select count(*)::int from free_server_queue) as waiting`,
  )

export const countUsers = (db: Handle) =>
  one<Overview['users']>(
    db,
    sql`select count(*)::int as all, count(*) filter (where created_at > now() - interval '7 days')::int as new
      from users where destroyed_at is null`,
  )

export const countPayments = (db: Handle) =>
  one<Pick<Overview['payments'], 'completed' | 'failed'>>(
    db,
    sql`select count(*) filter (where status = 'COMPLETED')::int as completed,
      count(*) filter (where status = 'FAILED')::int as failed
      from transactions where updated_at > now() - interval '1 day' and amount > 0
        and exists (select from payment_orders where transaction_id = transactions.id)`,
  )

export async function sumPayments(db: Handle): Promise<Overview['payments']['taken']> {
  const { rows } = await sql<Overview['payments']['taken'][number]>`
    select currency, sum(amount)::int8 as amount from transactions
    where status = 'COMPLETED' and updated_at > now() - interval '1 day' and amount > 0
      and exists (select from payment_orders where transaction_id = transactions.id)
    group by currency order by currency`.execute(db)
  return rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
}

export const countTickets = (db: Handle, answerHours: number) =>
  one<Overview['tickets']>(
    db,
    sql`select count(*)::int as open,
      count(*) filter (where waiting_since < now() - ${answerHours} * interval '1 hour')::int as overdue
      from support_tickets where status in ('NEW', 'OPEN')`,
  )
