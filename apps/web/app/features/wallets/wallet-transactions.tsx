import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { pageSize, walletTransactionsQuery } from '#app/api/queries.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { cutPage, readAfter, useTableAddress } from '#app/ui/table-address.ts'
import { transactionColumns } from './transaction-columns.tsx'

/** Payments to and from a wallet, newest first. */
export function WalletTransactions({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const { search } = useTableAddress()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    walletTransactionsQuery(walletId, readAfter(search).at(-1)),
  )
  const page = data && cutPage(data.data, pageSize)
  const columns = transactionColumns(t, path)
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
