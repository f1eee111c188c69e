import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ListedPayment } from '@wakestone/contract/admin/admin'
import { providerIds } from '@wakestone/contract/money/transaction'
import { transactionStatuses } from '@wakestone/contract/states'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminPageSize, type PaymentFilters, paymentsQuery } from '#app/features/admin/admin-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { Payer } from '#app/features/refunds/payer.tsx'
import { usePaymentColumns } from '#app/features/refunds/payment-columns.tsx'
import { useRefunding } from '#app/features/refunds/use-refunding.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { readAfter, readSearch, useAfter } from '#app/ui/table-address.ts'
import { DayFilter, SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/admin-payments'
import classes from './admin-payments.module.css'

export const handle = { frame: adminFrame } satisfies FrameHandle

const isDay = (value: string | null): value is string => value !== null && /^\d{4}-\d\d-\d\d$/.test(value)

function readFilters(search: URLSearchParams): PaymentFilters {
  const provider = providerIds.find((known) => known === search.get('provider'))
  const status = transactionStatuses.find((known) => known === search.get('status'))
  const [from, to] = [search.get('from'), search.get('to')]
  return {
    ...readSearch(search),
    ...(provider !== undefined && { provider }),
    ...(status !== undefined && { status }),
    ...(isDay(from) && { from }),
    // An end before the beginning would be refused.
    ...(isDay(to) && !(isDay(from) && to < from) && { to }),
  }
}

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  return { queries: await prefetch(paymentsQuery(readFilters(search), readAfter(search).at(-1), api)) }
}

/** `/{lang}/admin/payments`: what everybody paid or tried to pay, newest first. */
export default function AdminPayments({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const { from, to, status } = readFilters(search)
  const hasFailed = status === 'FAILED'
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminPayments" />
      <PageHeader title={t('adminPayments.title')} text={t('adminPayments.text')} />
      <div className={classes['views']}>
        <SegmentedLinks
          label={t('adminPayments.title')}
          options={[
            { to: '?', label: t('adminPayments.all'), active: status === undefined },
            { to: '?status=FAILED', label: t('adminPayments.failed'), active: hasFailed },
          ]}
        />
      </div>
      <TableFilters names={['q', 'provider', 'status', 'from', 'to']}>
        <SearchFilter label={t('adminPayments.search')} />
        <SelectFilter
          name="provider"
          label={t('wallet.provider')}
          options={[
            { value: '', label: t('adminPayments.anyProvider') },
            ...providerIds.map((value) => ({ value, label: t(`wallet.providers.${value}`) })),
          ]}
        />
        <SelectFilter
          name="status"
          label={t('wallet.status')}
          options={[
            { value: '', label: t('adminPayments.anyStatus') },
            ...transactionStatuses.map((value) => ({ value, label: t(`wallet.statuses.${value}`) })),
          ]}
        />
        <DayFilter name="from" label={t('reports.from')} {...(to !== undefined && { most: to })} />
        <DayFilter name="to" label={t('reports.to')} {...(from !== undefined && { least: from })} />
      </TableFilters>
      <Payments />
    </HydrationBoundary>
  )
}

function Payments() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const list = useQuery(paymentsQuery(readFilters(search), useAfter()))
  const refunding = useRefunding<ListedPayment>(({ username }) => username)
  const user: Column<ListedPayment> = {
    key: 'user',
    header: t('admin.user'),
    phone: 'title',
    cell: ({ user_id: id, username, sale }) => <Payer user={{ id, username }} buyer={sale} />,
  }
  const columns = usePaymentColumns({ leadsOn: false }).flatMap((column): Column<ListedPayment>[] =>
    column.key === 'date'
      ? [column, user]
      : column.key === 'what'
        ? [{ ...column, phone: 'line', cell: (payment) => <What payment={payment}>{column.cell(payment)}</What> }]
        : [column],
  )
  return (
    <>
      {refunding.above}
      <Card padded={false}>
        <KeysetTable
          query={list}
          size={adminPageSize}
          label={t('adminPayments.title')}
          columns={[...columns, ...refunding.columns]}
          rowKey={({ id }) => id}
          skeletonRows={8}
          empty={<EmptyState figure="none" title={t('adminPayments.emptyTitle')} text={t('adminPayments.emptyText')} />}
        />
      </Card>
    </>
  )
}

/** What was paid for, with the server and what went wrong. */
function What({ payment: { server, sale, failure }, children }: { payment: ListedPayment; children: ReactNode }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <span className={classes['what']}>
      {children}
      {sale !== null &&
        (server === null ? (
          <span className={classes['more']}>{sale.item}</span>
        ) : (
          <Link to={`/s/${server.id}/shop?tab=orders`}>{sale.item}</Link>
        ))}
      {server !== null && <Link to={path(`/admin/servers/${server.id}`)}>{server.name}</Link>}
      {failure === 'mismatch' ? (
        <span className={classes['failure']}>{t('adminPayments.mismatch')}</span>
      ) : (
        failure !== null && (
          <span className={classes['failure']} lang="en">
            {failure}
          </span>
        )
      )}
    </span>
  )
}
