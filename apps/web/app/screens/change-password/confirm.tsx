import { PasswordInput } from '@mantine/core'
import { IconCircleCheck, IconMailOff } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { data, Form, useNavigation, useSearchParams } from 'react-router'
import { finishPasswordReset } from '@wakestone/contract/accounts/account-routes'
import { finishPasswordResetBody } from '@wakestone/contract/accounts/user'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { takeForm } from '#app/features/forms/take-form.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/confirm'

/** The same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api } = context.get(webContext)
  const answer = await takeForm(request, {
    schema: finishPasswordResetBody,
    fields: { code: '', password: '' },
    send: (body) => api(finishPasswordReset, { body }),
  })
  return answer === null ? ('done' as const) : data(answer, { status: 400 })
}

/** `/{lang}/change-password/confirm?code=`: where a mailed link leads. */
export default function ConfirmPassword({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  const code = search.get('code') ?? ''
  const failure = actionData === 'done' ? undefined : actionData?.failure
  const isDead = code === '' || failure === 'no_code' || failure === 'user_code_expired'
  return (
    <>
      <PageMeta page="newPassword" />
      {actionData === 'done' ? (
        <StatusPage
          tone="good"
          icon={<IconCircleCheck />}
          title={t('newPassword.doneTitle')}
          text={t('newPassword.doneText')}
        >
          <LinkButton look="primary" to={path('/login')}>
            {t('shell.login')}
          </LinkButton>
        </StatusPage>
      ) : isDead ? (
        <StatusPage tone="bad" icon={<IconMailOff />} title={t('confirmEmail.failed')} error={failure ?? 'no_code'}>
          <LinkButton look="primary" to={path('/forgot-password')}>
            {t('newPassword.again')}
          </LinkButton>
        </StatusPage>
      ) : (
        <AuthFrame title={t('newPassword.title')} text={t('newPassword.text')}>
          <Form className={classes['form']} method="post" noValidate>
            <input type="hidden" name="code" value={code} />
            <PasswordInput
              name="password"
              label={t('newPassword.password')}
              description={t('auth.passwordHint')}
              autoComplete="new-password"
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
              error={reasonText(actionData?.reasons['password'])}
            />
            {failure !== undefined && <ErrorNote error={failure} />}
            <Button type="submit" look="primary" size="large" fullWidth loading={isBusy}>
              {t('newPassword.submit')}
            </Button>
          </Form>
        </AuthFrame>
      )}
    </>
  )
}
