import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DoneNote } from '#app/ui/done-note.tsx'
import { takeTopUp } from './return-address.ts'

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
  return <DoneNote>{t('payment.arrived', { amount: format.money(topUp) })}</DoneNote>
}
