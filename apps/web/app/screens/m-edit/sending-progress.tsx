import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './edit.module.css'
import type { Sending } from './use-release-files.ts'

/** How far a file has been read or sent. */
export function SendingProgress({ sending }: { sending: Sending | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (sending === null) return null
  const { step, name, done, total } = sending
  const label = t(`market.form.${step}`, { name })
  return (
    <div role="status">
      <p>{label}</p>
      <progress className={classes['progress']} max={total} value={done} aria-label={label} />
      <p className={classes['muted']}>
        {t('market.form.sent', { sent: format.bytes(done), all: format.bytes(total) })}
      </p>
    </div>
  )
}
