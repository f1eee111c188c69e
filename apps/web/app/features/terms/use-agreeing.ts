import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { giveConsent } from '@wakestone/contract/accounts/consents-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'

/** Agreeing to words that have changed, as they were shown. */
export function useAgreeing({ id, consents_due }: Pick<User, 'id' | 'consents_due'>) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const agree = async () => {
    setBusy(true)
    setError(undefined)
    try {
      for (const { subject, version } of consents_due)
        await api(giveConsent, { params: { id }, body: { subject, version } })
      await revalidate()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { agree, isBusy, error }
}
