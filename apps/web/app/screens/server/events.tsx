import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EventList, EventListSkeleton } from '#app/features/events/event-list.tsx'
import { readEventFilter, serverActions, serverEventsQuery } from '#app/features/events/event-queries.ts'
import eventClasses from '#app/features/events/events.module.css'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { Card } from '#app/ui/card.tsx'
import { Pager } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useServerPage } from './use-server-page.ts'

const levels = [20, 30, 40, 50] as const

/** `/s/{identity}/events`: what happened and when. Filter and page are in the address. */
export default function ServerEvents() {
  const { t } = useTranslation()
  const { server } = useServerPage()
  const [search, setSearch] = useSearchParams()
  const filter = readEventFilter(search)
  const events = useQuery(serverEventsQuery(server.id, filter))
  const isFiltered = filter.action !== null || filter.minLevel !== null
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(search)
    // Another choice begins at its first page.
    next.delete('after')
    if (value === '') next.delete(name)
    else next.set(name, value)
    setSearch(next, { preventScrollReset: true })
  }
  const list = events.data
  return (
    <>
      <PageMeta page="events" title={`${t('events.title')} · ${server.name}`} />
      <PageHeader
        title={t('events.title')}
        text={list === undefined ? t('events.description') : t('events.total', { count: list.count })}
      />
      <div className={eventClasses.filters}>
        <NativeSelect
          label={t('events.action')}
          value={filter.action ?? ''}
          onChange={(event) => choose('action', event.currentTarget.value)}
          data={[
            { value: '', label: t('events.anyAction') },
            ...serverActions.map((action) => ({ value: action, label: t(`events.actions.${action}`) })),
          ]}
        />
        <NativeSelect
          label={t('events.level')}
          value={String(filter.minLevel ?? '')}
          onChange={(event) => choose('level', event.currentTarget.value)}
          data={[
            { value: '', label: t('events.anyLevel') },
            ...levels.map((level) => ({
              value: String(level),
              label: t('events.andAbove', { level: t(`events.levels.${level}`) }),
            })),
          ]}
        />
      </div>
      <Card padded={false}>
        {list === undefined ? (
          events.isError ? (
            <ErrorState error={events.error} title={t('events.errorTitle')} onRetry={() => void events.refetch()} />
          ) : (
            <EventListSkeleton label={t('events.title')} />
          )
        ) : list.data.length === 0 ? (
          <EmptyState
            title={isFiltered ? t('events.emptyFiltered') : t('events.emptyTitle')}
            text={t('events.emptyText')}
            figure="none"
            {...(isFiltered ? { action: <LinkButton to="?">{t('events.clearFilter')}</LinkButton> } : {})}
          />
        ) : (
          <>
            <EventList label={t('events.title')} events={list.data} />
            <Pager next={list.data.length === 25 ? list.data.at(-1)?.id : undefined} />
          </>
        )}
      </Card>
    </>
  )
}
