import { PasswordInput, TextInput } from '@mantine/core'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useState } from 'react'
import { data, Link, redirect, useSearchParams } from 'react-router'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { loginBody } from '@wakestone/contract/accounts/user'
import { NoScriptNote } from '#app/features/auth/no-script-note.tsx'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { noteAttempt } from '#app/features/auth/last-method.ts'
import { MarkedAsLast, OtherWays } from '#app/features/auth/other-ways.tsx'
import { takeForm } from '#app/features/forms/take-form.ts'
import { toSecondStep } from '#app/features/auth/to-second-step.ts'
import { usePasskeyOffer } from '#app/features/passkeys/use-passkey-offer.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/login'

const calls = () => import('./login-calls.ts')

const fields = { login: '', password: '' }

export function loader({ request, context }: Route.LoaderArgs) {
  const { user, language } = context.get(webContext)
  if (user !== null)
    throw redirect(cameFrom(new URL(request.url).searchParams.get('from'), chooseLanguage(request, language)))
  return null
}

/** Signs in without scripts. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language } = context.get(webContext)
  const answer = await takeForm(request, {
    schema: loginBody,
    fields,
    send: (body) => api(loginLocal, { body }),
    refuse: (error) => toSecondStep(error, request, chooseLanguage(request, language)),
  })
  if (answer === null)
    throw redirect(cameFrom(new URL(request.url).searchParams.get('from'), chooseLanguage(request, language)))
  return data(answer, { status: 400 })
}

export default function Login({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const [search] = useSearchParams()
  const form = useZodForm(async () => (await calls()).loginBody, fields, actionData)
  const query = search.has('from') ? `?from=${encodeURIComponent(search.get('from') ?? '')}` : ''
  const submit = form.submit(async (body) => {
    const asksMore = await (await calls()).logIn(body)
    noteAttempt('local')
    // A whole new page: nothing of the visitor stays in memory.
    location.assign(asksMore ? path(`/login/second-step${query}`) : cameFrom(search.get('from'), language))
    await new Promise(() => {})
  })
  const [refusal, setRefusal] = useState<unknown>(undefined)
  usePasskeyOffer({
    onSignedIn() {
      noteAttempt('passkey')
      location.assign(cameFrom(search.get('from'), language))
    },
    onRefused: setRefusal,
  })
  return (
    <AuthFrame
      title={t('auth.loginTitle')}
      text={<Trans i18nKey="auth.loginText" components={{ a: <Link to={path(`/register${query}`)} /> }} />}
    >
      <PageMeta page="login" isPublic />
      <form className={classes['form']} method="post" noValidate onSubmit={submit}>
        <NoScriptNote />
        {search.has('again') && <p className={classes['note']}>{t('secondStep.again')}</p>}
        <TextInput
          label={t('auth.login')}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          {...form.field('login')}
        />
        <PasswordInput
          label={t('auth.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
          {...form.field('password')}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        {refusal !== undefined && <ErrorNote error={refusal} />}
        <MarkedAsLast method="local">
          <Button type="submit" look="primary" size="large" fullWidth loading={form.busy}>
            {t('auth.submitLogin')}
          </Button>
        </MarkedAsLast>
        <p className={classes['other']}>
          <Link to={path('/forgot-password')}>{t('auth.forgot')}</Link>
        </p>
      </form>
      <OtherWays />
    </AuthFrame>
  )
}
