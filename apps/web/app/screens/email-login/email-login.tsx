import { TextInput } from '@mantine/core'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Form, Link, redirect, useNavigation, useSearchParams } from 'react-router'
import { beginEmailLogin } from '@wakestone/contract/routes/account'
import { beginEmailLoginBody } from '@wakestone/contract/user'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
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
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  const from = search.get('from')
  const query = from === null ? '' : `?from=${encodeURIComponent(from)}`
  return (
    <AuthFrame
      title={t('emailLogin.title')}
      text={<Trans i18nKey="emailLogin.text" components={{ a: <Link to={path(`/login${query}`)} /> }} />}
    >
      <PageMeta page="emailLogin" isPublic />
      <Form className={classes['form']} method="post" noValidate>
        <TextInput
          name="email"
          type="email"
          label={t('auth.email')}
          autoComplete="email"
          required
          withAsterisk={false}
          defaultValue={String(actionData?.values['email'] ?? '')}
          error={reasonText(actionData?.reasons['email'])}
        />
        {actionData?.failure !== undefined && <ErrorNote error={actionData.failure} />}
        <Button type="submit" look="primary" size="large" fullWidth loading={isBusy}>
          {t('emailLogin.submit')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
