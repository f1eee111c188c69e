import { toldIn } from '@wakestone/contract/site/told-in'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import classes from './announcement.module.css'

/** An offer above the public pages, until it ends. */
export function Promotion() {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const promotion = useFlag('promotion-banner')
  if (promotion === null) return null
  const { to, ends_at: endsAt } = promotion
  const text = toldIn(promotion.text, language)
  if (text === undefined) return null
  if (endsAt !== undefined && Date.parse(endsAt) <= Date.now()) return null
  return (
    <aside className={classes['promotion']} aria-label={t('announcement.promotion')}>
      {to === undefined ? text : <a href={to.startsWith('/') ? path(to) : to}>{text}</a>}
    </aside>
  )
}
