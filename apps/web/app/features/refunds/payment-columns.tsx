import { Link } from 'react-router'
import type { AdminTransaction } from '@wakestone/contract/admin/admin'
import { useTransactionColumns } from '#app/features/wallets/transaction-columns.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import type { Column } from '#app/ui/data-table.tsx'
import classes from './refunds.module.css'

/** A list of payments where this one stands with all that is known of it. */
const paymentPath = (id: string) => `/admin/payments?q=${id}`

/**
 * Payments as administrators read them: each with what of it went back, each refund with its payment.
 * `leadsOn`: they lead to where they stand among all payments.
 */
export function usePaymentColumns({ leadsOn = true }: { leadsOn?: boolean } = {}): Column<AdminTransaction>[] {
  const path = usePath()
  return useTransactionColumns({ leadsOn: false }).map((column) =>
    column.key !== 'what'
      ? column
      : {
          ...column,
          cell: (payment: AdminTransaction) => (
            <span className={classes['what']}>
              {leadsOn ? <Link to={path(paymentPath(payment.id))}>{column.cell(payment)}</Link> : column.cell(payment)}
              <Returned payment={payment} />
              <ReturnOf payment={payment} />
            </span>
          ),
        },
  )
}

function Returned({ payment: { returned, amount, currency } }: { payment: AdminTransaction }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (returned === 0) return null
  return (
    <span className={classes['why']}>
      {returned < amount
        ? t('refunds.partBack', { amount: format.money({ amount: returned, currency }) })
        : t('refunds.wholeBack')}
    </span>
  )
}

function ReturnOf({ payment: { return_of: of, currency } }: { payment: AdminTransaction }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  if (of === null) return null
  return (
    <span className={classes['why']}>
      <Link to={path(paymentPath(of.id))}>
        {t('refunds.ofPayment', { amount: format.money({ amount: of.amount, currency }) })}
      </Link>
    </span>
  )
}
