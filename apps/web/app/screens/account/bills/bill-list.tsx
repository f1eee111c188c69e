import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Bill } from '@wakestone/contract/sales/pay-later'
import { payBill } from '@wakestone/contract/sales/pay-later-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutUser, aboutWallet } from '#app/api/stale-answers.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { payLaterQuery } from '#app/features/payment/pay-later-query.ts'
import classes from './bills.module.css'

const looks = {
  open: { colour: 'lantern', shape: 'ring' },
  overdue: { colour: 'ember', shape: 'triangle' },
  paid: { colour: 'moss', shape: 'filled' },
} as const

/** Bills, the open ones first, each with its payment from the wallet. */
export function BillList() {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useProductName()
  const path = usePath()
  const { id } = useSignedInUser()
  const queries = useQueryClient()
  const list = useQuery(payLaterQuery(id))
  const pay = useMutation({
    mutationFn: (bill: Bill) => api(payBill, { params: { id, billId: bill.id }, body: {} }),
    onSuccess: () => makeStale(queries, ...aboutUser(id), ...aboutWallet()),
  })
  const lacksFunds = errorBodyOf(pay.error)?.error === 'wallet_has_not_funds'
  const columns: Column<Bill>[] = [
    {
      key: 'what',
      header: t('wallet.what'),
      cell: (bill) => bill.server?.name ?? nameOf(bill.product_id),
      phone: 'title',
    },
    { key: 'amount', header: t('wallet.amount'), cell: ({ amount }) => format.money(amount), align: 'end' },
    { key: 'due', header: t('bills.due'), cell: ({ due_at }) => <DateTime value={due_at} dateOnly /> },
    {
      key: 'state',
      header: t('wallet.status'),
      cell: ({ state }) => (
        <Badge {...looks[state]} size="small">
          {t(`bills.states.${state}`)}
        </Badge>
      ),
    },
    {
      key: 'pay',
      header: t('admin.action'),
      align: 'end',
      cell: (bill) =>
        bill.state === 'paid' ? (
          '–'
        ) : (
          <Button
            size="small"
            look={bill.state === 'overdue' ? 'primary' : 'secondary'}
            loading={pay.isPending && pay.variables.id === bill.id}
            onClick={() => pay.mutate(bill)}
          >
            {t('bills.pay')}
          </Button>
        ),
    },
  ]
  return (
    <Card id="bills" padded={false}>
      {pay.error !== null && (
        <div className={classes['failure']}>
          <ErrorNote error={pay.error} title={t('bills.failed')} />
          {lacksFunds && pay.variables !== undefined && (
            <LinkButton look="primary" to={path(`/wallets/${pay.variables.wallet_id}/recharge`)}>
              {t('wallet.topUp')}
            </LinkButton>
          )}
        </div>
      )}
      <QueryTable
        query={list}
        label={t('bills.title')}
        columns={columns}
        rows={list.data?.bills}
        rowKey={(bill) => bill.id}
        empty={<EmptyState title={t('bills.none')} text={t('bills.noneText')} figure="none" />}
      />
    </Card>
  )
}
