import { TextInput } from '@mantine/core'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Form, Link, redirect, redirectDocument, useNavigation, useSearchParams } from 'react-router'
import { finishLoginWithCode, getSecondStep } from '@wakestone/contract/accounts/security-routes'
import { factorCodeBody } from '@wakestone/contract/accounts/security'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { PasskeyButton } from '#app/features/passkeys/passkey-button.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { Route } from './+types/second-step'

/** Back to the first step: there is no login that waits here, or it is dead. */
function again(request: Request, language: string) {
  const query = new URL(request.url).searchParams
  query.set('again', '1')
  return redirect(`/${language}/login?${query.toString()}`)
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, user, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  if (user !== null) throw redirect(cameFrom(new URL(request.url).searchParams.get('from'), language))
  try {
    return await api(getSecondStep, {})
  } catch (error) {
    if (errorBodyOf(error)?.error !== 'user_code_expired') throw error
    throw again(request, language)
  }
}

/** The same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language: guess } = context.get(webContext)
  const language = chooseLanguage(request, guess)
  const answer = await takeForm(request, {
    schema: factorCodeBody,
    fields: { code: '' },
    send: (body) => api(finishLoginWithCode, { body }),
    refuse: (error): Record<string, string> => {
      const code = errorBodyOf(error)?.error
      if (code === 'user_code_expired') throw again(request, language)
      return code === 'no_code' ? { code: 'factor_wrong' } : {}
    },
  })
  // A whole new page: nothing of the visitor stays in memory.
  if (answer === null) throw redirectDocument(cameFrom(new URL(request.url).searchParams.get('from'), language))
  return data(answer, { status: 400 })
}

/** `/{lang}/login/second-step`: what an account with a second factor is asked after the first step. */
export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const [search] = useSearchParams()
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  const { totp, passkey } = loaderData
  const goOn = async () => {
    const { goOnWithPasskey } = await import('#app/features/passkeys/calls.ts')
    if (!(await goOnWithPasskey())) return
    location.assign(cameFrom(search.get('from'), language))
    await new Promise(() => {})
  }
  return (
    <AuthFrame
      title={t('secondStep.title')}
      text={
        <Trans
          i18nKey={totp ? 'secondStep.textApp' : 'secondStep.textPasskey'}
          components={{ a: <Link to={path(`/login?${search.toString()}`)} /> }}
        />
      }
    >
      <PageMeta page="secondStep" />
      <Form className={classes['form']} method="post" noValidate>
        {passkey && <PasskeyButton onPress={goOn} look={totp ? 'secondary' : 'primary'} />}
        <TextInput
          name="code"
          label={t(totp ? 'secondStep.code' : 'secondStep.recoveryCode')}
          description={totp ? t('secondStep.codeHint') : undefined}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          defaultValue={String(actionData?.values['code'] ?? '')}
          error={reasonText(actionData?.reasons['code'])}
        />
        {actionData?.failure !== undefined && <ErrorNote error={actionData.failure} />}
        <Button type="submit" look={totp ? 'primary' : 'secondary'} size="large" fullWidth loading={isBusy}>
          {t('auth.submitLogin')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
