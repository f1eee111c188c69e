import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Link, redirect, useSearchParams } from 'react-router'
import { beginEmailLogin } from '@wakestone/contract/accounts/account-routes'
import { beginEmailLoginBody } from '@wakestone/contract/accounts/user'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import { EmailForm } from '#app/features/auth/email-form.tsx'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/email-login'

/** The same way with scripts and without. The address to come back to is kept. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  const answer = await takeForm(request, {
    schema: beginEmailLoginBody,
    fields: { email: '' },
    send: (body) => api(beginEmailLogin, { body: { ...body, language } }),
  })
  if (answer === null) throw redirect(`/${language}/email-login/complete${new URL(request.url).search}`)
  return data(answer, { status: 400 })
}

/** `/{lang}/email-login`: signs in or registers without a password. */
export default function EmailLogin({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const from = search.get('from')
  const query = from === null ? '' : `?from=${encodeURIComponent(from)}`
  return (
    <AuthFrame
      title={t('emailLogin.title')}
      text={<Trans i18nKey="emailLogin.text" components={{ a: <Link to={path(`/login${query}`)} /> }} />}
    >
      <PageMeta page="emailLogin" isPublic />
      <EmailForm answer={actionData} submit={t('emailLogin.submit')} />
    </AuthFrame>
  )
}
