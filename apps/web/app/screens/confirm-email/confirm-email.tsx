import { IconCircleCheck, IconMailOff, IconMailOpened } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Form, redirect, useSearchParams, useSubmit } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import { confirmEmail } from '@wakestone/contract/accounts/users-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { findWaitingOrder } from '#app/features/servers/waiting-order.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/confirm-email'

type Outcome = { state: 'done' } | { state: 'already' } | { state: 'failed'; error: string; eventId: string }

/**
 * Confirms only when something posts: mail scanners open links, but do not post.
 * The page posts by itself; without JavaScript there is a button.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Outcome> {
  const { api, language } = context.get(webContext)
  const code = (await request.formData()).get('code')
  if (typeof code !== 'string') throw redirect(`/${chooseLanguage(request, language)}`)
  try {
    await api(confirmEmail, { body: { code } })
    return { state: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.body.error === 'email_already_verified') return { state: 'already' }
    return { state: 'failed', error: error.body.error, eventId: error.body.event_id }
  }
}

export default function ConfirmEmail({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const submit = useSubmit()
  const [search] = useSearchParams()
  const code = search.get('code') ?? ''
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current || actionData !== undefined || code === '') return
    asked.current = true
    // Replaces the entry: going back does not confirm once more.
    void submit({ code }, { method: 'post', replace: true })
  }, [actionData, code, submit])
  const [order, setOrder] = useState<string | null>(null)
  useEffect(() => setOrder(findWaitingOrder()), [])
  const next = (
    <>
      <LinkButton look="primary" to={order ?? path('/create')}>
        {t(order === null ? 'confirmEmail.create' : 'confirmEmail.order')}
      </LinkButton>
      <LinkButton to={path(user === null ? '/login' : '/s')}>{t('confirmEmail.toServers')}</LinkButton>
    </>
  )
  return (
    <>
      <PageMeta page="confirmEmail" />
      {actionData === undefined && code !== '' && (
        <StatusPage
          icon={<IconMailOpened />}
          title={t('confirmEmail.working')}
          text={t('confirmEmail.workingText')}
          busy
        >
          <noscript>
            <Form method="post">
              <input type="hidden" name="code" value={code} />
              <Button type="submit" look="primary">
                {t('confirmEmail.confirm')}
              </Button>
            </Form>
          </noscript>
        </StatusPage>
      )}
      {actionData === undefined && code === '' && (
        <StatusPage tone="bad" icon={<IconMailOff />} title={t('confirmEmail.failed')} error="no_code" />
      )}
      {actionData?.state === 'done' && (
        <StatusPage
          tone="good"
          icon={<IconCircleCheck />}
          title={t('confirmEmail.done')}
          text={t('confirmEmail.doneText')}
        >
          {next}
        </StatusPage>
      )}
      {actionData?.state === 'already' && (
        <StatusPage
          tone="good"
          icon={<IconCircleCheck />}
          title={t('confirmEmail.already')}
          text={t('confirmEmail.alreadyText')}
        >
          {next}
        </StatusPage>
      )}
      {actionData?.state === 'failed' && (
        <StatusPage
          tone="bad"
          icon={<IconMailOff />}
          title={t('confirmEmail.failed')}
          text={t('confirmEmail.resendHint')}
          error={actionData.error}
          eventId={actionData.eventId}
        >
          <LinkButton look="primary" to={path(user === null ? '/login' : '/s')}>
            {user === null ? t('shell.login') : t('confirmEmail.toServers')}
          </LinkButton>
        </StatusPage>
      )}
    </>
  )
}
