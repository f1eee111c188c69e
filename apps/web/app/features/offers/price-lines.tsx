import { useTranslation } from 'react-i18next'
import type { Product } from '@wakestone/contract/product'
import { hoursOfPeriod } from '@wakestone/contract/values'
import { useVisitor } from '#app/features/visitor/use-visitor.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './offers.module.css'
import { type OfferChoice, priceOf } from './offer-prices.ts'

/** What a product costs: gross and large, beneath it the period, the VAT, the hour, and the lowest of 30 days. */
export function PriceLines({ product, choice }: { product: Product; choice: OfferChoice }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rate = useVisitor()?.vat_rate ?? 0
  const price = priceOf(product, choice)
  if (price === undefined) return <p className={classes['note']}>{t('home.noPrice')}</p>
  const { gross_price: gross, price: net, lowest_gross_price_30d: lowest } = price
  const tax = { amount: gross.amount - net.amount, currency: gross.currency }
  return (
    <>
      <p className={classes['price']} data-price={gross.amount}>
        {format.price(gross)}
      </p>
      <p className={classes['note']}>
        {gross.amount === 0 ? (
          <span>{t('home.freeNote')}</span>
        ) : (
          <>
            <span>
              {t(`home.per.${choice.period}`)}
              {', '}
              {tax.amount === 0
                ? t('offers.noVat')
                : t('money.vatWithin', { tax: format.money(tax), rate: format.percent(rate) })}
            </span>
            <span>{t('home.perHour', { price: format.hourly(hourlyOf(gross, choice)) })}</span>
          </>
        )}
        {lowest !== null && <span>{t('home.lowest', { price: format.money(lowest) })}</span>}
      </p>
    </>
  )
}

/** A gross price by the hour of its period, in minor units, not rounded. */
export function hourlyOf(gross: { amount: number; currency: string }, { period }: OfferChoice) {
  return { amount: gross.amount / hoursOfPeriod(period), currency: gross.currency }
}
