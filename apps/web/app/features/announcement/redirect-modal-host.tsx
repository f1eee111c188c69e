import { lazy, Suspense, useEffect, useState } from 'react'
import { toldIn } from '@wakestone/contract/site/told-in'
import { useLanguage } from '#app/i18n/use-format.ts'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { closeNotice, isNoticeClosed, noticeId, redirectKey } from './closed-notices.ts'

const RedirectModal = lazy(() => import('./redirect-modal.tsx'))

/** Asks visitors, once in a session, to go on to the page that the operator named. Rendered once, in the root. */
export function RedirectModalHost() {
  const redirect = useFlag('redirect-modal')
  const [isOpen, setOpen] = useState(false)
  const language = useLanguage()
  const isTold =
    redirect !== null && toldIn(redirect.title, language) !== undefined && toldIn(redirect.text, language) !== undefined
  const id = redirect === null || !isTold ? null : noticeId(redirect)
  useEffect(() => setOpen(id !== null && !isNoticeClosed(redirectKey, id)), [id])
  if (!isOpen || redirect === null || id === null) return null
  const close = () => {
    closeNotice(redirectKey, id)
    setOpen(false)
  }
  return (
    <Suspense>
      <RedirectModal redirect={redirect} onClose={close} />
    </Suspense>
  )
}
