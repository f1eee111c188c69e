import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PanelState } from '@wakestone/contract/states'
import { useEffect } from 'react'
import { listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { useFormat, useTimeZone } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { EventName } from './event-parts.tsx'
import { eventsQuery, noFilter } from './event-queries.ts'
import classes from './events.module.css'
import { joinRepeats } from './repeats.ts'

const shownEvents = 4
/** Internal steps, which would only worry readers here; the full log lists them. */
const internal: readonly string[] = ['SERVER_POD_CREATED', 'SERVER_POD_DELETED']

/** The last few events of a server. */
export function LatestEventsCard({ serverId, state, path }: { serverId: string; state: PanelState; path: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const now = useNow() ?? undefined
  const events = useQuery(
    eventsQuery({ kind: 'server', id: serverId }, { filter: noFilter, limit: 20, timeZone: useTimeZone() }),
  )
  // A change of state is an event: shown at once, not at the next asking.
  useEffect(() => void makeStale(queries, answersOf(listServerEvents, { id: serverId })), [queries, serverId, state])
  return (
    <Card title={t('server.latest.title')} beside={<Link to={path}>{t('server.latest.all')}</Link>}>
      {events.data === undefined ? (
        events.isError ? (
          <ErrorNote error={events.error} />
        ) : (
          <SkeletonText lines={4} />
        )
      ) : events.data.data.length === 0 ? (
        <p className={classes.none}>{t('events.emptyTitle')}</p>
      ) : (
        <ul className={classes.latest}>
          {joinRepeats(
            events.data.data.filter(({ action }) => !internal.includes(action)),
            () => '',
          )
            .slice(0, shownEvents)
            .map((event) => (
              <li key={event.id} data-grave={event.level >= 40 || undefined}>
                <span>
                  <EventName event={event} />
                  {event.times > 1 && ` · ${t('events.times', { count: event.times })}`}
                </span>
                <time dateTime={event.created_at} title={format.dateTime(event.created_at)}>
                  {format.relative(event.created_at, now)}
                </time>
              </li>
            ))}
        </ul>
      )}
    </Card>
  )
}
