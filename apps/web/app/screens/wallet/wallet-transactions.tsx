import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { TransactionStatus } from '@wakestone/contract/states'
import type { Transaction } from '@wakestone/contract/transaction'
import { walletTransactionsQuery } from '#app/api/queries.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { DataTable, DataTableSkeleton, type Column, Pager } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { nextOf } from './wallet-log.tsx'

const looks: Record<TransactionStatus, { colour: BadgeColour; shape: BadgeShape }> = {
  DRAFT: { colour: 'muted', shape: 'ring' },
  NEW: { colour: 'lantern', shape: 'ring' },
  PROCESSING: { colour: 'lantern', shape: 'pulse' },
  READY_TO_CAPTURE: { colour: 'lantern', shape: 'pulse' },
  COMPLETED: { colour: 'moss', shape: 'filled' },
  FAILED: { colour: 'ember', shape: 'triangle' },
  CANCELLED: { colour: 'muted', shape: 'square' },
  ADMIN_ACTION: { colour: 'dusk', shape: 'filled' },
}

/** Payments to and from a wallet, newest first. */
export function WalletTransactions({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(walletTransactionsQuery(walletId, search.get('after') ?? undefined))
  const columns: Column<Transaction>[] = [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    {
      key: 'what',
      header: t('wallet.what'),
      cell: (entry) =>
        entry.action === 'DEPOSIT' ? (
          <Link to={path(`/payu/continue?transaction=${entry.id}`)}>{t(`wallet.actions.${entry.action}`)}</Link>
        ) : (
          t(`wallet.actions.${entry.action}`)
        ),
    },
    {
      key: 'provider',
      header: t('wallet.provider'),
      wideOnly: true,
      cell: (entry) => t(`wallet.providers.${entry.provider}`),
    },
    {
      key: 'status',
      header: t('wallet.status'),
      cell: (entry) => (
        <Badge size="small" {...looks[entry.status]}>
          {t(`wallet.statuses.${entry.status}`)}
        </Badge>
      ),
    },
    {
      key: 'amount',
      header: t('wallet.amount'),
      align: 'end',
      cell: (entry) => <Money value={{ amount: entry.amount, currency: entry.currency }} />,
    },
  ]
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <DataTableSkeleton label={t('wallet.transactions')} columns={columns} />
  if (data.data.length === 0 && !search.has('after'))
    return <EmptyState title={t('wallet.transactionsEmpty')} text={t('wallet.transactionsEmptyText')} figure="sheep" />
  return (
    <>
      <DataTable label={t('wallet.transactions')} columns={columns} rows={data.data} rowKey={(entry) => entry.id} />
      <Pager next={nextOf(data)} />
    </>
  )
}
