import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import type { Product } from '@wakestone/contract/sales/product'
import { OfferChoices } from '#app/features/offers/offer-choices.tsx'
import { FreeRules } from '#app/features/offers/free-rules.tsx'
import { usePlanFacts } from '#app/features/offers/plan-features.ts'
import { isForSale, type OfferChoice, type Plan, plansOf, priceOf } from '#app/features/offers/offer-prices.ts'
import { usePurchasePath } from '#app/features/offers/use-purchase-path.ts'
import { PriceLines } from '#app/features/offers/price-lines.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './plans.module.css'
import { Section } from './section.tsx'

/** The plans with today's prices; `null` products could not be had. */
export function Plans({ products, choice }: { products: readonly Product[] | null; choice: OfferChoice }) {
  const { t } = useTranslation()
  const path = usePath()
  if (products === null) {
    return (
      <Section id="offers" title={t('home.plans')}>
        <ErrorState error="service_unavailable" title={t('home.plansFailed')} onRetry={() => location.reload()} />
      </Section>
    )
  }
  const plans = plansOf(products, choice.currency)
  return (
    <Section
      id="offers"
      title={t('home.plans')}
      beside={<OfferChoices plans={plans} choice={choice} anchor="offers" />}
    >
      <ul className={classes['plans']}>
        {plans.map((plan, index) => (
          <PlanCard key={plan.id} plan={plan} choice={choice} isFeatured={index === plans.length - 1} />
        ))}
      </ul>
      <FreeRules />
      <p className={classes['more']}>
        <Link to={path(`/offers?period=${choice.period}&currency=${choice.currency}`)}>{t('home.compare')}</Link>
      </p>
    </Section>
  )
}

function PlanCard({ plan, choice, isFeatured }: { plan: Plan; choice: OfferChoice; isFeatured: boolean }) {
  const { t } = useTranslation()
  const purchase = usePurchasePath()
  const facts = usePlanFacts()
  const isFree = priceOf(plan, choice)?.gross_price.amount === 0
  const name = t(`home.products.${plan.id}.name`)
  const look = isFeatured ? 'primary' : 'secondary'
  const action = isFree ? t('home.startFreePlan') : t('home.rent', { name })
  return (
    <li className={classes['plan']} data-featured={isFeatured}>
      <div className={classes['planName']}>
        <h3>{name}</h3>
        {isFeatured && <span>{t('home.popular')}</span>}
      </div>
      <p className={classes['planText']}>{t(`home.products.${plan.id}.text`)}</p>
      <div className={classes['price']}>
        <PriceLines product={plan} choice={choice} />
      </div>
      <KeyValueList rows={facts.map(({ key, valueOf }) => ({ key, value: valueOf(plan) }))} />
      <div className={classes['planAction']}>
        {isForSale(plan, choice) ? (
          <LinkButton
            to={purchase(`product=${plan.id}&period=${choice.period}&currency=${choice.currency}`)}
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
