import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import type { FormAnswer } from '#app/ui/form-reasons.ts'
import { useReasonText } from '#app/ui/reason-text.ts'
import classes from './auth-frame.module.css'

/** Asks for one e-mail address and posts it to the action of its page, with scripts and without. */
export function EmailForm({
  answer,
  submit,
  children,
  below,
}: {
  /** What the action found wrong. */
  answer: FormAnswer | undefined
  /** What the button says. */
  submit: string
  /** Further fields. */
  children?: ReactNode
  /** Beneath the button. */
  below?: ReactNode
}) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  return (
    <Form className={classes['form']} method="post" noValidate>
      <TextInput
        name="email"
        type="email"
        label={t('auth.email')}
        autoComplete="email"
        required
        withAsterisk={false}
        defaultValue={String(answer?.values['email'] ?? '')}
        error={reasonText(answer?.reasons['email'])}
      />
      {children}
      {answer?.failure !== undefined && <ErrorNote error={answer.failure} />}
      <Button type="submit" look="primary" size="large" fullWidth loading={isBusy}>
        {submit}
      </Button>
      {below}
    </Form>
  )
}
