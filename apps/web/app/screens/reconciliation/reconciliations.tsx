import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { type Reconciliation, reconciliationStates } from '@wakestone/contract/money/reconciliation'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { NumberedTable } from '#app/ui/query-table.tsx'
import { SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/reconciliations'
import { gatewayName } from '#app/features/payment/gateway-name.ts'
import { pageSize, readFilters, reconciliationsQuery } from './reconciliation-queries.ts'
import { ReportState } from './state-look.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const filters = readFilters(new URL(request.url).searchParams)
  return { queries: await prefetch(reconciliationsQuery(filters, context.get(webContext).api)) }
}

/** `/{lang}/admin/reconciliation`: each night's comparison of the payment providers with our books. */
export default function Reconciliations({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="reconciliation" />
      <PageHeader title={t('reconciliation.title')} text={t('reconciliation.text')} />
      <TableFilters names={['state', 'gateway']}>
        <SelectFilter
          name="state"
          label={t('reconciliation.state')}
          options={[
            { value: '', label: t('reconciliation.any') },
            ...reconciliationStates.map((state) => ({ value: state, label: t(`reconciliation.states.${state}`) })),
          ]}
        />
        <SelectFilter
          name="gateway"
          label={t('reconciliation.gateway')}
          options={[
            { value: '', label: t('reconciliation.any') },
            ...(['payu', 'paypal', 'paynow'] as const).map((id) => ({ value: id, label: t(`wallet.providers.${id}`) })),
          ]}
        />
      </TableFilters>
      <Reports />
    </HydrationBoundary>
  )
}

function Reports() {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const [search] = useSearchParams()
  const list = useQuery(reconciliationsQuery(readFilters(search)))
  const columns: Column<Reconciliation>[] = [
    {
      key: 'day',
      header: t('reconciliation.day'),
      phone: 'title',
      cell: ({ id, day }) => (
        <Link to={path(`/admin/reconciliation/${id}`)}>{`${format.day(day)} ${day.slice(0, 4)}`}</Link>
      ),
    },
    { key: 'gateway', header: t('reconciliation.gateway'), cell: ({ gateway }) => gatewayName(t, gateway) },
    { key: 'state', header: t('reconciliation.state'), cell: ({ state }) => <ReportState state={state} /> },
    {
      key: 'compared',
      header: t('reconciliation.compared'),
      align: 'end',
      cell: ({ compared }) => format.number(compared),
    },
    { key: 'healed', header: t('reconciliation.healed'), align: 'end', cell: ({ healed }) => format.number(healed) },
    { key: 'open', header: t('reconciliation.open'), align: 'end', cell: ({ open }) => format.number(open) },
  ]
  return (
    <Card padded={false}>
      <NumberedTable
        query={list}
        size={pageSize}
        label={t('reconciliation.title')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('reconciliation.emptyTitle')} text={t('reconciliation.emptyText')} />}
      />
    </Card>
  )
}
