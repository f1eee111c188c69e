import { EventView } from '#app/features/events/event-view.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { Route } from './+types/event'
import { useServerPage } from './use-server-page.ts'

/** `/s/{identity}/events/{eventid}`: one event with all that is known. */
export default function ServerEvent({ params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  return (
    <>
      <PageMeta page="event" title={`${t('events.one')} · ${server.name}`} />
      <EventView id={params.eventId} path={`/s/${identity}/events`} />
    </>
  )
}
