/** What invitations have earned: hours, and what they are earned by. */
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export type RewardKind = 'invited' | 'inviter' | 'first_payment'
export type Referral = {
  user_id: string
  referrer_id: string
  created_at: Date
  /** What their coming counts for. */
  programme: 'hours' | 'affiliate'
  /** Accounts that are closed, suspended or not verified earn nothing. */
  invited_counts: boolean
  referrer_counts: boolean
  review: 'waiting' | 'allowed' | 'refused' | null
}

const counts = (user: 'invited' | 'referrer') =>
  sql<boolean>`${sql.ref(user)}.destroyed_at is null and ${sql.ref(user)}.suspended_at is null and ${sql.ref(user)}.email_verified is not null`

export async function findReferral(db: Handle, invitedId: string): Promise<Referral | undefined> {
  const { rows } = await sql<Referral>`
    select referrals.user_id, referrals.referrer_id, referrals.created_at, referrals.programme, ${counts('invited')} as invited_counts,
      ${counts('referrer')} as referrer_counts, review.state as review
    from referrals
    join users invited on invited.id = referrals.user_id
    join users referrer on referrer.id = referrals.referrer_id
    left join referral_reviews review on review.user_id = referrals.user_id
    where referrals.user_id = ${invitedId}::uuid`.execute(db)
  return rows[0]
}

/** Locks both accounts of a referral, always in one order. */
export async function lockBoth(trx: Transaction, { user_id, referrer_id }: Referral): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [user_id, referrer_id])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Seconds that somebody's servers were played on. A session that goes on counts up to `now`. */
const playedSeconds = (userId: ReturnType<typeof sql.ref>, now: Date) => sql<number>`(
  select coalesce(sum(play.seconds + coalesce(greatest(0, extract(epoch from ${now}::timestamptz - play.since)), 0)), 0)::float8
  from server_play play join servers on servers.id = play.server_id where servers.owner_id = ${userId})`

/** Invited accounts that have played long enough and whose reward is not given yet, some at a time. */
export async function selectPlayed(
  db: Handle,
  { now, seconds, after, limit }: { now: Date; seconds: number; after: string | undefined; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referrals.user_id as id from referrals
    join users invited on invited.id = referrals.user_id
    where ${counts('invited')}
      and not exists (select from referral_rewards reward where reward.invited_id = referrals.user_id and reward.kind = 'invited')
      and not exists (
        select from referral_reviews review where review.user_id = referrals.user_id and review.state in ('waiting', 'refused'))
      and (${after ?? null}::uuid is null or referrals.user_id > ${after ?? null}::uuid)
      and ${playedSeconds(sql.ref('referrals.user_id'), now)} >= ${seconds}
    order by referrals.user_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function hasPlayed(
  db: Handle,
  userId: string,
  { now, seconds }: { now: Date; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ played: boolean }>`
    select ${playedSeconds(sql.ref('users.id'), now)} >= ${seconds} as played from users where id = ${userId}::uuid`.execute(
    db,
  )
  return rows[0]?.played === true
}

/** The reward of this kind that stands. */
export function findReward(db: Handle, invitedId: string, kind: RewardKind) {
  return db
    .selectFrom('referral_rewards')
    .select(['id', 'user_id', 'hours', 'transaction_id'])
    .where('invited_id', '=', invitedId)
    .where('kind', '=', kind)
    .where('reversed_at', 'is', null)
    .executeTakeFirst()
}

/** Whether this kind was ever given for this account: what was taken back is not earned by playing on. */
export async function wasRewarded(db: Handle, invitedId: string, kind: RewardKind): Promise<boolean> {
  const row = await db
    .selectFrom('referral_rewards')
    .select('id')
    .where('invited_id', '=', invitedId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertReward(
  trx: Transaction,
  reward: { userId: string; invitedId: string; kind: RewardKind; hours: number; transactionId?: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('referral_rewards')
    .values({
      user_id: reward.userId,
      invited_id: reward.invitedId,
      kind: reward.kind,
      hours: reward.hours,
      transaction_id: reward.transactionId ?? null,
      at: reward.at,
    })
    .execute()
}

/** @returns whose they were and how many; nothing when they were taken back before. */
export function reverseReward(trx: Transaction, id: string, at: Date) {
  return trx
    .updateTable('referral_rewards')
    .set({ reversed_at: at })
    .where('id', '=', id)
    .where('reversed_at', 'is', null)
    .returning(['user_id', 'hours', 'kind'])
    .executeTakeFirst()
}

export function selectRewardsOf(db: Handle, invitedId: string) {
  return db
    .selectFrom('referral_rewards')
    .select('id')
    .where('invited_id', '=', invitedId)
    .where('reversed_at', 'is', null)
    .execute()
}

/** Hours that stand, that were put on services, and that were given since a moment. */
export async function sumHours(
  db: Handle,
  userId: string,
  since: Date,
): Promise<{ earned: number; used: number; recent: number }> {
  const { rows } = await sql<{ earned: number; used: number; recent: number }>`
    select
      (select coalesce(sum(hours), 0)::int from referral_rewards where user_id = ${userId}::uuid and reversed_at is null) as earned,
      (select coalesce(sum(hours), 0)::int from referral_uses where user_id = ${userId}::uuid) as used,
      (select coalesce(sum(hours), 0)::int from referral_rewards
        where user_id = ${userId}::uuid and reversed_at is null and at > ${since}) as recent`.execute(db)
  return rows[0] ?? { earned: 0, used: 0, recent: 0 }
}

export function findUse(db: Handle, userId: string, key: string) {
  return db
    .selectFrom('referral_uses')
    .select(['service_id', 'hours'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function insertUse(
  trx: Transaction,
  use: { userId: string; key: string; serviceId: string; hours: number; before: Date; after: Date; at: Date },
): Promise<void> {
  await trx
    .insertInto('referral_uses')
    .values({
      user_id: use.userId,
      key: use.key,
      service_id: use.serviceId,
      hours: use.hours,
      expires_before: use.before,
      expires_after: use.after,
      at: use.at,
    })
    .execute()
}
