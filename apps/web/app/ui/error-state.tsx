import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { isWorthRetrying, useErrorText } from './error-text.ts'
import { Button } from './button.tsx'
import classes from './error-state.module.css'
import { EventId } from './event-id.tsx'

/** What failed, the event id to copy, and a way to try again where that may help. Takes the place of what could not be shown. */
export function ErrorState({ error, title, onRetry }: { error: unknown; title?: string; onRetry?: () => void }) {
  const { t } = useTranslation()
  const { text, eventId } = useErrorText(error)
  return (
    <div className={classes['error']} role="alert">
      <IconAlertTriangle size={28} aria-hidden="true" />
      <h2>{title ?? t('error.title')}</h2>
      <p>{text}</p>
      <EventId id={eventId} />
      {onRetry !== undefined && isWorthRetrying(error) && (
        <div className={classes['action']}>
          <Button onClick={onRetry}>{t('error.retry')}</Button>
        </div>
      )}
    </div>
  )
}

/** The same within a form or card: one line and the id. */
export function ErrorNote({ error, title }: { error: unknown; title?: string }) {
  const { text, eventId } = useErrorText(error)
  return (
    <div className={classes['note']} role="alert">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        <p>{text}</p>
        <EventId id={eventId} />
      </div>
    </div>
  )
}
