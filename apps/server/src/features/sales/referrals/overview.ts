/** What users see of their invitations. */
import type { ReferralOverview } from '@wakestone/contract/sales/referral'
import type { Context } from '#src/context.ts'
import { countFriends, type FriendRow, selectFriends } from './overview-repo.ts'
import { rewardMonth } from './rewards.ts'
import { sumHours } from './rewards-repo.ts'
import { findStanding, showOwnCode } from './service.ts'

const listed = 100
/** Letters of a friend's name that tell who it may be, and not more to somebody who does not know. */
const shownLetters = 3

/** @throws DomainError `user_not_found`. */
export async function showReferrals(
  context: Pick<Context, 'db' | 'settings'>,
  userId: string,
  now: Date,
): Promise<ReferralOverview> {
  const { db, settings } = context
  const { referral_code } = await showOwnCode(context, userId)
  const [standing, hours, friends, count] = await Promise.all([
    findStanding(db, userId),
    sumHours(db, userId, new Date(now.getTime() - rewardMonth)),
    selectFriends(db, userId, listed),
    countFriends(db, userId),
  ])
  const balance = hours.earned - hours.used
  return {
    referral_code,
    is_invited: standing.referrer_code_id !== null,
    hours: Math.max(0, balance),
    hours_owed: Math.max(0, -balance),
    hours_this_month: hours.recent,
    hours_per_month: settings.REFERRAL_MONTHLY_HOURS,
    hours_played: settings.REFERRAL_HOURS,
    hours_paid: settings.REFERRAL_PAYMENT_HOURS,
    play_minutes: settings.REFERRAL_PLAY_MINUTES,
    friends: friends.map((friend) => ({
      name: friend.is_closed ? '…' : `${friend.username.slice(0, shownLetters)}…`,
      joined_at: friend.created_at.toISOString(),
      state: stateOf(friend),
      hours: friend.hours,
    })),
    friend_count: count,
  }
}

function stateOf(friend: FriendRow): ReferralOverview['friends'][number]['state'] {
  if (friend.review === 'waiting') return 'review'
  if (friend.review === 'refused') return 'refused'
  if (friend.has_paid) return 'paid'
  if (friend.has_played) return 'played'
  return friend.is_verified ? 'verified' : 'registered'
}
