import type { ReactNode, SubmitEvent } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from './button.tsx'
import classes from './dialog-form.module.css'
import { ErrorNote } from './error-state.tsx'

/** A form within a dialog: its fields, what failed, and at the end the way out and the way on. */
export function DialogForm({
  onSubmit,
  onCancel,
  action,
  look = 'primary',
  busy,
  failure,
  why,
  children,
}: {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown
  onCancel: () => void
  /** What the button says that sends it. */
  action: string
  look?: 'primary' | 'danger'
  busy: boolean
  failure: unknown
  /** Why it cannot be sent yet. */
  why?: string | undefined
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => void onSubmit(event)}>
      {children}
      {failure !== undefined && <ErrorNote error={failure} />}
      <div className={classes['actions']}>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button type="submit" look={look} loading={busy} why={why}>
          {action}
        </Button>
      </div>
    </form>
  )
}
