import { useContext } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLocation, useRouteLoaderData } from 'react-router'
import type { Product } from '@wakestone/contract/sales/product'
import type { Currency } from '@wakestone/contract/values'
import { plansOf } from '#app/features/offers/offer-prices.ts'
import { useSite } from '#app/features/site/use-site.ts'
import type { loader } from '#app/root.tsx'
import { NonceContext } from '#app/ui/nonce.ts'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import {
  describeOrganisation,
  describePlans,
  describeProject,
  describeProjectList,
  describeQuestions,
  describeWay,
  writeJsonLd,
} from './schema-org.ts'

function usePlace() {
  const { i18n } = useTranslation()
  return { i18n, origin: useRouteLoaderData<typeof loader>('root')?.origin ?? '' }
}

/** Written by the server alone: a browser keeps what it finds there, and loads nothing of what writes it. */
function JsonLd({ text }: { text: string }) {
  const nonce = useContext(NonceContext)
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: text }}
    />
  )
}

/** Who runs this site. */
export function OrganisationData() {
  const place = usePlace()
  const { socialLinks } = useSite()
  return <JsonLd text={import.meta.env.SSR ? writeJsonLd(describeOrganisation(place, socialLinks)) : ''} />
}

/** What is on sale, and for how much. */
export function PlansData({ products, currency }: { products: readonly Product[] | null; currency: Currency }) {
  const place = usePlace()
  if (products === null) return null
  const text = import.meta.env.SSR ? writeJsonLd(describePlans(place, plansOf(products, currency), currency)) : ''
  return <JsonLd text={text} />
}

/** Questions of the home page with their answers. */
export function QuestionsData() {
  const place = usePlace()
  return <JsonLd text={import.meta.env.SSR ? writeJsonLd(describeQuestions(place)) : ''} />
}

/** Projects in the order in which they are shown. */
export function ProjectListData({ projects }: { projects: readonly ProjectSummary[] }) {
  const place = usePlace()
  return <JsonLd text={import.meta.env.SSR ? writeJsonLd(describeProjectList(place, projects)) : ''} />
}

/** One that everybody sees. */
export function ProjectData({ project }: { project: ProjectSummary }) {
  const place = usePlace()
  if (!project.visible) return null
  return <JsonLd text={import.meta.env.SSR ? writeJsonLd(describeProject(place, project)) : ''} />
}

/** Where a page stands below the home page. */
export function WayData({ name }: { name: string }) {
  const place = usePlace()
  const { pathname } = useLocation()
  return <JsonLd text={import.meta.env.SSR ? writeJsonLd(describeWay(place, { name, pathname })) : ''} />
}
