import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'

export type PeriodSaving = { period: BillingPeriod; saving: number }

/** Periods, shortest first; `saving` is the part saved per hour against the shortest. */
export function savingsOf(prices: readonly { period: BillingPeriod; amount: number }[]): PeriodSaving[] {
  const perHour = prices
    .map(({ period, amount }) => ({ period, hourly: amount / hoursOfPeriod(period) }))
    .toSorted((a, b) => hoursOfPeriod(a.period) - hoursOfPeriod(b.period))
  const first = perHour[0]?.hourly ?? 0
  return perHour.map(({ period, hourly }) => ({
    period,
    saving: first === 0 ? 0 : Math.max(0, Math.round((1 - hourly / first) * 100) / 100),
  }))
}

/** A period in words, with what it saves. */
export function usePeriodLabel(): (period: BillingPeriod, saving: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (period, saving) => {
    const label = t(`create.periods.${period}`)
    return saving > 0 ? `${label} ${t('create.saving', { percent: format.percent(saving) })}` : label
  }
}
