import { IconCircleCheck, IconMailOff, IconMailOpened } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Form, useNavigation, useSearchParams } from 'react-router'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { usePath } from '#app/i18n/use-format.ts'

export type Outcome = { state: 'done' } | { state: 'already' } | { state: 'failed'; error: string; eventId: string }

/** Hands the code of a posted form, or of its address, to a call of the API. */
export async function takeCode(request: Request, send: (code: string) => Promise<unknown>): Promise<Outcome> {
  const given = (await request.formData()).get('code')
  const code = typeof given === 'string' ? given : (new URL(request.url).searchParams.get('code') ?? '')
  try {
    await send(code)
    return { state: 'done' }
  } catch (error) {
    const body = errorBodyOf(error)
    if (body === undefined) throw error
    if (body.error === 'email_already_verified') return { state: 'already' }
    // A link that was cut short is no different from a wrong one.
    return { state: 'failed', error: body.error === 'invalid_request' ? 'no_code' : body.error, eventId: body.event_id }
  }
}

/** One question, one button: programs that open the links of mails do not press it. */
export function CodePage({ kind, outcome }: { kind: 'confirm' | 'unsubscribe'; outcome: Outcome | undefined }) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const isBusy = useNavigation().formMethod === 'POST'
  const code = search.get('code') ?? ''
  if (outcome?.state === 'failed' || (outcome === undefined && code === ''))
    return (
      <StatusPage
        tone="bad"
        icon={<IconMailOff />}
        title={t(`newsletter.${kind}.failedTitle`)}
        text={t(`newsletter.${kind}.failedText`)}
        error={outcome?.error ?? 'no_code'}
        {...(outcome === undefined ? {} : { eventId: outcome.eventId })}
      >
        <LinkButton look="primary" to={path(kind === 'confirm' ? '/newsletter' : '/contact')}>
          {t(`newsletter.${kind}.failedAction`)}
        </LinkButton>
      </StatusPage>
    )
  if (outcome !== undefined)
    return (
      <StatusPage
        tone="good"
        icon={<IconCircleCheck />}
        title={t(outcome.state === 'already' ? 'newsletter.alreadyTitle' : `newsletter.${kind}.doneTitle`)}
        text={t(outcome.state === 'already' ? 'newsletter.alreadyText' : `newsletter.${kind}.doneText`)}
      >
        <LinkButton to={path('')}>{t('error.home')}</LinkButton>
      </StatusPage>
    )
  return (
    <StatusPage icon={<IconMailOpened />} title={t(`newsletter.${kind}.title`)} text={t(`newsletter.${kind}.text`)}>
      <Form method="post" replace>
        <input type="hidden" name="code" value={code} />
        <Button type="submit" look="primary" size="large" loading={isBusy}>
          {t(`newsletter.${kind}.submit`)}
        </Button>
      </Form>
    </StatusPage>
  )
}
