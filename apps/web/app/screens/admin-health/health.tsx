import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Health } from '@wakestone/contract/admin/health'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { healthQuery } from '#app/features/admin/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { gatewayName } from '#app/features/payment/gateway-name.ts'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/health'
import classes from './health.module.css'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(healthQuery(context.get(webContext).api)) }
}

/** `/{lang}/admin/health`: what somebody should look at first, then all that is measured. */
export default function HealthPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminHealth" />
      <PageHeader title={t('adminHealth.title')} text={t('adminHealth.text')} />
      <Measured />
    </HydrationBoundary>
  )
}

function Measured() {
  const { data, error, refetch } = useQuery(healthQuery())
  if (data !== undefined) return <Shown health={data} />
  return error === null ? <Skeleton height={420} /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

function Shown({ health }: { health: Health }) {
  return (
    <div className={classes['page']}>
      <Troubles health={health} />
      <div className={classes['columns']}>
        <Lag health={health} />
        <Places health={health} />
      </div>
      <Queues health={health} />
      <Providers health={health} />
      <LateBackups health={health} />
    </div>
  )
}

function Troubles({ health: { troubles, at } }: { health: Health }) {
  const { t } = useTranslation()
  return (
    <Card title={t('adminHealth.troublesTitle')} beside={<DateTime value={at} />}>
      <ul className={classes['troubles']} aria-live="polite">
        {troubles.length === 0 && (
          <li className={classes['well']}>
            <IconCircleCheck size={20} aria-hidden="true" />
            {t('adminHealth.well')}
          </li>
        )}
        {troubles.map(({ trouble, count }) => (
          <li key={trouble}>
            <IconAlertTriangle size={20} aria-hidden="true" />
            {t(`adminHealth.troubles.${trouble}`, { count })}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Lag({ health: { lag } }: { health: Health }) {
  const { t } = useTranslation()
  const format = useFormat()
  const late = ({ count, seconds }: { count: number; seconds: number }) =>
    count === 0 ? t('adminHealth.none') : t('adminHealth.late', { count, time: format.duration(seconds) })
  const rows = [
    { key: t('adminHealth.looks'), value: late(lag.looks) },
    { key: t('adminHealth.unreached'), value: late(lag.unreached) },
    { key: t('adminHealth.operations'), value: late(lag.operations) },
    { key: t('adminHealth.deliveries'), value: late(lag.deliveries) },
    { key: t('adminHealth.shop'), value: late(lag.shop) },
    {
      key: t('adminHealth.records'),
      value:
        lag.records.count === 0
          ? t('adminHealth.none')
          : t('adminHealth.recordCount', { count: lag.records.count, failed: lag.records.failed }),
    },
  ]
  return (
    <Card title={t('adminHealth.lag')}>
      <KeyValueList rows={rows} />
    </Card>
  )
}

function Places({ health: { disk, certificates } }: { health: Health }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = [
    ...disk.map(({ place, total, free }) => ({
      key: t(`adminHealth.places.${place}`),
      value: t('adminClusters.freeOf', { free: format.bytes(free), all: format.bytes(total) }),
    })),
    ...certificates.map(({ name, subject, ends, renews, error }) => ({
      key: subject === '' ? name : subject,
      value: (
        <>
          {ends !== null && <DateTime value={ends} />}
          {ends === null && error === null && t(renews ? 'adminHealth.certificateComes' : 'adminHealth.unreadable')}
          {error !== null && <span> {t('adminHealth.certificateFailed', { error })}</span>}
        </>
      ),
    })),
  ]
  return (
    <Card title={t('adminHealth.disk')}>
      <KeyValueList rows={rows} />
      {certificates.length === 0 && <p className={classes['text']}>{t('adminHealth.noCertificates')}</p>}
    </Card>
  )
}

/** A single job that has just come is nothing to look at: many come by the clock, all in the same moment. */
const isBusy = ({ waiting, active, failed, oldest_seconds: oldest }: Health['queues'][number]) =>
  active + failed > 0 || waiting > 1 || (oldest !== null && oldest >= 5)

function Queues({ health: { queues } }: { health: Health }) {
  const { t } = useTranslation()
  const format = useFormat()
  const number = (key: 'waiting' | 'active' | 'failed' | 'done'): Column<Health['queues'][number]> => ({
    key,
    header: t(`adminHealth.${key}`),
    align: 'end',
    cell: (queue) => format.number(queue[key]),
  })
  const columns: Column<Health['queues'][number]>[] = [
    { key: 'name', header: t('adminHealth.queue'), phone: 'title', cell: ({ name }) => <code>{name}</code> },
    number('waiting'),
    {
      key: 'oldest',
      header: t('adminHealth.oldest'),
      align: 'end',
      cell: ({ oldest_seconds }) => (oldest_seconds === null ? '–' : format.duration(oldest_seconds)),
    },
    number('active'),
    number('failed'),
    number('done'),
  ]
  const busy = queues.filter(isBusy)
  const idle = queues.filter((queue) => !isBusy(queue))
  return (
    <Card padded={false} title={t('adminHealth.queues')}>
      {(busy.length > 0 || idle.length === 0) && (
        <DataTable
          label={t('adminHealth.queues')}
          rows={busy}
          columns={columns}
          rowKey={({ name }) => name}
          empty={<EmptyState figure="none" title={t('adminHealth.none')} text={t('adminHealth.noQueues')} />}
        />
      )}
      {/* Most have nothing to do, and little to say. */}
      {idle.length > 0 && (
        <details className={classes['idle']}>
          <summary>{t('adminHealth.idle', { count: idle.length })}</summary>
          <ul>
            {idle.map(({ name, done }) => (
              <li key={name}>
                <code>{name}</code>
                <span>{`${t('adminHealth.done')}: ${format.number(done)}`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

function Providers({ health: { providers } }: { health: Health }) {
  const { t } = useTranslation()
  const format = useFormat()
  const when = (time: string | null) => (time === null ? '–' : <DateTime value={time} />)
  const columns: Column<Health['providers'][number]>[] = [
    {
      key: 'provider',
      header: t('adminHealth.provider'),
      phone: 'title',
      cell: ({ provider }) => gatewayName(t, provider),
    },
    { key: 'open', header: t('adminHealth.openPayments'), align: 'end', cell: ({ open }) => format.number(open) },
    { key: 'asked', header: t('adminHealth.asked'), cell: ({ asked_at }) => when(asked_at) },
    { key: 'heard', header: t('adminHealth.heard'), cell: ({ heard_at }) => when(heard_at) },
    { key: 'waiting', header: t('adminHealth.waiting'), align: 'end', cell: ({ waiting }) => format.number(waiting) },
    { key: 'refused', header: t('adminHealth.refused'), align: 'end', cell: ({ refused }) => format.number(refused) },
  ]
  return (
    <Card padded={false} title={t('adminHealth.providers')}>
      <DataTable
        label={t('adminHealth.providers')}
        rows={providers}
        columns={columns}
        rowKey={({ provider }) => provider}
        empty={
          <EmptyState figure="none" title={t('adminHealth.noProvidersTitle')} text={t('adminHealth.noProviders')} />
        }
      />
    </Card>
  )
}

function LateBackups({ health: { backups } }: { health: Health }) {
  const { t } = useTranslation()
  const path = usePath()
  const when = (time: string | null) => (time === null ? t('admin.never') : <DateTime value={time} />)
  const columns: Column<Health['backups']['late'][number]>[] = [
    {
      key: 'server',
      header: t('admin.server'),
      phone: 'title',
      cell: ({ server }) => <Link to={path(`/admin/servers/${server.id}`)}>{server.name}</Link>,
    },
    { key: 'due', header: t('adminHealth.due'), cell: ({ due_at }) => <DateTime value={due_at} /> },
    { key: 'last', header: t('adminHealth.lastBackup'), cell: ({ last_at }) => when(last_at) },
    {
      key: 'failed',
      header: t('adminHealth.failedAt'),
      align: 'end',
      cell: ({ failed_at }) => (failed_at === null ? '–' : <DateTime value={failed_at} />),
    },
  ]
  return (
    <Card padded={false} title={t('adminHealth.backups')}>
      <DataTable
        label={t('adminHealth.backups')}
        rows={backups.late}
        columns={columns}
        rowKey={({ server }) => server.id}
        empty={
          <EmptyState figure="none" title={t('adminHealth.backupsWellTitle')} text={t('adminHealth.backupsWell')} />
        }
      />
    </Card>
  )
}
