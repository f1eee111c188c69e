/** A payment by a BLIK code while it lasts: confirmed in the bank's app, or in want of another code. */
import { useQueryClient } from '@tanstack/react-query'
import { IconClock, IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { sendTransactionCode } from '@wakestone/contract/money/transactions-routes'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { api } from '#app/api/client.ts'
import { followTransactionQuery } from '#app/api/queries.ts'
import { BlikCodeInput, isWholeCode, missingDigits } from '#app/features/payment/blik-code-input.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import classes from './follow-payment.module.css'

/** How long a bank asks, of which `until` is the end. */
const wholeSeconds = 60

/** The bank's app asks its user. Once the time is up this page only waits: the bank may be late to tell. */
export function ConfirmInApp({ until, children }: { until: string; children: ReactNode }) {
  const { t } = useTranslation()
  // Unknown on the server: its clock is another one.
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000)))
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [until])
  return (
    <StatusPage
      icon={<IconDeviceMobile />}
      title={t('payment.blik.confirmTitle')}
      text={left === 0 ? t('payment.blik.lateText') : t('payment.blik.confirmText')}
      busy
    >
      {left !== null && left > 0 && (
        <div className={classes['left']}>
          <OperationProgress
            label={t('payment.blik.left', { count: left })}
            progress={Math.min(1, left / wholeSeconds)}
            isCountdown
          />
        </div>
      )}
      {children}
    </StatusPage>
  )
}

/** The code was no good; the same payment goes on by another. */
export function AnotherCode({ transaction, children }: { transaction: Transaction; children: ReactNode }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const failed = useErrorText(failure)
  const [tried, setTried] = useState(false)
  const fault =
    failure !== undefined && code === ''
      ? failed.text
      : tried && !isWholeCode(code)
        ? t('payment.blik.missing', { count: missingDigits(code) })
        : undefined
  const send = async () => {
    setTried(true)
    if (!isWholeCode(code)) return
    setBusy(true)
    try {
      const next = await api(sendTransactionCode, { params: { id: transaction.id }, body: { code } })
      queries.setQueryData(followTransactionQuery(transaction.id).queryKey, next)
    } catch (error) {
      setFailure(error)
      setCode('')
      setTried(false)
    }
    setBusy(false)
  }
  return (
    <StatusPage icon={<IconClock />} title={t('payment.blik.againTitle')} text={t('payment.blik.againText')}>
      <form
        className={classes['code']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <BlikCodeInput value={code} error={fault} onChange={setCode} />
        <Button type="submit" look="primary" fullWidth loading={busy}>
          {t('payment.blik.send')}
        </Button>
      </form>
      {children}
    </StatusPage>
  )
}
