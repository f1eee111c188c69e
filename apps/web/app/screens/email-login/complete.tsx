import { Checkbox, TextInput } from '@mantine/core'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { data, Form, Link, redirectDocument, useNavigation, useSearchParams } from 'react-router'
import { finishEmailLogin } from '@wakestone/contract/accounts/account-routes'
import { finishEmailLoginBody } from '@wakestone/contract/accounts/user'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { noteAttempt } from '#app/features/auth/last-method.ts'
import { toSecondStep } from '#app/features/auth/to-second-step.ts'
import { takeForm } from '#app/features/forms/take-form.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { Route } from './+types/complete'

const reasonOfCode: Record<string, Record<string, string>> = {
  no_code: { code: 'digits_wrong' },
  user_has_to_accept_terms: { accepted_tos: 'terms' },
}

/** The same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, language } = context.get(webContext)
  const answer = await takeForm(request, {
    schema: finishEmailLoginBody,
    fields: { code: '', accepted_tos: false, newsletter: false },
    send: (body) => api(finishEmailLogin, { body }),
    refuse: (error) =>
      reasonOfCode[errorBodyOf(error)?.error ?? ''] ?? toSecondStep(error, request, chooseLanguage(request, language)),
  })
  // A whole new page: nothing of the visitor stays in memory.
  if (answer === null)
    throw redirectDocument(cameFrom(new URL(request.url).searchParams.get('from'), chooseLanguage(request, language)))
  return data(answer, { status: 400 })
}

/** `/{lang}/email-login/complete`: takes the code. Who has no account yet is asked for consent, with the same code. */
export default function CompleteEmailLogin({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  const isNew = actionData !== undefined && ('accepted_tos' in actionData.reasons || actionData.values['accepted_tos'])
  return (
    <AuthFrame
      title={t(isNew ? 'emailLogin.newTitle' : 'emailLogin.codeTitle')}
      text={
        isNew ? (
          t('emailLogin.newText')
        ) : (
          <Trans
            i18nKey="emailLogin.codeText"
            components={{ a: <Link to={path(`/email-login?${search.toString()}`)} /> }}
          />
        )
      }
    >
      <PageMeta page="emailLogin" isPublic={false} />
      <Form className={classes['form']} method="post" noValidate onSubmit={() => noteAttempt('email')}>
        <TextInput
          name="code"
          label={t('emailLogin.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="1234 5678"
          required
          withAsterisk={false}
          defaultValue={String(actionData?.values['code'] ?? '')}
          error={reasonText(actionData?.reasons['code'])}
        />
        {isNew && (
          <>
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
              defaultChecked={actionData.values['accepted_tos'] === true}
            />
            <Checkbox name="newsletter" label={t('auth.newsletter')} />
          </>
        )}
        {actionData?.failure !== undefined && <ErrorNote error={actionData.failure} />}
        <Button type="submit" look="primary" size="large" fullWidth loading={isBusy}>
          {t(isNew ? 'auth.submitRegister' : 'auth.submitLogin')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
