import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { eventQuery } from '#app/features/events/event-queries.ts'
import { EventView } from '#app/features/events/event-view.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/event'

export async function loader({ request, context, params }: Route.LoaderArgs) {
  requireUser(request, context)
  return { queries: await prefetch(eventQuery(params.eventId, context.get(webContext).api)) }
}

/** `/{lang}/account/events/{eventid}`: one event with all that is known, and what to do if it was somebody else. */
export default function AccountEvent({ params, loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="accountEvent" />
      <FoundEvent id={params.eventId} />
    </HydrationBoundary>
  )
}

function FoundEvent({ id }: { id: string }) {
  const path = usePath()
  const user = useSignedInUser()
  // Administrators come here from the page of the user whom it concerns.
  const owner = useQuery(eventQuery(id)).data?.resource_id ?? user.id
  return <EventView id={id} path={path(owner === user.id ? '/account/events' : `/user/${owner}?tab=events`)} />
}
