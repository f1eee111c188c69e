import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './skip-link.module.css'

/** First on each page, seen once it has the focus: past all navigation to the content. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a className={classes['skip']} href="#content">
      {t('shell.skip')}
    </a>
  )
}
