import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconDownload } from '@tabler/icons-react'
import type { Difference, Reconciliation } from '@wakestone/contract/money/reconciliation'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Money } from '#app/ui/money.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import type { Route } from './+types/reconciliation'
import { gatewayName } from '#app/features/payment/gateway-name.ts'
import { reconciliationQuery } from './reconciliation-queries.ts'
import classes from './reconciliation.module.css'
import { ReportState } from './state-look.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(reconciliationQuery(params.reconciliationId, context.get(webContext).api)) }
}

/** `/{lang}/admin/reconciliation/{id}`: what was different on a day, line by line. */
export default function ReconciliationPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="reconciliation" />
      <Report id={params.reconciliationId} />
    </HydrationBoundary>
  )
}

function Report({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { data: report, error, refetch } = useQuery(reconciliationQuery(id))
  if (report === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const day = `${format.day(report.day)} ${report.day.slice(0, 4)}`
  return (
    <>
      <PageHeader
        title={`${gatewayName(t, report.gateway)}, ${day}`}
        text={t(`reconciliation.about.${report.state}`)}
      />
      <div className={classes['report']}>
        <div className={classes['actions']}>
          <LinkButton to={path('/admin/reconciliation')} icon={<IconArrowLeft size={16} aria-hidden="true" />}>
            {t('reconciliation.all')}
          </LinkButton>
          {report.lines.length > 0 && (
            <LinkButton
              to={`/api/v1/admin/reconciliations/${id}/lines.csv`}
              icon={<IconDownload size={16} aria-hidden="true" />}
              reload
              download
            >
              {t('reports.save')}
            </LinkButton>
          )}
        </div>
        <Card>
          <Figures report={report} />
        </Card>
        <Card padded={false} title={t('reconciliation.lines')}>
          <DataTable
            label={t('reconciliation.lines')}
            rows={report.lines}
            columns={lineColumns(t)}
            rowKey={(line) => `${line.movement} ${line.gateway_id} ${line.order_id}`}
            empty={<EmptyState title={t('reconciliation.noLinesTitle')} text={t('reconciliation.noLinesText')} />}
          />
        </Card>
      </div>
    </>
  )
}

function Figures({ report }: { report: Reconciliation }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <KeyValueList
      rows={[
        { key: t('reconciliation.state'), value: <ReportState state={report.state} /> },
        { key: t('reconciliation.method'), value: t(`reconciliation.methods.${report.method}`) },
        ...(['compared', 'healed', 'open', 'unanswered'] as const).map((name) => ({
          key: t(`reconciliation.${name}`),
          value: format.number(report[name]),
        })),
        { key: t('reconciliation.finished'), value: <DateTime value={report.finished_at} /> },
      ]}
    />
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

function lineColumns(t: Translate): Column<Difference>[] {
  const amount = (value: number | null, currency: string | null) =>
    value === null || currency === null ? '–' : <Money value={{ amount: value, currency }} />
  return [
    {
      key: 'kind',
      header: t('reconciliation.difference'),
      phone: 'title',
      cell: ({ kind, movement }) =>
        `${t(`reconciliation.movements.${movement}`)}: ${t(`reconciliation.kinds.${kind}`)}`,
    },
    {
      key: 'ours',
      header: t('reconciliation.ours'),
      align: 'end',
      cell: ({ our_amount, currency }) => amount(our_amount, currency),
    },
    {
      key: 'theirs',
      header: t('reconciliation.theirs'),
      align: 'end',
      cell: ({ their_amount, currency }) => amount(their_amount, currency),
    },
    {
      key: 'states',
      header: t('reconciliation.bothStates'),
      cell: ({ our_state, their_state }) => `${our_state ?? '–'} / ${their_state ?? '–'}`,
    },
    {
      key: 'ids',
      header: t('reconciliation.ids'),
      cell: ({ gateway_id, order_id, transaction_id }) => (
        <span className={classes['ids']}>{[gateway_id, order_id, transaction_id].filter(Boolean).join(' · ')}</span>
      ),
    },
    {
      key: 'healed',
      header: t('reconciliation.outcome'),
      cell: ({ healed }) => (
        <Badge
          size="small"
          {...(healed ? { colour: 'moss', shape: 'filled' } : { colour: 'ember', shape: 'triangle' })}
        >
          {t(healed ? 'reconciliation.isHealed' : 'reconciliation.isOpen')}
        </Badge>
      ),
    },
  ]
}
