import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './auth-frame.module.css'

/** What a visitor without scripts can do here, and what will need them. */
export function NoScriptNote() {
  const { t } = useTranslation()
  return (
    <noscript>
      <p className={classes['note']}>{t('auth.needsScript')}</p>
    </noscript>
  )
}
