/** Who brought whom: set once, before anything is paid; never oneself, never somebody whom one has brought. */
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { findCode, hasBrought, hasPaid, insertReferral, lockReferrals } from './repo.ts'

/**
 * Notes by whose code a user came, once and for good.
 * @throws DomainError `resource_not_found`, `resource_already_exists`; `referral_not_allowed` for one's own code, for
 *   that of somebody whom one has brought oneself, and to whoever has paid already: nobody brings a customer.
 */
export async function noteReferrer(trx: Transaction, userId: string, code: string): Promise<void> {
  await lockReferrals(trx)
  const known = await findCode(trx, code)
  if (known === undefined) throw new DomainError('resource_not_found', { resource: 'referral_code' })
  // The user is the first of those above the referrer: this finds one's own code too.
  if (await hasBrought(trx, userId, known.user_id)) throw new DomainError('referral_not_allowed')
  if (!(await insertReferral(trx, { userId, codeId: known.id, referrerId: known.user_id })))
    throw new DomainError('resource_already_exists', { resource: 'referral_code' })
  if (await hasPaid(trx, userId)) throw new DomainError('referral_not_allowed')
  await recordUserEvent(trx, userId, { action: 'USER_SET_REFERRER', data: { code: known.code } })
}
