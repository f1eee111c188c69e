import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'

const ReportBugModal = lazy(() => import('./report-bug-modal.tsx'))

/** Opens the form over the page, which stays as it is for whoever describes it; without JavaScript it leads to the form. */
export function ReportBugLink() {
  const { t } = useTranslation()
  const path = usePath()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <a
        href={path('/contact#contact')}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {t('footer.reportBug')}
      </a>
      {isOpen && (
        <Suspense>
          <ReportBugModal onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
