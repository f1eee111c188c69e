import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import type { VoucherUse } from '@wakestone/contract/sales/voucher'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { voucherUsesQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'

/** Vouchers that the user has redeemed. */
export function VouchersTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const list = useQuery(voucherUsesQuery(user.id, useAfter()))
  const columns: Column<VoucherUse>[] = [
    { key: 'at', header: t('wallet.date'), cell: ({ ts }) => <DateTime value={ts} /> },
    { key: 'group', header: t('makeVouchers.fields.group'), cell: ({ voucher }) => voucher.group_id ?? '–' },
    { key: 'voucher', header: t('admin.voucher'), phone: 'title', cell: ({ voucher_id }) => <code>{voucher_id}</code> },
  ]
  return (
    <Card padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('admin.tab.vouchers')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('admin.noVouchersTitle')} text={t('admin.noVouchersText')} />}
      />
    </Card>
  )
}
