import { type RawBuilder, sql } from 'kysely'
import { awakePhases } from '@wakestone/protocol/phases'
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
      count(*) filter (where phase = any(${[...awakePhases]}::text[]))::int as up,
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

type Taken = Overview['payments']['taken'][number]
/** Of the last 24 hours, at payment providers. */
export async function countPayments(db: Handle): Promise<Overview['payments']> {
  const { rows } = await sql<{ status: string; currency: Taken['currency']; count: number; amount: string }>`
    select status, currency, count(*)::int as count, sum(amount) as amount from transactions
    where status in ('COMPLETED', 'FAILED') and updated_at > now() - interval '1 day' and amount > 0
      and exists (select from payment_orders where transaction_id = transactions.id)
    group by status, currency order by currency`.execute(db)
  const of = (status: string) => rows.filter((row) => row.status === status)
  const sum = (status: string) => of(status).reduce((all, { count }) => all + count, 0)
  return {
    completed: sum('COMPLETED'),
    failed: sum('FAILED'),
    taken: of('COMPLETED').map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
  }
}
