import { useTranslation } from '#app/i18n/texts.tsx'
import { useSearchParams } from 'react-router'
import { OfferChoices } from '#app/features/offers/offer-choices.tsx'
import { loadOffers } from '#app/features/offers/load-offers.ts'
import { includedFeatures } from '#app/features/offers/plan-features.ts'
import { plansOf, readChoice } from '#app/features/offers/offer-prices.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { PlansData, WayData } from '#app/features/page-meta/structured-data.tsx'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { webContext } from '#app/load-context.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import type { Route } from './+types/offers'
import { Addons } from './addons.tsx'
import { FreeRules } from '#app/features/offers/free-rules.tsx'
import classes from './offers.module.css'
import { PlanCards } from './plan-cards.tsx'
import { PlanTable } from './plan-table.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  return { products: await loadOffers(context.get(webContext).api) }
}

export { keepsOffers as shouldRevalidate } from '#app/features/offers/keeps-offers.ts'

/** `/{lang}/offers`: everything that is on sale, compared. */
export default function Offers({ loaderData: { products } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const choice = readChoice(search, useVisitor()?.currency)
  const plans = plansOf(products ?? [], choice.currency)
  return (
    <div className={classes['page']}>
      <PageMeta page="offers" isPublic />
      <PlansData products={products} currency={choice.currency} />
      <WayData name={t('offers.title')} />
      <header className={classes['head']}>
        <div>
          <h1>{t('offers.title')}</h1>
          <p>{t('offers.lead')}</p>
        </div>
        {products !== null && <OfferChoices plans={plans} choice={choice} />}
      </header>
      {products === null ? (
        <ErrorState error="service_unavailable" title={t('home.plansFailed')} onRetry={() => location.reload()} />
      ) : (
        <>
          <PlanTable plans={plans} choice={choice} />
          <PlanCards plans={plans} choice={choice} />
          {plans.some(({ id }) => id === 'FREE') && <FreeRules />}
        </>
      )}
      <section className={classes['part']}>
        <h2>{t('offers.everyPlan')}</h2>
        <ul className={classes['included']}>
          {includedFeatures.map((key) => (
            <li key={key}>{t(`offers.included.${key}`)}</li>
          ))}
        </ul>
      </section>
      <Addons products={products ?? []} choice={choice} />
    </div>
  )
}
