import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse } from 'react-router'
import { Brand } from './brand.tsx'
import { Button } from './button.tsx'
import { errorCodeOf, useErrorText } from './error-text.ts'
import { EventId } from './event-id.tsx'
import classes from './unexpected-error.module.css'

/** The page of last resort, when rendering failed. */
export function UnexpectedError({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation()
  const { text, eventId } = useErrorText(error)
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  const isKnown = errorCodeOf(error) !== 'internal_error'
  return (
    <main className={classes['page']}>
      <title>{`${isMissing ? t('pages.notFound.title') : t('pages.error.title')} · Wakestone`}</title>
      <Brand />
      <h1>{isMissing ? t('notFound.title') : t('error.unexpectedTitle')}</h1>
      <p>{isMissing ? t('notFound.text') : isKnown ? text : t('error.unexpectedText')}</p>
      <EventId id={eventId} />
      <div className={classes['actions']}>
        {!isMissing && (
          <Button look="primary" onClick={() => location.reload()}>
            {t('error.reload')}
          </Button>
        )}
        <a href={`/${i18n.language}`}>{t('error.home')}</a>
      </div>
    </main>
  )
}
