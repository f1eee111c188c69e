/** Affiliates as they and administrators look at them. */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

export type DayRow = { day: string; clicks: number; sign_ups: number; earned: Record<string, number> }

/** Every day from the first to the last, UTC. */
export async function selectDays(
  db: Handle,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select to_char(span.at, 'YYYY-MM-DD') as day, coalesce(clicks.clicks, 0) as clicks,
      (select count(*)::int from referrals where referrer_id = ${userId}::uuid and programme = 'affiliate'
        and created_at >= span.at at time zone 'UTC' and created_at < (span.at + interval '1 day') at time zone 'UTC'
      ) as sign_ups,
      coalesce((select json_object_agg(currency, amount) from (
        select trim(currency) as currency, sum(amount)::bigint as amount from affiliate_commissions
        where affiliate_id = ${userId}::uuid and paid_at >= span.at at time zone 'UTC'
          and paid_at < (span.at + interval '1 day') at time zone 'UTC'
        group by 1) sums), '{}'::json) as earned
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as span (at)
    left join affiliate_clicks clicks on clicks.user_id = ${userId}::uuid and clicks.day = span.at::date
    order by span.at`.execute(db)
  return rows
}

export async function countAll(db: Handle, userId: string): Promise<{ clicks: number; sign_ups: number }> {
  const { rows } = await sql<{ clicks: number; sign_ups: number }>`select
    (select coalesce(sum(clicks), 0)::int from affiliate_clicks where user_id = ${userId}::uuid) as clicks,
    (select count(*)::int from referrals where referrer_id = ${userId}::uuid and programme = 'affiliate') as sign_ups`.execute(
    db,
  )
  return rows[0] ?? { clicks: 0, sign_ups: 0 }
}

/** Moved to wallets and owed, by currency. */
export async function selectMoved(
  db: Handle,
  userId: string,
): Promise<{ currency: string; paid: number; owed: number }[]> {
  const { rows } = await sql<{ currency: string; paid: number; owed: number }>`
    select currency, owed, (select coalesce(sum(amount), 0)::bigint from affiliate_payouts payout
      where payout.user_id = balance.user_id and payout.currency = balance.currency) as paid
    from affiliate_balances balance where user_id = ${userId}::uuid order by currency`.execute(db)
  return rows
}

export type AdminRow = {
  user_id: string
  username: string
  state: 'waiting' | 'approved' | 'suspended'
  website: string
  about: string
  applied_at: Date
  decided_at: Date | null
  clicks: number
  sign_ups: number
  flagged: number
  earned: { amount: number; currency: string }[]
}

const selectAll = sql`
  select affiliates.user_id, users.username, affiliates.state, affiliates.website, affiliates.about,
    affiliates.applied_at, affiliates.decided_at,
    (select coalesce(sum(clicks), 0)::int from affiliate_clicks c where c.user_id = affiliates.user_id) as clicks,
    (select count(*)::int from referrals r where r.referrer_id = affiliates.user_id and r.programme = 'affiliate') as sign_ups,
    (select count(*)::int from referrals r join referral_reviews review on review.user_id = r.user_id
      where r.referrer_id = affiliates.user_id and r.programme = 'affiliate' and review.state = 'waiting') as flagged,
    coalesce((select json_agg(json_build_object('amount', amount, 'currency', currency)) from (
      select trim(currency) as currency, sum(amount)::bigint as amount from affiliate_commissions c
      where c.affiliate_id = affiliates.user_id group by 1 order by 1) sums), '[]'::json) as earned
  from affiliates join users on users.id = affiliates.user_id`

export async function selectAffiliates(
  db: Handle,
  { state, after, limit }: { state?: string | undefined; after?: string | undefined; limit: number },
): Promise<AdminRow[]> {
  const { rows } = await sql<AdminRow>`${selectAll}
    where (${state ?? null}::text is null or affiliates.state = ${state ?? null}::text)
      and (${after ?? null}::uuid is null or (affiliates.applied_at, affiliates.user_id) < (
        select applied_at, user_id from affiliates where user_id = ${after ?? null}::uuid))
    order by affiliates.applied_at desc, affiliates.user_id desc limit ${limit}`.execute(db)
  return rows
}

export async function selectAffiliate(db: Handle, userId: string): Promise<AdminRow | undefined> {
  const { rows } = await sql<AdminRow>`${selectAll} where affiliates.user_id = ${userId}::uuid`.execute(db)
  return rows[0]
}

export async function countAffiliates(db: Handle, state: string | undefined): Promise<number> {
  let query = db.selectFrom('affiliates').select(db.fn.countAll<number>().as('n'))
  if (state !== undefined) query = query.where('state', '=', state)
  return (await query.executeTakeFirstOrThrow()).n
}
