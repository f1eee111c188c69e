/** Referrals as users and administrators look at them. */
import { sql } from 'kysely'
import type { AdminReferral } from '@wakestone/contract/sales/referral'
import type { Handle } from '#src/db/client.ts'

export type FriendRow = {
  username: string
  created_at: Date
  is_closed: boolean
  is_verified: boolean
  review: 'waiting' | 'allowed' | 'refused' | null
  has_played: boolean
  has_paid: boolean
  hours: number
}

/** Whom a user has invited, the latest first. */
export async function selectFriends(db: Handle, userId: string, limit: number): Promise<FriendRow[]> {
  const { rows } = await sql<FriendRow>`
    select invited.username, referrals.created_at, invited.destroyed_at is not null as is_closed,
      invited.email_verified is not null as is_verified, review.state as review,
      exists (select from referral_rewards r where r.invited_id = referrals.user_id and r.kind = 'invited') as has_played,
      exists (select from referral_rewards r
        where r.invited_id = referrals.user_id and r.kind = 'first_payment' and r.reversed_at is null) as has_paid,
      (select coalesce(sum(hours), 0)::int from referral_rewards r
        where r.invited_id = referrals.user_id and r.user_id = referrals.referrer_id and r.reversed_at is null) as hours
    from referrals
    join users invited on invited.id = referrals.user_id
    left join referral_reviews review on review.user_id = referrals.user_id
    where referrals.referrer_id = ${userId}::uuid
    order by referrals.created_at desc, referrals.user_id limit ${limit}`.execute(db)
  return rows
}

export async function countFriends(db: Handle, userId: string): Promise<number> {
  const { n } = await db
    .selectFrom('referrals')
    .select(db.fn.countAll<number>().as('n'))
    .where('referrer_id', '=', userId)
    .executeTakeFirstOrThrow()
  return n
}

export type AdminReferralRow = {
  invited_id: string
  invited_name: string
  inviter_id: string
  inviter_name: string
  code: string
  created_at: Date
  signs: AdminReferral['signs'] | null
  review: AdminReferral['review']
  hours: number
}

const selectAll = sql`
  select referrals.user_id as invited_id, invited.username as invited_name, referrals.referrer_id as inviter_id,
    inviter.username as inviter_name, referral_codes.code, referrals.created_at, review.signs, review.state as review,
    (select coalesce(sum(hours), 0)::int from referral_rewards r
      where r.invited_id = referrals.user_id and r.reversed_at is null) as hours
  from referrals
  join users invited on invited.id = referrals.user_id
  join users inviter on inviter.id = referrals.referrer_id
  join referral_codes on referral_codes.id = referrals.code_id
  left join referral_reviews review on review.user_id = referrals.user_id`

/** The latest first; `after` is the invited user of the last one seen. */
export async function selectReferrals(
  db: Handle,
  { review, after, limit }: { review?: string | undefined; after?: string | undefined; limit: number },
): Promise<AdminReferralRow[]> {
  const { rows } = await sql<AdminReferralRow>`${selectAll}
    where (${review ?? null}::text is null or review.state = ${review ?? null}::text)
      and (${after ?? null}::uuid is null or (referrals.created_at, referrals.user_id) < (
        select created_at, user_id from referrals where user_id = ${after ?? null}::uuid))
    order by referrals.created_at desc, referrals.user_id desc limit ${limit}`.execute(db)
  return rows
}

export async function selectReferral(db: Handle, invitedId: string): Promise<AdminReferralRow | undefined> {
  const { rows } = await sql<AdminReferralRow>`${selectAll} where referrals.user_id = ${invitedId}::uuid`.execute(db)
  return rows[0]
}

export async function countReferrals(db: Handle, review: string | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from referrals left join referral_reviews review on review.user_id = referrals.user_id
    where (${review ?? null}::text is null or review.state = ${review ?? null}::text)`.execute(db)
  return rows[0]?.n ?? 0
}
