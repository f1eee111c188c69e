import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { pageSize, walletTransactionsQuery } from '#app/api/queries.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { useReceiptColumn, useTransactionColumns } from './transaction-columns.tsx'

/** Payments to and from a wallet, newest first. `isOwn`: its owner reads them, who has pages and documents of them. */
export function WalletTransactions({ walletId, isOwn = true }: { walletId: string; isOwn?: boolean }) {
  const { t } = useTranslation()
  const list = useQuery(walletTransactionsQuery(walletId, useAfter()))
  const columns = useTransactionColumns({ leadsOn: isOwn })
  const receipt = useReceiptColumn()
  return (
    <KeysetTable
      query={list}
      size={pageSize}
      label={t('wallet.transactions')}
      columns={isOwn ? [...columns, receipt] : columns}
      rowKey={(entry) => entry.id}
      empty={
        <EmptyState title={t('wallet.transactionsEmpty')} text={t('wallet.transactionsEmptyText')} figure="sheep" />
      }
    />
  )
}
