/** What pages say of themselves in the vocabulary of schema.org, for search engines. */
import { billingPeriods, type Currency, hoursOfPeriod } from '@wakestone/contract/values'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { faq } from '#app/features/faq/faq.ts'
import { isForSale, type Plan, priceOf } from '#app/features/offers/offer-prices.ts'
import type { I18n } from '#app/i18n/create-i18n.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { socialImagePath } from './social-image.ts'

type Place = { origin: string; i18n: I18n }

const organisationId = (origin: string) => `${origin}/#organisation`

/** Text of a JSON block within a page: nothing in it can end the element. */
export function writeJsonLd(graph: readonly object[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', String.raw`\u003c`)
}

export function describeOrganisation({ origin, i18n }: Place, profiles: readonly string[]): object[] {
  const organisation = { '@id': organisationId(origin) }
  return [
    {
      '@type': 'Organization',
      ...organisation,
      name: 'Wakestone',
      url: origin,
      logo: { '@type': 'ImageObject', url: `${origin}/icon-512.png`, width: 512, height: 512 },
      description: i18n.t('pages.home.description'),
      ...(profiles.length === 0 ? {} : { sameAs: profiles }),
    },
    { '@type': 'WebSite', name: 'Wakestone', url: `${origin}/${i18n.language}`, publisher: organisation },
  ]
}

/** Plans with all their prices in one currency, gross as they are shown. */
export function describePlans({ origin, i18n }: Place, plans: readonly Plan[], currency: Currency): object[] {
  const digits = currencyDigits(currency)
  return plans.map((plan) => ({
    '@type': 'Product',
    '@id': `${origin}/${i18n.language}/offers#${plan.id}`,
    name: `Wakestone ${i18n.t(`home.products.${plan.id}.name`)}`,
    description: i18n.t(`home.products.${plan.id}.text`),
    image: origin + socialImagePath(i18n.language, 'offers'),
    brand: { '@type': 'Brand', name: 'Wakestone' },
    offers: billingPeriods.flatMap((period) => {
      const gross = priceOf(plan, { period, currency })?.gross_price
      if (gross === undefined) return []
      const price = { price: (gross.amount / 10 ** digits).toFixed(digits), priceCurrency: currency }
      return {
        '@type': 'Offer',
        ...price,
        url: `${origin}/${i18n.language}/offers/create?product=${plan.id}&period=${period}&currency=${currency}`,
        availability: `https://schema.org/${isForSale(plan, { period, currency }) ? 'InStock' : 'OutOfStock'}`,
        seller: { '@id': organisationId(origin) },
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          ...price,
          valueAddedTaxIncluded: true,
          referenceQuantity: { '@type': 'QuantitativeValue', value: hoursOfPeriod(period), unitCode: 'HUR' },
        },
      }
    }),
  }))
}

export function describeQuestions({ i18n }: Place): object[] {
  return [
    {
      '@type': 'FAQPage',
      mainEntity: faq.map(({ question, answer }) => ({
        '@type': 'Question',
        name: i18n.t(question),
        acceptedAnswer: { '@type': 'Answer', text: i18n.t(answer) },
      })),
    },
  ]
}

export function describeProjectList({ origin, i18n }: Place, projects: readonly ProjectSummary[]): object[] {
  const itemListElement = projects.map(({ slug, name }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    url: `${origin}/${i18n.language}/m/${slug}`,
  }))
  return [{ '@type': 'ItemList', itemListElement }]
}

export function describeProject({ origin, i18n }: Place, project: ProjectSummary): object[] {
  const { latest_release: release, author_info, reviews } = project
  const icon = project.media.find(({ kind }) => kind === 'icon')
  const said = reviews.recommend + reviews.not_recommend
  return [
    {
      '@type': 'SoftwareApplication',
      name: project.name,
      description: project.short_description,
      url: `${origin}/${i18n.language}/m/${project.slug}`,
      applicationCategory: 'GameApplication',
      operatingSystem: 'Minecraft',
      ...(icon === undefined ? {} : { image: origin + icon.url }),
      ...(author_info.author_name === '' ? {} : { author: { '@type': 'Person', name: author_info.author_name } }),
      ...(release === null ? {} : { softwareVersion: release.version, dateModified: release.created_at }),
      offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR' },
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/DownloadAction',
        userInteractionCount: project.downloads,
      },
      ...(said === 0
        ? {}
        : {
            aggregateRating: {
              '@type': 'AggregateRating',
              ratingValue: Math.round((reviews.recommend / said) * 100),
              bestRating: 100,
              worstRating: 0,
              ratingCount: said,
            },
          }),
    },
  ]
}

/** The way from the home page to this one. */
export function describeWay({ origin, i18n }: Place, page: { name: string; pathname: string }): object[] {
  const steps = [
    { name: 'Wakestone', item: `${origin}/${i18n.language}` },
    { name: page.name, item: origin + page.pathname },
  ]
  const itemListElement = steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step }))
  return [{ '@type': 'BreadcrumbList', itemListElement }]
}
