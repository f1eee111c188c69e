/** The balance of hours: given for invitations, put on services. */
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { findCode, findCodeOf, lockReferrer } from './repo.ts'
import { findReferral, findUse, insertUse, sumHours } from './rewards-repo.ts'
import { noteReferrer } from './referrers.ts'

const hour = 3_600_000

type HoursUse = {
  userId: string
  serviceId: string
  code: string
  /** All there are where missing. */
  hours: number | undefined
  /** The same key again is the same use. */
  key: string
  /** When the service ends; the caller holds its lock. */
  before: Date
  now: Date
}

/**
 * Takes hours off a user's balance for a service. One's own code names one's own hours; somebody else's is noted first as
 * the one by which the user came.
 * @returns the new end of the service; undefined when nothing is to be changed: the same use came before, or somebody's
 *   code was noted and there are no hours yet.
 * @throws DomainError `resource_not_found`, `referral_not_allowed`, `not_enough_referral_hours`, `idempotency_key_reused`.
 */
export async function spendHours(trx: Transaction, use: HoursUse): Promise<Date | undefined> {
  const { userId, serviceId, code, key, before, now } = use
  const isNoted = await noteForeignCode(trx, userId, code)
  if ((await lockReferrer(trx, userId)) === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const known = await findUse(trx, userId, key)
  if (known !== undefined) {
    if (known.service_id !== serviceId) throw new DomainError('idempotency_key_reused')
    return undefined
  }
  const { earned, used } = await sumHours(trx, userId, now)
  const balance = Math.max(0, earned - used)
  const hours = use.hours ?? balance
  if (hours > balance || hours === 0) {
    if (isNoted && use.hours === undefined) return undefined
    throw new DomainError('not_enough_referral_hours', { hours: balance })
  }
  const after = new Date(Math.max(before.getTime(), now.getTime()) + hours * hour)
  await insertUse(trx, { userId, key, serviceId, hours, before, after, at: now })
  await recordUserEvent(trx, userId, {
    action: 'USER_REFERRAL_HOURS_USED',
    data: { service_id: serviceId, hours, expires: after.toISOString() },
  })
  return after
}

/** @returns whether the code is somebody else's, noted now. */
async function noteForeignCode(trx: Transaction, userId: string, code: string): Promise<boolean> {
  const known = await findCode(trx, code)
  if (known === undefined) throw new DomainError('resource_not_found', { resource: 'referral_code' })
  if (known.user_id === userId || (await findReferral(trx, userId))?.referrer_id === known.user_id) return false
  await noteReferrer(trx, userId, code)
  return true
}

/**
 * Takes one hour off a user's balance for a free server: it lasts no longer, and may be up an hour more on this day.
 * @throws DomainError `not_enough_referral_hours`
 */
export async function spendBonusHour(
  trx: Transaction,
  { userId, serviceId, key, now }: { userId: string; serviceId: string; key: string; now: Date },
): Promise<void> {
  const own = await findCodeOf(trx, userId)
  if (own === undefined) throw new DomainError('not_enough_referral_hours', { hours: 0 })
  await spendHours(trx, { userId, serviceId, code: own.code, hours: 1, key, before: now, now })
}
