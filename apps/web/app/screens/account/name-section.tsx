import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useRevalidator } from 'react-router'
import { changeUsername } from '@wakestone/contract/accounts/account-routes'
import { changeUsernameBody } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './account.module.css'

export function NameSection() {
  const { t } = useTranslation()
  const { username } = useSignedInUser()
  const { revalidate } = useRevalidator()
  const form = useZodForm(changeUsernameBody, { username })
  const [isDone, setDone] = useState(false)
  const submit = form.submit(async (body) => {
    setDone(false)
    try {
      await api(changeUsername, { body })
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'resource_already_exists') throw error
      return form.refuse('username', 'taken')
    }
    setDone(true)
    await revalidate()
  })
  const isLimited = errorBodyOf(form.failure)?.error === 'too_many_requests'
  return (
    <Card title={t('account.name')} id="name">
      <form className={classes['form']} noValidate onSubmit={submit}>
        <TextInput
          label={t('auth.username')}
          description={t('account.nameHint')}
          autoComplete="username"
          spellCheck={false}
          {...form.field('username')}
        />
        {form.failure !== undefined &&
          (isLimited ? <p role="alert">{t('account.nameTooSoon')}</p> : <ErrorNote error={form.failure} />)}
        <p aria-live="polite" className={classes['done']} hidden={!isDone}>
          {isDone && t('account.saved')}
        </p>
        <Button type="submit" loading={form.busy}>
          {t('account.saveName')}
        </Button>
      </form>
    </Card>
  )
}
