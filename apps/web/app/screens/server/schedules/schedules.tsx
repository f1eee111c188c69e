import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { type Schedule, schedulesPerServer } from '@wakestone/contract/servers/schedules'
import { listSchedules } from '@wakestone/contract/servers/schedules-routes'
import { useState } from 'react'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { ScheduleCard } from './schedule-card.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import classes from './schedules.module.css'

/** `/s/{identity}/schedules`: what the server does by itself. */
export default function ServerSchedules() {
  const { t } = useTranslation()
  const { server, identity, canManage } = useServerPage()
  const queries = useQueryClient()
  const [edited, setEdited] = useState<Schedule | 'new' | null>(null)
  const { data, error, refetch } = useQuery({
    ...queryOf(listSchedules, { params: { id: server.id } }, { refetchInterval: 5_000 }),
    enabled: canManage,
  })
  const changed = () => makeStale(queries, answersOf(listSchedules, { id: server.id }))
  const isFull = (data?.length ?? 0) >= schedulesPerServer
  return (
    <>
      <PageMeta page="serverSchedules" title={`${t('schedules.title')} · ${server.name}`} />
      <PageHeader
        title={t('schedules.title')}
        text={t('schedules.text')}
        actions={
          canManage && (
            <Button
              look="primary"
              icon={<IconPlus />}
              why={isFull ? t('schedules.full', { count: schedulesPerServer }) : undefined}
              onClick={() => setEdited('new')}
            >
              {t('schedules.add')}
            </Button>
          )
        }
      />
      {!canManage ? (
        <ManagersOnly server={server} identity={identity} />
      ) : data === undefined ? (
        error === null ? (
          <Skeleton height={220} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <Card>
          <EmptyState title={t('schedules.emptyTitle')} text={t('schedules.emptyText')} figure="none" />
        </Card>
      ) : (
        <div className={classes['cards']}>
          {data.map((schedule) => (
            <ScheduleCard
              key={schedule.id}
              serverId={server.id}
              schedule={schedule}
              onEdit={() => setEdited(schedule)}
              onChanged={changed}
            />
          ))}
        </div>
      )}
      {edited !== null && (
        <ScheduleDialog
          serverId={server.id}
          schedule={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={changed}
        />
      )}
    </>
  )
}
