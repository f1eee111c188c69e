import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin'
import { adminPageSize, adminTransactionsQuery } from '#app/features/admin/admin-queries.ts'
import { transactionColumns } from '#app/features/wallets/transaction-columns.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { cutPage, readAfter, useTableAddress } from '#app/ui/table-address.ts'

/** Payments on all wallets. */
export function TransactionsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const path = usePath()
  const { search } = useTableAddress()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    adminTransactionsQuery(user.id, readAfter(search).at(-1)),
  )
  const page = data && cutPage(data.data, adminPageSize)
  return (
    <Card padded={false}>
      <DataTable
        label={t('admin.tab.transactions')}
        columns={transactionColumns(t, path)}
        rows={page?.rows}
        rowKey={(transaction) => transaction.id}
        error={error}
        onRetry={() => void refetch()}
        isWaiting={isPlaceholderData}
        empty={<EmptyState title={t('admin.noTransactionsTitle')} text={t('admin.noTransactionsText')} />}
      >
        <KeysetPager next={page?.next} shown={page?.rows.length ?? 0} size={adminPageSize} count={data?.count} />
      </DataTable>
    </Card>
  )
}
