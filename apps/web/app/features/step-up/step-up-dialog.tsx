import { lazy, Suspense, useEffect, useState } from 'react'
import { askForProofBy } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

const StepUpForm = lazy(() => import('./step-up-form.tsx'))

/** Asks whoever holds the session to prove that they are the owner, when the API wants that; calls wait meanwhile. */
export function StepUpDialog() {
  const { t } = useTranslation()
  const [answer, setAnswer] = useState<((isProven: boolean) => void) | null>(null)
  useEffect(() => askForProofBy(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  const end = (isProven: boolean) => {
    answer?.(isProven)
    setAnswer(null)
  }
  return (
    <Modal opened={answer !== null} onClose={() => end(false)} title={t('stepUp.title')}>
      <Suspense fallback={<Skeleton height={140} />}>
        <StepUpForm onDone={() => end(true)} />
      </Suspense>
    </Modal>
  )
}
