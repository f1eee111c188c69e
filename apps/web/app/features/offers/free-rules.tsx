import { useEffect, useState } from 'react'
import { planName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './free-rules.module.css'

/** Seconds that a free server may be up in a day, and at a stretch. */
type Rules = { day: number; session: number }

/** Without the API's client and its schemas, which are half as large as all that a public page loads. */
async function loadRules(): Promise<Rules> {
  const response = await fetch('/api/v1/billings/products/free/availability')
  if (!response.ok) throw new Error(`the rules of free servers: ${response.status}`)
  return ((await response.json()) as { rules: Rules }).rules
}

/** How long a free server may run. Fetched by the browser, so that the page is the same for everyone and can be cached. */
export function FreeRules() {
  const { t } = useTranslation()
  const format = useFormat()
  const [rules, setRules] = useState<Rules | null>(null)
  useEffect(() => {
    // The page is complete without it.
    loadRules().then(setRules, () => undefined)
  }, [])
  if (rules === null) return null
  const { day, session } = rules
  return (
    <p className={classes['rules']}>
      {planName('FREE')}: {t('freePlay.runs', { day: format.duration(day), session: format.duration(session) })}
    </p>
  )
}
