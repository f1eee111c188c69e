import { IconMailOpened } from '@tabler/icons-react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Link } from 'react-router'
import { subscribeBody } from '@wakestone/contract/site/newsletter'
import { subscribe } from '@wakestone/contract/site/newsletter-routes'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import { EmailForm } from '#app/features/auth/email-form.tsx'
import { takeForm } from '#app/features/forms/take-form.ts'
import { TrapField } from '#app/features/forms/trap-field.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/newsletter'
import classes from './newsletter.module.css'

/** The same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  const answer = await takeForm(request, {
    schema: subscribeBody,
    fields: { email: '', website: '' },
    send: (body) => api(subscribe, { body: { ...body, language } }),
  })
  return answer === null ? ('sent' as const) : data(answer, { status: 400 })
}

/** `/{lang}/newsletter`: asks for it; the mail that follows asks back. */
export default function Newsletter({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  if (actionData === 'sent')
    return (
      <>
        <PageMeta page="newsletter" isPublic />
        <StatusPage
          tone="good"
          icon={<IconMailOpened />}
          title={t('newsletter.sentTitle')}
          text={t('newsletter.sentText')}
        >
          <LinkButton to={path('')}>{t('error.home')}</LinkButton>
        </StatusPage>
      </>
    )
  return (
    <AuthFrame title={t('newsletter.title')} text={t('newsletter.text')}>
      <PageMeta page="newsletter" isPublic />
      <EmailForm
        answer={actionData}
        submit={t('newsletter.submit')}
        below={
          <p className={classes['small']}>
            <Trans
              i18nKey="newsletter.terms"
              components={{
                terms: <Link to={path('/newsletter-terms')} />,
                privacy: <Link to={path('/privacy-policy')} />,
              }}
            />
          </p>
        }
      >
        <TrapField />
      </EmailForm>
    </AuthFrame>
  )
}
