import { type ReactNode, useId } from 'react'
import type { ProviderId } from '@wakestone/contract/money/transaction'
import { useMethodName } from '#app/features/payment/method-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import classes from './recharge.module.css'

/** By which method; beneath it what the chosen one wants to know. */
export function MethodCard({
  methods,
  method,
  onChoose,
  children,
}: {
  methods: readonly ProviderId[]
  method: ProviderId
  onChoose: (method: ProviderId) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const nameOf = useMethodName()
  const name = useId()
  return (
    <Card title={t('recharge.method')}>
      <div className={classes['methods']} role="radiogroup" aria-label={t('recharge.method')}>
        {methods.map((id) => (
          <label key={id} className={classes['method']}>
            <input type="radio" name={name} checked={id === method} onChange={() => onChoose(id)} />
            <span>{nameOf(id)}</span>
          </label>
        ))}
      </div>
      {children}
    </Card>
  )
}
