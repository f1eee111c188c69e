import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listProducts } from '@wakestone/contract/routes/billings'
import { billingPeriods, walletCurrencies } from '@wakestone/contract/values'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { webContext } from '#app/load-context.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import type { Route } from './+types/home'
import { Hero } from './hero.tsx'
import classes from './home.module.css'
import { KnockSteps } from './knock-steps.tsx'
import { Plans } from './plans.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  // A visitor without prices still learns what this is.
  return { products: await api(listProducts, {}).catch(() => null) }
}

/** The choice of period and currency is in the address and needs no new prices. */
export function shouldRevalidate() {
  return false
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const visitor = matches[0].loaderData.location
  const period = billingPeriods.find((known) => known === search.get('period')) ?? '720h'
  const currency = walletCurrencies.find((known) => known === search.get('currency')) ?? visitor?.currency ?? 'EUR'
  return (
    <>
      <PageMeta page="home" isPublic />
      <Hero />
      <section id="plans" className={classes['section']}>
        <div className={classes['wrap']}>
          {loaderData.products === null ? (
            <ErrorState error="service_unavailable" title={t('home.plansFailed')} onRetry={() => location.reload()} />
          ) : (
            <Plans
              products={loaderData.products}
              period={period}
              currency={currency}
              vatRate={visitor?.vat_rate ?? null}
            />
          )}
        </div>
      </section>
      <section id="knock" className={classes['section']}>
        <div className={classes['wrap']}>
          <KnockSteps />
        </div>
      </section>
    </>
  )
}
