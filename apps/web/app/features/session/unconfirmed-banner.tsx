import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { resendEmail } from '@wakestone/contract/accounts/users-routes'
import { api } from '#app/api/client.ts'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './unconfirmed-banner.module.css'
import { useUser } from './use-user.ts'

/** Reminds of the e-mail that has not been confirmed, and sends it again. */
export function UnconfirmedBanner() {
  const { t } = useTranslation()
  const user = useUser()
  const [step, setStep] = useState<'ask' | 'busy' | 'sent'>('ask')
  if (user === null || user.email_verified !== null) return null
  const resend = async () => {
    setStep('busy')
    try {
      await api(resendEmail, {})
      setStep('sent')
    } catch (error) {
      setStep('ask')
      showErrorToast(error)
    }
  }
  return (
    <aside className={classes['banner']}>
      <IconMail size={18} aria-hidden="true" />
      <p>
        <Trans i18nKey="banner.unconfirmed" values={{ email: user.email }} components={{ b: <b /> }} />
      </p>
      <div aria-live="polite">
        {step === 'sent' ? (
          <span className={classes['sent']}>{t('banner.sent')}</span>
        ) : (
          <Button size="small" loading={step === 'busy'} onClick={() => void resend()}>
            {t('banner.resend')}
          </Button>
        )}
      </div>
    </aside>
  )
}
