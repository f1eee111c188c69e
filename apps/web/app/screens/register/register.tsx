import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Link, redirect, useSearchParams } from 'react-router'
import { register } from '@wakestone/contract/accounts/users-routes'
import { NoScriptNote } from '#app/features/auth/no-script-note.tsx'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { noteAttempt } from '#app/features/auth/last-method.ts'
import { OtherWays } from '#app/features/auth/other-ways.tsx'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/register'
import { registerForm } from './register-calls.ts'
import { useUsernameCheck } from './use-username-check.ts'

const calls = () => import('./register-calls.ts')

export function loader({ request, context }: Route.LoaderArgs) {
  const { user, language } = context.get(webContext)
  if (user !== null)
    throw redirect(cameFrom(new URL(request.url).searchParams.get('from'), chooseLanguage(request, language)))
  return null
}

/** Which field the API refuses: somebody else has the name or the address. */
function takenField(error: unknown): { username: 'taken' } | { email: 'email_taken' } | {} {
  const answer = errorBodyOf(error)
  const taken = answer?.error === 'resource_already_exists' ? answer.fields?.['resource'] : undefined
  return taken === 'name' ? { username: 'taken' } : taken === 'email' ? { email: 'email_taken' } : {}
}

const fields = { username: '', email: '', password: '', accepted_tos: false, newsletter: false }

/** Opens an account without scripts. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  const answer = await takeForm(request, {
    schema: registerForm,
    fields,
    send: (body) => api(register, { body: { ...body, language } }),
    refuse: takenField,
  })
  if (answer === null) throw redirect(cameFrom(new URL(request.url).searchParams.get('from'), language))
  return data(answer, { status: 400 })
}

export default function Register({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const [search] = useSearchParams()
  const form = useZodForm(async () => (await calls()).registerForm, { ...fields, language }, actionData)
  const username = useUsernameCheck(form.values.username)
  const usernameFault = username === 'taken' ? t('fields.taken') : form.errorOf('username')
  const query = search.has('from') ? `?from=${encodeURIComponent(search.get('from') ?? '')}` : ''
  const submit = form.submit(async (body) => {
    try {
      await (await calls()).sendRegistration(body)
      noteAttempt('local')
    } catch (error) {
      const taken = takenField(error)
      if ('username' in taken) return form.refuse('username', taken.username)
      if ('email' in taken) return form.refuse('email', taken.email)
      throw error
    }
    location.assign(cameFrom(search.get('from'), language))
    await new Promise(() => {})
  })
  return (
    <AuthFrame
      title={t('auth.registerTitle')}
      text={<Trans i18nKey="auth.registerText" components={{ a: <Link to={path(`/login${query}`)} /> }} />}
    >
      <PageMeta page="register" isPublic />
      <form className={classes['form']} method="post" noValidate onSubmit={submit}>
        <NoScriptNote />
        <div aria-live="polite">
          <TextInput
            label={t('auth.username')}
            description={
              usernameFault !== undefined ? undefined : username === 'free' ? (
                <span className={classes['free']}>{t('auth.usernameFree')}</span>
              ) : (
                t('auth.usernameHint')
              )
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={24}
            required
            withAsterisk={false}
            {...form.field('username')}
            error={usernameFault}
          />
        </div>
        <TextInput
          type="email"
          label={t('auth.email')}
          description={form.isWrong('email') ? undefined : t('auth.emailHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="email"
          required
          withAsterisk={false}
          {...form.field('email')}
        />
        <PasswordInput
          label={t('auth.password')}
          description={form.isWrong('password') ? undefined : t('auth.passwordHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
          {...form.field('password')}
        />
        <Checkbox
          name="accepted_tos"
          label={
            <Trans
              i18nKey="auth.terms"
              components={{
                tos: <Link to={path('/terms-of-service')} target="_blank" />,
                pay: <Link to={path('/terms-and-conditions')} target="_blank" />,
                privacy: <Link to={path('/privacy-policy')} target="_blank" />,
              }}
            />
          }
          required
          checked={form.values.accepted_tos}
          error={form.errorOf('accepted_tos')}
          onChange={(event) => {
            form.set('accepted_tos', event.currentTarget.checked)
            form.refuse('accepted_tos', undefined)
          }}
        />
        <Checkbox
          name="newsletter"
          label={t('auth.newsletter')}
          checked={form.values.newsletter ?? false}
          onChange={(event) => form.set('newsletter', event.currentTarget.checked)}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <Button type="submit" look="primary" size="large" fullWidth loading={form.busy}>
          {t('auth.submitRegister')}
        </Button>
      </form>
      <OtherWays isNew />
    </AuthFrame>
  )
}
