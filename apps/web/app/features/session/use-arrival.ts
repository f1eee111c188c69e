import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { settleAttempt } from '#app/features/auth/last-method.ts'
import { useUser } from './use-user.ts'
import { forgetReferralCode, readReferralCode } from './visit-source.ts'

/** Once somebody is signed in: remembers how, and tells by whose code they came. */
export function useArrival(): void {
  const user = useUser()
  const { revalidate } = useRevalidator()
  // An administrator who looks on has not come here.
  const userId = user === null || user.actor !== undefined ? null : user.id
  const hasReferrer = user?.referrer_code_id != null
  useEffect(() => {
    if (userId === null) return
    settleAttempt()
    const code = readReferralCode()
    if (code === null) return
    if (hasReferrer) return forgetReferralCode()
    void import('./claim-referral.ts')
      .then(({ claimReferral }) => claimReferral(userId, code))
      .then((isSet) => {
        if (isSet !== undefined) forgetReferralCode()
        return isSet === true ? revalidate() : undefined
      })
  }, [userId, hasReferrer, revalidate])
}
