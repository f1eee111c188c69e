import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { Debt } from '@wakestone/contract/money/payment-return'
import { debtsQuery, pageSize, readDebtsPage } from '#app/features/refunds/refunds-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { NumberedTable } from '#app/ui/query-table.tsx'

/** What users owe after payments were taken back, the open ones first. */
export function DebtList() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const list = useQuery(debtsQuery(readDebtsPage(search)))
  const columns: Column<Debt>[] = [
    {
      key: 'user',
      header: t('affiliates.user'),
      phone: 'title',
      cell: ({ user }) => <Link to={path(`/user/${user.id}?tab=transactions`)}>{user.username}</Link>,
    },
    { key: 'since', header: t('wallet.date'), cell: (row) => <DateTime value={row.created_at} /> },
    {
      key: 'settled',
      header: t('refunds.settledAt'),
      cell: (row) => (row.settled_at === null ? '–' : <DateTime value={row.settled_at} />),
    },
    { key: 'amount', header: t('wallet.amount'), align: 'end', cell: ({ amount }) => <Money value={amount} /> },
    {
      key: 'open',
      header: t('refunds.owed'),
      align: 'end',
      cell: ({ open }) => (open.amount === 0 ? '–' : <Money value={open} />),
    },
  ]
  return (
    <Card padded={false}>
      <NumberedTable
        query={list}
        size={pageSize}
        label={t('refunds.debts')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('refunds.noDebtsTitle')} text={t('refunds.noDebtsText')} figure="none" />}
      />
    </Card>
  )
}
