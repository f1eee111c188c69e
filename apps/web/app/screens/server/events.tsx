import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { eventsOnPage, readEventFilter, serverActions, serverEventsQuery } from '#app/features/events/event-queries.ts'
import { eventColumns } from '#app/features/events/event-table.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTimeZone } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { cutPage, useTableAddress } from '#app/ui/table-address.ts'
import { DayFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { useServerPage } from './use-server-page.ts'

const levels = [20, 30, 40, 50] as const
const filters = ['action', 'level', 'from', 'to']

/** `/s/{identity}/events`: what happened and when. Filter and page are in the address. */
export default function ServerEvents() {
  const { t } = useTranslation()
  const { server } = useServerPage()
  const { search } = useTableAddress()
  const filter = readEventFilter(search)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    serverEventsQuery(server.id, { filter, limit: eventsOnPage + 1, timeZone: useTimeZone() }),
  )
  const page = data && cutPage(data.data, eventsOnPage)
  const isFiltered = filters.some((name) => search.has(name))
  return (
    <>
      <PageMeta page="events" title={`${t('events.title')} · ${server.name}`} />
      <PageHeader
        title={t('events.title')}
        text={data === undefined ? t('events.description') : t('events.total', { count: data.count })}
      />
      <TableFilters names={filters}>
        <SelectFilter
          name="action"
          label={t('events.action')}
          options={[
            { value: '', label: t('events.anyAction') },
            ...serverActions.map((action) => ({ value: action, label: t(`events.actions.${action}`) })),
          ]}
        />
        <SelectFilter
          name="level"
          label={t('events.level')}
          options={[
            { value: '', label: t('events.anyLevel') },
            ...levels.map((level) => ({
              value: String(level),
              label: t('events.andAbove', { level: t(`events.levels.${level}`) }),
            })),
          ]}
        />
        <DayFilter name="from" label={t('events.from')} {...(filter.to === null ? {} : { most: filter.to })} />
        <DayFilter name="to" label={t('events.to')} {...(filter.from === null ? {} : { least: filter.from })} />
      </TableFilters>
      <Card padded={false}>
        <DataTable
          label={t('events.title')}
          columns={eventColumns(t)}
          rows={page?.rows}
          rowKey={(event) => event.id}
          error={error}
          errorTitle={t('events.errorTitle')}
          onRetry={() => void refetch()}
          isWaiting={isPlaceholderData}
          skeletonRows={8}
          empty={
            <EmptyState
              title={isFiltered ? t('events.emptyFiltered') : t('events.emptyTitle')}
              text={t('events.emptyText')}
              figure="none"
              {...(isFiltered ? { action: <LinkButton to="?">{t('events.clearFilter')}</LinkButton> } : {})}
            />
          }
        >
          <KeysetPager next={page?.next} shown={page?.rows.length ?? 0} size={eventsOnPage} count={data?.count} />
        </DataTable>
      </Card>
    </>
  )
}
