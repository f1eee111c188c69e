import { IconCircleCheck, IconMailOff, IconMailOpened } from '@tabler/icons-react'
import { Form, useNavigation, useSearchParams } from 'react-router'
import { unsubscribeFromMails } from '@wakestone/contract/ground/notifications-routes'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/unsubscribe'

/** Mail programs post here by themselves when someone presses their own button (RFC 8058). */
export async function action({ request, context }: Route.ActionArgs) {
  const { api } = context.get(webContext)
  const code = new URL(request.url).searchParams.get('code') ?? ''
  try {
    await api(unsubscribeFromMails, { body: { code } })
    return { error: null, eventId: '' }
  } catch (error) {
    const body = errorBodyOf(error)
    if (body === undefined) throw error
    return { error: 'no_code', eventId: body.event_id }
  }
}

/** `/{lang}/notifications/unsubscribe?code=`: where every mail leads that may be switched off. */
export default function StopMails({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const isBusy = useNavigation().formMethod === 'POST'
  const isWrong = actionData === undefined ? !search.has('code') : actionData.error !== null
  return (
    <>
      <PageMeta page="notificationsUnsubscribe" />
      {isWrong ? (
        <StatusPage
          tone="bad"
          icon={<IconMailOff />}
          title={t('stopMails.failedTitle')}
          text={t('stopMails.failedText')}
          error="no_code"
          {...(actionData === undefined ? {} : { eventId: actionData.eventId })}
        >
          <LinkButton look="primary" to={path('/account/settings/notifications')}>
            {t('stopMails.settings')}
          </LinkButton>
        </StatusPage>
      ) : actionData !== undefined ? (
        <StatusPage
          tone="good"
          icon={<IconCircleCheck />}
          title={t('stopMails.doneTitle')}
          text={t('stopMails.doneText')}
        >
          <LinkButton to={path('/account/settings/notifications')}>{t('stopMails.settings')}</LinkButton>
        </StatusPage>
      ) : (
        <StatusPage icon={<IconMailOpened />} title={t('stopMails.title')} text={t('stopMails.text')}>
          <Form method="post" replace>
            <Button type="submit" look="primary" size="large" loading={isBusy}>
              {t('stopMails.submit')}
            </Button>
          </Form>
        </StatusPage>
      )}
    </>
  )
}
