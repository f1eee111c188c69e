import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminBill } from '@wakestone/contract/sales/pay-later'
import { planName } from '#app/features/servers/server-names.ts'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { overdueBillsQuery } from './affiliates-queries.ts'

/** Bills that were not paid in time; what they bought stands still. */
export function OverdueBills() {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const list = useQuery(overdueBillsQuery(useAfter()))
  const columns: Column<AdminBill>[] = [
    {
      key: 'user',
      header: t('affiliates.user'),
      cell: ({ user }) => <Link to={path(`/user/${user.id}`)}>{user.username}</Link>,
      phone: 'title',
    },
    { key: 'what', header: t('wallet.what'), cell: (bill) => bill.server?.name ?? planName(bill.product_id) },
    { key: 'amount', header: t('wallet.amount'), cell: ({ amount }) => format.money(amount), align: 'end' },
    { key: 'due', header: t('bills.due'), cell: ({ due_at }) => <DateTime value={due_at} dateOnly /> },
  ]
  return (
    <Card title={t('affiliates.overdue')} padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('affiliates.overdue')}
        columns={columns}
        rowKey={(bill) => bill.id}
        empty={<EmptyState title={t('affiliates.noneOverdue')} text={t('affiliates.noneOverdueText')} figure="none" />}
      />
    </Card>
  )
}
