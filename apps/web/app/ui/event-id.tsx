import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './event-id.module.css'
import { useCopy } from './use-copy.ts'

/** `code: …`, by which support finds the log line. Copied on click. */
export function EventId({ id }: { id: string | undefined }) {
  const { t, i18n } = useTranslation()
  const { copied, copy } = useCopy()
  if (id === undefined || id === '') return null
  return (
    <button type="button" className={classes['id']} onClick={() => copy(id)} title={t('error.copyCode')}>
      {i18n.exists('error.code') ? t('error.code', { id }) : `code: ${id}`}
      <span aria-live="polite">{copied ? ` · ${t('address.copied')}` : ''}</span>
    </button>
  )
}
