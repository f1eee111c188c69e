import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { pageSize, walletTransactionsQuery } from '#app/api/queries.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { useReceiptColumn, useTransactionColumns } from './transaction-columns.tsx'

/** Payments to and from a wallet, newest first. */
export function WalletTransactions({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const list = useQuery(walletTransactionsQuery(walletId, useAfter()))
  const columns = [...useTransactionColumns(), useReceiptColumn()]
  return (
    <KeysetTable
      query={list}
      size={pageSize}
      label={t('wallet.transactions')}
      columns={columns}
      rowKey={(entry) => entry.id}
      empty={
        <EmptyState title={t('wallet.transactionsEmpty')} text={t('wallet.transactionsEmptyText')} figure="sheep" />
      }
    />
  )
}
