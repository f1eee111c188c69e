import { useTranslation } from '#app/i18n/texts.tsx'
import type { Product } from '@wakestone/contract/sales/product'
import { hoursOfPeriod } from '@wakestone/contract/values'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './offers.module.css'
import { type OfferChoice, priceOf } from './offer-prices.ts'

const monthsOf = { '720h': 1, '2160h': 3, '8760h': 12 } as const

/** What a product costs: gross and large, beneath it what that is a month, the period, the VAT, the hour, and the lowest of 30 days. */
export function PriceLines({
  product,
  choice,
  size = 'large',
}: {
  product: Product
  choice: OfferChoice
  size?: 'small' | 'large'
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const rate = useVisitor()?.vat_rate ?? 0
  const price = priceOf(product, choice)
  if (price === undefined) return <p className={classes['note']}>{t('home.noPrice')}</p>
  const { gross_price: gross, price: net, lowest_gross_price_30d: lowest } = price
  // Rounded up: nobody is promised less than it costs.
  const monthly =
    choice.period === '720h' ? undefined : { ...gross, amount: Math.ceil(gross.amount / monthsOf[choice.period]) }
  const tax = { amount: gross.amount - net.amount, currency: gross.currency }
  const taxText =
    tax.amount === 0 ? t('offers.noVat') : t('money.vatWithin', { tax: format.money(tax), rate: format.percent(rate) })
  return (
    <>
      <p className={classes['price']} data-size={size}>
        {format.price(gross)}
      </p>
      <p className={classes['note']}>
        {gross.amount === 0 ? (
          <span>{t('home.freeNote')}</span>
        ) : (
          <>
            {monthly !== undefined && <strong>{t('home.perMonth', { price: format.money(monthly) })}</strong>}
            {size === 'small' ? (
              // Side by side, all of them break at the same place.
              <>
                <span>{t(`home.per.${choice.period}`)}</span>
                <span>{taxText}</span>
              </>
            ) : (
              <span>
                {t(`home.per.${choice.period}`)}, <small className={classes['tax']}>{taxText}</small>
              </span>
            )}
            <span>
              {t('home.perHour', {
                price: format.hourly({ ...gross, amount: gross.amount / hoursOfPeriod(choice.period) }),
              })}
            </span>
          </>
        )}
        {lowest !== null && <span>{t('home.lowest', { price: format.money(lowest) })}</span>}
      </p>
    </>
  )
}
