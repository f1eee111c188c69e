import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { canRefundAsAdmin } from '@wakestone/contract/capabilities'
import { type PaymentReturn, paymentReturnKinds, paymentReturnStates } from '@wakestone/contract/money/payment-return'
import { Payer } from '#app/features/refunds/payer.tsx'
import { pageSize, readFilters, returnsQuery } from '#app/features/refunds/refunds-queries.ts'
import { ReturnState } from '#app/features/refunds/return-state.tsx'
import { endsOf, SettleDialog } from '#app/features/refunds/settle-dialog.tsx'
import classes from '#app/features/refunds/refunds.module.css'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { gatewayName } from '#app/features/payment/gateway-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { NumberedTable } from '#app/ui/query-table.tsx'
import { SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'

/** Has ended as it was meant to. It may come back all the same; a chargeback waits to be won. */
const isOver = ({ kind, state }: PaymentReturn) => kind !== 'chargeback' && state === 'COMPLETED'

/** Refunds and chargebacks, newest first. */
export function ReturnList() {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const [search] = useSearchParams()
  const administrator = useSignedInUser()
  const [settling, setSettling] = useState<PaymentReturn>()
  const list = useQuery(returnsQuery(readFilters(search)))
  const canSettle = canRefundAsAdmin(administrator.user_capabilities)
  const columns: Column<PaymentReturn>[] = [
    { key: 'date', header: t('wallet.date'), cell: (row) => <DateTime value={row.created_at} /> },
    {
      key: 'payer',
      header: t('refunds.payer'),
      phone: 'title',
      cell: ({ user, buyer }) => <Payer user={user} buyer={buyer} />,
    },
    {
      key: 'what',
      header: t('wallet.what'),
      cell: (row) => (
        <span>
          {t(`refunds.kinds.${row.kind}`)}
          <span className={classes['why']}>{`${gatewayName(t, row.gateway)}: ${row.failure ?? row.reason}`}</span>
          {row.still_owed.amount > 0 && (
            <span className={classes['why']}>{`${t('refunds.owed')}: ${format.money(row.still_owed)}`}</span>
          )}
        </span>
      ),
    },
    { key: 'state', header: t('wallet.status'), cell: (row) => <ReturnState {...row} /> },
    { key: 'amount', header: t('wallet.amount'), align: 'end', cell: ({ amount }) => <Money value={amount} /> },
    {
      key: 'end',
      header: t('refunds.outcome'),
      phone: 'buttons',
      align: 'end',
      cell: (row) =>
        canSettle && endsOf(row).length > 0 ? (
          <span className={classes['whole']}>
            {isOver(row) ? (
              <Button size="small" look="quiet" onClick={() => setSettling(row)}>
                {t('refunds.cameBack')}
              </Button>
            ) : (
              <Button size="small" onClick={() => setSettling(row)}>
                {t('refunds.settleShort')}
              </Button>
            )}
          </span>
        ) : (
          '–'
        ),
    },
  ]
  const any = { value: '', label: t('reconciliation.any') }
  return (
    <>
      <TableFilters names={['kind', 'state']}>
        <SelectFilter
          name="kind"
          label={t('refunds.what')}
          options={[any, ...paymentReturnKinds.map((kind) => ({ value: kind, label: t(`refunds.kinds.${kind}`) }))]}
        />
        <SelectFilter
          name="state"
          label={t('wallet.status')}
          options={[
            any,
            ...paymentReturnStates.map((state) => ({ value: state, label: t(`refunds.states.${state}`) })),
          ]}
        />
      </TableFilters>
      <SettleDialog row={settling} onClose={() => setSettling(undefined)} />
      <Card padded={false}>
        <NumberedTable
          query={list}
          size={pageSize}
          label={t('refunds.returns')}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              title={t('refunds.emptyTitle')}
              text={t('refunds.emptyText')}
              action={<LinkButton to={path('/admin/payments')}>{t('adminPayments.title')}</LinkButton>}
              figure="none"
            />
          }
        />
      </Card>
    </>
  )
}
