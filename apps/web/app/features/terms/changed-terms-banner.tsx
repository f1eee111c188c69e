import { IconFileText } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import banner from '#app/features/session/unconfirmed-banner.module.css'
import { useUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { useAgreeing } from './use-agreeing.ts'

/** Asks anew when words have changed that the user agreed to. Where they demand it, `TermsWall` asks instead. */
export function ChangedTermsBanner() {
  const user = useUser()
  if (user === null || user.consents_due.length === 0 || user.consents_due.some(({ required }) => required)) return null
  return <Banner user={user} />
}

function Banner({ user }: { user: Parameters<typeof useAgreeing>[0] }) {
  const { t } = useTranslation()
  const path = usePath()
  const { agree, isBusy, error } = useAgreeing(user)
  return (
    <aside className={banner['banner']}>
      <IconFileText size={18} aria-hidden="true" />
      <p>
        {t('changedTerms.text')}{' '}
        {user.consents_due.map(({ subject, slug }) => (
          <span key={subject}>
            <Link to={path(`/${slug}`)}>{t(`changedTerms.${subject}`)}</Link>{' '}
          </span>
        ))}
        {error !== undefined && <Failure error={error} />}
      </p>
      <Button size="small" loading={isBusy} onClick={() => void agree()}>
        {t('changedTerms.agree')}
      </Button>
    </aside>
  )
}

function Failure({ error }: { error: unknown }) {
  return <span role="alert">{useErrorText(error).text}</span>
}
