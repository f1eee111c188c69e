import { useTranslation } from 'react-i18next'
import {
  type BillingPeriod,
  billingPeriods,
  type Currency,
  hoursOfPeriod,
  walletCurrencies,
} from '@wakestone/contract/values'
import type { Product } from '@wakestone/contract/product'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './home.module.css'

type Choice = { period: BillingPeriod; currency: Currency; vatRate: number | null }

const described = ['FREE', 'GRASS', 'AMETHYST'] as const
type Described = (typeof described)[number]
const isDescribed = (id: string): id is Described => described.includes(id as Described)

/** The cheapest price of a product for a period and currency. */
function priceOf(product: Product, period: BillingPeriod, currency: Currency) {
  return product.prices
    .filter((price) => price.period === period && price.gross_price.currency === currency)
    .toSorted((a, b) => a.gross_price.amount - b.gross_price.amount)[0]
}

/** By how much a period is cheaper per hour than the shortest one: 0.05 for 5 %. */
function savingOf(products: readonly Product[], period: BillingPeriod, currency: Currency): number {
  for (const product of products) {
    const short = priceOf(product, '720h', currency)
    const long = priceOf(product, period, currency)
    if (!short || !long || short.price.amount === 0) continue
    return Math.round(100 * (1 - long.price.amount / hoursOfPeriod(period) / (short.price.amount / 720))) / 100
  }
  return 0
}

export function Plans({ products, ...choice }: Choice & { products: readonly Product[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const plans = products
    .filter((product) => product.visible && product.type === 'GAME_SERVER' && isDescribed(product.id))
    .toSorted((a, b) => (a.pricePerHour[choice.currency] ?? 0) - (b.pricePerHour[choice.currency] ?? 0))
  const at = (changed: { period?: BillingPeriod; currency?: Currency }) =>
    `?period=${changed.period ?? choice.period}&currency=${changed.currency ?? choice.currency}`
  return (
    <>
      <div className={classes['plansHead']}>
        <h2 className={classes['title']}>{t('home.plans')}</h2>
        <div className={classes['choices']}>
          <SegmentedLinks
            label={t('home.period')}
            options={billingPeriods.map((period) => {
              const saving = savingOf(plans, period, choice.currency)
              return {
                to: at({ period }),
                active: period === choice.period,
                label:
                  saving > 0
                    ? `${t(`home.periods.${period}`)} −${format.percent(saving)}`
                    : t(`home.periods.${period}`),
              }
            })}
          />
          <SegmentedLinks
            label={t('home.currency')}
            options={walletCurrencies.map((currency) => ({
              to: at({ currency }),
              active: currency === choice.currency,
              label: currency,
            }))}
          />
        </div>
      </div>
      <ul className={classes['plans']}>
        {plans.map((product, index) => (
          <Plan key={product.id} product={product} choice={choice} isFeatured={index === plans.length - 1} />
        ))}
      </ul>
    </>
  )
}

function Plan({ product, choice, isFeatured }: { product: Product; choice: Choice; isFeatured: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  if (!isDescribed(product.id)) return null
  const { memory, storage, players, sleep } = product.parameters
  const price = priceOf(product, choice.period, choice.currency)
  const isFree = price?.gross_price.amount === 0
  const name = t(`home.products.${product.id}.name`)
  const look = isFeatured ? 'primary' : 'secondary'
  const action = isFree ? t('home.startFreePlan') : t('home.rent', { name })
  const isForSale = product.available && product.availability !== 0 && price !== undefined
  return (
    <li className={classes['plan']} data-featured={isFeatured}>
      <div className={classes['planName']}>
        <h3>{name}</h3>
        {isFeatured && <span>{t('home.popular')}</span>}
      </div>
      <p className={classes['planText']}>{t(`home.products.${product.id}.text`)}</p>
      <p className={classes['price']}>{price === undefined ? '–' : format.price(price.gross_price)}</p>
      <p className={classes['priceNote']}>
        {price === undefined && t('home.noPrice')}
        {isFree && t('home.freeNote')}
        {price !== undefined && !isFree && (
          <>
            {t(`home.per.${choice.period}`, { rate: format.percent(choice.vatRate ?? 0) })}
            {' · '}
            {t('home.perHour', {
              price: format.money({
                amount: price.gross_price.amount / hoursOfPeriod(choice.period),
                currency: choice.currency,
              }),
            })}
          </>
        )}
        {price?.lowest_price_30d != null && (
          <span>{t('home.lowest', { price: format.money(price.lowest_price_30d) })}</span>
        )}
      </p>
      <KeyValueList
        rows={[
          { key: t('home.memory'), value: format.bytes(memory) },
          { key: t('home.disk'), value: format.bytes(storage) },
          { key: t('home.players'), value: players === null ? t('home.unlimited') : format.number(players) },
          { key: t('home.sleeps'), value: sleep.light === null ? t('home.never') : format.duration(sleep.light * 60) },
        ]}
      />
      <div className={classes['planAction']}>
        {isForSale ? (
          <LinkButton
            to={path(`/create?product=${product.id}&period=${choice.period}&currency=${choice.currency}`)}
            look={look}
            fullWidth
          >
            {action}
          </LinkButton>
        ) : (
          <Button look={look} fullWidth why={t('home.rentWhy')}>
            {action}
          </Button>
        )}
      </div>
    </li>
  )
}
