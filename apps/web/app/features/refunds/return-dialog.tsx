import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chargebackBody, refundBody, type TransactionReturns } from '@wakestone/contract/money/payment-return'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { z } from 'zod'
import { randomId } from '#app/api/random-id.ts'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { AmountInput } from '#app/features/wallets/amount-input.tsx'
import { amountSchema } from '#app/features/wallets/amount-schema.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { transactionReturnsQuery, useEnterChargeback, useRefund } from './refunds-queries.ts'
import { ReturnState } from './return-state.tsx'
import classes from './refunds.module.css'

type Given = {
  transaction: Transaction
  /** Whose payment it is. */
  name: string
  onClose: () => void
  /** Says what has happened, in words. */
  onDone: (text: string) => void
}

/** Gives a payment back to its payer, or notes that it was taken. Without a transaction it is closed. */
export function ReturnDialog({
  transaction,
  ...given
}: Omit<Given, 'transaction'> & { transaction: Transaction | undefined }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={transaction !== undefined}
      onClose={given.onClose}
      title={t('refunds.dialogTitle', { name: given.name })}
    >
      {transaction && <Returns key={transaction.id} transaction={transaction} {...given} />}
    </Modal>
  )
}

function Returns(given: Given) {
  const { transaction } = given
  const { t } = useTranslation()
  const format = useFormat()
  const [way, setWay] = useState<'refund' | 'taken'>('refund')
  const { data, error, refetch } = useQuery(transactionReturnsQuery(transaction.id))
  if (data === undefined) {
    return error === null ? <Skeleton height={220} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const came = { amount: transaction.amount, currency: transaction.currency }
  return (
    <>
      <KeyValueList
        rows={[
          { key: t('refunds.came'), value: format.money(came) },
          { key: t('refunds.left'), value: format.money(data.left) },
          { key: t('refunds.refundable'), value: <strong>{format.money(data.refundable)}</strong> },
        ]}
      />
      {data.data.length > 0 && (
        <ul className={classes['past']} aria-label={t('refunds.before')}>
          {data.data.map((one) => (
            <li key={one.id}>
              <span>
                {t(`refunds.kinds.${one.kind}`)}, {format.money(one.amount)}
              </span>
              <ReturnState {...one} />
            </li>
          ))}
        </ul>
      )}
      <div className={classes['ways']}>
        <Segmented
          label={t('refunds.what')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'refund', label: t('refunds.giveBack') },
            { value: 'taken', label: t('refunds.noteTaken') },
          ]}
        />
      </div>
      {way === 'refund' ? <RefundForm {...given} returns={data} /> : <TakenForm {...given} />}
    </>
  )
}

function RefundForm({ transaction, name, returns, onClose, onDone }: Given & { returns: TransactionReturns }) {
  const { t } = useTranslation()
  const format = useFormat()
  const refund = useRefund(transaction.id)
  // One key for as long as the dialog is open: sent again after a lost answer, it is the same refund.
  const [key] = useState(randomId)
  const form = useZodForm(refundBody.extend({ amount: amountSchema(transaction.currency, refundBody.shape.amount) }), {
    amount: returns.obstacle === null ? format.typed(returns.refundable) : '',
    reason: '',
  })
  if (returns.obstacle !== null) {
    return (
      <>
        <p className={classes['note']}>{t(`refunds.obstacles.${returns.obstacle}`)}</p>
        <div className={classes['end']}>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </div>
      </>
    )
  }
  const submit = form.submit(async (body) => {
    await refund(body, key)
    onClose()
    const amount = format.money({ amount: body.amount, currency: transaction.currency })
    onDone(t('refunds.refunded', { amount, name }))
  })
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('refunds.giveBack')}
      look="danger"
      busy={form.busy}
      failure={form.failure}
    >
      <AmountInput currency={transaction.currency} {...form.field('amount')} />
      <ReasonInput description={t('admin.reasonRead')} {...form.field('reason')} />
      <p className={classes['note']}>{t('refunds.refundNote')}</p>
    </DialogForm>
  )
}

function TakenForm({ transaction, name, onClose, onDone }: Given) {
  const { t } = useTranslation()
  const format = useFormat()
  const enter = useEnterChargeback(transaction.id)
  const form = useZodForm(
    chargebackBody.extend({
      amount: amountSchema(transaction.currency, chargebackBody.shape.amount),
      kind: z.enum(['chargeback', 'outside']),
    }),
    { kind: 'chargeback', amount: format.typed(transaction), reason: '', case_id: '' },
  )
  const submit = form.submit(async (body) => {
    await enter(body)
    onClose()
    const amount = format.money({ amount: body.amount, currency: transaction.currency })
    onDone(t('refunds.recorded', { amount, name }))
  })
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('refunds.noteTaken')}
      look="danger"
      busy={form.busy}
      failure={form.failure}
    >
      <NativeSelect
        label={t('refunds.what')}
        data={(['chargeback', 'outside'] as const).map((value) => ({ value, label: t(`refunds.kinds.${value}`) }))}
        value={form.values.kind}
        onChange={(event) => form.set('kind', event.currentTarget.value as 'chargeback' | 'outside')}
      />
      <AmountInput currency={transaction.currency} {...form.field('amount')} />
      <TextInput
        label={t('refunds.caseId')}
        description={t('refunds.caseIdHint')}
        autoComplete="off"
        maxLength={64}
        {...form.field('case_id')}
      />
      <ReasonInput {...form.field('reason')} />
      <p className={classes['note']}>{t('refunds.takenNote')}</p>
    </DialogForm>
  )
}
