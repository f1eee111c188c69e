import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { giveConsent } from '@wakestone/contract/routes/consents'
import { api } from '#app/api/client.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './unconfirmed-banner.module.css'
import { useUser } from './use-user.ts'

/** Asks anew when words have changed that the user agreed to; nothing is locked until they answer. */
export function ChangedTermsBanner() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  if (user === null || user.consents_due.length === 0) return null
  const agree = async () => {
    setBusy(true)
    try {
      for (const { subject, version } of user.consents_due)
        await api(giveConsent, { params: { id: user.id }, body: { subject, version } })
      await revalidate()
    } catch (error) {
      showErrorToast(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <aside className={classes['banner']}>
      <IconFileText size={18} aria-hidden="true" />
      <p>
        {t('changedTerms.text')}{' '}
        {user.consents_due.map(({ subject, slug }) => (
          <span key={subject}>
            <Link to={path(`/${slug}`)}>{t(`changedTerms.${subject}`)}</Link>{' '}
          </span>
        ))}
      </p>
      <Button size="small" loading={isBusy} onClick={() => void agree()}>
        {t('changedTerms.agree')}
      </Button>
    </aside>
  )
}
