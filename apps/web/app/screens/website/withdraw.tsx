import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { data } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import { getCraftumParameters } from '@wakestone/contract/websites/craftums-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { aboutWebsite } from '#app/api/stale-answers.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { websiteQuery } from '#app/features/websites/website-queries.ts'
import { withdrawalQuery, WithdrawSteps } from '#app/features/withdraw/withdraw-steps.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { keptUntil } from '#app/features/servers/time-left.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/withdraw'

export async function loader({ request, context, params: { craftumId: id } }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client } = context.get(webContext)
  const website = await client(getCraftumParameters, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) throw data(null, { status: 404 })
    throw error
  })
  const serviceId = website.craftum.service_id
  return {
    queries: await prefetch(
      { ...websiteQuery(id, client), queryFn: () => website },
      withdrawalQuery(serviceId, { client }),
      withdrawalQuery(serviceId, { client, part: 'latest' }),
    ),
  }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/{lang}/c/{craftumId}/withdraw`: withdrawal from the contract of a website. */
export default function WithdrawFromWebsite({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <Steps id={params.craftumId} />
    </HydrationBoundary>
  )
}

function Steps({ id }: { id: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const { data: website, error, refetch } = useQuery(websiteQuery(id))
  if (website === undefined)
    return error === null ? (
      <Card>
        <SkeletonText lines={6} />
      </Card>
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  const { name, service_id: serviceId, expires, withdrawn_at: withdrawn } = website.craftum
  return (
    <>
      <PageMeta page="withdraw" title={`${t('withdraw.title')} · ${name}`} />
      <PageHeader title={t('withdraw.title')} text={t('withdraw.text')} />
      <WithdrawSteps
        subject={{
          kind: 'website',
          name,
          serviceId,
          payments: path(`/c/${id}/payments`),
          keptUntil: withdrawn === null || expires === null ? null : keptUntil(website.craftum, expires),
          list: { to: path('/c'), label: t('websites.title') },
          stale: aboutWebsite(id),
        }}
      />
    </>
  )
}
