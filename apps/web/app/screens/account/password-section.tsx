import { PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useRevalidator } from 'react-router'
import { changePassword } from '@wakestone/contract/accounts/account-routes'
import { changePasswordBody } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './account.module.css'
import { sessionsQuery } from './devices-section.tsx'

export function PasswordSection() {
  const { t } = useTranslation()
  const { id, has_password } = useSignedInUser()
  const { revalidate } = useRevalidator()
  const queries = useQueryClient()
  const form = useZodForm(changePasswordBody, { old_password: '', password: '' })
  const [isDone, setDone] = useState(false)
  const submit = form.submit(async (body) => {
    setDone(false)
    try {
      await api(changePassword, { body })
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'invalid_user_password') throw error
      return form.refuse('old_password', 'password_wrong')
    }
    form.set('old_password', '')
    form.set('password', '')
    setDone(true)
    await Promise.all([revalidate(), queries.invalidateQueries(sessionsQuery(id))])
  })
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('auth.showPassword') } }
  return (
    <Card title={t('account.password')} id="password">
      <p className={classes['text']}>{t(has_password ? 'account.passwordText' : 'account.noPassword')}</p>
      <form className={classes['form']} noValidate onSubmit={submit}>
        {has_password && (
          <PasswordInput
            label={t('account.oldPassword')}
            autoComplete="current-password"
            {...toggle}
            {...form.field('old_password')}
          />
        )}
        <PasswordInput
          label={t('newPassword.password')}
          description={t('auth.passwordHint')}
          autoComplete="new-password"
          {...toggle}
          {...form.field('password')}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <p aria-live="polite" className={classes['done']} hidden={!isDone}>
          {isDone && t('account.passwordDone')}
        </p>
        <Button type="submit" loading={form.busy}>
          {t('newPassword.submit')}
        </Button>
      </form>
    </Card>
  )
}
