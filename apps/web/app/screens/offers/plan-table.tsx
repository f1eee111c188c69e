import { useTranslation } from '#app/i18n/texts.tsx'
import type { OfferChoice, Plan } from '#app/features/offers/offer-prices.ts'
import { useAllPlanFacts } from '#app/features/offers/plan-features.ts'
import { PriceLines } from '#app/features/offers/price-lines.tsx'
import { ChoosePlan } from './choose-plan.tsx'
import classes from './offers.module.css'

/** The plans side by side, for wide screens. */
export function PlanTable({ plans, choice }: { plans: readonly Plan[]; choice: OfferChoice }) {
  const { t } = useTranslation()
  const facts = useAllPlanFacts()
  return (
    <table className={classes['table']}>
      <caption className="visually-hidden">{t('offers.compare')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('offers.plan')}</th>
          {plans.map((plan) => (
            <th key={plan.id} scope="col">
              <strong>{t(`home.products.${plan.id}.name`)}</strong>
              <span>{t(`home.products.${plan.id}.text`)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('offers.price')}</th>
          {plans.map((plan) => (
            <td key={plan.id}>
              <PriceLines product={plan} choice={choice} />
            </td>
          ))}
        </tr>
        {facts.map((fact) => (
          <tr key={fact.key}>
            <th scope="row">{fact.key}</th>
            {plans.map((plan) => (
              <td key={plan.id}>{fact.valueOf(plan)}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          {plans.map((plan, index) => (
            <td key={plan.id}>
              <ChoosePlan plan={plan} choice={choice} isFeatured={index === plans.length - 1} />
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}
