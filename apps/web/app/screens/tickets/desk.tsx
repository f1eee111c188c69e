import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isAdmin } from '@wakestone/contract/capabilities'
import { answerClocks, deskStates, type DeskTicket } from '@wakestone/contract/accounts/support'
import { answerSoonHours, ticketTopics } from '@wakestone/contract/values'
import { prefetch } from '#app/api/prefetch.ts'
import { deskFrame } from '#app/features/admin/desk-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { AnswerClock } from '#app/features/support/answer-clock.tsx'
import { deskPageSize, deskQuery, readDesk } from '#app/features/support/ticket-queries.ts'
import { TicketStatusBadge } from '#app/features/support/ticket-status.tsx'
import classes from '#app/features/support/tickets.module.css'
import { useTicketChanges } from '#app/features/support/use-ticket-changes.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { NumberedTable } from '#app/ui/query-table.tsx'
import { SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/desk'
import { MacrosDialog } from './macros-dialog.tsx'

export const handle = { frame: deskFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireCapability(request, context, 'admin.support')
  const { api } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  return {
    queries: await prefetch(deskQuery(readDesk(searchParams), api)),
    isAdmin: isAdmin(user.user_capabilities),
  }
}

/** `/{lang}/admin/tickets`: who waits for an answer, the longest first. */
export default function Desk({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  useTicketChanges()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="desk" />
      <PageHeader
        title={t('desk.title')}
        text={t('desk.text')}
        actions={<Button onClick={() => setEditing(true)}>{t('desk.macros')}</Button>}
      />
      <List />
      {isEditing && <MacrosDialog onClose={() => setEditing(false)} />}
    </HydrationBoundary>
  )
}

function List() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const list = useQuery(deskQuery(readDesk(search)))
  const columns: Column<DeskTicket>[] = [
    {
      key: 'subject',
      header: t('support.subject'),
      phone: 'title',
      cell: (row) => (
        <>
          <Link to={path(`/admin/tickets/${row.id}`)}>{`#${row.number} ${row.subject}`}</Link>
          <div className={classes['topic']}>{t(`support.topics.${row.topic}`)}</div>
        </>
      ),
    },
    { key: 'writer', header: t('desk.writer'), cell: (row) => row.user?.username ?? row.email },
    { key: 'status', header: t('wallet.status'), cell: (row) => <TicketStatusBadge status={row.status} forDesk /> },
    { key: 'assignee', header: t('desk.assignee'), cell: (row) => row.assignee?.username ?? '–' },
    { key: 'clock', header: t('desk.clock'), cell: (row) => <AnswerClock due={row.answer_due_at} /> },
    {
      key: 'updated',
      header: t('desk.updated'),
      align: 'end',
      phone: 'hidden',
      cell: (row) => <DateTime value={row.updated_at} />,
    },
  ]
  const { overdue = 0, answer_hours: hours } = list.data ?? {}
  return (
    <>
      <TableFilters names={['state', 'topic', 'assignee', 'clock', 'q']}>
        <SelectFilter
          name="state"
          label={t('wallet.status')}
          options={[
            { value: '', label: t('desk.notOver') },
            ...deskStates.map((value) => ({ value, label: t(`desk.states.${value}`) })),
          ]}
        />
        <SelectFilter
          name="topic"
          label={t('desk.topic')}
          options={[
            { value: '', label: t('desk.any') },
            ...ticketTopics.map((value) => ({ value, label: t(`support.topics.${value}`) })),
          ]}
        />
        <SelectFilter
          name="assignee"
          label={t('desk.assignee')}
          options={[
            { value: '', label: t('desk.anybody') },
            { value: 'me', label: t('desk.me') },
            { value: 'nobody', label: t('desk.nobody') },
          ]}
        />
        <SelectFilter
          name="clock"
          label={t('desk.clock')}
          options={[
            { value: '', label: t('desk.any') },
            ...answerClocks.map((value) => ({ value, label: t(`desk.clocks.${value}`, { count: answerSoonHours }) })),
          ]}
        />
        <SearchFilter label={t('desk.search')} />
      </TableFilters>
      <Card
        padded={false}
        title={t('desk.queue')}
        beside={
          hours !== undefined && (
            <span className={overdue > 0 ? classes['late'] : classes['hint']}>
              {overdue > 0 ? t('desk.overdue', { count: overdue }) : t('desk.inTime', { count: hours })}
            </span>
          )
        }
      >
        <NumberedTable
          query={list}
          size={deskPageSize}
          label={t('desk.queue')}
          columns={columns}
          rowKey={({ id }) => id}
          skeletonRows={8}
          empty={<EmptyState title={t('desk.emptyTitle')} text={t('desk.emptyText')} />}
        />
      </Card>
    </>
  )
}
