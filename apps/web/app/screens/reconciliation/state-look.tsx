import type { Reconciliation } from '@wakestone/contract/money/reconciliation'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'

const looks: Record<Reconciliation['state'], { colour: BadgeColour; shape: BadgeShape }> = {
  clean: { colour: 'moss', shape: 'filled' },
  differs: { colour: 'ember', shape: 'triangle' },
  incomplete: { colour: 'lantern', shape: 'ring' },
}

export function ReportState({ state }: Pick<Reconciliation, 'state'>) {
  const { t } = useTranslation()
  return (
    <Badge size="small" {...looks[state]}>
      {t(`reconciliation.states.${state}`)}
    </Badge>
  )
}
