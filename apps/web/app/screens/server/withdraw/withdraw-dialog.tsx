import type { Withdrawal } from '@wakestone/contract/sales/withdrawal'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './withdraw.module.css'

/** Of which server, what comes back, and until when it is paid then. */
export function WithdrawalFacts({
  withdrawal: { deadline, refund, renewal },
  withDeadline = false,
}: {
  withdrawal: Withdrawal
  withDeadline?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useServerPage()
  return (
    <KeyValueList
      rows={[
        { key: t('withdraw.server'), value: server.name },
        ...(withDeadline ? [{ key: t('withdraw.deadline'), value: <DateTime value={deadline} /> }] : []),
        { key: t('withdraw.refund'), value: format.money(refund) },
        ...(renewal === null ? [] : [{ key: t('withdraw.endsThen'), value: <DateTime value={renewal.runs_until} /> }]),
      ]}
    />
  )
}

/** The second step: says once more what ends and what comes back, and asks for `name` where much is lost. */
export function WithdrawDialog({
  withdrawal,
  text,
  name,
  ...shared
}: {
  withdrawal: Withdrawal
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
  const facts = <WithdrawalFacts withdrawal={withdrawal} />
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
