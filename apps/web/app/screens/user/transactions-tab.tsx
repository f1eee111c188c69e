import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { adminPageSize, adminTransactionsQuery } from '#app/features/admin/admin-queries.ts'
import { usePaymentColumns } from '#app/features/refunds/payment-columns.tsx'
import { useRefunding } from '#app/features/refunds/use-refunding.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'

/** Payments on all wallets. */
export function TransactionsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const list = useQuery(adminTransactionsQuery(user.id, useAfter()))
  const columns = usePaymentColumns()
  const refunding = useRefunding(() => user.username)
  return (
    <>
      {refunding.above}
      <Card padded={false}>
        <KeysetTable
          query={list}
          size={adminPageSize}
          label={t('admin.tab.transactions')}
          columns={[...columns, ...refunding.columns]}
          rowKey={(transaction) => transaction.id}
          empty={<EmptyState title={t('admin.noTransactionsTitle')} text={t('admin.noTransactionsText')} />}
        />
      </Card>
    </>
  )
}
