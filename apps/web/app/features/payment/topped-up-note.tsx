import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { takeTopUp } from './return-address.ts'
import classes from './topped-up-note.module.css'

/** On the form that a top-up was made for: that the money came. Nothing to whoever comes another way. */
export function ToppedUpNote() {
  const { t } = useTranslation()
  const format = useFormat()
  const [topUp, setTopUp] = useState<ReturnType<typeof takeTopUp>>(null)
  useEffect(() => {
    const taken = takeTopUp(window.location.pathname)
    if (taken !== null) setTopUp(taken)
  }, [])
  if (topUp === null) return null
  return (
    <p className={classes['note']} role="status">
      <IconCircleCheck size={18} aria-hidden="true" />
      {t('payment.arrived', { amount: format.money(topUp) })}
    </p>
  )
}
