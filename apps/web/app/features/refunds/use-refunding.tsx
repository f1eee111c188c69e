import { type ReactNode, useState } from 'react'
import { canRefundAsAdmin } from '@wakestone/contract/capabilities'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { ReturnDialog } from './return-dialog.tsx'
import classes from './refunds.module.css'

const gateways: readonly Transaction['provider'][] = ['payu', 'paypal', 'paynow', 'blik']
/** What came in from a payment provider. */
const isPayment = ({ action, status, amount, provider, return_kind }: Transaction) =>
  action === 'DEPOSIT' && status === 'COMPLETED' && amount > 0 && return_kind === null && gateways.includes(provider)

/**
 * The column from which payments are refunded, where the administrator may, and what belongs above its table: the
 * dialog, and what came of it.
 */
export function useRefunding<Row extends Transaction>(
  nameOf: (payment: Row) => string,
): { columns: Column<Row>[]; above: ReactNode } {
  const { t } = useTranslation()
  const administrator = useSignedInUser()
  const [returning, setReturning] = useState<Row>()
  const [done, setDone] = useState<string>()
  if (!canRefundAsAdmin(administrator.user_capabilities)) return { columns: [], above: null }
  const begin = (payment: Row) => {
    setDone(undefined)
    setReturning(payment)
  }
  return {
    columns: [
      {
        key: 'return',
        header: t('refunds.title'),
        align: 'end',
        phone: 'buttons',
        cell: (payment) =>
          isPayment(payment) && (
            <span className={classes['whole']}>
              <Button size="small" onClick={() => begin(payment)}>
                {t('refunds.giveBack')}
              </Button>
            </span>
          ),
      },
    ],
    above: (
      <>
        <div role="status">{done !== undefined && <p className={classes['done']}>{done}</p>}</div>
        <ReturnDialog
          name={returning === undefined ? '' : nameOf(returning)}
          transaction={returning}
          onClose={() => setReturning(undefined)}
          onDone={setDone}
        />
      </>
    ),
  }
}
