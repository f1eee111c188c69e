import { useTranslation } from '#app/i18n/texts.tsx'
import type { Product } from '@wakestone/contract/sales/product'
import { billingPeriods, walletCurrencies } from '@wakestone/contract/values'
import { useFormat } from '#app/i18n/use-format.ts'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './offers.module.css'
import { type OfferChoice, savingOf } from './offer-prices.ts'

/** Choice of period and currency. It is in the address; `query` stays in it, `anchor` is where a new page begins. */
export function OfferChoices({
  plans,
  choice,
  query = '',
  anchor,
}: {
  plans: readonly Product[]
  choice: OfferChoice
  query?: string
  anchor?: string
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const at = (changed: Partial<OfferChoice>) => {
    const { period, currency } = { ...choice, ...changed }
    return `?${query}period=${period}&currency=${currency}`
  }
  return (
    <div className={classes['choices']}>
      <SegmentedLinks
        label={t('home.period')}
        anchor={anchor}
        options={billingPeriods.map((period) => {
          const saving = savingOf(plans, { ...choice, period })
          return {
            to: at({ period }),
            active: period === choice.period,
            label:
              saving > 0 ? `${t(`home.periods.${period}`)} −${format.percent(saving)}` : t(`home.periods.${period}`),
          }
        })}
      />
      <SegmentedLinks
        label={t('home.currency')}
        anchor={anchor}
        options={walletCurrencies.map((currency) => ({
          to: at({ currency }),
          active: currency === choice.currency,
          label: currency,
        }))}
      />
    </div>
  )
}
