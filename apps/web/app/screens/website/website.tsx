import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { data } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import { getCraftumParameters } from '@wakestone/contract/websites/craftums-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { serversQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { websiteQuery } from '#app/features/websites/website-queries.ts'
import { useWithdrawnNote, WebsiteState } from '#app/features/websites/website-state.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/website'

/** The editor weighs more than the panel: it comes when a website is opened. */
const WebsiteEditor = lazy(() => import('./editor/website-editor.tsx'))

// What is being written belongs to one visitor: a server, which has many, never loads it.
const never = () => () => {}
const inBrowser = () => true
const onServer = () => false

export async function loader({ request, context, params: { craftumId: id } }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  const website = await api(getCraftumParameters, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) throw data(null, { status: 404 })
    throw error
  })
  const known = { ...websiteQuery(id, api), queryFn: () => website }
  return { queries: await prefetch(known, serversQuery(user.id, api)) }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/{lang}/c/{craftumId}`: a website, to be built and published. */
export default function Website({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <WebsitePage id={params.craftumId} />
    </HydrationBoundary>
  )
}

function WebsitePage({ id }: { id: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const isBrowser = useSyncExternalStore(never, inBrowser, onServer)
  const withdrawnNote = useWithdrawnNote()
  const { data: website, error, refetch } = useQuery(websiteQuery(id))
  if (website === undefined)
    return error === null ? <EditorSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const { craftum } = website
  return (
    <>
      <PageMeta page="website" title={craftum.name} />
      <PageHeader
        title={craftum.name}
        beside={<WebsiteState website={craftum} />}
        text={withdrawnNote(craftum)}
        actions={<LinkButton to={path(`/c/${id}/payments`)}>{t('websites.payments')}</LinkButton>}
      />
      {isBrowser ? (
        <Suspense fallback={<EditorSkeleton />}>
          <WebsiteEditor website={website} />
        </Suspense>
      ) : (
        <EditorSkeleton />
      )}
    </>
  )
}

function EditorSkeleton() {
  return (
    <Card>
      <SkeletonText lines={8} />
    </Card>
  )
}
