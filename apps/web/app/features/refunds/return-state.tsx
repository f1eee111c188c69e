import type { PaymentReturn } from '@wakestone/contract/money/payment-return'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'

const looks: Record<PaymentReturn['state'], { colour: BadgeColour; shape: BadgeShape }> = {
  REQUESTED: { colour: 'lantern', shape: 'ring' },
  SENT: { colour: 'lantern', shape: 'pulse' },
  COMPLETED: { colour: 'moss', shape: 'filled' },
  FAILED: { colour: 'ember', shape: 'triangle' },
  RETURNED: { colour: 'dusk', shape: 'filled' },
}

export function ReturnState({ state, kind }: Pick<PaymentReturn, 'state' | 'kind'>) {
  const { t } = useTranslation()
  // Money that was taken has not gone well.
  const isTaken = state === 'COMPLETED' && kind === 'chargeback'
  return (
    <Badge size="small" {...(isTaken ? { colour: 'ember', shape: 'filled' } : looks[state])}>
      {t(isTaken ? 'refunds.taken' : `refunds.states.${state}`)}
    </Badge>
  )
}
