import { useEffect, useState } from 'react'
import { planName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './free-rules.module.css'

/**
 * How long a free server may run. Fetched by the browser, so that the page is the same for everyone and can be cached;
 * the API client is loaded separately, to keep the page's script small.
 */
export function FreeRules() {
  const { t } = useTranslation()
  const format = useFormat()
  const [rules, setRules] = useState<{ day: number; session: number } | null>(null)
  useEffect(() => {
    // The page is complete without it.
    import('./load-free-rules.ts').then(({ loadFreeRules }) => loadFreeRules()).then(setRules, () => undefined)
  }, [])
  if (rules === null) return null
  const { day, session } = rules
  return (
    <p className={classes['rules']}>
      {planName('FREE')}: {t('freePlay.runs', { day: format.duration(day), session: format.duration(session) })}
    </p>
  )
}
