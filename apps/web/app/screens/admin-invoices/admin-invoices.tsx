import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import type { AdminSaleDocument, DueDocument } from '@wakestone/contract/invoicing/invoice'
import { listInvoices, retryInvoice } from '@wakestone/contract/invoicing/invoices-routes'
import { Link } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { pageSize } from '#app/api/queries.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { invoiceColumns } from '#app/features/invoices/invoice-columns.tsx'
import { allInvoicesQuery, readInvoiceFilter } from '#app/features/invoices/invoice-queries.ts'
import classes from '#app/features/invoices/invoices.module.css'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { readAfter, useAfter, useTableAddress } from '#app/ui/table-address.ts'
import { DayFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { Route } from './+types/admin-invoices'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api: client } = context.get(webContext)
  const search = new URL(request.url).searchParams
  return { queries: await prefetch(allInvoicesQuery(readInvoiceFilter(search), readAfter(search).at(-1), client)) }
}

/** `/{lang}/admin/invoices`: everybody's documents, for the accountant, and what is stuck. */
export default function AdminInvoices({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminInvoices" />
      <PageHeader title={t('invoices.adminTitle')} text={t('invoices.adminText')} />
      <List />
    </HydrationBoundary>
  )
}

function List() {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const { search } = useTableAddress()
  const filter = readInvoiceFilter(search)
  const list = useQuery(allInvoicesQuery(filter, useAfter()))
  const retry = useRetry()
  const [number, date, kind, gross, files] = invoiceColumns<AdminSaleDocument>(t, language) as [
    Column<AdminSaleDocument>,
    Column<AdminSaleDocument>,
    Column<AdminSaleDocument>,
    Column<AdminSaleDocument>,
    Column<AdminSaleDocument>,
  ]
  const document: Column<AdminSaleDocument> = {
    ...number,
    cell: (entry) => (
      <>
        {number.cell(entry)}
        <div className={classes['muted']}>{kind.cell(entry)}</div>
      </>
    ),
  }
  const buyer: Column<AdminSaleDocument> = {
    key: 'buyer',
    header: t('invoices.buyer'),
    cell: (entry) => (
      <div>
        <Link to={path(`/user/${entry.user_id}`)}>{entry.buyer_name || '–'}</Link>
        <div className={classes['muted']}>
          {`${entry.country_code} · ${t(`invoices.treatments.${entry.treatment}`)} `}
          {entry.place_contradicts && (
            <Badge size="small" colour="lantern" shape="triangle">
              {t('invoices.contradicts')}
            </Badge>
          )}
        </div>
      </div>
    ),
  }
  const state: Column<AdminSaleDocument> = {
    key: 'state',
    header: t('invoices.eInvoice'),
    cell: ({ id, e_invoice }) =>
      e_invoice === null ? (
        '–'
      ) : e_invoice.state === 'failed' ? (
        <div>
          <span title={e_invoice.last_error ?? undefined}>{t('invoices.states.failed')}</span>
          <Button size="small" className={classes['retry'] ?? ''} onClick={() => void retry(id)}>
            {t('invoices.retry')}
          </Button>
        </div>
      ) : (
        (e_invoice.ksef_number ?? t(`invoices.states.${e_invoice.state}`))
      ),
  }
  return (
    <>
      {list.data !== undefined && list.data.due.length > 0 && (
        <Stuck due={list.data.due} onRetry={(id) => void retry(id)} />
      )}
      <TableFilters names={['from', 'to', 'kind', 'attention']}>
        <DayFilter name="from" label={t('invoices.from')} />
        <DayFilter name="to" label={t('invoices.to')} />
        <SelectFilter
          name="kind"
          label={t('invoices.kind')}
          options={[
            { value: '', label: t('invoices.anyKind') },
            ...(['invoice', 'receipt', 'credit_note'] as const).map((value) => ({
              value,
              label: t(`invoices.kinds.${value}`),
            })),
          ]}
        />
        <SelectFilter
          name="attention"
          label={t('invoices.show')}
          options={[
            { value: '', label: t('invoices.all') },
            { value: '1', label: t('invoices.attention') },
          ]}
        />
        <LinkButton
          to={`/api/v1/admin/invoices.csv?${new URLSearchParams(filter as Record<string, string>)}`}
          icon={<IconDownload size={16} aria-hidden="true" />}
          reload
          download
        >
          {t('invoices.csv')}
        </LinkButton>
      </TableFilters>
      <Card padded={false}>
        <KeysetTable
          query={list}
          size={pageSize}
          label={t('invoices.adminTitle')}
          columns={[document, date, buyer, state, gross, files]}
          rowKey={(entry) => entry.id}
          empty={<EmptyState title={t('invoices.noneTitle')} text={t('invoices.noneText')} figure="none" />}
        />
      </Card>
    </>
  )
}

function useRetry() {
  const client = useQueryClient()
  return async (id: string) => {
    try {
      await api(retryInvoice, { params: { id } })
      await makeStale(client, answersOf(listInvoices))
    } catch (error) {
      showErrorToast(error)
    }
  }
}

function Stuck({ due, onRetry }: { due: readonly DueDocument[]; onRetry: (id: string) => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes['stuck']} role="status">
      <b>{t('invoices.stuck', { count: due.length })}</b>
      <ul>
        {due.map((one) => (
          <li key={one.transaction_id}>
            {one.last_error}
            <Button size="small" className={classes['retry'] ?? ''} onClick={() => onRetry(one.transaction_id)}>
              {t('invoices.retry')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
