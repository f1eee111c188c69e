import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useRevalidator } from 'react-router'
import { setUserNewsletter } from '@wakestone/contract/site/newsletter-routes'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Card } from '#app/ui/card.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'

/** Whether news come by mail. */
export function NewsletterSection() {
  const { t } = useTranslation()
  const { id, newsletter } = useSignedInUser()
  const { revalidate } = useRevalidator()
  const [wanted, setWanted] = useState(newsletter !== null)
  const change = async (next: boolean) => {
    setWanted(next)
    try {
      await api(setUserNewsletter, { params: { id }, body: { newsletter: next } })
      await revalidate()
    } catch (error) {
      setWanted(!next)
      showErrorToast(error)
    }
  }
  return (
    <Card title={t('account.news')} id="newsletter">
      <Checkbox
        label={t('auth.newsletter')}
        description={t('account.newsHint')}
        checked={wanted}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
    </Card>
  )
}
