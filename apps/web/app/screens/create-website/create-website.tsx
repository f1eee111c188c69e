import { HydrationBoundary } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import { websiteCostsQuery } from '#app/features/websites/website-costs-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/create-website'
import { CreateWebsiteForm } from './create-website-form.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireCapability(request, context, 'user.craftum')
  const { api } = context.get(webContext)
  return { state: await prefetch(walletsQuery(user.id, api), websiteCostsQuery({ currency: 'PLN' }, api)) }
}

/** `/{lang}/offers/craftum/create`: a website of one's own. */
export default function CreateWebsite({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="createWebsite" />
      <PageHeader title={t('websites.createTitle')} text={t('websites.createText')} />
      <CreateWebsiteForm />
    </HydrationBoundary>
  )
}
