import { IconMailOpened } from '@tabler/icons-react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Link } from 'react-router'
import { beginPasswordReset } from '@wakestone/contract/accounts/account-routes'
import { beginPasswordResetBody } from '@wakestone/contract/accounts/user'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import { EmailForm } from '#app/features/auth/email-form.tsx'
import { takeForm } from '#app/features/forms/take-form.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/forgot-password'

/** The same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api } = context.get(webContext)
  const answer = await takeForm(request, {
    schema: beginPasswordResetBody,
    fields: { email: '' },
    send: (body) => api(beginPasswordReset, { body }),
  })
  return answer === null ? ('sent' as const) : data(answer, { status: 400 })
}

/** `/{lang}/forgot-password`: asks for the link that sets a new password. Whether there is an account, it does not tell. */
export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  if (actionData === 'sent')
    return (
      <>
        <PageMeta page="forgotPassword" isPublic />
        <StatusPage
          tone="good"
          icon={<IconMailOpened />}
          title={t('forgotPassword.sentTitle')}
          text={t('forgotPassword.sentText')}
        >
          <LinkButton to={path('/login')}>{t('shell.login')}</LinkButton>
        </StatusPage>
      </>
    )
  return (
    <AuthFrame
      title={t('forgotPassword.title')}
      text={<Trans i18nKey="forgotPassword.text" components={{ a: <Link to={path('/email-login')} /> }} />}
    >
      <PageMeta page="forgotPassword" isPublic />
      <EmailForm answer={actionData} submit={t('forgotPassword.submit')} />
    </AuthFrame>
  )
}
