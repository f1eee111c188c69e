/**
 * What invitations earn. Both accounts get hours once the invited one is verified and has played, the inviter more on
 * the first payment; an affiliate gets a share of every payment instead. Whatever is given is computed from what stands in the database at that moment, under locks of both
 * accounts: doing it again changes nothing, and a payment that is given back takes its reward along.
 */
import { transactionLimits } from '@wakestone/contract/money/transaction'
import type { Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import {
  type CommissionRules,
  earnCommission,
  reduceCommission,
  takeCommissionsBack,
} from '#src/features/sales/affiliates/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findAgain, lockTopUp, noteLoss, setDue, takeDue, type TopUp } from './payments-repo.ts'
import {
  findReferral,
  findReward,
  hasPlayed,
  insertReward,
  lockBoth,
  type Referral,
  reverseReward,
  type RewardKind,
  selectPlayed,
  selectRewardsOf,
  sumHours,
  wasRewarded,
} from './rewards-repo.ts'
import { findSigns, insertReview } from './signs-repo.ts'

export const rewardMonth = 30 * 24 * 3600_000
const atOnce = 200

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>
type Rules = CommissionRules &
  Pick<Settings, 'REFERRAL_HOURS' | 'REFERRAL_PAYMENT_HOURS' | 'REFERRAL_MONTHLY_HOURS' | 'REFERRAL_PLAY_MINUTES'>

/** One pass over all that has become due. What fails for one account or payment does not keep the others waiting. */
export async function handleReferrals(deps: Deps, now: Date): Promise<void> {
  const seconds = deps.settings.REFERRAL_PLAY_MINUTES * 60
  for (let after: string | undefined; ;) {
    const played = await selectPlayed(deps.db, { now, seconds, after, limit: atOnce })
    for (const invitedId of played) {
      try {
        await inTransaction(deps.db, (trx) => rewardPlay(trx, deps.settings, invitedId, now))
      } catch (error) {
        deps.logger.warn({ error, user: invitedId }, 'an invitation is not rewarded yet')
      }
    }
    if (played.length < atOnce) break
    after = played.at(-1)
  }
  const failed = new Set<string>()
  while (await settleNext(deps, { failed, now }));
}

/**
 * Settles one payment that is due.
 * @param pass `failed`: those that this pass leaves to the next one.
 * @returns whether there was any.
 */
async function settleNext(deps: Deps, { failed, now }: { failed: Set<string>; now: Date }): Promise<boolean> {
  let transactionId: string | undefined
  try {
    await inTransaction(deps.db, async (trx) => {
      transactionId = await takeDue(trx, [...failed])
      if (transactionId !== undefined) await settlePayment(trx, deps.settings, transactionId, now)
    })
  } catch (error) {
    if (transactionId === undefined) throw error
    failed.add(transactionId)
    deps.logger.warn({ error, transactionId }, 'a payment is not rewarded yet')
  }
  return transactionId !== undefined
}

/** Hours for both, once. */
async function rewardPlay(trx: Transaction, rules: Rules, invitedId: string, now: Date): Promise<void> {
  const referral = await claim(trx, invitedId, now)
  if (referral === undefined) return
  const seconds = rules.REFERRAL_PLAY_MINUTES * 60
  if (!(await hasPlayed(trx, invitedId, { now, seconds }))) return
  if (await wasRewarded(trx, invitedId, 'invited')) return
  const reward = { referral, hours: rules.REFERRAL_HOURS, now }
  await give(trx, rules, { ...reward, kind: 'invited' })
  if (referral.referrer_counts && referral.programme === 'hours') await give(trx, rules, { ...reward, kind: 'inviter' })
}

/**
 * A referral that may earn something, with both accounts locked; undefined for others, among them those whose accounts
 * look like one person's, which wait for a decision from here on.
 */
async function claim(trx: Transaction, invitedId: string, now: Date): Promise<Referral | undefined> {
  const known = await findReferral(trx, invitedId)
  if (known === undefined) return undefined
  await lockBoth(trx, known)
  const referral = await findReferral(trx, invitedId)
  if (referral === undefined || !referral.invited_counts) return undefined
  if (referral.review !== null) return referral.review === 'allowed' ? referral : undefined
  const signs = await findSigns(trx, referral.user_id, referral.referrer_id)
  if (signs.length === 0) return referral
  if (await insertReview(trx, invitedId, signs, now))
    await recordUserEvent(trx, invitedId, { action: 'USER_REFERRAL_REVIEW', data: { signs, review: 'waiting' } })
  return undefined
}

/** Brings what a top-up has earned in line with what is left of it. */
async function settlePayment(trx: Transaction, rules: Rules, transactionId: string, now: Date): Promise<void> {
  const topUp = await lockTopUp(trx, transactionId)
  if (topUp === undefined) return
  const referral = await claim(trx, topUp.user_id, now)
  await reduceCommission(trx, topUp)
  if (!isWorth(topUp)) return takeBackPayment(trx, topUp, now)
  if (referral?.referrer_counts !== true || topUp.created_at < referral.created_at) return
  if (referral.programme === 'affiliate') {
    const { referrer_id: affiliateId, user_id: invitedId, created_at: since } = referral
    return earnCommission(trx, rules, { affiliateId, invitedId, since, topUp })
  }
  if ((await findReward(trx, topUp.user_id, 'first_payment')) !== undefined) return
  const hours = rules.REFERRAL_PAYMENT_HOURS
  await give(trx, rules, { referral, kind: 'first_payment', hours, now, topUp })
}

/** What is left of it is a payment still. */
const isWorth = ({ kept, currency }: TopUp) => kept > 0 && kept >= transactionLimits('payu', currency).minimum

async function takeBackPayment(trx: Transaction, topUp: TopUp, now: Date): Promise<void> {
  const given = await findReward(trx, topUp.user_id, 'first_payment')
  if (given?.transaction_id !== topUp.id) return
  await takeBack(trx, given.id, now)
  // Another payment may be the first one now.
  await setDue(trx, topUp.user_id, now)
}

type Giving = { referral: Referral; kind: RewardKind; hours: number; now: Date; topUp?: TopUp }

/** As many hours as the month has room for. */
async function give(
  trx: Transaction,
  rules: Rules,
  { referral, kind, hours: full, now, topUp }: Giving,
): Promise<void> {
  const userId = kind === 'invited' ? referral.user_id : referral.referrer_id
  const { recent } = await sumHours(trx, userId, new Date(now.getTime() - rewardMonth))
  const hours = Math.max(0, Math.min(full, rules.REFERRAL_MONTHLY_HOURS - recent))
  await insertReward(trx, {
    userId,
    invitedId: referral.user_id,
    kind,
    hours,
    at: now,
    ...(topUp !== undefined && { transactionId: topUp.id }),
  })
  if (hours === 0) return
  const eventId = await recordUserEvent(trx, userId, { action: 'USER_REFERRAL_REWARD', data: { reward: kind, hours } })
  await notify(trx, { userId, kind: 'REFERRAL_REWARD', fields: { hours, reason: kind }, eventId })
}

async function takeBack(trx: Transaction, rewardId: string, now: Date): Promise<void> {
  const reward = await reverseReward(trx, rewardId, now)
  if (reward === undefined || reward.hours === 0) return
  const { user_id: userId, hours, kind } = reward
  const eventId = await recordUserEvent(trx, userId, {
    action: 'USER_REFERRAL_REVERSED',
    data: { reward: kind, hours },
  })
  await notify(trx, { userId, kind: 'REFERRAL_REVERSED', fields: { hours }, eventId })
}

/** Takes back all that a referral has earned, and never gives it again. */
export async function takeAllBack(trx: Transaction, invitedId: string, now: Date): Promise<void> {
  for (const { id } of await selectRewardsOf(trx, invitedId)) await takeBack(trx, id, now)
  await takeCommissionsBack(trx, invitedId)
}

/** Has a pass look at all top-ups of an account again. */
export function settleAgain(trx: Transaction, invitedId: string, now: Date): Promise<void> {
  return setDue(trx, invitedId, now)
}

/**
 * Takes back what a top-up has earned for others, in the transaction of its refund or chargeback. Doing it again, or for
 * a transaction that has earned nothing, changes nothing.
 * @param refunded what its payer has got back in all, in minor units; unset: all of it.
 */
export async function reverseRewardsOf(
  trx: Transaction,
  transactionId: string,
  { refunded, now = new Date() }: { refunded?: number; now?: Date } = {},
): Promise<void> {
  await noteLoss(trx, transactionId, refunded)
  for (const id of [transactionId, ...(await findAgain(trx, transactionId))]) {
    const topUp = await lockTopUp(trx, id)
    if (topUp === undefined) return
    await reduceCommission(trx, topUp)
    if (!isWorth(topUp)) await takeBackPayment(trx, topUp, now)
  }
}
