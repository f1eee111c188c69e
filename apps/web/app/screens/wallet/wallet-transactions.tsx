import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import type { TransactionStatus } from '@wakestone/contract/states'
import type { Transaction } from '@wakestone/contract/transaction'
import { pageSize, walletTransactionsQuery } from '#app/api/queries.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { cutPage, readAfter, useTableAddress } from '#app/ui/table-address.ts'

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
  const { search } = useTableAddress()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    walletTransactionsQuery(walletId, readAfter(search).at(-1)),
  )
  const page = data && cutPage(data.data, pageSize)
  const columns: Column<Transaction>[] = [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    {
      key: 'what',
      header: t('wallet.what'),
      phone: 'title',
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
      phone: 'hidden',
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
  return (
    <DataTable
      label={t('wallet.transactions')}
      columns={columns}
      rows={page?.rows}
      rowKey={(entry) => entry.id}
      error={error}
      onRetry={() => void refetch()}
      isWaiting={isPlaceholderData}
      empty={
        <EmptyState title={t('wallet.transactionsEmpty')} text={t('wallet.transactionsEmptyText')} figure="sheep" />
      }
    >
      <KeysetPager next={page?.next} shown={page?.rows.length ?? 0} size={pageSize} count={data?.count} />
    </DataTable>
  )
}
