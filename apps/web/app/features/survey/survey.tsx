import { lazy, Suspense, useEffect, useState } from 'react'
import { getSurvey, noteSurveyShown } from '@wakestone/contract/accounts/feedback-routes'
import { surveyDays } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { useUser } from '#app/features/session/use-user.ts'

const SurveyDialog = lazy(() => import('./survey-dialog.tsx'))

const key = 'ws-nps-modal-date'
/** Somebody who has just come to a page wants something of it first. */
const quietMilliseconds = 45_000

function wasAskedHere(): boolean {
  try {
    const asked = Date.parse(localStorage.getItem(key) ?? '')
    return Date.now() - asked < surveyDays * 86_400_000
  } catch {
    return true // nothing can be kept here: better never than each time
  }
}

/** Asks what somebody thinks, seldom: this browser keeps when, and so does the server, which decides. */
export function Survey() {
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  const userId = user?.id
  useEffect(() => {
    if (userId === undefined || wasAskedHere()) return
    const timer = setTimeout(() => {
      // Not over what somebody is doing.
      if (document.querySelector('dialog[open]') !== null || document.fullscreenElement !== null) return
      void (async () => {
        const { due } = await api(getSurvey, {})
        if (!due) return
        await api(noteSurveyShown, {})
        localStorage.setItem(key, new Date().toISOString())
        setOpen(true)
      })().catch(() => undefined) // another time
    }, quietMilliseconds)
    return () => clearTimeout(timer)
  }, [userId])
  if (!isOpen) return null
  return (
    <Suspense>
      <SurveyDialog onClose={() => setOpen(false)} />
    </Suspense>
  )
}
