import { useTranslation } from '#app/i18n/texts.tsx'
import { isRouteErrorResponse } from 'react-router'
import { isLanguage } from '#app/i18n/languages.ts'
import type { TextKey } from '#app/i18n/text-types.ts'
import { Brand } from './brand.tsx'
import { Button } from './button.tsx'
import { errorCodeOf, useErrorText } from './error-text.ts'
import { EventId } from './event-id.tsx'
import { pageEventIdName, usePageEventId } from './page-event-id.ts'
import classes from './unexpected-error.module.css'

/** In case that the texts themselves are what is missing. */
const plain = {
  title: 'Unexpected Application Error!',
  text: 'Something broke on our side. Reload the page; if it happens again, tell us what you were doing.',
  reload: 'Reload the page',
  home: 'Go to the home page',
}

/** Browsers throw the same kind of error for a lost connection and for a mistake in a script. */
const isOurMistake = (error: unknown) =>
  error instanceof TypeError && !/fetch|load failed|networkerror/i.test(error.message)

/** The page of last resort, when rendering failed. */
export function UnexpectedError({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation()
  const { text, eventId } = useErrorText(error)
  const pageEventId = usePageEventId()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  const isKnown = errorCodeOf(error) !== 'internal_error' && !isOurMistake(error)
  const id = isMissing ? undefined : (eventId ?? pageEventId)
  const say = (key: TextKey, fallback: string) => (i18n.exists(key) ? t(key) : fallback)
  const unexpected = say('error.unexpectedTitle', plain.title)
  return (
    <main className={classes['page']}>
      <title>{`${isMissing ? t('pages.notFound.title') : unexpected} · Wakestone`}</title>
      <meta name="robots" content="noindex" />
      {id !== undefined && <meta name={pageEventIdName} content={id} />}
      <Brand />
      <h1>{isMissing ? t('notFound.title') : unexpected}</h1>
      <p>{isMissing ? t('notFound.text') : isKnown ? text : say('error.unexpectedText', plain.text)}</p>
      <EventId id={id} />
      <div className={classes['actions']}>
        {!isMissing && (
          <Button look="primary" onClick={() => location.reload()}>
            {say('error.reload', plain.reload)}
          </Button>
        )}
        <a href={isLanguage(i18n.language) ? `/${i18n.language}` : '/'}>{say('error.home', plain.home)}</a>
      </div>
    </main>
  )
}
