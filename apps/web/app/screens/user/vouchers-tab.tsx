import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin'
import type { VoucherUse } from '@wakestone/contract/voucher'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { voucherUsesQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { cutPage, readAfter, useTableAddress } from '#app/ui/table-address.ts'

/** Vouchers that the user has redeemed. */
export function VouchersTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const { search } = useTableAddress()
  const { data, error, refetch, isPlaceholderData } = useQuery(voucherUsesQuery(user.id, readAfter(search).at(-1)))
  const page = data && cutPage(data.data, adminPageSize)
  const columns: Column<VoucherUse>[] = [
    { key: 'at', header: t('wallet.date'), cell: ({ ts }) => <DateTime value={ts} /> },
    { key: 'group', header: t('makeVouchers.fields.group'), cell: ({ voucher }) => voucher.group_id ?? '–' },
    { key: 'voucher', header: t('admin.voucher'), phone: 'title', cell: ({ voucher_id }) => <code>{voucher_id}</code> },
  ]
  return (
    <Card padded={false}>
      <DataTable
        label={t('admin.tab.vouchers')}
        columns={columns}
        rows={page?.rows}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        isWaiting={isPlaceholderData}
        empty={<EmptyState title={t('admin.noVouchersTitle')} text={t('admin.noVouchersText')} />}
      >
        <KeysetPager next={page?.next} shown={page?.rows.length ?? 0} size={adminPageSize} count={data?.count} />
      </DataTable>
    </Card>
  )
}
