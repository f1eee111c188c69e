import type { Withdrawal } from '@wakestone/contract/sales/withdrawal'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './withdraw.module.css'
import type { WithdrawSubject } from './withdraw-steps.tsx'

/** The server or website, the refund, and until when it is paid afterwards. */
export function WithdrawalFacts({
  withdrawal: { deadline, refund, renewal },
  subject: { kind, name },
  withDeadline = false,
}: {
  withdrawal: Withdrawal
  subject: WithdrawSubject
  withDeadline?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <KeyValueList
      rows={[
        { key: t(`withdraw.${kind}.label`), value: name },
        ...(withDeadline ? [{ key: t('withdraw.deadline'), value: <DateTime value={deadline} /> }] : []),
        { key: t('withdraw.refund'), value: format.money(refund) },
        ...(renewal === null
          ? []
          : [{ key: t(`withdraw.${kind}.endsThen`), value: <DateTime value={renewal.runs_until} /> }]),
      ]}
    />
  )
}

/** The second step: says once more what ends and what comes back, and asks for `name` where much is lost. */
export function WithdrawDialog({
  withdrawal,
  subject,
  text,
  name,
  ...shared
}: {
  withdrawal: Withdrawal
  subject: WithdrawSubject
  opened: boolean
  onClose: () => void
  title: string
  text: string
  /** To be typed. */
  name: string | null
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const words = { ...shared, action: t('withdraw.confirm') }
  const facts = <WithdrawalFacts withdrawal={withdrawal} subject={subject} />
  if (name === null)
    return (
      <ConfirmDialog {...words} text={text}>
        {facts}
      </ConfirmDialog>
    )
  return (
    <ConfirmByTyping
      {...words}
      text={
        <div className={classes['parts']}>
          <p>{text}</p>
          {facts}
        </div>
      }
      name={name}
    />
  )
}
