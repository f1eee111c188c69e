import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { changeEmail } from '@wakestone/contract/accounts/account-routes'
import { changeEmailBody } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './account.module.css'

export function EmailSection() {
  const { t } = useTranslation()
  const { email, has_password } = useSignedInUser()
  const form = useZodForm(changeEmailBody, { email: '', password: '' })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const submit = form.submit(async (body) => {
    setSentTo(null)
    try {
      await api(changeEmail, { body })
    } catch (error) {
      const code = errorBodyOf(error)?.error
      if (code === 'invalid_user_password') return form.refuse('password', 'password_wrong')
      if (code === 'resource_already_exists') return form.refuse('email', 'email_taken')
      throw error
    }
    form.set('email', '')
    form.set('password', '')
    setSentTo(body.email)
  })
  return (
    <Card title={t('account.email')} id="email">
      <p className={classes['text']}>
        <Trans i18nKey="account.emailText" values={{ email }} components={{ b: <b /> }} />
      </p>
      <form className={classes['form']} noValidate onSubmit={submit}>
        <TextInput label={t('account.newEmail')} type="email" autoComplete="email" {...form.field('email')} />
        {has_password && (
          <PasswordInput
            label={t('account.ownPassword')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
            {...form.field('password')}
          />
        )}
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <p aria-live="polite" className={classes['done']} hidden={sentTo === null}>
          {sentTo !== null && t('account.emailSent', { email: sentTo })}
        </p>
        <Button type="submit" loading={form.busy}>
          {t('account.saveEmail')}
        </Button>
      </form>
    </Card>
  )
}
