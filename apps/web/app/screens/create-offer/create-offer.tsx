import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useSearchParams } from 'react-router'
import { listGames } from '@wakestone/contract/servers/servers-routes'
import { engineName, isEngine } from '#app/features/servers/server-names.ts'
import { loadOffers } from '#app/features/offers/load-offers.ts'
import { MissingEngine } from '#app/features/offers/missing-engine.tsx'
import { OfferChoices } from '#app/features/offers/offer-choices.tsx'
import { isForSale, type OfferChoice, type Plan, plansOf, readChoice } from '#app/features/offers/offer-prices.ts'
import { PriceLines } from '#app/features/offers/price-lines.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import type { Route } from './+types/create-offer'
import classes from './create-offer.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = context.get(webContext)
  const engine = engineOf(new URL(request.url).searchParams)
  const [products, games] = await Promise.all([
    loadOffers(api),
    // Without the list nobody is told that an engine is missing; the order form looks again.
    engine === null ? null : api(listGames, {}).catch(() => null),
  ])
  const engines = games?.flatMap((game) => game.engines.map(({ id }): string => id))
  return { products, hasEngine: engine === null || engines === undefined || engines.includes(engine) }
}

/** The engine that somebody has come for. */
function engineOf(search: URLSearchParams): string | null {
  const engine = search.get('engine')
  return engine !== null && isEngine(engine) ? engine : null
}

export { keepsOffers as shouldRevalidate } from '#app/features/offers/keeps-offers.ts'

/** `/{lang}/offers/create`: plan and period without an account; the order form takes the choice over. */
export default function CreateOffer({ loaderData: { products, hasEngine } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const choice = readChoice(search, useVisitor()?.currency)
  const plans = plansOf(products ?? [], choice.currency).filter((plan) => isForSale(plan, choice))
  const plan = plans.find(({ id }) => id === search.get('product')) ?? plans[0]
  const engine = engineOf(search)
  const kept = engine === null ? '' : `engine=${engine}&`
  return (
    <div className={classes['page']}>
      <PageMeta page="createOffer" isPublic />
      <h1>{t('offers.createTitle')}</h1>
      <p className={classes['lead']}>{t('offers.createLead')}</p>
      {products === null || plan === undefined ? (
        <ErrorState error="service_unavailable" title={t('home.plansFailed')} onRetry={() => location.reload()} />
      ) : (
        <div className={classes['columns']}>
          <div>
            {engine !== null && !hasEngine && <MissingEngine engine={engine} />}
            <h2>{t('offers.howLong')}</h2>
            <OfferChoices plans={plans} choice={choice} query={`${kept}product=${plan.id}&`} />
            <h2 id="plans">{t('offers.plan')}</h2>
            <PlanOptions plans={plans} chosen={plan} choice={choice} kept={kept} />
          </div>
          <Summary plan={plan} choice={choice} kept={kept} engine={hasEngine ? engine : null} />
        </div>
      )}
    </div>
  )
}

/** Links, so that choosing also works without JavaScript. */
function PlanOptions({
  plans,
  chosen,
  choice,
  kept,
}: {
  plans: readonly Plan[]
  chosen: Plan
  choice: OfferChoice
  kept: string
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <nav className={classes['options']} aria-labelledby="plans">
      {plans.map((plan) => {
        const { memory, cpu, storage, players } = plan.parameters
        return (
          <Link
            key={plan.id}
            to={`?${kept}product=${plan.id}&period=${choice.period}&currency=${choice.currency}`}
            className={classes['option']}
            aria-current={plan.id === chosen.id ? 'true' : undefined}
            replace
            preventScrollReset
          >
            <div>
              <strong>{t(`home.products.${plan.id}.name`)}</strong>
              <p>{t(`home.products.${plan.id}.text`)}</p>
              <p className={classes['facts']}>
                <span>{t('create.memory', { size: format.bytes(memory) })}</span>
                <span>{t('create.cpu', { count: cpu })}</span>
                <span>{t('create.storage', { size: format.bytes(storage) })}</span>
                <span>{players === null ? t('create.playersUnlimited') : t('create.players', { count: players })}</span>
              </p>
            </div>
            <div className={classes['optionPrice']}>
              <PriceLines product={plan} choice={choice} size="small" />
            </div>
          </Link>
        )
      })}
    </nav>
  )
}

/** What was chosen, what comes next, and the way on. */
function Summary({
  plan,
  choice,
  kept,
  engine,
}: {
  plan: Plan
  choice: OfferChoice
  kept: string
  engine: string | null
}) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const create = path(`/create?${kept}product=${plan.id}&period=${choice.period}&currency=${choice.currency}`)
  const from = `?from=${encodeURIComponent(create)}`
  return (
    <aside className={classes['summary']} aria-labelledby="chosen">
      <h2 id="chosen">{t('offers.chosen')}</h2>
      <p className={classes['chosen']}>
        {t(`home.products.${plan.id}.name`)}, {t(`home.periods.${choice.period}`)}
        {engine !== null && <>, {engineName(engine)}</>}
      </p>
      <PriceLines product={plan} choice={choice} />
      <h3>{t('offers.next')}</h3>
      <ol>
        {user === null && <li>{t('offers.nextAccount')}</li>}
        <li>{t('offers.nextName')}</li>
      </ol>
      {user === null ? (
        <div className={classes['actions']}>
          <LinkButton to={path(`/register${from}`)} look="primary" size="large" fullWidth>
            {t('offers.goRegister')}
          </LinkButton>
          <LinkButton to={path(`/login${from}`)} fullWidth>
            {t('offers.goLogin')}
          </LinkButton>
        </div>
      ) : (
        <LinkButton to={create} look="primary" size="large" fullWidth>
          {t('offers.goCreate')}
        </LinkButton>
      )}
    </aside>
  )
}
