/** What a stored referral code needs once its visitor has an account: loaded apart, for hardly anybody has one. */
import { ApiError } from '@wakestone/contract/client'
import { setReferrer, validateReferralCode } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'

/**
 * Says by whose code a user came, if the code is one.
 * @returns whether it was noted; undefined when nobody could be asked, so that it is worth asking again.
 */
export async function claimReferral(userId: string, code: string): Promise<boolean | undefined> {
  try {
    await api(validateReferralCode, { params: { ref: code } })
    await api(setReferrer, { params: { userId }, body: { code } })
    return true
  } catch (error) {
    return error instanceof ApiError && error.status < 500 ? false : undefined
  }
}
