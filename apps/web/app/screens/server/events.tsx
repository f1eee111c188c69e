import { EventList } from '#app/features/events/event-list.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useServerPage } from './use-server-page.ts'

/** `/s/{identity}/events`: what happened and when. */
export default function ServerEvents() {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  return (
    <>
      <PageMeta page="events" title={`${t('events.title')} · ${server.name}`} />
      <EventList
        source={{ kind: 'server', id: server.id }}
        path={`/s/${identity}/events`}
        description={t('events.description')}
        empty={t('events.emptyText')}
      />
    </>
  )
}
