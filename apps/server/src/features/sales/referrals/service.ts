/**
 * Who brought whom. A user has one code to show, and may choose another; a referrer is set once, is never oneself and
 * never somebody whom one has brought. What it earns: see `rewards.ts`.
 */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { referralCodeInfoSchema } from '@wakestone/contract/sales/referral'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { isInQueue } from '#src/features/servers/free-places/service.ts'
import {
  countCodesSince,
  findCode,
  findCodeById,
  findCodeOf,
  insertCode,
  lockReferrer,
  type ReferralCode,
  findReferrerCode,
} from './repo.ts'
import { noteReferrer } from './referrers.ts'

export { spendBonusHour, spendHours } from './hours.ts'
export { handleReferrals, reverseRewardsOf } from './rewards.ts'

type Info = z.output<typeof referralCodeInfoSchema>
type Deps = Pick<Context, 'db' | 'settings'>

const month = 30 * 24 * 3600_000
/** Codes are names, and names must not be hoarded. */
const codesPerMonth = 3

const describeCode = ({ settings }: Pick<Context, 'settings'>, { code }: { code: string }): Info => ({
  referral_code: code,
  additional_time: settings.REFERRAL_HOURS,
})
const unknownCode = () => new DomainError('resource_not_found', { resource: 'referral_code' })

/** By whose code a user came, and whether they wait for a place for a free server. */
export async function findStanding(
  db: Handle,
  userId: string,
): Promise<{ referrer_code_id: string | null; is_in_free_queue: boolean }> {
  const [referrer_code_id, is_in_free_queue] = await Promise.all([findReferrerCode(db, userId), isInQueue(db, userId)])
  return { referrer_code_id, is_in_free_queue }
}

/** The code that a user shows; the first one is made here. */
export async function showOwnCode(context: Deps, userId: string): Promise<Info> {
  const known = await findCodeOf(context.db, userId)
  if (known !== undefined) return describeCode(context, known)
  return inTransaction(context.db, async (trx) => {
    const user = await lockReferrer(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    const made = (await findCodeOf(trx, userId)) ?? (await inventCode(trx, userId, user.username))
    return describeCode(context, made)
  })
}

async function inventCode(trx: Transaction, userId: string, username: string): Promise<ReferralCode> {
  for (;;) {
    const made = await insertCode(trx, userId, `${username.toLowerCase()}-${randomInt(1000, 10_000)}`)
    if (made !== undefined) return made
  }
}

/** @throws DomainError `resource_not_found`. */
export async function showCodeById(context: Deps, id: string): Promise<Info> {
  const code = await findCodeById(context.db, id)
  if (code === undefined) throw unknownCode()
  return describeCode(context, code)
}

/** What a code gives. @throws DomainError `resource_not_found`. */
export async function validateCode(context: Deps, code: string): Promise<Info> {
  const known = await findCode(context.db, code)
  if (known === undefined) throw unknownCode()
  return describeCode(context, known)
}

/**
 * Chooses another code; choosing an old one of one's own again is fine.
 * @throws DomainError `resource_not_found` when `oldCode` is not the user's, `resource_already_exists`,
 *   `too_many_requests` after three in a month.
 */
export async function changeCode(
  context: Deps,
  userId: string,
  { oldCode, code }: { oldCode: string; code: string },
): Promise<Info> {
  return inTransaction(context.db, async (trx) => {
    if ((await lockReferrer(trx, userId)) === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    if ((await findCode(trx, oldCode))?.user_id !== userId) throw unknownCode()
    const since = new Date(Date.now() - month)
    // The first one was not chosen.
    if ((await countCodesSince(trx, userId, since)) > codesPerMonth)
      throw new DomainError('too_many_requests', { resource: 'referral_code' })
    const made = await insertCode(trx, userId, code)
    if (made === undefined) throw new DomainError('resource_already_exists', { resource: 'referral_code' })
    return describeCode(context, made)
  })
}

/** See `noteReferrer`. */
export async function setReferrer(context: Deps, userId: string, code: string): Promise<void> {
  await inTransaction(context.db, (trx) => noteReferrer(trx, userId, code))
}
