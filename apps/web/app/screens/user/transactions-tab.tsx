import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { canRefundAsAdmin } from '@wakestone/contract/capabilities'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { adminPageSize, adminTransactionsQuery } from '#app/features/admin/admin-queries.ts'
import classes from '#app/features/refunds/refunds.module.css'
import { ReturnDialog } from '#app/features/refunds/return-dialog.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTransactionColumns } from '#app/features/wallets/transaction-columns.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'

const gateways: readonly Transaction['provider'][] = ['payu', 'paypal', 'paynow', 'blik']
/** What came in from a payment provider. */
const isPayment = ({ action, status, amount, provider, return_kind }: Transaction) =>
  action === 'DEPOSIT' && status === 'COMPLETED' && amount > 0 && return_kind === null && gateways.includes(provider)

/** Payments on all wallets. */
export function TransactionsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const paymentColumns = useTransactionColumns()
  const list = useQuery(adminTransactionsQuery(user.id, useAfter()))
  const administrator = useSignedInUser()
  const [returning, setReturning] = useState<Transaction>()
  const columns: Column<Transaction>[] = [
    ...paymentColumns,
    ...(canRefundAsAdmin(administrator.user_capabilities)
      ? [
          {
            key: 'return',
            header: t('refunds.title'),
            align: 'end' as const,
            cell: (entry: Transaction) =>
              isPayment(entry) ? (
                <span className={classes['whole']}>
                  <Button size="small" onClick={() => setReturning(entry)}>
                    {t('refunds.giveBack')}
                  </Button>
                </span>
              ) : (
                '–'
              ),
          },
        ]
      : []),
  ]
  return (
    <Card padded={false}>
      <ReturnDialog user={user} transaction={returning} onClose={() => setReturning(undefined)} />
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('admin.tab.transactions')}
        columns={columns}
        rowKey={(transaction) => transaction.id}
        empty={<EmptyState title={t('admin.noTransactionsTitle')} text={t('admin.noTransactionsText')} />}
      />
    </Card>
  )
}
