import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconCircleCheck, IconCircleX, IconClock, IconReceiptOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { aboutWallet } from '#app/api/stale-answers.ts'
import { listUserWallets } from '@wakestone/contract/accounts/users-routes'
import { followTransactionQuery } from '#app/api/queries.ts'
import { announceTopUp, findReturn, forgetReturn } from '#app/features/payment/return-address.ts'
import { useMainWallet } from '#app/features/shell/use-main-wallet.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { AnotherCode, ConfirmInApp } from './blik.tsx'
import classes from './follow-payment.module.css'

/** Follows a payment by what the API knows, until it is over; survives a reload. `provider` is shown till then. */
export function FollowPayment({ id, provider }: { id: string; provider: string }) {
  const { data: transaction, error, refetch } = useQuery(followTransactionQuery(id))
  if (transaction !== undefined) return <Outcome transaction={transaction} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Waiting provider={provider} />
}

/** An address that names no payment. */
export function NoPayment() {
  const { t } = useTranslation()
  const path = usePath()
  const wallet = useMainWallet()
  return (
    <StatusPage tone="bad" icon={<IconReceiptOff />} title={t('payment.missing')} text={t('payment.missingText')}>
      {wallet && (
        <LinkButton look="primary" to={path(`/wallets/${wallet.id}`)}>
          {t('payment.toWallet')}
        </LinkButton>
      )}
    </StatusPage>
  )
}

function Outcome({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const path = usePath()
  const provider = t(`wallet.providers.${transaction.provider}`)
  const toWallet = <LinkButton to={path(`/wallets/${transaction.wallet_id}`)}>{t('payment.toWallet')}</LinkButton>
  const again = <TryAgain transaction={transaction} />
  switch (transaction.status) {
    case 'DRAFT':
    case 'NEW':
      if (transaction.wants_code) return <AnotherCode transaction={transaction}>{toWallet}</AnotherCode>
      return (
        <Waiting provider={provider}>
          {transaction.redirect_url !== null && (
            <Button onClick={() => location.assign(transaction.redirect_url ?? '')}>{t('payment.backToPay')}</Button>
          )}
          {toWallet}
        </Waiting>
      )
    case 'PROCESSING':
    case 'READY_TO_CAPTURE':
      if (transaction.confirm_until !== null)
        return <ConfirmInApp until={transaction.confirm_until}>{toWallet}</ConfirmInApp>
      return (
        <StatusPage
          icon={<IconClock />}
          title={t('payment.processingTitle')}
          text={t('payment.processingText', { provider })}
          busy
        >
          <Steps reached={1} />
          {toWallet}
        </StatusPage>
      )
    case 'COMPLETED':
    case 'ADMIN_ACTION':
      return <Completed key={transaction.id} transaction={transaction} />
    case 'FAILED':
      return (
        <StatusPage
          tone="bad"
          icon={<IconCircleX />}
          title={t('payment.failedTitle')}
          text={t('payment.failedText', { provider })}
        >
          {again}
          {toWallet}
        </StatusPage>
      )
    case 'CANCELLED':
      return (
        <StatusPage icon={<IconCircleX />} title={t('payment.cancelledTitle')} text={t('payment.cancelledText')}>
          {again}
          {toWallet}
        </StatusPage>
      )
  }
}

/** The same amount by the same method, and afterwards to where its payer came from. */
function TryAgain({
  transaction: { id, wallet_id: wallet, amount, currency, provider },
}: {
  transaction: Transaction
}) {
  const { t } = useTranslation()
  const path = usePath()
  const [from, setFrom] = useState<string | null>(null)
  useEffect(() => setFrom(findReturn(id)), [id])
  const search = new URLSearchParams({ amount: String(amount / 10 ** currencyDigits(currency)), method: provider })
  if (from !== null) search.set('from', from)
  return (
    <LinkButton look="primary" to={`${path(`/wallets/${wallet}/recharge`)}?${search}`}>
      {t('payment.again')}
    </LinkButton>
  )
}

function Waiting({ provider, children }: { provider: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <StatusPage
      icon={<IconClock />}
      title={t('payment.waitingTitle')}
      text={t('payment.waitingText', { provider })}
      busy
    >
      <Steps reached={0} />
      {children}
    </StatusPage>
  )
}

function Completed({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [next, setNext] = useState<string | null>(null)
  const { amount, currency } = transaction
  useEffect(() => {
    // The balance in the top bar, and that of the form to which we go back, are older than this payment.
    void makeStale(queries, answersOf(listUserWallets), ...aboutWallet())
  }, [queries])
  useEffect(() => {
    const from = findReturn(transaction.id)
    if (from !== null) setNext(from)
    return () => forgetReturn(transaction.id)
  }, [transaction.id])
  useEffect(() => {
    if (next === null) return
    const timer = setTimeout(() => {
      announceTopUp(next, { amount, currency })
      void navigate(next, { replace: true })
    }, 1800)
    return () => clearTimeout(timer)
  }, [next, navigate, amount, currency])
  return (
    <StatusPage
      tone="good"
      icon={<IconCircleCheck />}
      title={t('payment.completedTitle', { amount: format.money({ amount, currency }) })}
      text={next === null ? t('payment.completedText') : `${t('payment.completedText')} ${t('payment.completedNext')}`}
    >
      <Steps reached={3} />
      {next !== null && (
        <LinkButton look="primary" to={next} onClick={() => announceTopUp(next, { amount, currency })}>
          {t('payment.next')}
        </LinkButton>
      )}
      <LinkButton look={next === null ? 'primary' : 'secondary'} to={path(`/wallets/${transaction.wallet_id}`)}>
        {t('payment.toWallet')}
      </LinkButton>
      {next === null && <LinkButton to={path('/create')}>{t('shell.newServer')}</LinkButton>}
    </StatusPage>
  )
}

const steps = ['paid', 'confirmed', 'credited'] as const

function Steps({ reached }: { reached: number }) {
  const { t } = useTranslation()
  return (
    <ol className={classes['steps']}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-state={index < reached ? 'done' : index === reached ? 'now' : 'later'}
          aria-current={index === reached ? 'step' : undefined}
        >
          {t(`payment.steps.${step}`)}
        </li>
      ))}
    </ol>
  )
}
