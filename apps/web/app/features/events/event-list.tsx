import { useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { type AuditAction, type AuditEvent, eventCountLimit } from '@wakestone/contract/ground/event'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { renewSession } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, useTimeZone } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { cutPage, useTableAddress } from '#app/ui/table-address.ts'
import { ChoicesFilter } from '#app/ui/choices-filter.tsx'
import { DayFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { EventBrief, EventName, LevelBadge } from './event-parts.tsx'
import {
  actionsOf,
  type EventSource,
  eventsOnPage,
  eventsQuery,
  exportPath,
  leastLevels,
  readEventFilter,
} from './event-queries.ts'
import { type EventTopic, topicOf } from './event-topics.ts'
import classes from './events.module.css'
import { PackageTitles } from './package-titles.tsx'
import { joinRepeats, type Repeated } from './repeats.ts'

/** It need not be said of each. */
const usualLevel = 20
const filters = ['action', 'level', 'from', 'to']

/** Days as the visitor counts them, `yyyy-mm-dd`. */
function useDay(): (time: string) => string {
  const timeZone = useTimeZone()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
    return (time) => format.format(new Date(time))
  }, [timeZone])
}

/** What happened, and when; how grave it is where that says something. `path` is that of the list. */
function useColumns(path: string): Column<Repeated>[] {
  const { t } = useTranslation()
  const { to } = useTableAddress()
  const dayOf = useDay()
  const each = (event: Repeated) => {
    const day = dayOf(event.created_at)
    return to({ action: event.action, from: day, to: day })
  }
  return [
    {
      key: 'what',
      header: t('events.action'),
      phone: 'title',
      cell: (event) => (
        <div className={classes['what']}>
          <div className={classes['line']}>
            <Link to={`${path}/${event.id}`} className={classes['name']}>
              <EventName event={event} />
            </Link>
            {event.level !== usualLevel && <LevelBadge level={event.level} />}
            {event.times > 1 && (
              <Link to={each(event)} className={classes['times']} preventScrollReset>
                {t('events.times', { count: event.times })}
              </Link>
            )}
          </div>
          <EventBrief event={event} />
        </div>
      ),
    },
    {
      key: 'when',
      header: t('events.when'),
      align: 'end',
      phone: 'aside',
      cell: (event) => <TimeOfDay value={event.created_at} />,
    },
  ]
}

/** The day stands above. */
function TimeOfDay({ value }: { value: string }) {
  const format = useFormat()
  return (
    <time dateTime={value} title={format.dateTime(value)} className={classes['when']}>
      {format.time(value)}
    </time>
  )
}

type Shown = { source: EventSource; path: string; empty: string }

function useEventPage(source: EventSource) {
  const { search } = useTableAddress()
  const timeZone = useTimeZone()
  const { user_capabilities: viewer } = useSignedInUser()
  const actions = actionsOf(source.kind, viewer)
  const filter = readEventFilter(search, actions)
  const events = useQuery(eventsQuery(source, { filter, limit: eventsOnPage + 1, timeZone }))
  return {
    events,
    actions,
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
  const { events, actions, filter, isFiltered, isMany } = useEventPage(source)
  const columns = useColumns(path)
  const dayOf = useDay()
  const format = useFormat()
  const page = events.data && cutPage(events.data.data, eventsOnPage, (event) => event.id)
  // Who chose one kind of event wants to see each of them.
  const join = filter.actions.length !== 1 ? joinRepeats : (all: readonly AuditEvent[]) => all.map(alone)
  const named = (table: ReactNode) =>
    source.kind === 'server' ? (
      <PackageTitles serverId={source.id} events={page?.rows ?? []}>
        {table}
      </PackageTitles>
    ) : (
      table
    )
  return (
    <>
      <EventFilters actions={actions} from={filter.from} to={filter.to} />
      {named(
        <Card padded={false}>
          <QueryTable
            query={events}
            label={t('events.title')}
            columns={columns}
            rows={page && join(page.rows, dayOf)}
            rowKey={(event) => event.id}
            groupOf={({ created_at }) => ({ key: dayOf(created_at), label: format.date(created_at) })}
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
          >
            <KeysetPager
              next={page?.next}
              shown={page?.rows.length ?? 0}
              size={eventsOnPage}
              count={events.data?.count}
              isAtLeast={isMany}
            />
          </QueryTable>
        </Card>,
      )}
    </>
  )
}

const alone = (event: AuditEvent): Repeated => ({ ...event, times: 1 })

function ShowAll() {
  const { t } = useTranslation()
  const { to } = useTableAddress()
  return (
    <LinkButton to={to(Object.fromEntries(filters.map((name) => [name, null])))}>{t('events.clearFilter')}</LinkButton>
  )
}

function EventFilters({
  actions,
  from,
  to,
}: {
  actions: readonly AuditAction[]
  from: string | null
  to: string | null
}) {
  const { t, i18n } = useTranslation()
  const byName = new Intl.Collator(i18n.language)
  const topics = new Map<EventTopic, { value: string; label: string }[]>()
  for (const action of actions) {
    const topic = topicOf(action)
    topics.set(topic, [...(topics.get(topic) ?? []), { value: action, label: t(`events.actions.${action}`) }])
  }
  const groups = [...topics].map(([topic, options]) => ({
    group: t(`events.topics.${topic}`),
    items: options.toSorted((left, right) => byName.compare(left.label, right.label)),
  }))
  return (
    <TableFilters names={filters}>
      <ChoicesFilter
        name="action"
        label={t('events.action')}
        any={t('events.anyAction')}
        groups={groups.toSorted((left, right) => byName.compare(left.group, right.group))}
      />
      <SelectFilter
        name="level"
        label={t('events.level')}
        options={[
          { value: '', label: t('events.anyLevel') },
          ...leastLevels.map((level) => ({ value: String(level), label: t(`events.leastLevels.${level}`) })),
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
        void renewSession()
          .catch(() => false)
          .then(() => location.assign(path))
      }}
    >
      {t('events.save')}
    </LinkButton>
  )
}
