import { useTranslation } from 'react-i18next'
import classes from './event-id.module.css'
import { useCopy } from './use-copy.ts'

/** `code: …`, by which support finds the log line. Copied on click. */
export function EventId({ id }: { id: string | undefined }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  if (id === undefined || id === '') return null
  return (
    <button type="button" className={classes['id']} onClick={() => copy(id)} title={t('error.copyCode')}>
      {t('error.code', { id, defaultValue: 'code: {{id}}' })}
      <span aria-live="polite">{copied ? ` · ${t('address.copied')}` : ''}</span>
    </button>
  )
}
