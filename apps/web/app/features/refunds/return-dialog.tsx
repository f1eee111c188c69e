import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chargebackBody, refundBody, type TransactionReturns } from '@wakestone/contract/payment-return'
import type { Transaction } from '@wakestone/contract/transaction'
import { z } from 'zod'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { transactionReturnsQuery, useEnterChargeback, useRefund } from './refunds-queries.ts'
import { ReturnState } from './return-state.tsx'
import classes from './refunds.module.css'

type Given = { transaction: Transaction; onClose: () => void }

/** Gives a payment back to its payer, or notes that it was taken. Without a transaction it is closed. */
export function ReturnDialog({
  user,
  transaction,
  onClose,
}: {
  user: { username: string }
  transaction: Transaction | undefined
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={transaction !== undefined}
      onClose={onClose}
      title={t('refunds.dialogTitle', { name: user.username })}
    >
      {transaction && <Returns key={transaction.id} transaction={transaction} onClose={onClose} />}
    </Modal>
  )
}

function Returns({ transaction, onClose }: Given) {
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
      {way === 'refund' ? (
        <RefundForm transaction={transaction} returns={data} onClose={onClose} />
      ) : (
        <TakenForm transaction={transaction} onClose={onClose} />
      )}
    </>
  )
}

/** What is typed as an amount of this currency, as the contract wants it. */
const amountOf = (currency: string) =>
  z
    .string()
    .transform((typed) => parseAmount(typed, currencyDigits(currency)) ?? 0)
    .pipe(refundBody.shape.amount)

/** As it would be typed in this language. */
function useTyped() {
  const format = useFormat()
  const mark = format.money({ amount: 1, currency: 'EUR' }).includes(',') ? ',' : '.'
  return ({ amount, currency }: { amount: number; currency: string }) =>
    (amount / 10 ** currencyDigits(currency)).toFixed(currencyDigits(currency)).replace('.', mark)
}

function RefundForm({ transaction, returns, onClose }: Given & { returns: TransactionReturns }) {
  const { t } = useTranslation()
  const typed = useTyped()
  const refund = useRefund(transaction.id)
  // One key for as long as the dialog is open: sent again after a lost answer, it is the same refund.
  const [key] = useState(() => crypto.randomUUID())
  const form = useZodForm(refundBody.extend({ amount: amountOf(transaction.currency) }), {
    amount: returns.obstacle === null ? typed(returns.refundable) : '',
    reason: '',
  })
  if (returns.obstacle !== null) {
    return (
      <>
        <p className={classes['note']}>{t(`refunds.obstacles.${returns.obstacle}`)}</p>
        <div className={classes['actions']}>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </div>
      </>
    )
  }
  const submit = form.submit(async (body) => {
    await refund(body, key)
    onClose()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <AmountInput currency={transaction.currency} field={form.field('amount')} />
      <Textarea
        label={t('admin.topUpReason')}
        description={t('admin.topUpReasonHint')}
        autosize
        minRows={2}
        maxLength={500}
        {...form.field('reason')}
      />
      <p className={classes['note']}>{t('refunds.refundNote')}</p>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="danger" loading={form.busy}>
          {t('refunds.giveBack')}
        </Button>
      </div>
    </form>
  )
}

function TakenForm({ transaction, onClose }: Given) {
  const { t } = useTranslation()
  const typed = useTyped()
  const enter = useEnterChargeback(transaction.id)
  const form = useZodForm(
    chargebackBody.extend({ amount: amountOf(transaction.currency), kind: z.enum(['chargeback', 'outside']) }),
    { kind: 'chargeback', amount: typed(transaction), reason: '', case_id: '' },
  )
  const submit = form.submit(async (body) => {
    await enter(body)
    onClose()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <NativeSelect
        label={t('refunds.what')}
        data={(['chargeback', 'outside'] as const).map((value) => ({ value, label: t(`refunds.kinds.${value}`) }))}
        value={form.values.kind}
        onChange={(event) => form.set('kind', event.currentTarget.value as 'chargeback' | 'outside')}
      />
      <AmountInput currency={transaction.currency} field={form.field('amount')} />
      <TextInput
        label={t('refunds.caseId')}
        description={t('refunds.caseIdHint')}
        autoComplete="off"
        maxLength={64}
        {...form.field('case_id')}
      />
      <Textarea label={t('admin.topUpReason')} autosize minRows={2} maxLength={500} {...form.field('reason')} />
      <p className={classes['note']}>{t('refunds.takenNote')}</p>
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="danger" loading={form.busy}>
          {t('refunds.noteTaken')}
        </Button>
      </div>
    </form>
  )
}

function AmountInput({ currency, field }: { currency: string; field: object }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('admin.topUpAmount')}
      inputMode="decimal"
      rightSection={currency}
      rightSectionWidth={56}
      autoComplete="off"
      {...field}
    />
  )
}
