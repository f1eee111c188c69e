import { NativeSelect } from '@mantine/core'
import {
  type PaymentReturn,
  paymentReturnSteps,
  settledByHand,
  settleReturnBody,
} from '@wakestone/contract/money/payment-return'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useSettle } from './refunds-queries.ts'
import classes from './refunds.module.css'

/** Ends that an administrator may tell of, as a return stands. */
export const endsOf = ({ state }: Pick<PaymentReturn, 'state'>) =>
  settledByHand.filter((outcome) => paymentReturnSteps[state].includes(outcome))

/** Says how a return has ended where its provider does not. Without one it is closed. */
export function SettleDialog({ row, onClose }: { row: PaymentReturn | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened={row !== undefined} onClose={onClose} title={t('refunds.settleTitle')}>
      {row && <SettleForm key={row.id} row={row} onClose={onClose} />}
    </Modal>
  )
}

function SettleForm({ row, onClose }: { row: PaymentReturn; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const settle = useSettle(row.id)
  const ends = endsOf(row)
  const form = useZodForm(settleReturnBody, { outcome: ends[0] ?? 'RETURNED', reason: '' })
  const submit = form.submit(async (body) => {
    await settle(body)
    onClose()
  })
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('refunds.settle')}
      look="danger"
      busy={form.busy}
      failure={form.failure}
    >
      <p className={classes['note']}>
        {t('refunds.settleText', { amount: format.money(row.amount), name: row.buyer?.player ?? row.user.username })}
      </p>
      <NativeSelect
        label={t('refunds.outcome')}
        data={ends.map((value) => ({ value, label: t(`refunds.outcomes.${value}`) }))}
        value={form.values.outcome}
        onChange={(event) => form.set('outcome', event.currentTarget.value as (typeof ends)[number])}
      />
      <ReasonInput description={t('refunds.settleReasonHint')} {...form.field('reason')} />
    </DialogForm>
  )
}
