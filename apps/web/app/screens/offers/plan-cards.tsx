import { useTranslation } from '#app/i18n/texts.tsx'
import type { OfferChoice, Plan } from '#app/features/offers/offer-prices.ts'
import { useAllPlanFacts } from '#app/features/offers/plan-features.ts'
import { PriceLines } from '#app/features/offers/price-lines.tsx'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { ChoosePlan } from './choose-plan.tsx'
import classes from './offers.module.css'

/** The same plans one beneath the other, for narrow screens. */
export function PlanCards({ plans, choice }: { plans: readonly Plan[]; choice: OfferChoice }) {
  const { t } = useTranslation()
  const facts = useAllPlanFacts()
  return (
    <ul className={classes['cards']}>
      {plans.map((plan, index) => (
        <li key={plan.id}>
          <Card title={t(`home.products.${plan.id}.name`)}>
            <p className={classes['muted']}>{t(`home.products.${plan.id}.text`)}</p>
            <div className={classes['cardPrice']}>
              <PriceLines product={plan} choice={choice} />
            </div>
            <KeyValueList
              rows={facts.map((fact) => ({
                key: fact.key,
                value: fact.valueOf(plan),
              }))}
            />
            <div className={classes['cardAction']}>
              <ChoosePlan plan={plan} choice={choice} isFeatured={index === plans.length - 1} />
            </div>
          </Card>
        </li>
      ))}
    </ul>
  )
}
