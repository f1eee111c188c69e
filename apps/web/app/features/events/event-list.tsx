import { useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { type AuditEvent, eventCountLimit } from '@wakestone/contract/ground/event'
import { Link } from 'react-router'
import { renewSession } from '#app/api/client.ts'
import type { Translate } from '#app/i18n/create-i18n.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useTimeZone } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useTableAddress } from '#app/ui/table-address.ts'
import { DayFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { EventBrief, EventName, LevelBadge } from './event-parts.tsx'
import { actionsOf, type EventSource, eventsOnPage, eventsQuery, exportPath, readEventFilter } from './event-queries.ts'
import classes from './events.module.css'

const levels = [20, 30, 40, 50] as const
const filters = ['action', 'level', 'from', 'to']

/** How grave it is, what happened, and when. `path` is that of the list; each event has its own below. */
function columnsOf(t: Translate, path: string): Column<AuditEvent>[] {
  return [
    { key: 'level', header: t('events.level'), cell: (event) => <LevelBadge level={event.level} /> },
    {
      key: 'what',
      header: t('events.action'),
      phone: 'title',
      cell: (event) => (
        <div className={classes['what']}>
          <Link to={`${path}/${event.id}`} className={classes['name']}>
            <EventName event={event} />
          </Link>
          <EventBrief event={event} />
        </div>
      ),
    },
    {
      key: 'when',
      header: t('events.when'),
      align: 'end',
      cell: (event) => (
        <span className={classes['when']}>
          <DateTime value={event.created_at} />
        </span>
      ),
    },
  ]
}

type Shown = { source: EventSource; path: string; empty: string }

function useEventPage(source: EventSource) {
  const { search } = useTableAddress()
  const timeZone = useTimeZone()
  const filter = readEventFilter(search, source.kind)
  const events = useQuery(eventsQuery(source, { filter, limit: eventsOnPage + 1, timeZone }))
  return {
    events,
    filter,
    isFiltered: filters.some((name) => search.has(name)),
    isMany: events.data !== undefined && events.data.count >= eventCountLimit,
    file: exportPath(source, filter, timeZone),
  }
}

/** A screen of events. `path` is its own; each event has its page below. */
export function EventList({ description, ...shown }: Shown & { description: string }) {
  const { t } = useTranslation()
  const {
    events: { data },
    isMany,
    file,
  } = useEventPage(shown.source)
  const text = data === undefined ? description : t(isMany ? 'events.totalMany' : 'events.total', { count: data.count })
  return (
    <>
      <PageHeader title={t('events.title')} text={text} actions={<SaveButton path={file} />} />
      <EventTable {...shown} />
    </>
  )
}

/** Filters and list; filter and page are in the address. */
export function EventTable({ source, path, empty }: Shown) {
  const { t } = useTranslation()
  const { events, filter, isFiltered, isMany } = useEventPage(source)
  return (
    <>
      <EventFilters kind={source.kind} from={filter.from} to={filter.to} />
      <Card padded={false}>
        <KeysetTable
          query={events}
          size={eventsOnPage}
          isAtLeast={isMany}
          label={t('events.title')}
          columns={columnsOf(t, path)}
          rowKey={(event) => event.id}
          errorTitle={t('events.errorTitle')}
          skeletonRows={8}
          empty={
            <EmptyState
              title={isFiltered ? t('events.emptyFiltered') : t('events.emptyTitle')}
              text={empty}
              figure="none"
              {...(isFiltered ? { action: <ShowAll /> } : {})}
            />
          }
        />
      </Card>
    </>
  )
}

function ShowAll() {
  const { t } = useTranslation()
  const { to } = useTableAddress()
  return (
    <LinkButton to={to(Object.fromEntries(filters.map((name) => [name, null])))}>{t('events.clearFilter')}</LinkButton>
  )
}

function EventFilters({ kind, from, to }: { kind: EventSource['kind']; from: string | null; to: string | null }) {
  const { t, i18n } = useTranslation()
  const byName = new Intl.Collator(i18n.language)
  const actions = actionsOf(kind).map((action) => ({ value: action, label: t(`events.actions.${action}`) }))
  return (
    <TableFilters names={filters}>
      <SelectFilter
        name="action"
        label={t('events.action')}
        options={[
          { value: '', label: t('events.anyAction') },
          ...actions.toSorted((left, right) => byName.compare(left.label, right.label)),
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
      <DayFilter name="from" label={t('events.from')} {...(to === null ? {} : { most: to })} />
      <DayFilter name="to" label={t('events.to')} {...(from === null ? {} : { least: from })} />
    </TableFilters>
  )
}

/** A link to the file; a session that has run out meanwhile is renewed first, which a plain link could not. */
function SaveButton({ path }: { path: string }) {
  const { t } = useTranslation()
  return (
    <LinkButton
      to={path}
      reload
      icon={<IconDownload size={16} aria-hidden="true" />}
      onClick={(event) => {
        event.preventDefault()
        void renewSession().then(() => location.assign(path))
      }}
    >
      {t('events.save')}
    </LinkButton>
  )
}
