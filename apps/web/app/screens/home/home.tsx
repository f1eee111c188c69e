import { useTranslation } from '#app/i18n/texts.tsx'
import { useSearchParams } from 'react-router'
import { loadOffers } from '#app/features/offers/load-offers.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { isPlan, readChoice } from '#app/features/offers/offer-prices.ts'
import { usePurchasePath } from '#app/features/offers/use-purchase-path.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { OrganisationData, PlansData, QuestionsData } from '#app/features/page-meta/structured-data.tsx'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import type { Route } from './+types/home'
import { loadFeatured } from '#app/features/market/load-featured.ts'
import { Featured } from './featured.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import classes from './home.module.css'
import { PanelPictures } from './panel-pictures.tsx'
import { Plans } from './plans.tsx'
import { Questions } from './questions.tsx'
import { Reasons, Trusted } from './reasons.tsx'
import { RedeemOffer } from './redeem-offer.tsx'
import { Reviews } from './reviews.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const web = context.get(webContext)
  const language = chooseLanguage(request, web.language)
  const [products, projects] = await Promise.all([loadOffers(web.api), loadFeatured(web, language)])
  // Add-ons are most of what is on sale, and nothing of them is shown here.
  return { products: products?.filter(isPlan) ?? null, projects }
}

export { keepsOffers as shouldRevalidate } from '#app/features/offers/keeps-offers.ts'

export default function Home({ loaderData }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const choice = readChoice(search, useVisitor()?.currency)
  return (
    <>
      <PageMeta page="home" isPublic />
      <OrganisationData />
      <PlansData products={loaderData.products} currency={choice.currency} />
      <QuestionsData />
      <Hero />
      <Features />
      <Plans products={loaderData.products} choice={choice} />
      <PanelPictures />
      <Featured projects={loaderData.projects} />
      <Reasons />
      <Trusted />
      <Reviews />
      <Questions />
      <Last />
      <RedeemOffer products={loaderData.products} currency={choice.currency} />
    </>
  )
}

function Last() {
  const { t } = useTranslation()
  const purchase = usePurchasePath()
  return (
    <section className={classes['last']}>
      <h2>{t('home.last.title')}</h2>
      <p>{t('home.last.text')}</p>
      <LinkButton to={purchase('product=FREE')} look="primary" size="large">
        {t('home.start')}
      </LinkButton>
    </section>
  )
}
